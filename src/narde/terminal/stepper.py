"""A record stepped through in a dialogue: forward, back, to a turn, to a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from narde.errors import IllegalActionError, NardeError
from narde.terminal import screen
from narde.terminal.console import Console, EndOfInput
from narde.terminal.recorded import Picture
from narde.terminal.words import Names

MEANINGS: Final = {
    "n": "next (so does Enter)",
    "p": "previous",
    "7": "turn 7 of this game",
    "g 2": "game 2",
    "first, last": "the first picture, the last one",
    "id": "the position as an ID",
    "q": "quit",
}
_ALIASES: Final = {
    "": "n",
    "next": "n",
    "previous": "p",
    "back": "p",
    "game": "g",
    "quit": "q",
    "?": "help",
    "h": "help",
}


class Stepper:
    """Shows the pictures of a record one at a time, as it is told to."""

    def __init__(self, pictures: Sequence[Picture], names: Names, console: Console) -> None:
        self.pictures = pictures
        self.names = names
        self.console = console
        self.place = 0

    def run(self, game: int | None = None) -> None:
        """Show pictures, from the beginning or a game on, until the person quits or the input ends."""
        if game is not None:
            self.place = self._game(str(game))
        self.show(self.pictures[self.place])
        while (text := self._ask()) is not None:
            try:
                self._do(text)
            except NardeError as fault:
                self.console.say(str(fault))

    def show_all(self, game: int | None = None, *, boards: bool = True) -> None:
        """Every picture one after the other, or those of a game; without `boards` only what was done."""
        begin = 0 if game is None else self._game(str(game))
        for i, picture in enumerate(self.pictures[begin:], begin):
            if game is not None and picture.number != game:
                break
            if boards:
                self.show(picture)
            else:
                self._tell(picture, new=i == begin or self.pictures[i - 1].number != picture.number)

    def show(self, picture: Picture) -> None:
        """A picture: the board and what was done there."""
        title = f"Game {picture.number}, turn {picture.turn}"
        board = screen.board(picture.game, self.names, self.console, title=title)
        self.console.say("\n".join(["", board, *picture.lines]))

    def _tell(self, picture: Picture, *, new: bool) -> None:
        """What was done, with the number of the turn; the score before a game."""
        if new:
            self.console.say(f"\nGame {picture.number}, {picture.game.score}")
        self.console.say("\n".join(f"{picture.turn:3}  {line}" for line in picture.lines))

    def _ask(self) -> str | None:
        """What is typed; None at the end."""
        try:
            text = self.console.ask(f"{self.place + 1} of {len(self.pictures)}: n, p, turn, g game, ? or q> ")
        except EndOfInput:
            return None
        words = text.lower().split()
        word = _ALIASES.get(words[0], words[0]) if words else "n"
        return None if word == "q" else " ".join([word, *words[1:]])

    def _do(self, text: str) -> None:
        """Act upon what was typed; raises `IllegalActionError` for what leads nowhere."""
        word, _, rest = text.partition(" ")
        if word == "help":
            self.console.say("\n".join(f"  {name:11}  {meaning}" for name, meaning in MEANINGS.items()))
        elif word == "id":
            self.console.say(self.pictures[self.place].game.setup().id())
        else:
            self.place = self._target(word, rest)
            self.show(self.pictures[self.place])

    def _target(self, word: str, rest: str) -> int:
        if word in ("n", "p"):
            return self._near(1 if word == "n" else -1)
        if word in ("first", "last"):
            return 0 if word == "first" else len(self.pictures) - 1
        if word == "g":
            return self._game(rest)
        return self._turn(word)

    def _near(self, by: int) -> int:
        if not 0 <= self.place + by < len(self.pictures):
            raise IllegalActionError(f"this is the {'end' if by > 0 else 'beginning'} of the record")
        return self.place + by

    def _game(self, text: str) -> int:
        """The first picture of a game."""
        games = [picture.number for picture in self.pictures]
        if not text.isdecimal() or len(text) > 9 or int(text) not in games:
            raise IllegalActionError(
                f"no game {text[:20]!r}: the record has the games {games[0]} to {games[-1]}"
            )
        return games.index(int(text))

    def _turn(self, text: str) -> int:
        """The first picture of a turn of this game."""
        number = self.pictures[self.place].number
        turns = [picture.turn if picture.number == number else None for picture in self.pictures]
        known = [turn for turn in turns if turn is not None]
        if not text.isdecimal():
            raise IllegalActionError(f"{text[:20]!r} is no place: n, p, the number of a turn, g 2, ? or q")
        if len(text) > 9 or int(text) not in known:
            raise IllegalActionError(
                f"no turn {text[:20]}: game {number} has the turns {known[0]} to {known[-1]}"
            )
        return turns.index(int(text))

"""Questions to a person: a prompt, the words that answer it, and those that are understood at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from narde.board import Rows
from narde.errors import IllegalActionError, NardeError
from narde.game import Game
from narde.terminal import screen
from narde.terminal.console import Console
from narde.terminal.keeper import Keeper
from narde.terminal.players import PERSON
from narde.terminal.table import Table, save_table
from narde.terminal.words import match_words, names_of

Answer = Callable[[str], None]
"""Acts upon what stands behind a word, or upon the whole line."""


class Other(NamedTuple):
    """What may be typed that is no word: what it is, and who acts upon it."""

    what: str
    act: Answer


MEANINGS: Final = {
    "roll": "roll the dice (so does Enter)",
    "double": "offer a double",
    "take": "accept the double",
    "beaver": "accept it, double at once and keep the cube",
    "drop": "give the game up for the value before the double",
    "undo": "take back what you entered last in this turn",
    "resign": "offer to lose the game; `resign mars`, `resign 2` for more than one",
    "accept": "accept that the other player loses so",
    "refuse": "play on",
    "plays": "list all legal plays that go on from here",
    "board": "show the board again",
    "score": "show the score",
    "id": "show the position as an ID",
    "save": "keep a copy of the match: save FILE",
    "help": "this list",
    "quit": "stop; what was played is kept",
}
"""Every word, and what it does."""
GENERAL: Final = ("plays", "board", "score", "id", "save", "help", "quit")
"""The words that are understood at any time."""
ALIASES: Final = {
    "?": "help",
    "h": "help",
    "q": "quit",
    "u": "undo",
    "p": "plays",
    "r": "roll",
}
"""Shorter ones; none for what cannot be taken back."""
HOW_TO_PLAY: Final = (
    "Type a play as 24/18 13/8, its number in the list, or one move after the other, such as 24/18;",
    "bar/22 enters, 6/off bears off, 24/18(2) moves two checkers.",
)


class Quit(Exception):
    """The person stops."""


class Dialogue:
    """Asks about one table at a time and keeps it before each question."""

    def __init__(self, table: Table, console: Console, keeper: Keeper) -> None:
        self.table = table
        self.console = console
        self.keeper = keeper

    def keep(self) -> None:
        """Save the table where it has changed; what the system refuses is said, and tried again next time."""
        if fault := self.keeper.keep(self.table):
            self.console.say(f"not saved: {fault}")

    def answer(self, prompt: str, words: Mapping[str, Answer], other: Other | None = None) -> None:
        """Ask until the answer is one of the words, or `other`, and has been acted upon.

        A `NardeError` is shown and the question put again. Raises `Quit` and `EndOfInput`.
        """
        while True:
            self.keep()
            text = self.console.ask(f"{prompt}> ")
            word, _, rest = text.partition(" ")
            word = ALIASES.get(word.lower(), word.lower())
            try:
                if word in words:
                    return words[word](rest.strip())
                if word in GENERAL:
                    self._general(word, rest.strip(), words, other)
                elif word in MEANINGS or other is None or not text:
                    raise IllegalActionError(_no_word(text, words, other))
                else:
                    return other.act(text)
            except NardeError as fault:
                self.console.say(_in_short(fault))

    def show_board(self) -> None:
        """The board of the game in progress."""
        if (game := self.table.game) is not None:
            partial = self.table.partial()
            self.say_board(game, None if partial is None else partial.row)

    def say_board(self, game: Game, row: Rows | None = None) -> None:
        """The board of a game of the match, the person at the bottom, of two persons player 0."""
        below = 0 if self.table.seats[0] == PERSON else 1
        names, title = names_of(self.table.match.players), f"Game {self.table.number + 1}"
        self.console.say(screen.board(game, names, self.console, title=title, below=below, row=row))

    def _general(self, word: str, rest: str, words: Iterable[str], other: Other | None) -> None:
        """Act upon a word that leaves the question open."""
        if word == "quit":
            raise Quit
        if word == "help":
            self._help(words, other)
        elif word == "board":
            self.show_board()
        elif word == "score":
            self.console.say(match_words(self.table.match))
        elif word == "save":
            self._save(rest)
        elif self.table.game is None:
            raise IllegalActionError(f"no {word} between games")
        elif word == "id":
            self.console.say(self.table.game.setup().id())
        else:
            self._plays()

    def _help(self, words: Iterable[str], other: Other | None) -> None:
        if self.table.partial() is not None and other is not None:
            self.console.say("\n".join(HOW_TO_PLAY))
        known = dict.fromkeys([*(word for word in words if word in MEANINGS), *GENERAL])
        self.console.say("\n".join(f"  {word:7} {MEANINGS[word]}" for word in known))

    def _save(self, name: str) -> None:
        if not name:
            kept = f"kept in {self.keeper.path}" if self.keeper.path else "not kept"
            raise IllegalActionError(f"the match is {kept}; for a copy name a file: save FILE")
        path = Path(name)
        if path.exists():
            raise IllegalActionError(f"{path} exists: name another file")
        save_table(self.table, path)
        self.console.say(f"saved as {path}")

    def _plays(self) -> None:
        partial = self.table.partial()
        if partial is None:
            raise IllegalActionError("no plays: there are no dice to play")
        self.console.say("\n".join(screen.play_lines(partial, self.console, whole=True)))


def _no_word(text: str, words: Iterable[str], other: Other | None) -> str:
    """What may be typed instead."""
    named = [word for word in words if len(word) > 1]
    meant = f"no {text[:20]!r} now" if text else "nothing typed"
    return f"{meant}: {', '.join([*([other.what] if other else []), *named, 'help', 'quit'])}"


def _in_short(fault: NardeError) -> str:
    """What is wrong, without the lines that are for a report of it."""
    lines = str(fault).splitlines()
    return "\n".join(line for line in lines if not line.startswith("  position "))

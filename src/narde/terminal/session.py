"""A match played in a dialogue: whose turn it is, who is asked what, and what the answers do."""

from __future__ import annotations

from dataclasses import replace

from narde.dice import Pair, as_pair
from narde.errors import IllegalActionError, IllegalPlayError, InvalidArgumentError
from narde.game import Game
from narde.scoring import RESULT_NAMES
from narde.terminal import screen
from narde.terminal.console import Console
from narde.terminal.dialogue import Answer, Dialogue, Other
from narde.terminal.keeper import Keeper
from narde.terminal.players import ProgramPlayer
from narde.terminal.table import Table
from narde.terminal.turn import PartialTurn
from narde.terminal.words import Names, event_words, match_words, names_of, result_words, roll_words


class Session(Dialogue):
    """A dialogue about one match; `confirm` shows every play before it counts."""

    def __init__(self, table: Table, console: Console, keeper: Keeper, *, confirm: bool = False) -> None:
        super().__init__(table, console, keeper)
        self.confirm = confirm
        self.dice = table.source()
        self.players = table.players()
        self._board: object = None
        self._listed: Pair | None = None

    @property
    def names(self) -> Names:
        """The players' names as they can be shown."""
        return names_of(self.table.match.players)

    # ---- the course of a match -----------------------------------------------------------------------------

    def run(self) -> None:
        """Play the match to its end. Raises `Quit` and `EndOfInput` when the person stops before that."""
        self.console.say(match_words(self.table.match))
        while self.table.match.actions:
            self.step()
        self.keep()

    def step(self) -> None:
        """Whatever comes next: a game, a contest, a roll, an answer, a play."""
        game = self.table.game
        if game is None:
            self._next_game()
        elif game.actor is None:
            self._contest(game)
        elif (player := self.players[game.actor]) is not None:
            self._let_play(player, game)
        elif game.must_pass:
            self._act("play", "pass")
        elif game.actions == ("roll", "resign") and self.dice is not None:
            self._act("roll", self.dice.roll())
        else:
            self._ask(game)

    def _next_game(self) -> None:
        if self.table.match.games:
            self.answer("Enter for the next game, or quit", {"": lambda _: None})
        self.table = replace(self.table, match=self.table.match.start_game(), entries=())
        if self.dice is not None:
            self.dice.new_game(self.table.number)
        if self.table.game is not None and self.table.game.starter is not None:
            self.console.say(f"{self.names[self.table.game.starter]} starts")

    def _contest(self, game: Game) -> None:
        if self.dice is not None:
            self._act("contest", self.dice.contest(game.rules.opening_roll == "keep"))
        else:
            self._ask_dice("contest", f"opening dice of {self.names[0]} and {self.names[1]}")

    def _let_play(self, player: ProgramPlayer, game: Game) -> None:
        action, argument = player.act(game, self.table.number)
        if action == "roll":
            self._roll(game)
        else:
            self._act(action, *([] if argument is None else [argument]))

    def _roll(self, game: Game) -> None:
        if self.dice is not None:
            self._act("roll", self.dice.roll())
        else:
            self._ask_dice("roll", f"dice of {self.names[game.mover or 0]}")

    def _ask_dice(self, action: str, prompt: str) -> None:
        """Dice from a person's hand."""
        self.answer(prompt, {}, self._typed_dice(action))

    def _act(self, action: str, *arguments: object) -> None:
        """An action of the match: said, but for a roll, which the play behind it tells."""
        before = self.table.game
        self.table = self.table.act(action, *arguments)
        after = self.table.match.games[-1]
        if before is not None and action != "roll":
            self.console.say(event_words(before, after, self.names))
        if after.result is not None:
            self._show_end(after)

    def _show_end(self, game: Game) -> None:
        """The last board of a game that was played out, the result and the score."""
        if game.result is not None and game.result.how == "played":
            self.console.say()
            self.say_board(game)
            self.console.say()
        self.console.say(result_words(game, self.names))
        self.console.say(match_words(self.table.match))

    # ---- what a person decides -----------------------------------------------------------------------------

    def _ask(self, game: Game) -> None:
        """Show how it stands, and let the person decide."""
        partial = self.table.partial()
        self._show(game, partial)
        name = self.names[game.actor or 0]
        if partial is not None:
            self.answer(
                f"{name}, {_progress(partial)}",
                self._words_of_play(partial),
                Other("a play or its number", self._enter),
            )
        elif "roll" in game.actions:
            self.answer(self._choices(game), self._words_of_roll(game), self._hand())
        else:
            self.answer(self._choices(game), {action: self._doing(action) for action in game.actions})

    def _show(self, game: Game, partial: PartialTurn | None) -> None:
        """The board and the plays, unless they are still to be seen above."""
        board = (game.row.tobytes(), game.mover, self.table.entries)
        if board != self._board:
            self.console.say()
            self.show_board()
            self._board, self._listed = board, None
        if partial is not None and partial.chosen is None and game.dice != self._listed:
            self.console.say("\n".join(screen.play_lines(partial, self.console)))
            self._listed = game.dice

    def _choices(self, game: Game) -> str:
        by_hand = self.dice is None
        actions = ["the dice" if action == "roll" and by_hand else action for action in game.actions]
        return f"{self.names[game.actor or 0]}: {', '.join(actions[:-1])} or {actions[-1]}"

    def _words_of_roll(self, game: Game) -> dict[str, Answer]:
        words: dict[str, Answer] = {"resign": self._resign}
        if "double" in game.actions:
            words["double"] = self._doing("double")
        if self.dice is not None:
            words["roll"] = words[""] = lambda _: self._roll(game)
        return words

    def _words_of_play(self, partial: PartialTurn) -> dict[str, Answer]:
        words: dict[str, Answer] = {"undo": self._undo, "resign": self._resign}
        if partial.chosen is not None:
            words[""] = lambda _: self._act("play", partial.chosen)
        return words

    def _doing(self, action: str) -> Answer:
        return lambda _: self._act(action)

    def _hand(self) -> Other | None:
        return self._typed_dice("roll") if self.dice is None else None

    def _typed_dice(self, action: str) -> Other:
        return Other("two dice, such as 65", lambda text: self._act(action, as_pair(text)))

    def _enter(self, text: str) -> None:
        """A play, its number, or a part of it."""
        partial = self.table.partial()
        assert partial is not None
        if partial.chosen is not None:
            raise IllegalActionError("the turn is complete: Enter ends it, undo takes a move back")
        after = self._numbered(partial, text) if text.isdecimal() else partial.enter(text)
        if after.chosen is not None and len(after.entries) == 1 and not self.confirm:
            self._act("play", after.chosen)
        else:
            self.table = replace(self.table, entries=after.entries)

    def _numbered(self, partial: PartialTurn, text: str) -> PartialTurn:
        """The play of a number in the list, in place of what was entered before."""
        plays = partial.plays
        if len(text) > 6 or not 1 <= int(text) <= len(plays):
            raise IllegalPlayError(f"no play {text[:9]}: the plays have the numbers 1 to {len(plays)}")
        return PartialTurn.begin(plays).enter(plays[int(text) - 1].notation)

    def _undo(self, _: str) -> None:
        if not self.table.entries:
            raise IllegalActionError("nothing to take back: you have entered nothing in this turn")
        self.table = replace(self.table, entries=self.table.entries[:-1])

    def _resign(self, text: str) -> None:
        game = self.table.game
        assert game is not None
        self._act("resign", _kind_of(text, game))


def _progress(partial: PartialTurn) -> str:
    """The roll, the moves made and what is left of it, before a prompt."""
    roll = roll_words(partial.plays.dice)
    if not partial.entries:
        return roll
    if partial.chosen is not None:
        return f"{roll}: {partial.notation}, Enter to end the turn"
    return f"{roll}: {partial.notation}, left {partial.dice_left}"


def _kind_of(text: str, game: Game) -> int:
    """The kind of result that a person offers to lose, by name or number; the least if none is named."""
    names = RESULT_NAMES[game.rules.game]
    wanted = text.lower() or "1"
    for kind in range(1, 4):
        if wanted in (str(kind), names[kind]):
            return kind
    raise InvalidArgumentError(f"nobody can resign a {text[:20]!r}: use one of {', '.join(names[1:])}")

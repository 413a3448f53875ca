"""`GameState`: where a game stands, what is legal there, and which afterstate a choice of play means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde import draw
from narde.board import Rows, as_rows, flip
from narde.cube import Cube, MoneyOptions, Score
from narde.dice import Pair
from narde.errors import IllegalActionError, IllegalPlayError, shown
from narde.game.history import Event, Result
from narde.game.pictures import line_of, options_of
from narde.ids import Setup, describe_row
from narde.notation import format_plays, parse_play
from narde.plays import afterstates
from narde.rules import Rules
from narde.scoring import finished

NAMES: Final = ("player 0", "player 1")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GameState:
    """A game at one moment: nothing here changes it. `Game` leads on, and says what the fields are."""

    rules: Rules
    score: Score
    money: MoneyOptions
    first_starter: int | None
    starter: int | None = None
    mover: int | None = None
    row: Rows
    dice: Pair | None = None
    cube: Cube
    resigned: int | None = None
    result: Result | None = None
    events: tuple[Event, ...] = ()

    # ---- what is legal -------------------------------------------------------------------------------------

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the methods that are legal now; none once the game is over."""
        if self.result is not None:
            return ()
        if self.starter is None:
            return ("contest",)
        if self.resigned is not None:
            return ("accept", "refuse")
        if self.cube.offer is not None:
            return self.cube.actions(beavers=self.money.beavers)
        if self.dice is not None:
            return ("play", "resign")
        return ("roll", "double", "resign") if self._may_double else ("roll", "resign")

    @property
    def actor(self) -> int | None:
        """The player who must act: the mover, or who answers an offer; None in a contest and at the end."""
        if self.result is not None or self.mover is None:
            return None
        answers = self.resigned is not None or self.cube.answerer == "opponent"
        return 1 - self.mover if answers else self.mover

    @cached_property
    def legal(self) -> Rows:
        """The afterstates of the dice, int8 (M, 28), in the order of `afterstates`; if none, the pass alone.



        Raises `IllegalActionError` while there are no dice to play.
        """
        self.check("play")
        return read_only(afterstates(self.row, self._roll, self.rules, check=False).positions)

    @property
    def must_pass(self) -> bool:
        """Whether there are dice to play, and no legal play but the pass."""
        return "play" in self.actions and bool((self.legal[0] == flip(self.row, self.rules)).all())

    @property
    def notations(self) -> tuple[str, ...]:
        """The legal plays in the order of `legal`, as they are written. Raises as `legal` does."""

        legal = self.legal
        return tuple(format_plays(self.row, self._roll, legal, self.rules))

    @property
    def _roll(self) -> Pair:
        assert self.dice is not None
        return self.dice

    @property
    def _may_double(self) -> bool:
        """Before the roll (short l28), with the cube at hand, and not in the Crawford game (minsport l19)."""
        in_use = self.rules.cube and not self.score.crawford and not finished(self.row)
        return bool(in_use) and self.cube.actions() != ()

    @property
    def rolled(self) -> int:
        """The turns whose dice have fallen; `SeededDice(seed, game, turn=rolled)` goes on from here."""
        return sum(event.action == "play" for event in self.events) + (self.dice is not None)

    def setup(self) -> Setup:
        """Where the game stands, seen by its mover, player 0 before the contest: what an ID can tell of it.

        Raises `InvalidArgumentError` for a cube or a score beyond what a setup takes.
        """
        mover, cube, money = self.mover or 0, self.cube, self.score.length is None
        beavered = cube.offer == "beaver"
        return Setup(
            self.row,
            self.rules,
            dice=self.dice,
            cube_value=cube.value // 2 if beavered else cube.value,
            cube_owner=None if beavered else cube.owner,
            length=self.score.length or 0,
            score=self.score.seen_by(mover).points,
            crawford=self.score.crawford,
            jacoby=self.money.jacoby and money,
            beavers=self.money.beavers and money,
            offer=cube.offer,
            resign=self.resigned or 0,
            player=mover + 1,
        )

    # ---- pictures ------------------------------------------------------------------------------------------

    def text(self, names: tuple[str, str] = NAMES, **options: Any) -> str:
        """The board as text with dice, cube and score, player 0, who has the light checkers, at the bottom.

        names: of player 0 and player 1; the options are those of `narde.draw.text`.
        """
        return draw.text(self.row, self.rules, **options_of(self, names, options))

    def svg(self, names: tuple[str, str] = NAMES, **options: Any) -> str:
        """The same as SVG; the options are those of `narde.draw.svg`."""
        return draw.svg(self.row, self.rules, **options_of(self, names, options))

    def png(self, names: tuple[str, str] = NAMES, **options: Any) -> bytes:
        """The same as PNG, by the `png` extra; the options are those of `narde.draw.png`."""
        return draw.png(self.row, self.rules, **options_of(self, names, options))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text(colour=False)

    def __repr__(self) -> str:
        return line_of(self)

    # ---- for the actions -----------------------------------------------------------------------------------

    def check(self, action: str) -> None:
        """Return quietly if the action is legal now; else raise `IllegalActionError` naming what is."""
        if action in self.actions:
            return
        if self.result is not None:
            raise IllegalActionError(f"no {action}: the game is over, {self.result}")
        who = "both players" if self.actor is None else f"player {self.actor}"
        raise IllegalActionError(f"no {action} now: {who} may {' or '.join(self.actions)}")

    def meant(self, choice: str | int | npt.ArrayLike) -> Rows:
        """The legal afterstate that a choice means."""
        if isinstance(choice, str):
            return read_only(parse_play(choice, self.row, self._roll, self.rules).afterstate)
        legal = self.legal
        if isinstance(choice, (int, np.integer)):
            if isinstance(choice, bool) or not 0 <= choice < len(legal):
                raise IllegalPlayError(f"no play {shown(choice)}: {self._plays()}")
            return read_only(legal[int(choice)].copy())
        batch, single = as_rows(choice)
        if not single or not (found := (legal == batch[0]).all(axis=1)).any():
            raise IllegalPlayError(f"no legal play leads to {batch.tolist()}: {self._plays()}")
        return read_only(legal[int(found.argmax())].copy())

    def _plays(self) -> str:
        named = self.notations
        more = f" and {len(named) - 20} more" if len(named) > 20 else ""
        where = f"position {describe_row(self.row, self.rules)}, dice {self.dice}"
        return f"legal are plays 0 to {len(named) - 1}, {', '.join(named[:20])}{more}\n  {where}"


def read_only(row: Rows) -> Rows:
    """The array itself, no longer to be written to."""
    row.flags.writeable = False
    return row

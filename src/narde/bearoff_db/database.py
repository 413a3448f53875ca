"""`BearoffDatabase`: what the tables say of rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.best import best_afterstates
from narde.bearoff_db.chances import WIN, WIN_MARS, equities, is_exact, outcome_chances
from narde.bearoff_db.domain import (
    Fault,
    Flags,
    check_covered,
    check_rows,
    is_covered,
    is_mover_covered,
    race_faults,
    side_faults,
)
from narde.bearoff_db.homes import HOME, Ranks, opponents_homes_of, ranks_of
from narde.bearoff_db.tables import Tables
from narde.bearoff_db.turns import Floats
from narde.board import Dice, Rows, as_dice, as_rows
from narde.errors import InvalidArgumentError
from narde.kernels import as_threads
from narde.rules import Rules

S = TypeVar("S", bound=np.generic)

PIPS_A_ROLL: Final = 49 / 6
"""Pips of the average roll, doubles played twice."""


class BearoffDatabase:
    """How bearing off goes on, for rows (N, 28) or one row (28,); made by `narde.bearoff`.

    Everything is said of the player on roll, the mover; `narde.flip` gives the other one. Two kinds of rows
    are covered. `dist`, `epc` and `best_plays` need the mover's checkers home or off and no opposing checker
    that has yet to pass his home board; the others need both sides home or off. Rows that are not covered
    raise `NotCoveredError` with the row and the reasons, rows that are no positions `InvalidPositionError`.
    """

    def __init__(self, rules: Rules, tables: Tables, path: Path | None) -> None:
        self.rules = rules
        """The rules of the rows."""
        self.path = path
        """The file that the tables are mapped from; None if they could not be written to one."""
        self._tables = tables

    @property
    def tables(self) -> Tables:
        """The tables themselves."""
        return self._tables

    def covers(self, rows: npt.ArrayLike) -> Flags:
        """Whether both sides have all checkers home or off, and not both all off: bool (N,), or one bool.

        True where every method answers. Raises `InvalidPositionError` for what is no position.
        """
        batch, single = self._positions(rows)
        return _result(is_covered(batch, self.rules), single)

    def covers_mover(self, rows: npt.ArrayLike) -> Flags:
        """Whether `dist`, `epc` and `best_plays` answer, bool (N,) or one bool: the mover home, nobody in his
        way. Raises `InvalidPositionError` for what is no position."""
        batch, single = self._positions(rows)
        return _result(is_mover_covered(batch, self.rules), single)

    def exact(self, rows: npt.ArrayLike) -> Flags:
        """Whether `win`, `mars`, `chances`, `equity` and `best_plays` are exact, bool (N,): both sides home
        with at most six checkers left each. False, too, for rows that are not covered."""
        batch, single = self._positions(rows)
        covered = is_covered(batch, self.rules)
        covered[covered] = is_exact(*self._ranks(batch[covered]))
        return _result(covered, single)

    def dist(self, rows: npt.ArrayLike) -> Floats:
        """The chances that the mover needs exactly 0, 1, ... 30 rolls to bear off all: float64 (N, 31).

        Under the play that makes their expected number least. Column n is n rolls; column 0 is 1 where all
        are off already.
        """
        boards, single = self._boards(rows)
        return _result(self._tables.rolls[boards], single)

    def epc(self, rows: npt.ArrayLike) -> Floats:
        """The mover's effective pip count, float64 (N,): his expected number of rolls times 49/6, the pips of
        the average roll (Trice, "Effective Pip Count", 2000)."""
        boards, single = self._boards(rows)
        return _result(self._tables.mean_rolls[boards] * PIPS_A_ROLL, single)

    def win(self, rows: npt.ArrayLike) -> Floats:
        """The mover's chance of winning, float64 (N,); exact where `exact` says so.

        Elsewhere it is the chance when both sides play for the fewest rolls, whatever the other does.
        """
        return self._column(rows, WIN)

    def mars(self, rows: npt.ArrayLike) -> Floats:
        """The mover's chance of winning a mars (gammon), float64 (N,).

        The opponent is taken to play for his first checker off until it is off. His chance of a mars against
        the mover is column 3 of `chances`.
        """
        return self._column(rows, WIN_MARS)

    def chances(self, rows: npt.ArrayLike) -> Floats:
        """The mover's chances of winning, winning a mars, winning a koks, losing a mars, losing a koks:
        float64 (N, 5). A koks is never lost from home: both of its columns hold 0."""
        batch, single = self._covered(rows, race_faults)
        return _result(outcome_chances(self._tables, *self._ranks(batch)), single)

    def equity(self, rows: npt.ArrayLike) -> Floats:
        """The mover's cubeless equity in points, float64 (N,), from `chances` and the rules' points for
        mars."""
        batch, single = self._covered(rows, race_faults)
        chances = outcome_chances(self._tables, *self._ranks(batch))
        return _result(equities(chances, self.rules), single)

    def best_plays(self, rows: npt.ArrayLike, dice: npt.ArrayLike, *, threads: int = 1) -> Rows:
        """The afterstate of the best play of each row with its roll: int8 (N, 28), or (28,) for one of both.

        rows and dice as `narde.afterstates` takes them. Where `exact` holds it is the play of the highest
        chance of winning; where the mover has borne off none and the opponent is home too, that of the
        highest `equity`, since a mars may be lost; elsewhere the play that leaves the fewest expected rolls.
        Of equal ones it is the first in the order of `narde.afterstates`.

        Raises `InvalidDiceError` and `InvalidArgumentError` as well.
        """
        batch, single = self._covered(rows, side_faults)
        rolls, one_roll = as_dice(dice)
        pairs, rolls = _paired(batch, single, rolls, one_roll)
        best = best_afterstates(self._tables, pairs, rolls, self.rules, as_threads(threads))
        return _result(best, single and one_roll)

    def __reduce__(self) -> tuple[Callable[..., BearoffDatabase], tuple[Rules]]:
        """Another process opens the tables itself: only the rules travel."""
        from narde.bearoff_db import bearoff

        return bearoff, (self.rules,)

    def __repr__(self) -> str:
        return f"narde.bearoff({self.rules.name!r})"

    # ---- rows to boards ------------------------------------------------------------------------------------

    def _positions(self, rows: npt.ArrayLike) -> tuple[Rows, bool]:
        batch, single = as_rows(rows)
        check_rows(batch, self.rules)
        return batch, single

    def _covered(
        self, rows: npt.ArrayLike, faults: Callable[[Rows, Rules], list[Fault]]
    ) -> tuple[Rows, bool]:
        batch, single = self._positions(rows)
        check_covered(faults(batch, self.rules), batch, self.rules)
        return batch, single

    def _boards(self, rows: npt.ArrayLike) -> tuple[Ranks, bool]:
        """The ranks of the mover's boards, nobody being in his way."""
        batch, single = self._covered(rows, side_faults)
        return ranks_of(np.maximum(batch[:, HOME], 0)), single

    def _ranks(self, batch: Rows) -> tuple[Ranks, Ranks]:
        """The ranks of the mover's and the opponent's boards, both being home."""
        return ranks_of(batch[:, HOME]), ranks_of(opponents_homes_of(batch, self.rules.game))

    def _column(self, rows: npt.ArrayLike, column: int) -> Floats:
        batch, single = self._covered(rows, race_faults)
        return _result(outcome_chances(self._tables, *self._ranks(batch))[:, column].copy(), single)


def _paired(batch: Rows, single: bool, rolls: Dice, one_roll: bool) -> tuple[Rows, Dice]:
    """As many rows as rolls, either given once for all of the other."""
    if not single and not one_roll and len(batch) != len(rolls):
        raise InvalidArgumentError(
            f"{len(batch)} rows and {len(rolls)} dice: pass as many of both, or one of either"
        )
    n = len(rolls) if single else len(batch)
    return np.broadcast_to(batch, (n, batch.shape[1])), np.broadcast_to(rolls, (n, 2))


def _result(values: npt.NDArray[S], single: bool) -> npt.NDArray[S]:
    """The values of all rows, or of the only one."""
    if not single:
        return values
    value: npt.NDArray[S] = values[0]
    return value

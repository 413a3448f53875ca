"""What trials are played of, and how: a value that can be sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from narde.board import Rows, as_rows
from narde.evaluators import Evaluator, lookahead
from narde.evaluators.calling import call
from narde.rules import Rules

if TYPE_CHECKING:
    from narde.bearoff_db.database import BearoffDatabase


@dataclass(frozen=True, eq=False)
class Plan:
    """Trials of some rows on the same dice.

    starts: int8 (starts, 28), each seen by the player who rolls first.
    truncate: Turns after which a trial ends with the evaluator's chances; None: it is played to its end.
    plies: Turns that plays look ahead; luck is always measured without.
    table: The bear-off tables: a trial ends where they are exact and is played by them where they cover its
        row; None: by the evaluator to its end.
    """

    starts: Rows
    rules: Rules
    evaluator: Evaluator
    seed: int
    truncate: int | None
    variance_reduction: bool
    plies: int
    table: BearoffDatabase | None

    @cached_property
    def player(self) -> Evaluator:
        """The evaluator by which plays are chosen where the tables do not choose them."""
        return lookahead(self.evaluator, self.rules, self.plies)

    @cached_property
    def judge(self) -> Evaluator:
        """What says how a row stands: the tables where they cover it, else the player."""
        return self.player if self.table is None else WithTable(self.player, self.table)


@dataclass(frozen=True)
class WithTable:
    """An evaluator that asks the bear-off tables first, and another evaluator for the rows they lack."""

    other: Evaluator
    table: BearoffDatabase

    @property
    def game(self) -> str:
        """The board it is for."""
        return self.table.rules.game

    def __call__(self, rows: Rows, /) -> npt.NDArray[Any]:
        batch, _ = as_rows(rows)
        known = self.table.covers(batch)
        if not known.any():
            return call(self.other, batch, self.table.rules)
        chances = np.empty((len(batch), 5), np.float32)
        chances[known] = self.table.chances(batch[known])
        chances[~known] = call(self.other, batch[~known], self.table.rules)
        return chances

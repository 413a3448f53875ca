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
    """Trials of some rows on the same dice."""

    starts: Rows
    """int8 (starts, 28), each seen by the player who rolls first."""
    rules: Rules
    given: Evaluator
    """The evaluator as it was passed."""
    seed: int
    truncate: int | None
    """Turns after which a trial ends with the evaluator's chances; None: it is played to its end."""
    variance_reduction: bool
    plies: int
    """Turns that plays look ahead; luck is always measured without."""
    table: BearoffDatabase | None
    """The bear-off tables, which end a trial where they are exact; None: trials are played on."""

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, which gives the chances of the bear-off tables where these have them."""
        return self.given if self.table is None else WithTable(self.given, self.table)

    @cached_property
    def player(self) -> Evaluator:
        """The evaluator by which plays are chosen."""
        return lookahead(self.evaluator, self.rules, self.plies)


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

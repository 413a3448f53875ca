"""Small races solved exactly by recursion over whole rows, as evaluators to roll out with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import narde
from narde.bearoff_db.chances import outcome_chances
from narde.bearoff_db.homes import HOME, opponents_homes_of, ranks_of
from narde.board import Rows
from narde.dice import ROLLS, WEIGHTS
from narde.evaluators import best_plays, equity, exact_chances, swapped
from narde.scoring import finished
from positions import row_of

HOME_OF_OPPONENT = {"long": range(13, 19), "short": range(24, 18, -1)}
"""The mover's numbers of the opponent's points 1 to 6."""


def race(mover: dict[int, int], opponent: dict[int, int], game: str = "long") -> Rows:
    """The row of a race by the numbers of checkers on the own points of either side; the others are off."""
    own = [point for point, n in mover.items() for _ in range(n)]
    theirs = [HOME_OF_OPPONENT[game][point - 1] for point, n in opponent.items() for _ in range(n)]
    return np.array(row_of(own, theirs), np.int8)


class Solved:
    """The exact chances under best play by both, by recursion; few rows can be asked of it."""

    def __init__(self, rules: str = "long") -> None:
        self.rules = narde.rules(rules)
        self.known: dict[bytes, np.ndarray] = {}

    def __call__(self, rows: Rows) -> np.ndarray:
        return np.array([self.chances(row) for row in rows], np.float32).reshape(-1, 5)

    def chances(self, row: Rows) -> np.ndarray:
        """The chances of the player on roll, float64 (5,)."""
        if row.tobytes() not in self.known:
            self.known[row.tobytes()] = self._solve(row)
        return self.known[row.tobytes()]

    def _solve(self, row: Rows) -> np.ndarray:
        if finished(row):
            return exact_chances(row, self.rules)[0].astype(np.float64)
        out = narde.afterstates(row, ROLLS, self.rules)
        after = swapped(np.array([self.chances(row) for row in out.positions]))
        worth, total = equity(after, self.rules), np.zeros(5)
        for weight, start, stop in zip(WEIGHTS, out.offsets, out.offsets[1:], strict=False):
            total += weight * after[start + worth[start:stop].argmax()]
        return total / 36


class Bent:
    """An evaluator that ranks plays as another one does, but whose chances are wrong, and know no mars."""

    def __init__(self, other: Solved | ByTable) -> None:
        self.other = other

    def __call__(self, rows: Rows) -> np.ndarray:
        worth = equity(self.other(rows), self.other.rules)
        chances = np.zeros((len(rows), 5), np.float32)
        chances[:, 0] = 1 / (1 + np.exp(-2.5 * worth + 0.3))
        return chances


class Played(Solved):
    """The exact chances when both sides play by an evaluator."""

    def __init__(self, evaluator: Callable[[Rows], np.ndarray], rules: str = "long") -> None:
        super().__init__(rules)
        self.evaluator = evaluator

    def _solve(self, row: Rows) -> np.ndarray:
        if finished(row):
            return exact_chances(row, self.rules)[0].astype(np.float64)
        dice = np.array(ROLLS)
        after = best_plays(self.evaluator, np.repeat(row[None], len(ROLLS), axis=0), dice, self.rules)
        chances = [swapped(self.chances(row)) for row in after.afterstates]
        return sum(weight * c for weight, c in zip(WEIGHTS, chances, strict=True)) / 36


class ByTable:
    """The chances of the bear-off tables, looked up without a check of the rows."""

    def __init__(self, rules: str) -> None:
        self.rules = narde.rules(rules)
        self.database = narde.bearoff(rules)

    def __call__(self, rows: Rows) -> np.ndarray:
        sides = ranks_of(rows[:, HOME]), ranks_of(opponents_homes_of(rows, self.rules.game))
        return outcome_chances(self.database.tables, *sides).astype(np.float32)

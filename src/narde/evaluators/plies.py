"""The best plays of a batch by an evaluator, and evaluators that look some turns ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from narde._choosing import fill_highest, fill_means
from narde.board import Rows, as_dice, as_rows
from narde.dice import ROLLS, WEIGHTS
from narde.errors import InvalidArgumentError
from narde.evaluators.calling import Chances, Evaluator, as_evaluator, chances_of
from narde.evaluators.worth import OUTPUTS, values_to_mover
from narde.kernels import as_whole_number
from narde.network import Network
from narde.plays import Afterstates, afterstates
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import finished

MOST_PLIES: Final = 3
_ROWS: Final = 64
"""Rows of which a lookahead weighs all plays at once: some 45,000 afterstates."""


class BestPlays(NamedTuple):
    """The best play of each of N rows with its roll.

    afterstates: int8 (N, 28): the rows after it, seen by the player who rolls next.
    chances: float32 (N, 5): the chances of the rows beside them, so of the player who rolls next.
    indices: int64 (N,): which one it is of the row's afterstates as `narde.afterstates` gives them.
    """

    afterstates: Rows
    chances: Chances
    indices: npt.NDArray[np.int64]


def best_plays(
    evaluator: Evaluator, rows: npt.ArrayLike, dice: npt.ArrayLike, rules: str | Rules, *, threads: int = 1
) -> BestPlays:
    """The play of the highest equity to the mover for each row (N, 28) with its roll (N, 2).

    The evaluator is called once, with all afterstates in which the game goes on; those in which it is over
    count by their points. Equities are compared in float32, and the first of equals wins. Raises
    `EvaluatorError`, and what `narde.afterstates` raises.
    """
    rule = rules_of(rules)
    as_evaluator(evaluator, rule)
    if isinstance(evaluator, Network) and not np.any(finished(rows)):  # which the core takes to go on
        return _best_by_network(evaluator, rows, dice, rule, threads)
    return best_of(evaluator, afterstates(rows, dice, rule, threads=threads), rule)


def best_of(evaluator: Evaluator, out: Afterstates, rules: Rules) -> BestPlays:
    """The best of the afterstates of each row; see `best_plays`. Raises `EvaluatorError`."""
    chances = chances_of(evaluator, out.positions, rules)
    best = first_highest(values_to_mover(chances, rules), out.offsets)
    taken = np.take(out.positions, best, axis=0), np.take(chances, best, axis=0)
    return BestPlays(*taken, best - out.offsets[:-1])


def lookahead(evaluator: Evaluator, rules: str | Rules, plies: int = 1) -> Evaluator:
    """An evaluator that plays so many turns ahead before it asks `evaluator`; with 0 plies, that one itself.

    One ply gives a row the mean over the 21 rolls, each by its weight, of the chances after the best play.
    Raises `InvalidArgumentError` unless plies is 0 to 3.
    """
    plies = as_whole_number(plies, "plies", 0, MOST_PLIES)
    as_evaluator(evaluator, rules)
    for _ in range(plies):
        evaluator = Lookahead(evaluator, rules_of(rules))
    return evaluator


@dataclass(frozen=True)
class Lookahead:
    """One turn ahead of another evaluator; see `lookahead`."""

    evaluator: Evaluator
    rules: Rules

    @property
    def game(self) -> str:
        """The board it is for, `long` or `short`."""
        return self.rules.game

    def __call__(self, rows: Rows, /) -> Chances:
        batch, _ = as_rows(rows)
        if finished(batch).any():  # of which no turn is left
            return chances_of(self, batch, self.rules)
        if isinstance(self.evaluator, Network):
            return self.evaluator.look_ahead(batch, self.rules)
        chances = np.empty((len(batch), OUTPUTS), np.float32)
        for start in range(0, len(batch), _ROWS):
            chances[start : start + _ROWS] = self._mean(batch[start : start + _ROWS])
        return chances

    def _mean(self, rows: Rows) -> npt.NDArray[np.float64]:
        """The mean over the rolls of the best play with each."""
        all_rolls = np.repeat(rows, len(ROLLS), axis=0), np.tile(ROLLS, (len(rows), 1))
        best = best_plays(self.evaluator, *all_rolls, self.rules)
        return mean_of_rolls(best.chances)


def _best_by_network(
    network: Network, rows: npt.ArrayLike, dice: npt.ArrayLike, rules: Rules, threads: int
) -> BestPlays:
    """The same within the core."""
    (batch, single), (rolls, one) = as_rows(rows), as_dice(dice)
    n = len(rolls) if single else len(batch)
    if not single and not one and n != len(rolls):
        raise InvalidArgumentError(f"{n} rows and {len(rolls)} dice: pass as many of both")
    many = np.broadcast_to(batch, (n, batch.shape[1])), np.broadcast_to(rolls, (n, 2))
    found = network.choose(*many, rules, chances=True, threads=threads)
    assert found.chances is not None
    return BestPlays(found.afterstates, found.chances, found.indices)


def mean_of_rolls(chances: Chances) -> npt.NDArray[np.float64]:
    """The mean over the 21 rolls of the chances after them, (N * 21, 5), as the player who rolls sees them:
    float64 (N, 5). It is summed in the order of the rolls, as in the core."""
    means = np.empty((len(chances) // len(ROLLS), OUTPUTS))
    fill_means(chances, WEIGHTS, means)
    return means


def first_highest(values: npt.NDArray[np.float32], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where the highest value of each part stands, the first of equals; no part is empty."""
    found = np.empty(len(offsets) - 1, np.int64)
    fill_highest(values, offsets, found)
    return found

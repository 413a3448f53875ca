"""Trials played in lockstep: all of a unit at once, a call of the evaluator a turn.

The slow twin of the core's loop, and what plays for evaluators that are no networks of the core."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde.board import Dice, Rows
from narde.dice import ROLLS, WEIGHTS
from narde.errors import EvaluatorError
from narde.evaluators import best_plays, exact_chances, swapped
from narde.evaluators.calling import chances_of
from narde.ids import describe_row
from narde.rollouts import trials
from narde.rollouts.plan import Plan
from narde.rollouts.trials import STRATIFIED, Numbers
from narde.scoring import finished

Floats = npt.NDArray[np.float64]

MOST_TURNS: Final = 100_000
"""A trial that is not over by then never will be, by this evaluator."""

_AT_ONCE: Final = 1024
"""Rows whose plays are weighed by one call, 21 rolls each: some 20 MB of afterstates."""

_ROLL_OF: Final = np.array(
    [[h * (h - 1) // 2 + low - 1 if low <= h else 0 for low in range(7)] for h in range(7)]
)
"""The index in `ROLLS` of the roll with the higher die h and the lower one."""


def play_trials(plan: Plan, first: int, stop: int) -> Floats:
    """What the trials first to stop - 1 of each start give, in chances of the player who rolls first:
    float64 (stop - first, starts, 5).

    Raises `EvaluatorError`.
    """
    n, starts = stop - first, len(plan.starts)
    games = _Games(plan, np.tile(plan.starts, (n, 1)), np.repeat(np.arange(first, stop), starts))
    opening = trials.dice_of_rolls(trials.strata(plan.seed, first, stop))
    for turn in range(MOST_TURNS):
        games.end(turn)
        if not games.live.size:
            return games.results.reshape(n, starts, 5)
        numbers = games.numbers[games.live]
        early = turn < STRATIFIED
        games.play(turn, opening[numbers - first, turn] if early else trials.dice(plan.seed, numbers, turn))
    row = describe_row(games.rows[0], plan.rules)
    raise EvaluatorError(f"a trial is not over after {MOST_TURNS} turns, at {row}: pass truncate=")


class _Games:
    """The games of a unit, all after the same number of turns; chances are of the player who rolls first."""

    def __init__(self, plan: Plan, rows: Rows, numbers: Numbers) -> None:
        self.plan = plan
        self.numbers = numbers
        self.results: Floats = np.zeros((len(rows), 5))
        """What each game gave, once it has ended; until then its luck so far, turned round."""
        self.live = np.arange(len(rows))
        """The indices of the games that go on."""
        self.rows = rows
        """Their rows."""

    def end(self, turn: int) -> None:
        """End the games that are over, or solved by the bear-off tables, or have had turns enough."""
        known = finished(self.rows)
        if known.any():
            self._settle(known, exact_chances(self.rows[known], self.plan.rules), turn)
        if self.plan.table is not None:
            known = self.plan.table.exact(self.rows)
            self._settle(known, self.plan.table.chances(self.rows[known]), turn)
        if turn == self.plan.truncate:
            values = chances_of(self.plan.player, self.rows, self.plan.rules)
            self._settle(np.ones(len(self.rows), bool), values, turn)

    def _settle(self, known: npt.NDArray[np.bool_], chances: npt.NDArray[np.floating], turn: int) -> None:
        """Add the chances of the player on roll to the results of games that are known, and drop these."""
        if not known.any():
            return
        values = chances.astype(np.float64)
        self.results[self.live[known]] += swapped(values) if turn % 2 else values
        self.live, self.rows = self.live[~known], self.rows[~known]

    def play(self, turn: int, dice: Dice) -> None:
        """Play a turn of every live game, and take away the luck of its roll."""
        if not self.plan.variance_reduction:
            self.rows = best_plays(self.plan.player, self.rows, dice, self.plan.rules).afterstates
            return
        after = np.empty_like(self.rows)
        for start in range(0, len(self.rows), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            after[part], luck = self._weigh(self.rows[part], dice[part])
            self.results[self.live[part]] -= _turned(luck) if turn % 2 else luck
        self.rows = after

    def _weigh(self, rows: Rows, dice: Dice) -> tuple[Rows, Floats]:
        """The afterstates of the plays chosen, and the luck of the rolls in chances of the player on roll."""
        plan, n = self.plan, len(rows)
        every = best_plays(
            plan.evaluator, np.repeat(rows, len(ROLLS), axis=0), np.tile(ROLLS, (n, 1)), plan.rules
        )
        chances = swapped(every.chances.astype(np.float64)).reshape(n, len(ROLLS), 5)
        rolled = np.arange(n), _ROLL_OF[dice.max(axis=1), dice.min(axis=1)]
        mean = np.zeros((n, 5))
        for roll, weight in enumerate(WEIGHTS):  # roll by roll, in the order of the core
            mean += weight * chances[:, roll]
        luck = chances[rolled] - mean / WEIGHTS.sum()
        if plan.plies == 0:
            return every.afterstates.reshape(n, len(ROLLS), -1)[rolled], luck
        return best_plays(plan.player, rows, dice, plan.rules).afterstates, luck


def _turned(luck: Floats) -> Floats:
    """Luck in chances of one player as it changes those of the other."""
    other = luck[:, [0, 3, 4, 1, 2]]
    other[:, 0] = -other[:, 0]
    return other

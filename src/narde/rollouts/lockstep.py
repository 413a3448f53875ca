"""Trials played in lockstep: all of a unit at once, a call of the evaluator a turn.

The slow twin of the core's loop, and what plays for evaluators that are no networks of the core."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde.board import Dice, Rows
from narde.dice import ROLLS
from narde.errors import EvaluatorError
from narde.evaluators import Evaluator, best_plays, exact_chances, swapped
from narde.evaluators.calling import chances_of
from narde.evaluators.plies import mean_of_rolls
from narde.ids import describe_row
from narde.rollouts import trials
from narde.rollouts.plan import Plan, WithTable
from narde.rollouts.trials import STRATIFIED, Numbers
from narde.rules import Rules
from narde.scoring import Flags, finished
from narde.streams import DICE, TurnsOfGames, dice_of

Floats = npt.NDArray[np.float64]

MOST_TURNS: Final = 100_000
"""A trial that is not over by then never will be, by this evaluator."""

_AT_ONCE: Final = 1024
"""Rows whose plays are weighed by one call, 21 rolls each: some 20 MB of afterstates."""

_ROLL_OF: Final = np.array(
    [[max(a, b) * (max(a, b) - 1) // 2 + min(a, b) - 1 for b in range(7)] for a in range(7)]
)
"""The index in `ROLLS` of the roll of two dice, in either order."""


def play_trials(plan: Plan, first: int, stop: int) -> Floats:
    """What the trials first to stop - 1 of each start give, in chances of the player who rolls first:
    float64 (stop - first, starts, 5).

    Raises `EvaluatorError`.
    """
    n, starts = stop - first, len(plan.starts)
    games = _Games(plan, np.tile(plan.starts, (n, 1)))
    rolls = TurnsOfGames(plan.seed, DICE, np.repeat(np.arange(first, stop), starts))
    opening = trials.dice_of_rolls(trials.strata(plan.seed, first, stop))
    for turn in range(MOST_TURNS):
        games.end(turn)
        if not games.live.size:
            return games.results.reshape(n, starts, 5)
        if turn < STRATIFIED:
            dice = opening[games.live // starts, turn]
        else:
            dice = dice_of(rolls.at(turn, games.live))
        games.play(turn, dice)
    raise never_ends(plan, plan.starts[games.live[0] % starts])


def never_ends(plan: Plan, row: Rows) -> EvaluatorError:
    """The error of a trial from a row that goes on after `MOST_TURNS`."""
    where = describe_row(row, plan.rules)
    return EvaluatorError(f"a trial is not over after {MOST_TURNS} turns, from {where}: pass truncate=")


class _Games:
    """The games of a unit, all after the same number of turns; chances are of the player who rolls first."""

    def __init__(self, plan: Plan, rows: Rows) -> None:
        self.plan = plan
        self.results: Floats = np.zeros((len(rows), 5))
        """What each game gave, once it has ended; until then its luck so far, turned round."""
        self.live = np.arange(len(rows))
        """The indices of the games that go on."""
        self.rows = rows
        """Their rows."""
        self.raced: Flags = np.zeros(len(rows), bool)
        """Which of them the bear-off tables cover."""

    def end(self, turn: int) -> None:
        """End the games that are over, or solved by the bear-off tables, or have had turns enough."""
        known = finished(self.rows)
        if known.any():
            self._settle(known, exact_chances(self.rows[known], self.plan.rules), turn)
        if self.plan.table is not None:
            self.raced = self.plan.table.covers(self.rows)
            if self.raced.any():
                known = self.plan.table.exact(self.rows)
                self._settle(known, self.plan.table.chances(self.rows[known]), turn)
        if turn == self.plan.truncate:
            values = chances_of(self.plan.judge, self.rows, self.plan.rules)
            self._settle(np.ones(len(self.rows), bool), values, turn)

    def _settle(self, known: Flags, chances: npt.NDArray[np.floating], turn: int) -> None:
        """Add the chances of the player on roll to the results of games that are known, and drop these."""
        if not known.any():
            return
        values = chances.astype(np.float64)
        self.results[self.live[known]] += swapped(values) if turn % 2 else values
        self.live, self.rows, self.raced = self.live[~known], self.rows[~known], self.raced[~known]

    def play(self, turn: int, dice: Dice) -> None:
        """Play a turn of every live game: where the bear-off tables cover the row by these, else by the
        evaluator."""
        table, after = self.plan.table, np.empty_like(self.rows)
        evaluators = self.plan.evaluator, self.plan.player
        self._play_some(turn, dice, np.flatnonzero(~self.raced), *evaluators, after)
        if table is not None:
            by_table = WithTable(self.plan.evaluator, table)
            self._play_some(turn, dice, np.flatnonzero(self.raced), by_table, by_table, after)
        self.rows = after

    def _play_some(
        self, turn: int, dice: Dice, which: Numbers, evaluator: Evaluator, player: Evaluator, after: Rows
    ) -> None:
        """Write the rows after a turn of these live games, and take the luck of their rolls away."""
        for start in range(0, len(which), _AT_ONCE):
            part = which[start : start + _AT_ONCE]
            rows, rolls = self.rows[part], dice[part]
            if self.plan.variance_reduction:
                after[part], luck = _weigh(rows, rolls, evaluator, self.plan.rules)
                self.results[self.live[part]] -= _turned(luck) if turn % 2 else luck
            if player is not evaluator or not self.plan.variance_reduction:
                after[part] = best_plays(player, rows, rolls, self.plan.rules).afterstates


def _weigh(rows: Rows, dice: Dice, evaluator: Evaluator, rules: Rules) -> tuple[Rows, Floats]:
    """The best plays' afterstates, and the luck of the rolls in chances of the player on roll."""
    n = len(rows)
    every = best_plays(evaluator, np.repeat(rows, len(ROLLS), axis=0), np.tile(ROLLS, (n, 1)), rules)
    rolled = np.arange(n) * len(ROLLS) + _ROLL_OF[dice[:, 0], dice[:, 1]]
    chances = swapped(every.chances[rolled].astype(np.float64))
    return np.take(every.afterstates, rolled, axis=0), chances - mean_of_rolls(every.chances)


def _turned(luck: Floats) -> Floats:
    """Luck in chances of one player as it changes those of the other."""
    other = luck[:, [0, 3, 4, 1, 2]]
    other[:, 0] = -other[:, 0]
    return other

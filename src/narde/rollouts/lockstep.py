"""Trials played in lockstep: all of a unit at once, a call of the evaluator a turn, until the bear-off tables
cover what is left.

The slow twin of the core's loop, and what plays for evaluators that are no networks of the core."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.domain import is_covered
from narde.board import Dice, Rows
from narde.dice import ROLLS
from narde.evaluators import Evaluator, best_plays, exact_chances, swapped
from narde.evaluators.calling import chances_of
from narde.evaluators.plies import BestPlays, best_of, mean_of_rolls
from narde.network import Network
from narde.plays import afterstates_of
from narde.rollouts import trials
from narde.rollouts.in_core import MOST_TURNS, never_ends, play_races
from narde.rollouts.plan import Plan
from narde.rollouts.trials import STRATIFIED, Numbers
from narde.rules import Rules
from narde.scoring import Flags, are_over
from narde.streams import DICE, TurnsOfGames, dice_of

Floats = npt.NDArray[np.float64]

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
    numbers = np.repeat(np.arange(first, stop), starts)
    opening = np.repeat(trials.dice_of_rolls(trials.strata(plan.seed, first, stop)), starts, axis=0)
    games = _Games(plan, np.tile(plan.starts, (n, 1)), numbers, opening)
    rolls = TurnsOfGames(plan.seed, DICE, numbers)
    for turn in range(MOST_TURNS):
        games.end(turn)
        if not games.live.size:
            return games.results.reshape(n, starts, 5)
        dice = opening[games.live, turn] if turn < STRATIFIED else dice_of(rolls.at(turn, games.live))
        games.play(turn, dice)
    raise never_ends(plan, plan.starts[games.live[0] % starts])


class _Games:
    """The games of a unit, all after the same number of turns; chances are of the player who rolls first."""

    def __init__(self, plan: Plan, rows: Rows, trials: Numbers, opening: Dice) -> None:
        self.plan = plan
        self.trials, self.opening = trials, opening
        """The number of the trial that each game is of, and its first two rolls."""
        self.results: Floats = np.zeros((len(rows), 5))
        """What each game gave, once it has ended; until then its luck so far, turned round."""
        self.live = np.arange(len(rows))
        """The indices of the games that go on."""
        self.rows = rows
        """Their rows."""

    def end(self, turn: int) -> None:
        """End the games that are over, or left to the bear-off tables, or have had turns enough."""
        over, n_over = are_over(self.rows)
        if n_over:
            self._settle(over, exact_chances(self.rows[over], self.plan.rules), turn)
        if self.plan.table is not None:
            raced = is_covered(self.rows, self.plan.rules)
            if raced.any():
                self._race(raced, turn)
        if turn == self.plan.truncate:
            values = chances_of(self.plan.player, self.rows, self.plan.rules)
            self._settle(np.ones(len(self.rows), bool), values, turn)

    def _settle(self, known: Flags, chances: npt.NDArray[np.floating], turn: int) -> None:
        """Add the chances of the player on roll to the results of games that are known, and drop these."""
        values = chances.astype(np.float64)
        self.results[self.live[known]] += swapped(values) if turn % 2 else values
        self._drop(known)

    def _race(self, raced: Flags, turn: int) -> None:
        """Play the games that the bear-off tables cover to their ends, and drop them."""
        games = self.live[raced]
        results = self.results[games]
        play_races(self.plan, self.rows[raced], turn, self.trials[games], self.opening[games], results)
        self.results[games] = results
        self._drop(raced)

    def _drop(self, ended: Flags) -> None:
        self.live, self.rows = self.live[~ended], self.rows[~ended]

    def play(self, turn: int, dice: Dice) -> None:
        """Play a turn of every live game, and take the luck of its roll away."""
        plan, after = self.plan, np.empty_like(self.rows)
        for start in range(0, len(after), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            rows, rolls = self.rows[part], dice[part]
            if plan.variance_reduction:
                after[part], luck = weigh(rows, rolls, plan.evaluator, plan.rules)
                self.results[self.live[part]] -= turned(luck) if turn % 2 else luck
            if plan.player is not plan.evaluator or not plan.variance_reduction:
                after[part] = _best(plan.player, rows, rolls, plan.rules).afterstates
        self.rows = after


def _best(evaluator: Evaluator, rows: Rows, dice: Dice, rules: Rules) -> BestPlays:
    """What `best_plays` gives; rows and dice are the trials' own and need no check."""
    if isinstance(evaluator, Network):
        return best_plays(evaluator, rows, dice, rules)
    return best_of(evaluator, afterstates_of(rows, dice, rules), rules)


def weigh(rows: Rows, dice: Dice, evaluator: Evaluator, rules: Rules) -> tuple[Rows, Floats]:
    """The best plays' afterstates, and the luck of the rolls in chances of the player on roll."""
    n = len(rows)
    every = _best(evaluator, np.repeat(rows, len(ROLLS), axis=0), np.tile(ROLLS, (n, 1)), rules)
    rolled = np.arange(n) * len(ROLLS) + _ROLL_OF[dice[:, 0], dice[:, 1]]
    chances = swapped(every.chances[rolled].astype(np.float64))
    return np.take(every.afterstates, rolled, axis=0), chances - mean_of_rolls(every.chances)


def turned(luck: Floats) -> Floats:
    """Luck in chances of one player as it changes those of the other."""
    other = luck[:, [0, 3, 4, 1, 2]]
    other[:, 0] = -other[:, 0]
    return other

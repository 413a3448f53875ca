"""Trials played within the core: whole ones, for its own networks, and by the bear-off tables what is left of
those of any evaluator."""

from __future__ import annotations

from typing import Final

import numpy as np

from narde._rollout import play_races as races_in_core
from narde._rollout import play_trials as trials_in_core
from narde.board import Dice, Rows
from narde.errors import EvaluatorError
from narde.ids import describe_row
from narde.kernels import packed
from narde.network import Network
from narde.rollouts.plan import Plan
from narde.rollouts.spread import Floats
from narde.rollouts.trials import Numbers, dice_of_rolls, strata
from narde.streams import key_of

MOST_TURNS: Final = 100_000
"""A trial that is not over by then never will be, by this evaluator."""


def plays(plan: Plan) -> bool:
    """Whether the core can play the trials."""
    return isinstance(plan.evaluator, Network) and plan.plies == 0


def play_trials(plan: Plan, first: int, stop: int) -> Floats:
    """What `lockstep.play_trials` gives, to the last bit."""
    assert isinstance(plan.evaluator, Network)
    results = np.empty((stop - first, len(plan.starts), 5))
    endless = trials_in_core(
        plan.evaluator.compiled,
        packed(plan.rules),
        plan.starts,
        key_of(plan.seed),
        first,
        dice_of_rolls(strata(plan.seed, first, stop)),
        *_ends_of(plan),
        *_tables_of(plan),
        results,
    )
    if endless >= 0:
        raise never_ends(plan, plan.starts[endless])
    return results


def play_races(plan: Plan, rows: Rows, turn: int, trials: Numbers, opening: Dice, results: Floats) -> None:
    """Add to `results`, (N, 5), what is left of trials that the bear-off tables cover from this turn on.

    rows: int8 (N, 28), before it; trials: their numbers; opening: their first two rolls, int8 (N, 2, 2).
    """
    endless = races_in_core(
        packed(plan.rules),
        rows,
        turn,
        key_of(plan.seed),
        trials,
        opening,
        *_ends_of(plan),
        *_tables_of(plan),
        results,
    )
    if endless >= 0:  # the turns before the race are counted, too
        raise never_ends(plan, rows[endless])


def never_ends(plan: Plan, row: Rows) -> EvaluatorError:
    """The error of a trial from a row that goes on after `MOST_TURNS`."""
    where = describe_row(row, plan.rules)
    return EvaluatorError(f"a trial is not over after {MOST_TURNS} turns, from {where}: pass truncate=")


def _ends_of(plan: Plan) -> tuple[int, bool, bool]:
    """The turn at which trials end, whether they are cut off there, and whether luck is taken away."""
    last = MOST_TURNS if plan.truncate is None else plan.truncate
    return last, plan.truncate is not None, plan.variance_reduction


def _tables_of(plan: Plan) -> tuple[Floats | None, Floats | None, Floats | None]:
    """The bear-off tables that the core reads."""
    if plan.table is None:
        return None, None, None
    found = plan.table.tables
    return found.rolls, found.first_off, found.win

"""Trials played within the core, for its own networks: whole trials without Python."""

from __future__ import annotations

import numpy as np

from narde._rollout import play_trials as play_in_core
from narde.kernels import packed
from narde.network import Network
from narde.rollouts.lockstep import MOST_TURNS, never_ends
from narde.rollouts.plan import Plan
from narde.rollouts.spread import Floats
from narde.rollouts.trials import dice_of_rolls, strata
from narde.streams import key_of


def plays(plan: Plan) -> bool:
    """Whether the core can play the trials."""
    return isinstance(plan.evaluator, Network) and plan.plies == 0


def play_trials(plan: Plan, first: int, stop: int) -> Floats:
    """What `lockstep.play_trials` gives, to the last bit."""
    assert isinstance(plan.evaluator, Network)
    results = np.empty((stop - first, len(plan.starts), 5))
    tables: tuple[Floats | None, Floats | None, Floats | None] = (None, None, None)
    if plan.table is not None:
        found = plan.table.tables
        tables = found.rolls, found.first_off, found.win
    endless = play_in_core(
        plan.evaluator.compiled,
        packed(plan.rules),
        plan.starts,
        key_of(plan.seed),
        first,
        dice_of_rolls(strata(plan.seed, first, stop)),
        MOST_TURNS if plan.truncate is None else plan.truncate,
        plan.truncate is not None,
        plan.variance_reduction,
        *tables,
        results,
    )
    if endless >= 0:
        raise never_ends(plan, plan.starts[endless])
    return results

"""`rollout_plays`: the plays of a roll, rolled out on the same dice."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from narde.errors import InvalidArgumentError, shown
from narde.evaluators import Evaluator, equity, swapped
from narde.evaluators.calling import chances_of
from narde.executors import ExecutorSource
from narde.kernels import as_whole_number
from narde.position import Plays, Position
from narde.rollouts.asking import (
    MOST_TRIALS,
    TRIALS,
    PositionLike,
    as_positive,
    plan_of,
    read_position,
    work_of,
)
from narde.rollouts.ranking import PlayRollouts, is_clear, rank
from narde.rollouts.running import run_trials
from narde.rollouts.spread import Floats, spread_of
from narde.rollouts.trials import strata
from narde.rules import Rules

TOP = 5
"""Plays that are rolled out unless told otherwise."""


def rollout_plays(
    position: PositionLike,
    dice: object,
    evaluator: Evaluator | None = None,
    rules: str | Rules | None = None,
    *,
    plays: Sequence[Any] | None = None,
    top: int | None = TOP,
    trials: int = TRIALS,
    seed: int,
    clear: float | None = None,
    standard_error: float | None = None,
    truncate: int | None = None,
    variance_reduction: bool = True,
    plies: int = 0,
    bearoff: bool = True,
    threads: int = 1,
    executor: ExecutorSource | None = None,
    progress: Callable[[int, int], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> PlayRollouts:
    """The equities of plays for a roll, each the mean of as many trials, trial t of all with the same dice.

    dice: what `Position.plays` takes. plays: those to roll out, as `Plays.index` takes them; else the `top`
    best ones by the evaluator, None being all. clear: end the run once the best play is ahead of every other
    by so many joint standard deviations; standard_error: once no play's equity has a larger one. The other
    options are those of `rollout`, from which a play differs in that the opponent rolls first.

    Raises what `rollout` raises, `InvalidDiceError`, and `IllegalPlayError` or `NotationError` for `plays`.
    """
    row, rule = read_position(position, rules)
    legal = Position(row, rule).plays(dice)
    options: Any = {
        "truncate": truncate,
        "variance_reduction": variance_reduction,
        "plies": plies,
        "bearoff": bearoff,
    }
    plan = plan_of(legal.afterstates, rule, evaluator, seed=seed, **options)
    chosen = _chosen(legal, plan.judge, plays, top)
    plan = plan_of(plan.starts[chosen], rule, evaluator, seed=seed, **options)
    is_enough = _end_of(
        rule, seed, as_positive(clear, "clear"), as_positive(standard_error, "standard_error")
    )
    work = work_of(threads, executor, progress, checkpoint)
    values = run_trials(plan, as_whole_number(trials, "trials", 1, MOST_TRIALS), work, is_enough)
    return rank(
        row, rule, legal.dice, [legal[i] for i in chosen], swapped(values), strata(seed, 0, len(values))
    )


def _end_of(rules: Rules, seed: int, far: float | None, small: float | None) -> Callable[[Floats], bool]:
    """Whether trials are enough: the best play is so far ahead, or no play's standard error is larger."""

    def is_enough(values: Floats) -> bool:
        rolls = strata(seed, 0, len(values))
        values = swapped(values)
        errors = spread_of(equity(values, rules), rolls).error
        return bool(
            (far is not None and is_clear(values, rules, rolls, far))
            or (small is not None and errors.max() <= small)
        )

    return is_enough


def _chosen(legal: Plays, evaluator: Evaluator, wanted: Sequence[Any] | None, top: int | None) -> list[int]:
    """The indices of the plays to roll out, each once: those wanted, or the best by the evaluator."""
    if wanted is not None:
        try:
            named = [] if isinstance(wanted, str) else list(wanted)
        except TypeError:
            named = []
        if not named:
            raise InvalidArgumentError(f"plays is {shown(wanted)}: pass a list of plays, or leave it out")
        return list(dict.fromkeys(legal.index(play) for play in named))
    most = len(legal) if top is None else as_whole_number(top, "top", 1, 10**6)
    chances = swapped(chances_of(evaluator, legal.afterstates, legal.position.rules))
    worth = equity(chances, legal.position.rules)
    best: list[int] = np.argsort(-worth, kind="stable")[:most].tolist()
    return best

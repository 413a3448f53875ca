"""Trials in units: given out to threads or an executor, taken in their order, kept in a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

import numpy as np

from narde.executors import ExecutorSource, run_units
from narde.rollouts import in_core, lockstep
from narde.rollouts.checkpoint import Checkpoint
from narde.rollouts.plan import Plan
from narde.rollouts.spread import Floats

UNIT: Final = 144
"""Trials of a unit, four sets: the same whoever works. A run ends early at the end of a unit only."""

FEWEST: Final = 2 * UNIT
"""Trials before which no run ends early: fewer tell too little of the standard error."""


@dataclass(frozen=True)
class Work:
    """Who plays the trials and who is told, which changes nothing of what they give."""

    threads: int = 1
    executor: ExecutorSource | None = None
    progress: Callable[[int, int], None] | None = None
    checkpoint: Checkpoint | None = None


def run_trials(plan: Plan, trials: int, work: Work, is_enough: Callable[[Floats], bool]) -> Floats:
    """What the trials gave, (n, starts, 5); n is `trials`, or fewer where `is_enough` of those so far.

    `is_enough` is asked after a unit from `FEWEST` trials on, of many trials once in a twentieth of them.
    Trials that are finished are kept in the checkpoint, also where an error or Ctrl-C ends the run.
    """
    found = work.checkpoint.load(plan) if work.checkpoint else np.empty((0, len(plan.starts), 5))
    found = found[: trials if len(found) >= trials else len(found) // UNIT * UNIT]
    units = [(start, min(start + UNIT, trials)) for start in range(len(found), trials, UNIT)]
    played = run_units(partial(_play, plan), units, executor=work.executor, workers=work.threads)
    parts: list[Floats] = []
    due = FEWEST
    try:
        for part in chain(_units_of(found), played):
            parts.append(part)
            reached = sum(map(len, parts))
            if work.checkpoint and reached > len(found):
                work.checkpoint.keep(parts)
            if work.progress is not None:
                work.progress(reached, trials)
            if due <= reached < trials:
                if is_enough(np.concatenate(parts)):
                    break
                due = reached + reached // 20
    finally:
        played.close()
        if work.checkpoint:
            work.checkpoint.close()
    return np.concatenate(parts)


def _units_of(values: Floats) -> list[Floats]:
    return [values[start : start + UNIT] for start in range(0, len(values), UNIT)]


def _play(plan: Plan, unit: tuple[int, int]) -> Floats:
    """A unit: the trials from its first number up to its second."""
    play: Callable[[Plan, int, int], Floats]
    play = in_core.play_trials if in_core.plays(plan) else lockstep.play_trials
    return play(plan, *unit)

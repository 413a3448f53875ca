"""Trials in units: given out to threads or an executor, taken in their order, kept in a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from narde.executors import ExecutorSource, run_units
from narde.rollouts import in_core, lockstep
from narde.rollouts.checkpoint import Checkpoint
from narde.rollouts.plan import Plan
from narde.rollouts.spread import Floats

STEP: Final = 144
"""Trials, four sets, after which progress is told and a run may end early."""

FEWEST: Final = 2 * STEP
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

    `is_enough` is asked after a step from `FEWEST` trials on, of many trials once in a twentieth of them.
    Trials that are finished are kept in the checkpoint, also where an error or Ctrl-C ends the run.
    """
    found = work.checkpoint.load(plan) if work.checkpoint else np.empty((0, len(plan.starts), 5))
    size = _trials_of_a_unit(plan)
    found = found[: trials if len(found) >= trials else len(found) // size * size]
    units = _units(len(found), trials, size, work.checkpoint)
    played = run_units(partial(_play, plan), units, executor=work.executor, workers=work.threads)
    parts: list[Floats] = []
    due = FEWEST
    try:
        for part in _steps(found, played, work.checkpoint):
            parts.append(part)
            reached = sum(map(len, parts))
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


def _trials_of_a_unit(plan: Plan) -> int:
    """How many trials are played together: the same whoever works.

    Twice as many where an evaluator is asked of the plays of one roll a turn: with a few hundred rows a call
    most of the time would go into calling it."""
    asks_of_few = not (plan.variance_reduction or plan.plies or in_core.plays(plan))
    return 2 * STEP if asks_of_few else STEP


def _units(
    start: int, trials: int, size: int, checkpoint: Checkpoint | None
) -> Generator[tuple[int, int], None, None]:
    """The trials from `start` on in units; raises `StorageError` before the first if it cannot be kept."""
    if checkpoint and start < trials:
        checkpoint.check_writable()
    for first in range(start, trials, size):
        yield first, min(first + size, trials)


def _steps(found: Floats, played: Iterable[Floats], checkpoint: Checkpoint | None) -> Iterator[Floats]:
    """All trials step by step; a unit is kept whole before its first step is told."""
    units = [found]
    yield from _steps_of(found)
    for unit in played:
        units.append(unit)
        if checkpoint:
            checkpoint.keep(units)
        yield from _steps_of(unit)


def _steps_of(values: Floats) -> Iterator[Floats]:
    for start in range(0, len(values), STEP):
        yield values[start : start + STEP]


def _play(plan: Plan, unit: tuple[int, int]) -> Floats:
    """A unit: the trials from its first number up to its second."""
    play: Callable[[Plan, int, int], Floats]
    play = in_core.play_trials if in_core.plays(plan) else lockstep.play_trials
    return play(plan, *unit)

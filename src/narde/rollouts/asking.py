"""`rollout` and `rollout_plays`: arguments checked, trials played, outcomes told."""

from __future__ import annotations

import os
from collections.abc import Callable
from sys import float_info
from typing import Any

import numpy as np
import numpy.typing as npt

from narde._files import as_path
from narde.bearoff_db import bearoff as bearoff_of
from narde.board import Rows
from narde.errors import InvalidArgumentError, InvalidPositionError, InvalidRulesError, shown
from narde.evaluators import Evaluator, default, equity
from narde.evaluators.calling import as_evaluator
from narde.evaluators.plies import MOST_PLIES
from narde.executors import ExecutorSource
from narde.game import Game
from narde.ids import Setup
from narde.kernels import as_flag, as_threads, as_whole_number, check_progress
from narde.match import Match
from narde.position import Position
from narde.rollouts.checkpoint import Checkpoint
from narde.rollouts.plan import Plan
from narde.rollouts.result import Rollout, rollout_of
from narde.rollouts.running import Work, run_trials
from narde.rollouts.spread import Floats, spread_of
from narde.rollouts.trials import strata
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import finished

PositionLike = Position | Setup | str | npt.ArrayLike
"""A `Position`, a `Setup`, a position ID, or a row (28,)."""

TRIALS = 1296
MOST_TRIALS = 10**8


def rollout(
    position: PositionLike,
    evaluator: Evaluator | None = None,
    rules: str | Rules | None = None,
    *,
    trials: int = TRIALS,
    seed: int,
    truncate: int | None = None,
    variance_reduction: bool = True,
    plies: int = 0,
    bearoff: bool = True,
    standard_error: float | None = None,
    threads: int = 1,
    executor: ExecutorSource | None = None,
    progress: Callable[[int, int], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Rollout:
    """The equity of a position, the mover to roll, as the mean of games that the evaluator plays against
    itself.

    position: a `Position`, a `Setup`, a position ID or a row (28,). evaluator: a function of rows, see
    `narde.evaluators`; by default the network of the package. rules: "long" for a bare row unless given, else
    those of the position. A trial is what seed and number make it, whatever the number of trials
    and whoever plays them: `threads`, or an `executor` as `narde.executors.run_units` takes one.

    truncate: turns after which a trial ends with the evaluator's chances. variance_reduction: take the luck
    of every roll away, by what the evaluator says of the best plays of all 21 rolls. plies: turns that plays
    look ahead, 0 to 3. bearoff: end a trial where the bear-off tables know its chances exactly, and play by
    them in every race between home boards. standard_error: stop when that of the equity is no larger.
    checkpoint: a file, `.npz`, that keeps finished trials; where it exists the run goes on from there.
    `progress(done, trials)` is called after every 144 trials.

    Raises `InvalidArgumentError`, `EvaluatorError`, `StorageError`, and what makes no position.
    """
    row, rule = read_position(position, rules)
    plan = plan_of(
        row[None], rule, evaluator, seed=seed, truncate=truncate, variance_reduction=variance_reduction,
        plies=plies, bearoff=bearoff,
    )  # fmt: skip
    wanted = as_positive(standard_error, "standard_error")
    work = work_of(threads, executor, progress, checkpoint)

    def is_enough(values: Floats) -> bool:
        points = equity(values[:, 0], rule)[:, None]
        return wanted is not None and bool(spread_of(points, strata(seed, 0, len(points))).error[0] <= wanted)

    values = run_trials(plan, as_whole_number(trials, "trials", 1, MOST_TRIALS), work, is_enough)
    return rollout_of(row, rule, values[:, 0], strata(seed, 0, len(values)))


def read_position(position: PositionLike, rules: str | Rules | None) -> tuple[Rows, Rules]:
    """The row, int8 (28,), and the rules it is played by.

    Raises `InvalidPositionError` for what is no position or a game that is over, `NotationError`,
    `InvalidRulesError`, and `InvalidArgumentError` for rules of the other board.
    """
    if isinstance(position, str):
        position = Position.from_id(position)
    if isinstance(position, (Game, Match)):
        name = "game" if isinstance(position, Game) else "match.game"
        raise InvalidPositionError(f"a {type(position).__name__} is no position: pass {name}.setup()")
    if isinstance(position, (Position, Setup)):
        rule = position.rules if rules is None else rules_of(rules)
        if rule.game != position.rules.game:
            board = position.rules.game
            raise InvalidArgumentError(
                f"the position is of {board} nardy, rules {rule.name!r} of {rule.game}"
            )
        position = position.row
    else:
        rule = rules_of("long" if rules is None else rules)
    row = Position(position, rule).row
    if finished(row):
        raise InvalidPositionError("the game is over, nothing is left to roll out: see narde.results")
    return row, rule


def plan_of(
    starts: Rows,
    rules: Rules,
    evaluator: Evaluator | None,
    *,
    seed: int,
    truncate: int | None,
    variance_reduction: bool,
    plies: int,
    bearoff: bool,
) -> Plan:
    """The plan of a rollout, its options checked; raises `InvalidArgumentError`."""
    evaluator = default(rules) if evaluator is None else evaluator
    as_evaluator(evaluator, rules)
    seed = as_whole_number(seed, "seed", 0, 2**128 - 1)
    if truncate is not None:
        truncate = as_whole_number(truncate, "truncate", 1, 10_000)
    plies = as_whole_number(plies, "plies", 0, MOST_PLIES)
    reduced = as_flag(variance_reduction, "variance_reduction")
    table: Any = None
    if as_flag(bearoff, "bearoff"):
        try:
            table = bearoff_of(rules)
        except InvalidRulesError:  # house rules under which the tables say nothing
            table = None
    return Plan(starts, rules, evaluator, seed, truncate, reduced, plies, table)


def work_of(
    threads: int,
    executor: ExecutorSource | None,
    progress: Callable[[int, int], None] | None,
    checkpoint: str | os.PathLike[str] | None,
) -> Work:
    """Who plays the trials; raises `InvalidArgumentError`, `StorageError`."""
    check_progress(progress)
    kept = None if checkpoint is None else Checkpoint(as_path(checkpoint))
    return Work(as_threads(threads), executor, progress, kept)


def as_positive(value: float | None, name: str) -> float | None:
    """A number above 0, or None; raises `InvalidArgumentError`."""
    if value is None:
        return None
    value = float(value) if isinstance(value, np.floating) else value
    number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else -1.0
    if not 0 < number <= float_info.max:
        raise InvalidArgumentError(f"{name} is {shown(value)}: pass a number above 0, or None")
    return float(number)

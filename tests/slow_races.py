"""The slow twin of the core's races: trials that the bear-off tables cover, played on in NumPy."""

from __future__ import annotations

import numpy as np

from narde.board import Dice, Rows
from narde.evaluators import best_plays, exact_chances, swapped
from narde.evaluators.calling import chances_of
from narde.rollouts.lockstep import turned, weigh
from narde.rollouts.plan import Plan, WithTable
from narde.rollouts.spread import Floats
from narde.rollouts.trials import STRATIFIED, Numbers
from narde.scoring import finished
from narde.streams import DICE, dice_of, words


def play_races(plan: Plan, rows: Rows, turn: int, trials: Numbers, opening: Dice, results: Floats) -> None:
    """What `narde.rollouts.in_core.play_races` does, a trial after the other."""
    for i, trial in enumerate(trials):
        play_race(plan, rows[i : i + 1], turn, int(trial), opening[i], results[i])


def play_race(plan: Plan, row: Rows, turn: int, trial: int, opening: Dice, result: Floats) -> None:
    assert plan.table is not None
    by_table = WithTable(plan.evaluator, plan.table)
    while (chances := known(plan, by_table, row, turn)) is None:
        dice = opening[turn] if turn < STRATIFIED else dice_of(words(plan.seed, DICE, trial, turn))
        if plan.variance_reduction:
            row, luck = weigh(row, dice.reshape(1, 2), by_table, plan.rules)
            result -= (turned(luck) if turn % 2 else luck)[0]
        else:
            row = best_plays(by_table, row, dice.reshape(1, 2), plan.rules).afterstates
        turn += 1
    result += swapped(chances) if turn % 2 else chances


def known(plan: Plan, by_table: WithTable, row: Rows, turn: int) -> Floats | None:
    """The chances of the player on roll where the trial ends, float64 (5,)."""
    assert plan.table is not None
    if finished(row).any():
        return exact_chances(row, plan.rules)[0].astype(np.float64)
    if plan.table.exact(row).any():
        return plan.table.chances(row)[0]
    if turn == plan.truncate:
        return chances_of(by_table, row, plan.rules)[0].astype(np.float64)
    return None

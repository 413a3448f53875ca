"""One side alone: the chances of needing 1, 2, ... rolls to bear off all checkers, or to bear off the first.

The play is the one that minimises the expected number of rolls, as in GNU Backgammon's one-sided database.
Boards are solved by pip count, from the lowest up: a turn always leads to a lower count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.homes import BOARDS, Ranks, all_homes, boards_up_to
from narde.bearoff_db.turns import WAYS, Floats, Turns, by_pips, first_lowest, turns_of
from narde.board import CHECKERS
from narde.plays import ROLLS

MOST_ROLLS: Final = 30
"""Rolls that any board may need: 90 pips by 2-1 alone."""

MOST_FIRST_ROLLS: Final = 10
"""Rolls that any board of fifteen may need until the first checker is off."""

FULL: Final = boards_up_to(CHECKERS - 1)
"""The rank of the first board with all fifteen checkers; the 15,504 of them come last."""

LEVELS: Final = 90
"""Pip counts of home boards, 1 to 90."""


class Waiting:
    """Rolls until a goal, for boards solved one pip count after the other under the play that minimises their
    expected number."""

    def __init__(self, at_goal: int, most: int) -> None:
        """Boards of rank below `at_goal` are at the goal; the others need at most `most` rolls."""
        self.mean: Floats = np.zeros(BOARDS)
        self.chances: Floats = np.zeros((BOARDS, most + 1))
        self.chances[:at_goal, 0] = 1

    def solve(self, boards: Ranks, turns: Turns) -> Ranks:
        """Enter the boards of these ranks, whose turns lead to boards that have been entered.

        Returns what the best play of each roll leads to: ranks (n, 21).
        """
        best = turns.ranks[first_lowest(self.mean[turns.ranks], turns.offsets)].reshape(-1, len(ROLLS))
        mean = np.zeros(len(boards))
        chances = np.zeros((len(boards), self.chances.shape[1]))
        for ways, chosen in zip(WAYS, best.T, strict=True):
            mean += ways * self.mean[chosen]  # roll by roll: the same sum on every machine
            chances += ways * self.chances[chosen]
        self.mean[boards] = 1 + mean / 36
        self.chances[boards, 1:] = chances[:, :-1] / 36
        return best


class OneSided(NamedTuple):
    """The solution, as `tables.Tables` describes it."""

    mean_rolls: Floats
    rolls: Floats
    best: npt.NDArray[np.uint16]
    first_off: Floats


def solve_one_sided(threads: int, tell: Callable[[], None]) -> OneSided:
    """Solve all home boards; `tell` is called after each pip count."""
    homes = all_homes()
    best = np.zeros((BOARDS, len(ROLLS)), np.uint16)
    all_off, first_off = Waiting(1, MOST_ROLLS), Waiting(FULL, MOST_FIRST_ROLLS)
    memory = None
    for boards in by_pips(homes):
        turns = turns_of(homes[boards], threads=threads, out=memory)
        best[boards] = all_off.solve(boards, turns)
        if boards[-1] >= FULL:
            first_off.solve(*_full_only(boards, turns))
        memory = turns.memory
        tell()
    return OneSided(all_off.mean, all_off.chances, best, first_off.chances[FULL:])


def _full_only(boards: Ranks, turns: Turns) -> tuple[Ranks, Turns]:
    """The boards of fifteen checkers, which stand last in `boards`, and their turns."""
    skipped = int(np.searchsorted(boards, FULL))
    first = len(ROLLS) * skipped
    start = turns.offsets[first]
    return boards[skipped:], Turns(turns.ranks[start:], turns.offsets[first:] - start, turns.memory)

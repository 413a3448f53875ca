"""Both sides with few checkers: the exact chance of winning under best play by both.

With at most six checkers left each side has borne off nine, so there is no mars and the chance of winning is
all that counts: W(m, o) is the mean over the rolls of the best 1 - W(o, a) over the afterstates a of m.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from narde.bearoff_db.homes import Ranks, all_homes, boards_up_to
from narde.bearoff_db.turns import WAYS, Floats, Turns, by_pips, turns_of

FEW: Final = 6
"""Checkers that each side may have left."""

FEW_BOARDS: Final = boards_up_to(FEW)
"""Home boards of at most six checkers: 924."""

FEW_LEVELS: Final = 36
"""Pip counts of those boards, 1 to 36."""


def solve_two_sided(tell: Callable[[], None]) -> Floats:
    """The mover's chances of winning, (924, 924) by the ranks of the mover's and the opponent's board;
    `tell` is called after each pip count.

    1 where the mover has all off and 0 where the opponent has; both is no position and holds 0.
    """
    homes = all_homes()[:FEW_BOARDS]
    levels = [np.zeros(1, np.intp), *by_pips(homes)]
    order = np.concatenate(levels)
    ends = np.cumsum([len(level) for level in levels])
    race = _Race(turns_of(homes[order[1:]]), np.argsort(order))
    for low, high in pairwise(ends.tolist()):
        race.solve(low, high)
        tell()
    win = np.empty_like(race.against)
    win[np.ix_(order, order)] = race.against.T
    return win


class _Race:
    """The table while it grows, with the boards in the order of their pips: against[o, m] is the chance of m,
    who rolls, against o."""

    def __init__(self, turns: Turns, place: Ranks) -> None:
        self.after = place[turns.ranks]
        self.offsets = turns.offsets
        self.against: Floats = np.zeros((FEW_BOARDS, FEW_BOARDS))
        self.against[1:, 0] = 1

    def solve(self, low: int, high: int) -> None:
        """Enter the boards low:high, which are all of one pip count, against each other and all before.

        First they roll against those before: the answers, by boards before them, are known. Then all roll
        against them: the answers are what the first step has entered.
        """
        self._enter(low, high, 1, low)
        self._enter(1, high, low, high)

    def _enter(self, low: int, high: int, first: int, last: int) -> None:
        """The movers low:high against the opponents first:last; the best play leaves those the least."""
        bounds = self.offsets[21 * (low - 1) : 21 * (high - 1) + 1]
        answers = self.against[self.after[bounds[0] : bounds[-1]], first:last]
        least = np.minimum.reduceat(answers, bounds[:-1] - bounds[0], axis=0)
        by_roll = least.reshape(high - low, len(WAYS), last - first).swapaxes(0, 1)
        win = np.zeros((high - low, last - first))
        for ways, answer in zip(WAYS, by_roll, strict=True):
            win += ways * (1 - answer)
        self.against[first:last, low:high] = win.T / 36

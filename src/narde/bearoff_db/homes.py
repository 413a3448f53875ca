"""Home boards, and their ranks.

A home board is the number of checkers on a side's points 1 to 6, int8 (6,); the rest of the fifteen are off.
There are 54,264. A rank numbers them from 0, all off, to 54,263, all on the sixth point: those with fewer
checkers come first, so that the boards of at most n checkers are those of rank below `boards_up_to(n)`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from narde.board import CHECKERS, Rows

POINTS: Final = 6
HOME: Final = np.arange(POINTS)
"""Indices of the mover's points 1 to 6 in a row."""

OPPONENT_HOME: Final = {"long": np.arange(12, 18), "short": np.arange(23, 17, -1)}
"""Indices of the opponent's own points 1 to 6, by `Rules.game`: the mover's 13 to 18 in long nardy, his 24 to
19 in short nardy."""

Homes = npt.NDArray[np.int8]
Ranks = npt.NDArray[np.intp]


def boards_up_to(checkers: int) -> int:
    """How many home boards have at most so many checkers."""
    return comb(checkers + POINTS, POINTS)


BOARDS: Final = boards_up_to(CHECKERS)
"""All home boards: 54,264."""

_STEPS: Final = np.array(
    [[comb(total + i, i + 1) for total in range(CHECKERS + 1)] for i in range(POINTS)], np.intp
)


def ranks_of(homes: Homes) -> Ranks:
    """The ranks of home boards (N, 6): intp (N,).

    With t(p) checkers on the points 1 to p together, the rank is the sum of the binomials t(p) + p - 1 over
    p: the combinatorial number system.
    """
    totals = np.zeros(len(homes), np.intp)
    ranks = np.zeros(len(homes), np.intp)
    for steps, on_point in zip(_STEPS, homes.T, strict=True):
        totals += on_point
        ranks += steps[totals]
    return ranks


@lru_cache(maxsize=1)
def all_homes() -> Homes:
    """Every home board in the order of ranks: int8 (54264, 6), read-only."""
    chosen = chain.from_iterable(combinations(range(CHECKERS + POINTS), POINTS))
    totals = np.fromiter(chosen, np.int8, BOARDS * POINTS).reshape(-1, POINTS)
    totals -= np.arange(POINTS, dtype=np.int8)
    homes = np.diff(totals, axis=1, prepend=np.int8(0))
    homes = homes[np.argsort(ranks_of(homes))]
    homes.flags.writeable = False
    return homes


def opponents_homes_of(rows: Rows, game: str) -> Homes:
    """The opponent's home boards in rows (N, 28), int8 (N, 6), counted above 0; the mover's are
    `rows[:, HOME]`."""
    return -rows[:, OPPONENT_HOME[game]]

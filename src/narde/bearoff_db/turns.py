"""All turns of home boards with nobody in the way, by the core: board, roll, afterstates as ranks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.homes import HOME, OPPONENT_HOME, POINTS, Homes, Ranks, opponents_homes_of, ranks_of
from narde.board import CHECKERS, OFF, OPPONENT_OFF, Rows, W
from narde.plays import ROLLS, Afterstates, afterstates

WAYS: Final = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1.0, 2.0)
"""How many of the 36 throws give each of the 21 rolls. Means are sums over these divided by 36 at last: so
nothing that is certain gets a chance above 1 or below 0 by rounding."""

TIE: Final = 1e-12
"""Values closer than this differ by rounding alone: then the earlier afterstate is chosen."""

Floats = npt.NDArray[np.float64]


class Turns(NamedTuple):
    """The afterstates of n boards with all 21 rolls: those of board i and roll r are the ranks
    `ranks[offsets[21 * i + r]:offsets[21 * i + r + 1]]`, never none.

    memory: The core's result, for `out` of the next call.
    """

    ranks: Ranks
    offsets: npt.NDArray[np.int64]
    memory: Afterstates


def turns_of(homes: Homes, *, threads: int = 1, out: Afterstates | None = None) -> Turns:
    """All turns of home boards (n, 6) that have checkers left.

    The rows are of long nardy; short nardy gives the same afterstates, since nobody is in the way.
    """
    rows = np.repeat(rows_of(homes, "long"), len(ROLLS), axis=0)
    rolls = np.tile(ROLLS, (len(homes), 1))
    after = afterstates(rows, rolls, "long", threads=threads, out=out, check=False)
    return Turns(ranks_of(opponents_homes_of(after.positions, "long")), after.offsets, after)


def rows_of(homes: Homes, game: str) -> Rows:
    """The rows of home boards, the opponent one roll from the end and in nobody's way: int8 (n, 28)."""
    rows = np.zeros((len(homes), W), np.int8)
    rows[:, HOME] = homes
    rows[:, OFF] = CHECKERS - homes.sum(axis=1)
    rows[:, OPPONENT_HOME[game][0]] = -1
    rows[:, OPPONENT_OFF] = 1 - CHECKERS
    return rows


def by_pips(homes: Homes) -> Iterator[Ranks]:
    """The ranks of the boards of each pip count, from 1 on: a turn leads to a count that came before.

    homes: the boards of rank 0, 1, ..., some or all of them.
    """
    pips = homes @ np.arange(1, POINTS + 1)
    order = np.argsort(pips, kind="stable")
    starts = np.searchsorted(pips[order], np.arange(1, pips.max() + 2))
    for start, stop in pairwise(starts):
        yield order[start:stop]


def first_lowest(values: Floats, offsets: npt.NDArray[np.int64]) -> Ranks:
    """The index of the first lowest value of each segment values[offsets[i]:offsets[i + 1]], none empty;
    values within `TIE` of the lowest count as lowest."""
    sizes = np.diff(offsets)
    lowest = np.minimum.reduceat(values, offsets[:-1])
    candidates = np.flatnonzero(values <= np.repeat(lowest + TIE, sizes))
    segments = np.repeat(np.arange(len(sizes)), sizes)[candidates]
    firsts: Ranks = candidates[np.append(True, segments[1:] != segments[:-1])]
    return firsts

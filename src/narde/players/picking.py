"""From the values of all afterstates of a batch to one of each row's: the highest, or one by chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from narde._choosing import fill_below_highest, fill_drawn
from narde.streams import Words, shares

Index = npt.NDArray[np.int64]


def softened(values: npt.NDArray[np.float32], offsets: Index, words: Words, temperature: float) -> Index:
    """Where the afterstate taken of each row stands: one of value v in proportion to exp(v / temperature).

    values: float32 (M,), those of row i at offsets[i]:offsets[i + 1], never empty; words: uint64 (N,), one a
    row. The weights are added up row by row from the first, so that a row does not depend on its neighbours.
    """
    weights = np.empty(len(values), np.float64)
    fill_below_highest(values, offsets, weights)
    with np.errstate(over="ignore"):  # far below the best by a small temperature: no chance
        weights /= temperature
    np.exp(weights, out=weights)
    found = np.empty(len(words), np.int64)
    fill_drawn(weights, offsets, shares(words), found)
    return found

"""From the values of all afterstates of a batch to one of each row's: the highest, or one by chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from narde.streams import Words, shares

Index = npt.NDArray[np.int64]


def softened(values: npt.NDArray[np.float32], offsets: Index, words: Words, temperature: float) -> Index:
    """Where the afterstate taken of each row stands: one of value v in proportion to exp(v / temperature).

    values: float32 (M,), those of row i at offsets[i]:offsets[i + 1], never empty; words: uint64 (N,), one a
    row. The weights are added up row by row from the first, so that a row does not depend on its neighbours.
    """
    counts = np.diff(offsets)
    inside = np.arange(counts.max(initial=0)) < counts[:, None]
    table = np.full(inside.shape, -np.inf)
    table[inside] = values
    with np.errstate(over="ignore"):  # far below the best by a small temperature: no chance
        table = (table - table.max(axis=1, keepdims=True, initial=-np.inf)) / temperature
    sums = np.exp(table).cumsum(axis=1)
    wanted = shares(words)[:, None] * sums[:, -1:]
    found: Index = np.minimum((sums <= wanted).sum(axis=1), counts - 1)
    return offsets[:-1] + found

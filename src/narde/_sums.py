"""What checkers add to the hidden sums of a network, and how large these can become."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from narde.features import PLACES, SIDE, code_of


def columns_of(weights: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """What each number of checkers at a place adds to the hidden sums: int64 (2, 26, 16, hidden)."""
    columns = np.zeros((2, PLACES, 16, weights.shape[1]), np.int64)
    for side in range(2):
        for place in range(PLACES):
            at = SIDE * side + (4 * place if place < 24 else 96 + place - 24)
            for checkers in range(16):
                code = np.array(code_of(checkers, place), np.int64)
                columns[side, place, checkers] = code @ weights[at : at + len(code)].astype(np.int64)
    return columns


def largest_sums(weights: npt.NDArray[Any], bias: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The largest size that each hidden sum can have, over all ways to place 15 checkers of either side."""
    columns = columns_of(weights)
    sizes: npt.NDArray[np.int64] = np.maximum(_largest(columns) + bias, _largest(-columns) - bias)
    return sizes


def _largest(columns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The largest sum of columns with 15 checkers a side: a knapsack over the places, for all units at
    once."""
    total = np.zeros(columns.shape[-1], np.int64)
    for side in columns:
        best = np.full((16, columns.shape[-1]), -(2**40), np.int64)
        best[0] = 0
        for place in side:
            best = np.array([(best[n::-1] + place[: n + 1]).max(axis=0) for n in range(16)])
        total += best[15]
    return total

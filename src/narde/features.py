"""Inputs for networks: a sparse code of the checkers on each point, the same for long and short nardy.

196 numbers a row: for the mover and then for the opponent, 4 for each of the 24 points in the order of the
row, then the bar, then off. A point with n checkers is coded as (n >= 1, n >= 2, n >= 3, max(n - 3, 0)), the
bar and off by their number (after Tesauro 1992, without his halves and fifteenths: whole numbers stay exact).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde._rows import fill_features
from narde.board import as_rows
from narde.errors import InvalidArgumentError

FEATURES: Final = 196
"""Inputs of a row."""

SIDE: Final = FEATURES // 2
"""Inputs of one side."""

PLACES: Final = 26
"""Places of one side: 24 points in the order of the row, the bar, off."""


def features(rows: npt.ArrayLike, *, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
    """The inputs of rows (N, 28), or one row (28,): float32 (N, 196), written into `out` if given.

    Raises `InvalidPositionError` for what is no array of rows, `InvalidArgumentError` for another `out`.
    """
    batch, _ = as_rows(rows)
    if out is None:
        out = np.empty((len(batch), FEATURES), np.float32)
    if (
        not isinstance(out, np.ndarray)
        or out.dtype != np.float32
        or out.shape != (len(batch), FEATURES)
        or not (out.flags.c_contiguous and out.flags.writeable)
    ):
        raise InvalidArgumentError(
            f"out must be a writable C-contiguous float32 array ({len(batch)}, {FEATURES})"
        )
    if np.may_share_memory(batch, out):
        raise InvalidArgumentError("out shares memory with the rows: pass another array")
    fill_features(batch, out)
    return out


def code_of(checkers: int, place: int) -> tuple[int, ...]:
    """The inputs of so many checkers of one side at a place: four for a point, one for the bar or off."""
    if place >= 24:
        return (checkers,)
    return (int(checkers >= 1), int(checkers >= 2), int(checkers >= 3), max(checkers - 3, 0))

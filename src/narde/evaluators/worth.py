"""What chances are worth in points, chances with the other player's eyes, chances of a game that is over."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde.errors import InvalidArgumentError, shown
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import result_kinds

OUTPUTS: Final = 5
"""Win, win mars or more, win koks, lose mars or more, lose koks."""


def equity(chances: npt.ArrayLike, rules: str | Rules) -> npt.NDArray[np.float64]:
    """The points to expect, without a cube, of chances (M, 5) or (5,): float64 (M,) or one number.

    Winning counts 1 and losing -1, mars or more `Rules.mars - 1` beyond that, koks `Rules.koks - Rules.mars`
    beyond mars where the rules score it. Raises `InvalidArgumentError` for another shape or kind.
    """
    worth: npt.NDArray[np.float64] = _points(_as_chances(chances).astype(np.float64), rules_of(rules))
    return worth


def values_to_mover(chances: npt.NDArray[np.float32], rules: Rules) -> npt.NDArray[np.float32]:
    """What afterstates with these chances are worth to those who have played them: float32 (M,).

    The very sums of the core in their order, so that plays chosen by them are those that the core chooses.
    """
    worth: npt.NDArray[np.float32] = -_points(chances, rules)
    return worth


def _points(chances: npt.NDArray[Any], rules: Rules) -> Any:
    """The equity in the precision of the chances."""
    as_number = chances.dtype.type
    win, win_mars, win_koks, lose_mars, lose_koks = np.moveaxis(chances, -1, 0)
    points = as_number(2) * win - as_number(1)
    points = points + as_number(rules.mars - 1) * (win_mars - lose_mars)
    if rules.koks:
        points = points + as_number(rules.koks - rules.mars) * (win_koks - lose_koks)
    return points


def swapped(chances: npt.ArrayLike) -> npt.NDArray[Any]:
    """The same chances (..., 5) seen by the other player. Raises `InvalidArgumentError` for another shape or
    kind."""
    other = _as_chances(chances)[..., [0, 3, 4, 1, 2]]
    other[..., 0] = 1 - other[..., 0]
    return other


def exact_chances(rows: npt.ArrayLike, rules: str | Rules) -> npt.NDArray[np.float32]:
    """The chances of rows of games that are over, each 0 or 1: float32 (M, 5); see `narde.scoring`."""
    kinds = np.atleast_1d(result_kinds(rows, rules))
    columns = [kinds > 0, kinds >= 2, kinds >= 3, kinds <= -2, kinds <= -3]
    return np.stack(columns, axis=1).astype(np.float32)


def _as_chances(chances: Any) -> npt.NDArray[Any]:
    """An array (..., 5) of numbers; raises `InvalidArgumentError`."""
    try:
        array = np.asarray(chances)
    except Exception:  # whatever an object's own __array__ raises
        array = np.empty(0, object)
    if array.dtype.kind not in "fiu":
        raise InvalidArgumentError(f"chances are {shown(chances)}: pass an array of numbers (M, 5)")
    if array.shape[-1:] != (OUTPUTS,):
        raise InvalidArgumentError(f"chances have shape {array.shape}: pass (M, 5), or (5,) for one row")
    return array

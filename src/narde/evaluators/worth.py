"""What chances are worth in points, chances with the other player's eyes, chances of a game that is over."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde._choosing import fill_values
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
    rule = rules_of(rules)
    columns = np.moveaxis(_as_chances(chances).astype(np.float64), -1, 0)
    win, win_mars, win_koks, lose_mars, lose_koks = columns
    points: npt.NDArray[np.float64] = 2 * win - 1
    points = points + (rule.mars - 1) * (win_mars - lose_mars)
    return points + (rule.koks - rule.mars) * (win_koks - lose_koks) if rule.koks else points


def values_to_mover(chances: npt.NDArray[np.float32], rules: Rules) -> npt.NDArray[np.float32]:
    """What afterstates with these chances are worth to those who have played them: float32 (M,).

    The very sums of the core in their order, so that plays chosen by them are those that the core chooses.
    """
    values = np.empty(len(chances), np.float32)
    koks = rules.koks - rules.mars if rules.koks else 0
    fill_values(np.ascontiguousarray(chances), rules.mars - 1, koks, values)
    return values


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

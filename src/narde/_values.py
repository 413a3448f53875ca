"""What values from outside are before anybody counts with them: whole numbers, where `True` is none, and
arrays without hidden values."""

from __future__ import annotations

import sys
from itertools import chain
from operator import index
from typing import Final

import numpy as np
import numpy.typing as npt

from narde.errors import InvalidArgumentError, shown

_BOOLEANS: Final = frozenset((bool, np.bool_))
_LISTS: Final = {list, tuple}
_INT: Final = {int}


def whole(value: object) -> int | None:
    """The value as a plain whole number, of whatever integer type; None for all else, `True` and `False`
    too."""
    try:
        return None if type(value) in _BOOLEANS else index(value)  # type: ignore[arg-type]
    except Exception:  # whatever an object's own __index__ raises
        return None


def is_masked(values: object) -> bool:
    """Whether an array, or one in a list of arrays, hides values that `np.asarray` would bring to light."""
    if "numpy.ma" not in sys.modules:  # nobody has made one; NumPy itself imports it when first asked for
        return False
    parts = values if isinstance(values, list | tuple) else (values,)
    return any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts)


def holds_booleans(values: object) -> bool:
    """Whether there are booleans among values that `np.asarray` made numbers of, as of (True, 1).

    Only for what it did make an array of: a list that holds itself has no end."""
    if isinstance(values, np.ndarray):
        return bool(values.dtype == np.bool_)
    if not isinstance(values, (list, tuple)):
        return type(values) in _BOOLEANS
    while (kinds := set(map(type, values))) and kinds <= _LISTS:
        values = list(chain.from_iterable(values))  # in one go: one call a pair took as long as `np.asarray`
    return kinds != _INT and (not kinds.isdisjoint(_BOOLEANS) or any(map(holds_booleans, values)))


def as_flags(values: npt.ArrayLike, shape: tuple[int, ...], name: str) -> npt.NDArray[np.bool_]:
    """True or False, or an array of them, broadcast to a shape; raises `InvalidArgumentError`."""
    try:
        flags = np.asarray(values)
        if flags.dtype == np.bool_ or not flags.size:
            return np.broadcast_to(flags.astype(np.bool_), shape)
    except Exception:  # of another shape, or whatever an object's own __array__ raises
        pass
    raise InvalidArgumentError(f"{name} is {shown(values)}: pass True or False, or an array of them {shape}")

"""Sound calls spoilt: each argument replaced by each of many bad values, and what comes of it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import narde
from corpus import Hostile

BAD: dict[str, Any] = {
    "None": None,
    "True": True,
    "below 0": -1,
    "huge": 10**5000,
    "a half": 0.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "complex": 1j,
    "nothing": "",
    "a word": "x",
    "a null": "\0",
    "a long word": "a" * 300,
    "bytes": b"x",
    "no items": [],
    "one item": (1,),
    "two items": (0, 0),
    "ragged": [[1, 2], [3]],
    "a dict": {},
    "a set": {1},
    "an object": object(),
    "a class": str,
    "a slice": slice(1),
    "a module": narde,
    "three axes": np.zeros((2, 2, 2)),
    "an empty array": np.zeros(0),
    "an array of text": np.array("x"),
    "an array of NaN": np.full(28, np.nan),
    "a mask": np.ma.array(np.full(5, 1e300), mask=True),
    "an array": np.array([1, 2]),
    "float32": np.float32(1),
    "beyond int64": np.array([2**64 - 1, 1], np.uint64),
    "objects": np.array([None, "a"], object),
    "dates": np.zeros(2, "M8[s]"),
    "a structure": np.zeros(2, "i4,f8"),
    "rows of zeros": np.zeros((2, 28), np.int8),
    "what refuses": Hostile(),
}

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def call(function: Callable[..., Any], *arguments: Any, **options: Any) -> Call:
    """A call that is sound, or fails for want of a file; each of its arguments is replaced in turn."""
    return function, arguments, options


def name_of(entry: Call) -> str:
    return getattr(entry[0], "__qualname__", type(entry[0]).__name__)


def each_of(calls: Sequence[Call]) -> pytest.MarkDecorator:
    """A test for each of the calls, its argument `entry`."""
    ids = [f"{i}-{name_of(entry)}" for i, entry in enumerate(calls)]
    return pytest.mark.parametrize("entry", calls, ids=ids)


def spoilt(entry: Call) -> Iterator[tuple[str, Call]]:
    """The call with each argument replaced by each bad value in turn, and what was done to it."""
    function, arguments, options = entry
    for what, bad in BAD.items():
        for i in range(len(arguments)):
            yield f"{what} as argument {i}", (function, (*arguments[:i], bad, *arguments[i + 1 :]), options)
        for name in options:
            yield f"{what} as {name}", (function, arguments, options | {name: bad})


def faults_of(entry: Call) -> list[str]:
    """The spoilt calls that raise something else than a `NardeError`, or one that is too long to be read."""
    faults = []
    for what, (function, arguments, options) in spoilt(entry):
        try:
            function(*arguments, **options)
        except narde.NardeError as fault:
            if not 0 < len(str(fault)) < 1200:
                faults.append(f"{what}: {len(str(fault))} characters")
        except Exception as fault:
            faults.append(f"{what}: {type(fault).__name__}: {str(fault)[:80]}")
    return faults


def assert_answered_or_refused(entry: Call) -> None:
    """No spoilt call has a fault; the message lists those that have."""
    assert not (faults := faults_of(entry)), "\n".join(faults)

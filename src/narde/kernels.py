"""The compiled core for this machine, the rules as it receives them, and work cut into chunks over
threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde import _core
from narde.errors import InvalidArgumentError
from narde.rules import Rules

RULES_DTYPE: Final = np.dtype(
    [
        (name, np.int32)
        for name in (
            "short_",
            "head_per_turn",
            "head_exception",
            "prime_rule",
            "prime_at_end",
            "reroll_opening",
            "mars",
            "koks",
            "last_roll",
        )
    ]
)
"""The fields of `rules_t` in the core, in its order."""

MAX_THREADS: Final = 4096
_EXCEPTIONS: Final = {"none": 0, "doubles_346": 1, "any_double": 2, "any_roll": 3}
_PRIME_RULES: Final = {"free": 0, "opponent_ahead": 1, "never": 2}


def _core_of_this_machine() -> Any:
    """The AVX2 build where the processor runs it; NARDE_CORE=baseline asks for the portable one."""
    if (
        os.environ.get("NARDE_CORE") == "baseline"
        or _core.instructions() != "sse2"
        or not _core.cpu_runs_v3()
    ):
        return _core
    try:
        from narde import _core_v3
    except ImportError:
        return _core
    return _core_v3


core: Final = _core_of_this_machine()
"""The build of the core that is in use."""


@lru_cache(maxsize=256)
def packed(rules: Rules) -> npt.NDArray[Any]:
    """The rules as the core's struct: a read-only array of one `RULES_DTYPE`."""
    fields = (
        rules.game == "short",
        rules.head_per_turn,
        _EXCEPTIONS[rules.head_exception],
        _PRIME_RULES[rules.prime_rule],
        rules.prime_check == "end_of_turn",
        rules.opening_roll == "reroll",
        rules.mars,
        rules.koks,
        rules.last_roll,
    )
    value = np.array([fields], RULES_DTYPE)
    value.flags.writeable = False
    return value


def as_threads(threads: int) -> int:
    """The number of threads, checked: a whole number from 1 to 4096; more than there is work for do no
    harm."""
    return as_whole_number(threads, "threads", 1, MAX_THREADS)


def as_whole_number(value: int, name: str, low: int, high: int) -> int:
    """An option that must be a whole number from `low` to `high`; raises `InvalidArgumentError`."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = value.__index__()
    except (AttributeError, TypeError):
        raise InvalidArgumentError(f"{name} is {value!r}: pass a whole number from {low} to {high}") from None
    if not low <= number <= high:
        raise InvalidArgumentError(f"{name} is {number}: pass a whole number from {low} to {high}")
    return number


def in_chunks(
    total: int, size: int, threads: int, work: Callable[[int, int], Any]
) -> Iterator[tuple[int, int, Any]]:
    """Call work(start, stop) over all of range(total) and give (start, stop, result) as each is done, in
    order.

    The pieces run in `threads` threads; an interrupt cancels those that have not begun.
    """
    pieces = [(start, min(start + size, total)) for start in range(0, total, size)]
    workers = min(threads, len(pieces))
    if workers <= 1:
        for start, stop in pieces:
            yield start, stop, work(start, stop)
        return
    pool = ThreadPoolExecutor(workers)
    try:
        futures = [pool.submit(work, start, stop) for start, stop in pieces]
        for (start, stop), future in zip(pieces, futures, strict=True):
            yield start, stop, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)

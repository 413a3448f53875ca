"""The compiled core for this machine, the rules as it receives them, and work cut into chunks over
threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import index
from threading import Event, local
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from narde import _core
from narde.errors import InvalidArgumentError, shown
from narde.rules import Rules

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

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
_AHEAD: Final = 4  # pieces that wait or run, for each thread
_here: Final = local()  # what `stop_with` set for this thread
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
        number = None if isinstance(value, (bool, np.bool_)) else index(value)
    except Exception:  # whatever an object's own __index__ raises
        number = None
    if number is None or not low <= number <= high:
        raise InvalidArgumentError(f"{name} is {shown(value)}: pass a whole number from {low} to {high}")
    return number


def as_share(value: float, name: str) -> float:
    """An option that must be a number from 0 to 1; raises `InvalidArgumentError`."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:
        raise InvalidArgumentError(f"{name} is {shown(value)}: pass a number from 0 to 1")
    return value


def as_item(value: int, size: int, what: str, remedy: str) -> int:
    """An index into a sequence of `size`, counted from the front; raises `IndexError` outside it, and
    `InvalidArgumentError` with the remedy for what is no whole number."""
    try:
        number = None if isinstance(value, (bool, np.bool_)) else index(value)
    except Exception:
        number = None
    if number is None:
        raise InvalidArgumentError(f"{shown(value)} is no index of a {what}: pass a whole number; {remedy}")
    if not -size <= number < size:
        raise IndexError(f"{what} {shown(number)} of {size}")
    return number % size


def as_flag(value: bool, name: str) -> bool:
    """An option that must be True or False; raises `InvalidArgumentError`."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidArgumentError(f"{name} is {shown(value)}: pass True or False")
    return bool(value)


class Stopped(BaseException):
    """What ends work in a thread whose run is over: nobody sees it, and no `except Exception` holds it up."""


def stop_with(event: Event) -> None:
    """From here on `check_stopped` raises in this thread once the event is set."""
    _here.event = event


def check_stopped() -> None:
    """Raise `Stopped` where the run that this thread works for is over; work that takes long asks now and
    then, so that Ctrl-C need not wait for it."""
    event = getattr(_here, "event", None)
    if event is not None and event.is_set():
        raise Stopped


def in_chunks(
    total: int, size: int, threads: int, work: Callable[[int, int], Any]
) -> Iterator[tuple[int, int, Any]]:
    """Call work(start, stop) over all of range(total) and give (start, stop, result) as each is done, in
    order.

    The pieces run in `threads` threads; an interrupt cancels those that have not begun. Raises
    `InvalidArgumentError` if the system refuses to start so many, and what `check_stopped` raises.
    """
    pieces = ((start, min(start + size, total)) for start in range(0, total, size))
    workers = min(threads, -(-total // size))
    if workers <= 1:
        for start, stop in pieces:
            check_stopped()
            yield start, stop, work(start, stop)
        return
    from concurrent.futures import ThreadPoolExecutor  # takes long to load; one thread needs none

    pool = ThreadPoolExecutor(workers)
    waiting: deque[tuple[int, int, Future[Any]]] = deque()
    try:
        for start, stop in pieces:
            waiting.append((start, stop, _submitted(pool, threads, work, start, stop)))
            if len(waiting) == _AHEAD * workers:
                yield _awaited(*waiting.popleft())
        while waiting:
            yield _awaited(*waiting.popleft())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _submitted(
    pool: ThreadPoolExecutor, threads: int, work: Callable[[int, int], Any], start: int, stop: int
) -> Future[Any]:
    try:
        return pool.submit(work, start, stop)
    except RuntimeError as fault:
        if "new thread" not in str(fault):
            raise
        raise InvalidArgumentError(f"threads is {threads}: {fault}, pass a smaller number") from None


def _awaited(start: int, stop: int, future: Future[Any]) -> tuple[int, int, Any]:
    return start, stop, future.result()

"""The compiled core for this machine, the rules as it receives them, and work cut into chunks over
threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from threading import Condition, Event, Lock, Thread, local
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde import _core
from narde._values import whole
from narde.errors import InvalidArgumentError, shown
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
_AHEAD: Final = 4  # chunks that wait, run or are in the caller's hands, for each thread
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
    number = whole(value)
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
    number = whole(value)
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

    The chunks run in `threads` threads, of which the caller's is one; after an interrupt none begins. Raises
    `InvalidArgumentError` if the system refuses to start so many, what the first chunk raises that fails, and
    what `check_stopped` raises.
    """
    if min(threads, -(-total // size)) <= 1:
        for start in range(0, total, size):
            check_stopped()
            stop = min(start + size, total)
            yield start, stop, work(start, stop)
        return
    chunks = _Chunks(total, size, work, _AHEAD * threads - 1)
    helpers = [Thread(target=chunks.help) for _ in range(min(threads, chunks.n) - 1)]
    try:
        for helper in helpers:
            _start(helper, threads)
        for _ in range(chunks.n):
            check_stopped()
            yield chunks.next()
    finally:
        chunks.end(helpers)


class _Chunks:
    """Chunks of work: each is taken by the next thread that is free, their results are given in order.

    The thread that asks for results works too: to wake it for each chunk took two threads a fifteenth of
    their speed."""

    def __init__(self, total: int, size: int, work: Callable[[int, int], Any], ahead: int) -> None:
        self._total, self._size, self._work = total, size, work
        self.n = -(-total // size)
        self._last = ahead
        """The number of the first chunk that may not begin yet."""
        self._begun = self._given = 0
        self._done: dict[int, tuple[Any, BaseException | None]] = {}
        self._lock = Lock()  # held by itself: Ctrl-C in `Condition.__enter__` would leave it locked
        self._changed = Condition(self._lock)

    def next(self) -> tuple[int, int, Any]:
        """The next chunk as its start, its end and its result; raises what its work has raised."""
        while self._given not in self._done:
            with self._lock:
                chunk = self._taken()
                if chunk is None:
                    self._changed.wait_for(lambda: self._given in self._done)
            if chunk is not None:
                self._do(chunk)
                if not isinstance(self._done[chunk][1], Exception | None):
                    self._raise(chunk)  # as Ctrl-C, which waits for no other chunk
        number = self._given
        with self._lock:
            self._given += 1
            self._last += 1
            self._changed.notify_all()
        self._raise(number)
        return *self._bounds(number), self._done.pop(number)[0]

    def help(self) -> None:
        """Work until nothing is left."""
        chunk: int | None = 0
        while chunk is not None:
            with self._lock:
                self._changed.wait_for(lambda: self._begun < self._last or self._begun >= self.n)
                chunk = self._taken()
            if chunk is not None:
                self._do(chunk)

    def end(self, helpers: list[Thread]) -> None:
        """Let nothing begin any more, and wait for what has begun."""
        with self._lock:
            self._begun = self.n
            self._changed.notify_all()
        for helper in helpers:
            if helper.ident is not None:
                helper.join()
        self._done.clear()  # faults hold frames, and with them, while these hold the faults, all arrays

    def _taken(self) -> int | None:
        """The number of a chunk for the thread that holds the lock, None if none may begin."""
        if self._begun >= min(self.n, self._last):
            return None
        self._begun += 1
        return self._begun - 1

    def _do(self, chunk: int) -> None:
        done: tuple[Any, BaseException | None]
        try:
            done = self._work(*self._bounds(chunk)), None
        except BaseException as fault:
            done = None, fault
        with self._lock:
            self._done[chunk] = done
            self._changed.notify_all()
        del done  # a fault holds this frame: see `end`

    def _raise(self, chunk: int) -> None:
        """Raise what the work of a chunk has raised, if anything."""
        fault = self._done[chunk][1]
        try:
            if fault is not None:
                raise fault
        finally:
            del fault  # it holds this frame, too

    def _bounds(self, chunk: int) -> tuple[int, int]:
        return chunk * self._size, min((chunk + 1) * self._size, self._total)


def _start(helper: Thread, threads: int) -> None:
    try:
        helper.start()
    except RuntimeError as fault:
        if "new thread" not in str(fault):
            raise
        raise InvalidArgumentError(f"threads is {threads}: {fault}, pass a smaller number") from None

"""The compiled core for this machine, the rules as it receives them, and work cut into chunks over
threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, local, main_thread
from typing import Any, Final, Protocol

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
AHEAD: Final = 4
"""Units that wait, run or are done, for each thread or worker."""
_GLANCE: Final = 1.0  # seconds between two looks of an idle thread at whether the run is over
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


def check_progress(progress: object) -> None:
    """Raise `InvalidArgumentError` unless an option is a function that may be told of progress, or None."""
    if not (progress is None or callable(progress)):
        raise InvalidArgumentError(f"progress is {shown(progress)}: pass a function of two numbers, or None")


class Stopped(BaseException):
    """What ends work in a thread whose run is over: nobody sees it, and no `except Exception` holds it up."""


class _Over(Protocol):
    """An `Event`, or what can be asked like one."""

    def is_set(self) -> bool: ...


_Outcome = tuple[int, Any, BaseException | None]
"""The number of a unit, its result, and what it raised."""


def stop_with(event: _Over) -> None:
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

    def chunk(start: int) -> tuple[int, int, Any]:
        stop = min(start + size, total)
        return start, stop, work(start, stop)

    starts = range(0, total, size)
    if min(threads, len(starts)) > 1:
        crew = Crew(chunk, min(threads, len(starts)) - 1, f"threads is {threads}", helped=True)
        yield from crew.in_order(starts, AHEAD * threads)
        return
    for start in starts:
        check_stopped()
        yield chunk(start)


class Crew:
    """Threads that do one unit of work after another, each the next that nobody has begun.

    Ctrl-C may hit the thread that asks for results between any two steps of Python, and again while it ends
    the run. So it takes no lock that others wait for, as there are in `Condition`, `Future` and `Event`: to
    put something into a queue or take it out is one step, and so is setting the flag that ends the run, for
    which threads that nobody wakes look now and then.
    """

    def __init__(self, work: Callable[[Any], Any], threads: int, asked: str, *, helped: bool = False) -> None:
        """`asked` names the argument that the threads come from, for the message if there are too many.

        helped: whoever asks for results works, too. To wake him for each unit took two threads a fifteenth of
        their speed."""
        self._work, self._most, self._asked, self._helped = work, threads, asked, helped
        self._threads: list[Thread] = []
        self._todo: SimpleQueue[Any] = SimpleQueue()
        """Units with their numbers; at the end, None wakes a thread."""
        self._told: SimpleQueue[_Outcome] = SimpleQueue()
        self._flight: deque[tuple[int, Any]] = deque()
        """Units that wait, run or are done, and their numbers."""
        self._done: dict[int, _Outcome] = {}
        self._over = False
        self._asking = current_thread()
        """The last thread that asked for a result."""

    def is_set(self) -> bool:
        """Whether the run is over, as `stop_with` asks."""
        return self._over

    def _is_left(self) -> bool:
        """Whether the program has ended and waits for these threads, while nobody asks for results."""
        return not (main_thread().is_alive() or self._asking.is_alive())

    def in_order(
        self, units: Iterable[Any], ahead: int, leftover: Callable[[Any, Any], object] | None = None
    ) -> Generator[Any, None, None]:
        """What `work(unit)` gives for every unit in turn, while so many are in flight; once for each crew.

        Raises what the first unit raises that fails, and what `check_stopped` raises. `leftover` is called at
        an end before the end, with the units and results that are there and were not given."""
        numbered = enumerate(units)
        try:
            while self._fill(numbered, ahead):
                check_stopped()
                yield self._first()
        finally:
            self._over = True
            self._end(leftover)

    def _fill(self, numbered: Iterator[tuple[int, Any]], ahead: int) -> bool:
        """Give out units while there is room; whether any is in flight."""
        if self._is_left():  # as in a callback of `atexit`: the threads have ended, and others may not start
            self._most, self._helped = 0, True
        self._asking = current_thread()
        for task in islice(numbered, max(0, ahead - len(self._flight))):
            self._flight.append(task)
            self._todo.put(task)
            if len(self._threads) < self._most:
                self._start()
        return bool(self._flight)

    def _start(self) -> None:
        self._threads.append(Thread(target=self._help))
        try:
            self._threads[-1].start()
        except RuntimeError as fault:
            if "new thread" not in str(fault):
                raise
            raise InvalidArgumentError(f"{self._asked}: {fault}, pass a smaller number") from None

    def _help(self) -> None:
        """Work in a thread until the run is over."""
        stop_with(self)
        while not (self._over or self._is_left()):
            task = _taken(self._todo, timeout=_GLANCE)
            if task is not None and not self._over:
                self._told.put(self._outcome(task, BaseException))

    def _first(self) -> Any:
        """The result of the first unit in flight; raises what it raised."""
        number = self._flight[0][0]
        while number not in self._done:
            self._await()
        _, result, fault = self._done[number]
        try:
            if fault is not None:
                raise fault
        finally:
            del fault  # it holds this frame, and with it, while that holds the fault, all arrays
        self._flight.popleft()
        del self._done[number]
        return result

    def _await(self) -> None:
        """Take down what a thread tells, or work on what none has begun."""
        task = _taken(self._todo) if self._helped and self._told.empty() else None
        if task is None:
            self._keep(self._told.get())
        else:
            self._keep(self._outcome(task, Exception))  # Ctrl-C waits for no unit before

    def _keep(self, outcome: _Outcome) -> None:
        self._done[outcome[0]] = outcome

    def _outcome(self, task: tuple[int, Any], kind: type[BaseException]) -> _Outcome:
        """What comes of a unit; raises what is not of the kind."""
        try:
            return task[0], self._work(task[1]), None
        except kind as fault:
            return task[0], None, fault

    def _end(self, leftover: Callable[[Any, Any], object] | None) -> None:
        """Wait for what has begun, and hand over what is done."""
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        while not self._told.empty():
            self._keep(self._told.get())
        for number, unit in self._flight:
            if leftover is not None and number in self._done and self._done[number][2] is None:
                leftover(unit, self._done[number][1])
        self._done.clear()  # faults hold frames, and with them, while these hold the faults, all arrays


def _taken(queue: SimpleQueue[Any], timeout: float = 0) -> Any:
    """The first of a queue; None if nothing comes in so many seconds."""
    try:
        return queue.get(timeout > 0, timeout)
    except Empty:
        return None

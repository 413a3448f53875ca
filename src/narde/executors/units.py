"""Units of work in order, over an executor that may lose workers."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeVar

from narde.errors import InvalidArgumentError, WorkerLostError, shown
from narde.executors.losses import is_loss
from narde.executors.on_dask import dependable
from narde.executors.processes import check_sendable, close, is_broken
from narde.kernels import AHEAD, MAX_THREADS, Crew, as_whole_number

ExecutorSource = Executor | Callable[[], Executor]
"""An executor, or a function without arguments that makes one."""

Unit = TypeVar("Unit")
Result = TypeVar("Result")

_GLANCE: Final = 2.0  # seconds between two looks at whether the executor is broken
_MAX_TRIES: Final = 1000
_REMEDY: Final = "pass a function that makes one, as `narde.executors.processes(8)`, and lost units"


def run_units(
    work: Callable[[Unit], Result],
    units: Iterable[Unit],
    *,
    executor: ExecutorSource | None = None,
    workers: int = 1,
    tries: int = 3,
    leftover: Callable[[Unit, Result], object] | None = None,
) -> Generator[Result, None, None]:
    """Call `work(unit)` for every unit and give the results in the order of the units.

    Without an executor the units run in `workers` threads, with one worker in the caller's own. An executor
    is any `concurrent.futures.Executor`: it stays open, and `workers` is not read. A function that makes one
    is called when the first result is asked for, and its executor is shut down at the end. Some four units a
    worker are in flight, results that wait for their turn included, so that memory is flat however many there
    are; `units` is read as they are given out.

    A unit whose worker is lost is done again, up to `tries` times in all. A pool of processes that has lost
    one takes no more work: only a function that makes executors lets the run go on, in a new pool. What
    `work` raises passes through unchanged. That, Ctrl-C, and closing the iterator cancel the units that have
    not begun; then `leftover(unit, result)` is called, in the order of the units, with each result that is
    there and was not given. A second Ctrl-C leaves that out.

    Raises `InvalidArgumentError`, and `WorkerLostError` naming a unit that was lost `tries` times.
    """
    if not callable(work):
        raise InvalidArgumentError(f"work is {shown(work)}: pass a function of one unit")
    try:
        units = iter(units)
    except TypeError:
        raise InvalidArgumentError(f"units is {shown(units)}: pass a list or an iterator of units") from None
    tries = as_whole_number(tries, "tries", 1, _MAX_TRIES)
    if not (leftover is None or callable(leftover)):
        raise InvalidArgumentError(f"leftover is {shown(leftover)}: pass a function of two values, or None")
    workers = as_whole_number(workers, "workers", 1, MAX_THREADS)
    if executor is not None:
        return _Run(work, _Pool(executor), tries, leftover).results(units)
    if workers > 1:
        crew = Crew(work, workers, f"workers is {workers}")
        return crew.in_order(units, AHEAD * workers, leftover)
    return (work(unit) for unit in units)


@dataclass(eq=False)
class _Task:
    """A unit in flight; its future is None while it waits to be given out again."""

    number: int
    unit: Any
    future: Future[Any] | None = None
    losses: int = 0


@dataclass(eq=False)
class _Run:
    """The units in flight, in order."""

    work: Callable[[Any], Any]
    pool: _Pool
    tries: int
    leftover: Callable[[Any, Any], object] | None
    waiting: deque[_Task] = field(default_factory=deque)

    def results(self, units: Iterable[Any]) -> Generator[Any, None, None]:
        tasks = (_Task(number, unit) for number, unit in enumerate(units))
        try:
            self.pool.check(self.work)
            while self._fill(tasks):
                yield self._first()
        finally:
            self.pool.close([task.future for task in self.waiting if task.future is not None])
            self._leave()

    def _leave(self) -> None:
        """Hand over what is done and nobody asked for, now that no unit runs any more in a pool of ours."""
        for task in self.waiting:
            if self.leftover is not None and task.future is not None and _is_well(task.future):
                self.leftover(task.unit, task.future.result())

    def _fill(self, tasks: Iterator[_Task]) -> bool:
        """Give out lost units again and new ones while there is room; whether any unit is in flight."""
        for task in self.waiting:
            if task.future is None:
                self._submit(task)
        for task in islice(tasks, max(0, self.pool.room() - len(self.waiting))):
            self.waiting.append(task)
            self._submit(task)
        return bool(self.waiting)

    def _submit(self, task: _Task) -> None:
        """An executor found broken here is as good as one that breaks a moment later: its unit is lost."""
        try:
            task.future = self.pool.submit(self.work, task.unit)
        except BrokenExecutor as fault:
            task.future = _failed(fault)

    def _first(self) -> Any:
        """The result of the first unit, which is done again, and alone, where its worker was lost: so whoever
        breaks a pool is told from those who were in it."""
        task = self.waiting[0]
        while True:
            try:
                result = self._settled(task).result()
            except Exception as fault:
                if not is_loss(fault):
                    raise
                self._after_loss(task, fault)
                continue
            self.waiting.popleft()
            return result

    def _settled(self, task: _Task) -> Future[Any]:
        """The unit's future, done. Before Python 3.12 a pool that breaks while it takes a unit may forget it,
        as may a client of Dask that is closed: the second glance finds that, since either settles all its
        other units at once."""
        assert task.future is not None
        glances = 0
        while not (wait([task.future], timeout=_GLANCE).done or task.future.done()):
            glances += self.pool.is_broken()
            if glances == 2:
                return _failed(BrokenExecutor("the pool broke and forgot the unit"))
        return task.future

    def _after_loss(self, task: _Task, fault: Exception) -> None:
        task.losses += 1
        if task.losses >= self.tries:
            raise WorkerLostError(_lost(task, fault), unit=task.number) from fault
        if isinstance(fault, BrokenExecutor):
            self._renew(task, fault)
        self._submit(task)

    def _renew(self, task: _Task, fault: BrokenExecutor) -> None:
        """Leave the broken executor; of the other units those that it lost are given out again later."""
        if not self.pool.renew():
            text = f"{_lost(task, fault)}; a broken executor takes no more work: {_REMEDY} are done again"
            raise WorkerLostError(text, unit=task.number) from fault
        for other in self.waiting:
            if other.future is not None and _is_lost(other.future):
                other.future = None


def _failed(fault: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(fault)
    return future


def _is_lost(future: Future[Any]) -> bool:
    """Whether a future of an executor that is no more will never tell an outcome of the work."""
    if not future.done() or future.cancelled():
        return True
    fault = future.exception()
    return fault is not None and is_loss(fault)


def _is_well(future: Future[Any]) -> bool:
    """Whether a future has a result."""
    return future.done() and not future.cancelled() and future.exception() is None


def _lost(task: _Task, fault: Exception) -> str:
    times = "once" if task.losses == 1 else f"{task.losses} times"
    cause = f"{type(fault).__name__}: {fault}".rstrip(": ")
    return f"unit {task.number}, {shown(task.unit)}, lost its worker {times} ({cause})"


class _Pool:
    """The executor of a run: the caller's, which stays open, or one made here, which is closed here."""

    def __init__(self, executor: ExecutorSource) -> None:
        self._given = dependable(executor) if isinstance(executor, Executor) else None
        self._make: Any = executor
        self._made: Executor | None = None
        if self._given is None and not callable(self._make):
            raise InvalidArgumentError(_no_executor(executor))
        self._room, self._asked = 0, 0

    def submit(self, work: Callable[[Any], Any], unit: Any) -> Future[Any]:
        try:
            return self._executor().submit(work, unit)
        except BrokenExecutor:
            raise
        except RuntimeError as fault:
            if "new thread" in str(fault):
                message = f"the executor has too many workers: {fault}; pass one with fewer"
            elif "shutdown" in str(fault):
                message = f"the executor was shut down: {fault}; pass one that takes work"
            else:
                raise
            raise InvalidArgumentError(message) from fault

    def check(self, work: Callable[[Any], Any]) -> None:
        """Raise `InvalidArgumentError` for work that the executor cannot be given."""
        check_sendable(self._executor(), work)

    def room(self) -> int:
        """Units that may be in flight; asked anew once in a while, since a cluster may grow."""
        if self._asked == 0:
            self._room = self._asked = AHEAD * _workers_of(self._executor())
        self._asked -= 1
        return self._room

    def renew(self) -> bool:
        """Leave a broken executor, all of whose units are then done or lost; false if no other can be
        made."""
        if self._given is not None:
            return False
        if self._made is not None:
            close(self._made)
        self._made = None
        return True

    def is_broken(self) -> bool:
        return is_broken(self._executor())

    def close(self, futures: list[Future[Any]]) -> None:
        """Cancel what has not begun; an executor made here is shut down, once its running units are done."""
        for future in futures:
            future.cancel()
        if self._made is not None:
            close(self._made)

    def _executor(self) -> Executor:
        if self._given is not None:
            return self._given
        if self._made is None:
            made = self._make()
            if not isinstance(made, Executor):
                raise InvalidArgumentError(_no_executor(made))
            self._made = dependable(made)
        return self._made


def _no_executor(value: object) -> str:
    remedy = "pass a concurrent.futures.Executor, or a function without arguments that makes one"
    if hasattr(value, "get_executor"):
        remedy = "pass client.get_executor()"
    return f"executor is {shown(value)}: {remedy}"


def _workers_of(executor: Executor) -> int:
    """How many units run at once: pools of the standard library and our own executors tell, for others the
    number of this machine's processors is assumed."""
    number = getattr(executor, "_max_workers", None)
    return number if isinstance(number, int) and number > 0 else os.cpu_count() or 1

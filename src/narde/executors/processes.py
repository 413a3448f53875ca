"""Pools of processes that neither fork nor hang."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pickle import dumps
from typing import Final

from narde.errors import InvalidArgumentError
from narde.kernels import as_whole_number

_MAX_PROCESSES: Final = 1024


def processes(workers: int) -> Callable[[], ProcessPoolExecutor]:
    """A function that makes a pool of so many processes: pass it as `executor=`, and a pool that has lost a
    worker is replaced.

    The processes are started afresh ("spawn"), since a forked child of a process with threads may hang. A
    script, which is read again in each of them, needs the usual `if __name__ == "__main__":`.

    Raises `InvalidArgumentError` for what is no number from 1 to 1024.
    """
    return partial(_pool, as_whole_number(workers, "workers", 1, _MAX_PROCESSES))


def _pool(workers: int) -> ProcessPoolExecutor:
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_ctrl_c)
    # All are started now: before Python 3.12 a pool that starts one while it loses another waits for ever.
    for _ in range(workers):
        pool.submit(_begin)
    return pool


def _leave_ctrl_c() -> None:
    """Ctrl-C reaches every process of a terminal: what it means is for the first one to decide."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _begin() -> None:
    """Nothing, but a process starts for it."""


def check_sendable(executor: Executor, work: object) -> None:
    """Raise `InvalidArgumentError` for work that a pool of processes cannot be given."""
    if isinstance(executor, ProcessPoolExecutor):
        try:
            dumps(work)
        except Exception as fault:  # PicklingError, AttributeError, TypeError, or what an object raises
            reason = f"processes cannot be given the work, {fault}"
            raise InvalidArgumentError(f"{reason}: define evaluators at the top of a module") from fault


def is_broken(executor: Executor) -> bool:
    """Whether a pool has lost a worker, or a client of Dask was closed, so that it takes no more work."""
    return bool(getattr(executor, "_broken", False))


def close(executor: Executor) -> None:
    """Shut an executor down, once its running calls are done; Ctrl-C meanwhile ends its processes at once.

    Those of a broken pool are ended, too: before Python 3.12 one that was just starting goes on, and would be
    waited for without end. So are those that a pool leaves behind whose own thread fails, as before Python
    3.12 where it breaks with a unit that was cancelled: Ctrl-C does both to a pool that is just starting.
    """
    processes = list((getattr(executor, "_processes", None) or {}).values())
    if is_broken(executor):
        _kill(processes)
    try:
        executor.shutdown(wait=True)
    finally:
        _kill(processes)


def _kill(processes: list[BaseProcess]) -> None:
    for process in processes:
        process.kill()

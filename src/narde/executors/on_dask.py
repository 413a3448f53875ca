"""Units given to the executor of a Dask client (extra `dask`), as `client.get_executor()` makes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from functools import partial
from typing import Any


def is_dask(executor: Executor) -> bool:
    return type(executor).__module__.split(".")[0] == "distributed"


def workers_of(executor: Any) -> int:
    """Threads of all workers of the cluster."""
    if is_closed(executor):
        return 1  # it takes no more work, as `submit` says
    return max(1, int(sum(executor._client.nthreads().values())))


def is_closed(executor: Any) -> bool:
    """Whether the client takes no more work, and may have forgotten what it was given last."""
    return executor._client.status in ("closing", "closed")


def submit(executor: Any, work: Callable[[Any], Any], unit: Any) -> Future[Any]:
    """What `executor.submit` does, but that the future ends in any case.

    That of Dask's own executor waits for ever where a result is lost with its worker just while it is
    fetched. Dask takes a function for pure, unless told otherwise, and would answer for a lost unit from
    memory.
    """
    if executor._shutdown or is_closed(executor):
        raise RuntimeError("cannot schedule new futures after shutdown")
    theirs = executor._client.submit(work, unit, **{**executor._kwargs, "pure": False})
    executor._futures.add(theirs)
    ours: Future[Any] = Future()
    ours.add_done_callback(partial(_cancel, theirs))
    executor._client.loop.add_callback(_pass_on, theirs, ours)
    return ours


def _cancel(theirs: Any, ours: Future[Any]) -> None:
    if ours.cancelled() and not theirs.cancelled():
        theirs.cancel()


async def _pass_on(theirs: Any, ours: Future[Any]) -> None:
    """Pass on whatever comes of it. That Dask cancelled it, or closed the loop, may be no `Exception` there:
    it becomes one of futures. To await `theirs` itself would stop the loop where the client is closed."""
    try:
        end = partial(ours.set_result, await theirs._result())
    except (asyncio.CancelledError, GeneratorExit) as fault:
        end = partial(ours.set_exception, CancelledError(str(fault)))
    except BaseException as fault:
        end = partial(ours.set_exception, fault)
    if ours.set_running_or_notify_cancel():
        end()

"""The executor of a Dask client (extra `dask`), as `client.get_executor()` makes it, made dependable."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from functools import partial
from typing import Any


def dependable(executor: Executor) -> Executor:
    """The executor, or what stands for it where it is Dask's."""
    is_dask = type(executor).__module__.split(".")[0] == "distributed"
    return _DaskExecutor(executor) if is_dask else executor


class _DaskExecutor(Executor):
    """What Dask's own does, but that each future ends: that one's wait for ever where a result is lost with
    its worker just while it is fetched."""

    def __init__(self, theirs: Any) -> None:
        self._theirs = theirs

    @property
    def _max_workers(self) -> int:
        """Threads of all workers of the cluster; 1 where it takes no more work, as `submit` says."""
        return 1 if self._broken else max(1, int(sum(self._theirs._client.nthreads().values())))

    @property
    def _broken(self) -> bool:
        """Whether the client takes no more work, and may have forgotten what it was given last."""
        return self._theirs._client.status in ("closing", "closed")

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start the call; Dask takes a function for pure, unless told otherwise, and would answer for a lost
        unit from memory."""
        if self._theirs._shutdown or self._broken:
            raise RuntimeError("cannot schedule new futures after shutdown")
        options = {**self._theirs._kwargs, **kwargs, "pure": False}
        theirs = self._theirs._client.submit(fn, *args, **options)
        self._theirs._futures.add(theirs)
        ours: Future[Any] = Future()
        ours.add_done_callback(partial(_cancel, theirs))
        self._theirs._client.loop.add_callback(_pass_on, theirs, ours)
        return ours

    def shutdown(self, wait: bool = True, **options: Any) -> None:
        """Shut Dask's own down, which knows what was given to it here."""
        self._theirs.shutdown(wait=wait, **options)


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

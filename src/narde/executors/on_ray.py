"""Ray as a `concurrent.futures.Executor` (extra `ray`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import wait as wait_for
from functools import partial
from typing import Any

from narde.errors import extra


class RayExecutor(Executor):
    """Calls as tasks of the Ray cluster that is connected, or else of one that Ray starts on this machine.

    `options` are those of a Ray task, as `num_cpus=1` or `resources={...}`. Ray does not repeat a call whose
    worker died (`max_retries=0`): `run_units` does. `shutdown` leaves the cluster as it is.

    Raises `MissingExtraError` without Ray.
    """

    def __init__(self, **options: Any) -> None:
        self._ray = extra("ray", "RayExecutor needs ray: pip install 'narde[ray]'")
        self._task: Any = self._ray.remote(_call).options(**{"max_retries": 0, **options})
        self._stored: tuple[Any, Any] = (None, None)
        self._pending: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def _max_workers(self) -> int:
        """Tasks of one processor that the cluster can run at once."""
        if not self._ray.is_initialized():
            self._ray.init()
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start `fn(*args, **kwargs)` on the cluster; to cancel a call that has begun asks Ray to interrupt
        it."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            ref = self._task.remote(self._reference(fn), args, kwargs)
            self._pending.add(future)
        future.add_done_callback(partial(self._forget, ref))
        ref.future().add_done_callback(partial(self._finish, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; wait for those under way, but not until Ray has ended what was cancelled."""
        with self._lock:
            self._closed = True
            pending = list(self._pending)
        if cancel_futures:
            for future in pending:
                future.cancel()
        if wait:
            wait_for([future for future in pending if not future.cancelled()])

    def _reference(self, fn: Callable[..., Any]) -> Any:
        """The function in Ray's store: one that is called again and again, with a network, travels once."""
        if self._stored[0] is not fn:
            self._stored = (fn, self._ray.put(fn))
        return self._stored[1]

    def _forget(self, ref: Any, future: Future[Any]) -> None:
        with self._lock:
            self._pending.discard(future)
        if future.cancelled() and self._ray.is_initialized():
            self._ray.cancel(ref)

    def _finish(self, future: Future[Any], done: Future[Any]) -> None:
        """Pass an outcome on; what the call raised as it was raised, Ray's account of it as its cause."""
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(done.result())
        except self._ray.exceptions.RayTaskError as fault:
            fault.cause.__cause__ = fault
            future.set_exception(fault.cause)
        except BaseException as fault:
            future.set_exception(fault)


def _call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)

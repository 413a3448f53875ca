"""What a future says of a worker that is gone, as against what the work itself raised."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, CancelledError
from typing import Final

_LOSSES: Final = {
    ("distributed", "KilledWorker"),
    ("distributed", "CommClosedError"),
    ("distributed", "FutureCancelledError"),
    ("ray", "WorkerCrashedError"),
    ("ray", "RayActorError"),
    ("ray", "NodeDiedError"),
    ("ray", "ObjectLostError"),
    ("ray", "OutOfMemoryError"),
    ("ray", "LocalRayletDiedError"),
}
"""Library and class name: so that neither library need be imported to ask."""

_DASK_EXECUTOR: Final = "distributed.cfexecutor"
"""Where a worker is lost just when its result has come in, this module takes the result for a fault, and
fails to unpack it."""


def is_loss(fault: BaseException) -> bool:
    """Whether the worker was lost, or the unit cancelled by somebody else, so that the unit can be done
    again."""
    if isinstance(fault, BrokenExecutor | CancelledError):
        return True
    if isinstance(fault, AttributeError | TypeError | ValueError) and _origin(fault) == _DASK_EXECUTOR:
        return True
    return any((kind.__module__.split(".")[0], kind.__name__) in _LOSSES for kind in type(fault).__mro__)


def _origin(fault: BaseException) -> str:
    """The module in which it was raised, for faults from elsewhere as far as their traceback came along."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else str(trace.tb_frame.f_globals.get("__name__", ""))

"""What a future says of a worker that is gone, as against what the work itself raised."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, CancelledError
from typing import Final

_LOSSES: Final = {
    ("distributed", "KilledWorker"),
    ("distributed", "CommClosedError"),
    ("ray", "WorkerCrashedError"),
    ("ray", "RayActorError"),
    ("ray", "NodeDiedError"),
    ("ray", "ObjectLostError"),
    ("ray", "OutOfMemoryError"),
    ("ray", "LocalRayletDiedError"),
}
"""Library and class name: so that neither library need be imported to ask."""


def is_loss(fault: BaseException) -> bool:
    """Whether the worker was lost, or the unit cancelled by somebody else, so that the unit can be done
    again."""
    if isinstance(fault, BrokenExecutor | CancelledError):
        return True
    return any((kind.__module__.split(".")[0], kind.__name__) in _LOSSES for kind in type(fault).__mro__)

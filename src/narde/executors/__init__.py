"""Numbered units of work on whatever computes: threads, processes, Dask, Ray.

`units` gives them out and brings their results back in order, `losses` tells a lost worker from a fault of
the work, `processes` makes pools of processes, `on_ray` is the adapter for Ray, `on_dask` stands for
what `client.get_executor()` makes.
"""

from __future__ import annotations

from narde.executors.on_ray import RayExecutor
from narde.executors.processes import processes
from narde.executors.units import ExecutorSource, run_units

__all__ = ["ExecutorSource", "RayExecutor", "processes", "run_units"]

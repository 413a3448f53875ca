"""Two things timed in turn, so that whatever else the machine does disturbs both alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

ROUNDS = 15


def beside(
    benchmark: Any, target: Callable[[], Any], other: Callable[[], Any], other_name: str, other_units: int
) -> None:
    """Benchmark the target, `other` running before every round of it.

    Notes in `extra_info` how many times as long the other takes for a unit of work: the median of the ratios
    of neighbouring rounds. The units of the target are those noted in `extra_info` before.
    """
    others: list[float] = []

    def run_other() -> None:
        start = time.perf_counter()
        other()
        others.append(time.perf_counter() - start)

    benchmark.pedantic(target, setup=run_other, rounds=ROUNDS, warmup_rounds=1)
    if benchmark.stats is None:  # run with --benchmark-disable
        return
    times = benchmark.stats.stats.data
    pairs = zip(others[-len(times) :], times, strict=True)
    per_unit = benchmark.extra_info["units"] / other_units
    benchmark.extra_info |= {
        "other": other_name,
        "other_over_this": median(slow / fast for slow, fast in pairs) * per_unit,
    }

"""Two things timed in turn, so that whatever else the machine does disturbs both alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

ROUNDS = 15


def seconds_of(work: Callable[[], Any]) -> float:
    """How long it takes, by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def beside(
    benchmark: Any,
    target: Callable[[], Any],
    other: Callable[[], Any],
    other_name: str,
    other_units: int,
    *,
    rounds: int = ROUNDS,
    measure: Callable[[Callable[[], Any]], float] = seconds_of,
) -> None:
    """Benchmark the target, `other` running before every round of it, timed by `measure`.

    Notes in `extra_info` how many times as long the other takes for a unit of work: the median of the ratios
    of neighbouring rounds. The units of the target are those noted in `extra_info` before.
    """
    others: list[float] = []

    def run_other() -> None:
        others.append(measure(other))

    benchmark.pedantic(target, setup=run_other, rounds=rounds, warmup_rounds=1)
    if benchmark.stats is None:  # run with --benchmark-disable
        return
    times = benchmark.stats.stats.data
    pairs = zip(others[-len(times) :], times, strict=True)
    per_unit = benchmark.extra_info["units"] / other_units
    benchmark.extra_info |= {
        "other": other_name,
        "other_over_this": median(slow / fast for slow, fast in pairs) * per_unit,
    }

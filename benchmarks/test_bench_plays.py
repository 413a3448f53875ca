"""Legal plays of whole batches: nanoseconds a (position, roll).

Every benchmark counts the afterstates and compares the number with a pinned one before it times anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import narde
from batches import Batch, all_rolls, played
from side_by_side import beside

LONG = "long turns"
SHORT = "short, 21 rolls"
MILLION = "long, a million"

BATCHES: dict[str, Callable[[], Batch]] = {
    LONG: lambda: played("long", 100_000, 1_025_833),
    "short turns": lambda: played("short", 100_000, 1_874_990),
    SHORT: lambda: all_rolls("short", 4_000, 1_922_915),
    MILLION: lambda: played("long", 1_000_000, 10_249_426),
}


def counted(benchmark: Any, name: str) -> Batch:
    """The batch of that name, its number of afterstates checked, its size noted for the report."""
    batch = BATCHES[name]()
    assert narde.count_afterstates(batch.rows, batch.dice, batch.rules).sum() == batch.afterstates
    benchmark.extra_info |= {"per": "(position, roll)", "units": len(batch), "afterstates": batch.afterstates}
    return batch


def generate_again(batch: Batch, **options: Any) -> Callable[[], narde.Afterstates]:
    """Generation into the memory of an earlier result, which has been checked."""
    arguments = (batch.rows, batch.dice, batch.rules)
    earlier = narde.afterstates(*arguments, **options)
    assert len(earlier.positions) == batch.afterstates
    return lambda: narde.afterstates(*arguments, **options, out=earlier)


def generate_anew(batch: Batch) -> narde.Afterstates:
    """Generation into memory that nobody has touched yet."""
    return narde.afterstates(batch.rows, batch.dice, batch.rules)


@pytest.mark.parametrize("name", [LONG, "short turns", SHORT])
def test_generate(benchmark: Any, name: str) -> None:
    benchmark(generate_again(counted(benchmark, name)))


@pytest.mark.parametrize("name", [LONG, SHORT])
def test_generate_unchecked(benchmark: Any, name: str) -> None:
    """check=False: rows that are known to be positions."""
    benchmark(generate_again(counted(benchmark, name), check=False))


@pytest.mark.parametrize("name", [LONG, SHORT])
def test_generate_with_moves(benchmark: Any, name: str) -> None:
    benchmark(generate_again(counted(benchmark, name), moves=True))


@pytest.mark.parametrize("name", [LONG, SHORT])
def test_count(benchmark: Any, name: str) -> None:
    batch = counted(benchmark, name)

    def count() -> None:
        narde.count_afterstates(batch.rows, batch.dice, batch.rules)

    beside(benchmark, count, generate_again(batch), "generating", len(batch))


@pytest.mark.parametrize("name", [LONG, SHORT])
def test_generate_into_used_memory(benchmark: Any, name: str) -> None:
    batch = counted(benchmark, name)
    beside(benchmark, generate_again(batch), lambda: generate_anew(batch), "fresh memory", len(batch))


def test_generate_a_million_in_one_thread(benchmark: Any) -> None:
    benchmark.pedantic(generate_again(counted(benchmark, MILLION)), rounds=9, warmup_rounds=1)


def test_generate_a_million_in_two_threads(benchmark: Any) -> None:
    batch = counted(benchmark, MILLION)
    two, one = generate_again(batch, threads=2), generate_again(batch)
    beside(benchmark, two, one, "one thread", len(batch))


@pytest.mark.parametrize("rules", ["long", "short"])
def test_one_position_a_call(benchmark: Any, rules: str) -> None:
    """What a call costs that brings one position and one roll."""
    row, expected = narde.starting_row(rules), {"long": 1, "short": 7}[rules]
    assert len(narde.afterstates(row, (6, 5), rules).positions) == expected
    benchmark.extra_info |= {"per": "call", "units": 1, "afterstates": expected}
    benchmark(narde.afterstates, row, (6, 5), rules)

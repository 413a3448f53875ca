"""What a run of self-play consists of: its games, cut into shards and these into units, always the same
way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from narde.errors import InvalidArgumentError, shown
from narde.games import MAX_GAMES
from narde.kernels import as_whole_number
from narde.selfplay.units import Task, Unit

MAX_BATCH: Final = 2**20
MAX_SHARDS: Final = 2**20
_BATCHES: Final = {True: 1024, False: 2048}
"""Games of a unit by default, in the core or not: Python's share of a step falls with their number."""
_SHARDS: Final = 64
"""Shards of a small run: so that a job array of some jobs has work for each."""
_RESULTS: Final = 2**16
_TURNS: Final = 2**12
"""Games a shard at most: 400 kB of results, or some 25 MB of everything recorded."""


class Shard(NamedTuple):
    """Neighbouring games that are kept in one file."""

    number: int
    first: int
    n: int


@dataclass(frozen=True)
class Plan:
    """A run and the part of it that one job plays.

    Games never move between units, whatever plays them: an evaluator whose answer for a row depends on the
    rows beside it, as one by matrix products may in the last bit, sees the same batches in every run.

    batch: Games of a unit at most.
    job: The number of this job, from 0.
    """

    task: Task
    first: int
    n: int
    batch: int
    games_per_shard: int
    job: int
    jobs: int

    @property
    def shards(self) -> list[Shard]:
        """Those that the job plays, in order."""
        total = -(-self.n // self.games_per_shard)
        mine = range(total * self.job // self.jobs, total * (self.job + 1) // self.jobs)
        return [self._shard(number) for number in mine]

    def units(self, shard: Shard) -> Iterator[Unit]:
        """The units of a shard, in order."""
        end = shard.first + shard.n
        for first in range(shard.first, end, self.batch):
            yield Unit(first, min(self.batch, end - first))

    def _shard(self, number: int) -> Shard:
        start = number * self.games_per_shard
        return Shard(number, self.first + start, min(self.games_per_shard, self.n - start))


def plan_of(
    task: Task, n: int, first: int, batch: int | None, games_per_shard: int | None, shard: tuple[int, int]
) -> Plan:
    """The plan of a run; raises `InvalidArgumentError` for numbers outside their ranges."""
    n = as_whole_number(n, "n", 0, MAX_GAMES)
    batch = _BATCHES[task.in_core] if batch is None else as_whole_number(batch, "batch", 1, MAX_BATCH)
    size = _size_of(task, n, batch) if games_per_shard is None else games_per_shard
    size = as_whole_number(size, "games_per_shard", 1, MAX_GAMES)
    if -(-n // size) > MAX_SHARDS:
        raise InvalidArgumentError(
            f"{n} games make more than {MAX_SHARDS} shards of {size}: pass a larger games_per_shard"
        )
    return Plan(task, as_whole_number(first, "first", 0, 2**62), n, batch, size, *_job_of(shard))


def _size_of(task: Task, n: int, batch: int) -> int:
    """Games a shard by default: whole batches, so that units are full."""
    most = _TURNS if task.record else _RESULTS
    wanted = min(most, -(-n // _SHARDS))
    return max(1, -(-wanted // batch)) * batch


def _job_of(shard: Any) -> tuple[int, int]:
    """The job and the number of jobs of `shard`."""
    try:
        job, jobs = shard
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"shard is {shown(shard)}: pass two numbers, as (0, 8) for the first of 8 jobs"
        ) from None
    jobs = as_whole_number(jobs, "the number of jobs in shard", 1, MAX_SHARDS)
    return as_whole_number(job, "the job in shard, counted from 0,", 0, jobs - 1), jobs

"""A run played: unit by unit into memory, or into one shard after another on disk."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from narde._files import as_path, prove_folder, temporaries
from narde._formats import writer
from narde.errors import InvalidArgumentError, NardeError, StorageError
from narde.executors import ExecutorSource, run_units
from narde.games import Games, join_games
from narde.selfplay.alone import alone_at
from narde.selfplay.manifest import (
    FINISHED,
    PLANNED,
    Entry,
    Layout,
    Manifest,
    check_same_run,
    check_same_shards,
    facts_of,
    fault_of,
    file_of,
    is_shard,
    name_of,
    new_manifest,
    read_manifest,
    run_of,
)
from narde.selfplay.plan import Plan, Shard
from narde.selfplay.shards import Shards, shards_of
from narde.selfplay.units import Unit
from narde.storage import write_games

Tell = Callable[[int, int], None]

_TICK: Final = 0.1  # seconds between two reports of progress
_PLAYERS: Final = 2
"""Threads that play for each that writes: more would wait for it where everything is recorded as Parquet."""


@dataclass
class Progress:
    """How many games are done, for whom it may concern."""

    tell: Tell | None
    total: int
    done: int = 0
    told: float = field(default=0.0)

    def add(self, n: int) -> None:
        """So many more are done; the first and the last are always told."""
        self.done += n
        now = time.monotonic()
        if self.tell is not None and (now - self.told >= _TICK or self.done == self.total):
            self.told = now
            self.tell(self.done, self.total)


@dataclass
class Workers:
    """Who plays the units."""

    threads: int
    executor: ExecutorSource | None

    def play(
        self, plan: Plan, shards: list[Shard], leftover: Callable[[Unit, Games], object] | None = None
    ) -> Generator[Games, None, None]:
        """The units of the shards in order; `leftover` gets what is played when they end before their end."""
        units = (unit for shard in shards for unit in plan.units(shard))
        return run_units(plan.task, units, executor=self.executor, workers=self.threads, leftover=leftover)


def play_in_memory(plan: Plan, workers: Workers, tell: Tell | None) -> Games:
    """All games of the job."""
    shards = plan.shards
    progress = Progress(tell, sum(shard.n for shard in shards))
    progress.add(0)
    parts = []
    with contextlib.closing(workers.play(plan, shards)) as played:
        for games in played:
            parts.append(games)
            progress.add(len(games))
    return join_games(parts) if parts else plan.task(Unit(shards[0].first if shards else plan.first, 0))


def play_into(
    out: Any, layout: Layout, plan: Plan, workers: Workers, resume: bool, tell: Tell | None
) -> Shards:
    """Play the shards of the job that are not finished; whatever ends it, finished shards are kept.

    Raises `StorageError` for what the system refuses and where another run is at work there,
    `InvalidArgumentError` where one is in the way.
    """
    folder = as_path(out)
    writer(layout.suffix, layout.compression)  # refuses what narde cannot write
    try:
        prove_folder(folder)
    except StorageError:
        done = _complete(folder, layout, plan) if resume else None
        if done is None:
            raise
        total = sum(shard.n for shard in plan.shards)
        Progress(tell, total).add(total)
        return done
    with alone_at(folder / name_of(plan.job, plan.jobs)):
        return _played_into(folder, layout, plan, workers, resume, tell)


def _complete(folder: Path, layout: Layout, plan: Plan) -> Shards | None:
    """The shards of a job that has nothing left to write, all of them sound; None for any other."""
    try:
        manifest = read_manifest(folder / name_of(plan.job, plan.jobs))
    except StorageError:
        return None
    if any(entry["state"] != FINISHED or fault_of(folder, entry) for entry in manifest.shards):
        return None
    _check_resumed(manifest, new_manifest(folder, plan, layout))
    return shards_of(folder, [manifest])


def _played_into(
    folder: Path, layout: Layout, plan: Plan, workers: Workers, resume: bool, tell: Tell | None
) -> Shards:
    """The same for a folder that can be written, with nobody else at work there."""
    manifest, repaired = _opened(folder, layout, plan, resume)
    states = {entry["first"]: entry for entry in manifest.shards}
    pending = [shard for shard in plan.shards if states[shard.first]["state"] == PLANNED]
    _sweep(folder, {manifest.path.name, *(file_of(shard, layout) for shard in pending)})
    progress = Progress(tell, sum(shard.n for shard in plan.shards))
    progress.add(progress.total - sum(shard.n for shard in pending))
    try:
        with (
            _Writer(manifest, plan, layout.compression, workers.threads) as files,
            contextlib.closing(workers.play(plan, pending, lambda _, games: files.take(games))) as played,
        ):
            for games in played:
                files.take(games)
                files.write_whole()
                progress.add(len(games))
    except BaseException:
        with contextlib.suppress(NardeError):  # the fault at hand tells more
            manifest.write(now=True)
        raise
    manifest.write(now=True)
    return shards_of(folder, [manifest], repaired)


class _Writer:
    """Gathers units and writes the shards that are whole, while the next ones are played; at the end, also
    one before all is played, it waits for the last."""

    def __init__(self, manifest: Manifest, plan: Plan, compression: str | None, threads: int) -> None:
        self._manifest = manifest
        self._plan = plan
        self._compression = compression
        self._entries = {entry["first"]: entry for entry in manifest.shards}
        self._parts: dict[int, list[Games]] = {}
        """The units of shards that are not being written yet, by the first game of the shard."""
        self._threads = threads
        self._most = -(-threads // _PLAYERS)
        self._pool = ThreadPoolExecutor(self._most)
        self._begun: deque[Future[None]] = deque()

    def take(self, games: Games) -> None:
        """Keep the games of a unit; the units of a shard come in order."""
        first = games.first - (games.first - self._plan.first) % self._plan.games_per_shard
        self._parts.setdefault(first, []).append(games)

    def write_whole(self) -> None:
        """Begin to write the shards of which all units are there; raises what became of one before."""
        for first, parts in list(self._parts.items()):
            if sum(map(len, parts)) == self._entries[first]["games"]:
                self._finish(self._most - 1)
                self._begun.append(self._begin(self._entries[first], parts))
                del self._parts[first]

    def _begin(self, entry: Entry, parts: list[Games]) -> Future[None]:
        """Write in a thread; raises `InvalidArgumentError` where the system gives none."""
        try:
            return self._pool.submit(self._write, entry, parts)
        except RuntimeError as fault:
            if "new thread" not in str(fault):
                raise
            raise InvalidArgumentError(
                f"threads is {self._threads}, and {self._most} more to write: {fault}, pass a smaller "
                "number, or allow the process more memory or threads"
            ) from None

    def _write(self, entry: Entry, parts: list[Games]) -> None:
        """The manifest too: whoever plays waits for no disk."""
        path = self._manifest.path.parent / entry["file"]
        checksum = write_games(parts, path, self._compression)
        self._manifest.finish(entry, facts_of(parts, path, checksum))

    def _finish(self, left: int) -> None:
        """Wait until no more than so many files are being written."""
        while len(self._begun) > left:
            self._begun.popleft().result()

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, kind: object, fault: object, trace: object) -> None:
        with self._pool, contextlib.suppress(*([Exception] if kind else [])):
            if not isinstance(fault, StorageError):  # what the disk refuses once it is not asked again
                self.write_whole()
            self._finish(0)


def _opened(folder: Path, layout: Layout, plan: Plan, resume: bool) -> tuple[Manifest, tuple[str, ...]]:
    """The manifest on disk, of this run, and what is wrong with shards that have to be played again."""
    manifest = new_manifest(folder, plan, layout)
    shards = sorted(path.name for path in folder.glob("shard-*") if is_shard(path.name))
    others = [path for path in folder.glob("manifest*.json") if path != manifest.path]
    if others:
        other = read_manifest(others[0])
        check_same_run(other, run_of(plan, layout), [other.job[0], plan.jobs])
    if not manifest.path.exists():
        if shards and not others and not resume:  # listed before the manifests: a job may have begun just now
            raise InvalidArgumentError(
                f"{folder} holds {shards[0]} but no manifest.json: name another folder, or remove what is"
                " there, or resume the run, which plays all games again"
            )
        manifest.write(now=True)
        return manifest, ()
    if not resume:
        raise InvalidArgumentError(f"{folder} holds a run already: resume it, or name another folder")
    planned, manifest = manifest, read_manifest(manifest.path)
    _check_resumed(manifest, planned)
    return manifest, _damaged(folder, manifest)


def _check_resumed(found: Manifest, planned: Manifest) -> None:
    """Raise `InvalidArgumentError` or `StorageError` unless a manifest found is that of the run planned."""
    check_same_run(found, planned.run, planned.job)
    check_same_shards(found, planned)


def _damaged(folder: Path, manifest: Manifest) -> tuple[str, ...]:
    """What is wrong with finished shards, which are planned again."""
    faults = []
    for entry in manifest.shards:
        fault = fault_of(folder, entry) if entry["state"] == FINISHED else ""
        if fault:
            faults.append(fault)
            kept = {name: entry[name] for name in ("file", "first", "games")}
            entry.clear()
            entry.update(kept, state=PLANNED)
    return tuple(faults)


def _sweep(folder: Path, files: set[str]) -> None:
    """Remove what a killed process left half written of these files."""
    for path in temporaries(folder, files):
        try:
            path.unlink()
        except OSError as fault:
            raise StorageError(f"cannot remove {path}: {fault.strerror}") from None

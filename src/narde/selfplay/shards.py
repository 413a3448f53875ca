"""The shards of a run, read back and checked one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from narde._files import as_path
from narde.errors import StorageError, shown
from narde.games import Games
from narde.kernels import as_item
from narde.selfplay.manifest import FINISHED, Manifest, check_same_run, fault_of, read_manifest
from narde.storage import load_games


@dataclass(frozen=True, eq=False)
class Shards(Sequence[Games]):
    """The finished shards of a run in the order of their games; a shard is read, and checked, when it is
    asked for.

    `len(shards)`, `shards[i]`, `for games in shards`: memory holds one at a time. Reading raises
    `StorageError` naming the file that is missing or damaged.

    folder: Where they are.
    run: What was played, as the manifest says: rules, players, seed, first, games, batch, record.
    entries: What the manifest says of each finished shard: file, first, games, turns, wins, bytes, crc32.
    repaired: What was wrong with finished shards that `resume` found damaged and played again.
    """

    folder: Path
    run: dict[str, Any]
    entries: tuple[dict[str, Any], ...]
    repaired: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Games in the shards."""
        return sum(entry["games"] for entry in self.entries)

    @property
    def is_complete(self) -> bool:
        """Whether all games of the run are there."""
        return self.n == int(self.run["games"])

    @property
    def files(self) -> list[Path]:
        """The files, for `polars.read_parquet` and its like."""
        return [self.folder / entry["file"] for entry in self.entries]

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, i: Any) -> Any:
        """The games of shard i."""
        entry = self.entries[as_item(i, len(self), "shard", "shards are read one by one")]
        fault = fault_of(self.folder, entry)
        if fault:
            raise StorageError(f"{fault}: play it again with resume=True")
        return load_games(self.folder / entry["file"])

    def __iter__(self) -> Iterator[Games]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<narde.Shards {self.folder}: {len(self)} shards, {self.n} of {self.run['games']} games>"


def load_shards(folder: str | os.PathLike[str]) -> Shards:
    """The finished shards that `self_play` left in a folder, those of all jobs of an array together.

    Raises `StorageError` where there is no manifest, or it is damaged, or manifests are of different runs.
    """
    place = as_path(folder)
    try:
        paths = sorted(place.glob("manifest*.json"))
    except OSError as fault:
        raise StorageError(f"cannot read {shown(str(place))}: {fault.strerror}") from None
    if not paths:
        raise StorageError(f"no manifest.json in {place}: name a folder that self_play wrote")
    return shards_of(place, [read_manifest(path) for path in paths])


def shards_of(folder: Path, manifests: list[Manifest], repaired: tuple[str, ...] = ()) -> Shards:
    """What is finished of these manifests; raises `StorageError` if they are of different runs, or a shard
    stands in them twice."""
    run = manifests[0].run
    for manifest in manifests:
        try:
            check_same_run(manifest, run, [manifest.job[0], manifests[0].job[1]])
        except ValueError as fault:
            raise StorageError(f"{manifest.path} and {manifests[0].path} are of two runs: {fault}") from None
    _refuse_doubles(manifests)
    found = (entry for manifest in manifests for entry in manifest.shards if entry["state"] == FINISHED)
    return Shards(folder, run, tuple(sorted(found, key=lambda entry: entry["first"])), repaired)


def _refuse_doubles(manifests: list[Manifest]) -> None:
    """Raise `StorageError` for a shard, by its file or its games, that stands twice: it would count twice."""
    owners: dict[Any, Path] = {}
    for manifest in manifests:
        for entry in manifest.shards:
            for name in (entry["file"], entry["first"]):
                if name in owners:
                    where = "" if owners[name] == manifest.path else f", the first time in {owners[name]}"
                    raise StorageError(
                        f"cannot use {manifest.path}: {entry['file']}, games from {entry['first']} on, stands"
                        f" twice{where}; remove what is not of this run, or play it again in another folder"
                    )
                owners[name] = manifest.path

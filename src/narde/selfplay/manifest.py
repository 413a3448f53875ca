"""The manifest of a run: what it is and which shards are finished, a JSON file beside them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np

from narde._files import read_whole, replacing
from narde.errors import InvalidArgumentError, StorageError, shown
from narde.games import MAX_GAMES, Games
from narde.players import Player
from narde.rules import Rules
from narde.selfplay.likeness import answers_of, difference_of
from narde.selfplay.plan import Plan, Shard

FORMAT: Final = "narde self-play"
SCHEMA: Final = 2
"""Version of the manifest; a reader refuses a later one. In 1 the checksum of a shard was its SHA-256."""

PLANNED: Final = "planned"
FINISHED: Final = "finished"

_ANSWERS: Final = "answers"
"""What a player without a checksum is told by; manifests of before lack it."""

_MOST_BYTES: Final = 2**29
"""More than a manifest of 2**20 shards has."""

_SPARE: Final = 100
"""The manifest is not written again before so many times what the last writing took: a run of very many
shards must not spend its time on it."""

_REMEDY: Final = "remove it and resume the run, which plays its shards again"
"""For a damaged manifest."""

_PLANNED: Final = {"file": str, "first": int, "games": int, "state": str}
_RESULTS: Final = {"turns": int, "starter": list, "second": list, "bytes": int}
"""What an entry of a shard holds, and what besides once that is finished; and its checksum."""
_CHUNK: Final = 2**17
_FILE: Final = re.compile(r"shard-(\d{6,7})\.(?:npz|parquet)", re.ASCII)

Entry = dict[str, Any]


class _DamageError(ValueError):
    """What is wrong with a manifest, in words for people."""


class Layout(NamedTuple):
    """How shards are written: the suffix of their names, and of Parquet the compression."""

    suffix: str
    compression: str | None


@dataclass
class Manifest:
    """The manifest of one job, in memory and on disk.

    run: What decides the bytes of the shards: the same in all jobs.
    job: The job, from 0, and the number of jobs.
    shards: One a shard of the job: file, first, games, state; when finished, turns, the games that the
        starter and the second player won with 1, 2 and 3 points, bytes and crc32.
    lock: Whoever writes a shard also writes the manifest, and a run that is broken off does so meanwhile.
    """

    path: Path
    run: dict[str, Any]
    job: list[int]
    shards: list[Entry]
    written: float = field(default=-np.inf)
    cost: float = 0.0
    lock: RLock = field(default_factory=RLock)

    def finish(self, entry: Entry, facts: dict[str, Any]) -> None:
        """Take down that the file of a shard is whole, and the facts about it; raises `StorageError`."""
        with self.lock:
            entry.update(state=FINISHED, **facts)
            self.write()

    def write(self, *, now: bool = False) -> None:
        """Write the file, unless that was done a moment ago; raises `StorageError`."""
        start = time.monotonic()
        if not now and start - self.written < _SPARE * self.cost:
            return
        head = {"format": FORMAT, "schema": SCHEMA, "numpy": np.__version__}
        with self.lock, replacing(self.path) as file:
            data = head | {"run": self.run, "job": self.job, "shards": self.shards}
            file.write(_text(data).encode())
        self.written = time.monotonic()
        self.cost = self.written - start


def new_manifest(folder: Path, plan: Plan, layout: Layout) -> Manifest:
    """The manifest of a run of which nothing is finished."""
    shards: list[Entry] = [
        {"file": file_of(shard, layout), "first": shard.first, "games": shard.n, "state": PLANNED}
        for shard in plan.shards
    ]
    return Manifest(
        folder / name_of(plan.job, plan.jobs), run_of(plan, layout), [plan.job, plan.jobs], shards
    )


def read_manifest(path: Path) -> Manifest:
    """The manifest of a file; raises `StorageError` for one that is damaged or of a later narde."""
    try:
        data = json.loads(read_whole(path, _MOST_BYTES))
        if data["format"] != FORMAT:
            raise _DamageError(f" (it does not say {FORMAT!r})")
        if data["schema"] > SCHEMA:
            raise StorageError(f"cannot read {path}: it is of schema {data['schema']}: upgrade narde")
        _check_types(data, {"run": dict, "job": list, "shards": list})
        _check_types(data["run"], {"first": int, "games": int, "games_per_shard": int})
        job, jobs = data["job"]
        _check_types({"job": job, "jobs": jobs}, {"job": int, "jobs": int})
        for entry in data["shards"]:
            _check_entry(entry, data["run"])
    except StorageError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        reason = str(fault) if isinstance(fault, _DamageError) else ""
        raise StorageError(f"cannot read {path}: damaged, or no manifest{reason}; {_REMEDY}") from None
    return Manifest(path, data["run"], data["job"], data["shards"])


def fault_of(folder: Path, entry: Entry) -> str:
    """What is wrong with the file of a finished shard; empty if nothing is."""
    path = folder / entry["file"]
    try:
        if path.stat().st_size != entry["bytes"]:
            return f"{path} has {path.stat().st_size} bytes, the manifest says {entry['bytes']}"
        name = _checksum_in(entry)
        if checksum_of(path, name) != entry[name]:
            return f"{path} is damaged: its checksum is not that in the manifest"
    except OSError as fault:
        return f"{path} cannot be read: {fault.strerror}"
    return ""


def run_of(plan: Plan, layout: Layout) -> dict[str, Any]:
    """What decides the bytes of the shards, for the manifest."""
    import narde  # here, since narde itself may import this module

    task = plan.task
    starter = _named(task.starter, task.rules)
    second = starter if task.second is task.starter else _named(task.second, task.rules)
    return {
        "narde": narde.__version__,
        "rules": json.loads(json.dumps(asdict(task.rules))),
        "starter": starter,
        "second": second,
        "seed": task.seed,
        "first": plan.first,
        "games": plan.n,
        "batch": plan.batch,
        "games_per_shard": plan.games_per_shard,
        "max_turns": task.max_turns,
        "record": list(task.record),
        "format": layout.suffix[1:],
        "compression": layout.compression,
    }


def _named(player: Player, rules: Rules) -> dict[str, str | None]:
    """A player by name and checksum, or by his evaluator's answers; raises `InvalidArgumentError` for a
    checksum that is no text."""
    checksum: object = player.checksum
    if not (checksum is None or isinstance(checksum, str)):
        raise InvalidArgumentError(f"player {player} has the checksum {shown(checksum)}: use a text or None")
    answers = answers_of(player, rules)
    named = {"name": str(player), "checksum": checksum}
    return named if answers is None else named | {_ANSWERS: answers}


def check_same_run(manifest: Manifest, run: dict[str, Any], job: list[int]) -> None:
    """Raise `InvalidArgumentError` unless a manifest found is of this run and job."""
    found, wanted = manifest.run | {"shard": manifest.job}, run | {"shard": job}
    for name in wanted:
        if not _are_same(found.get(name), wanted[name]):
            what, old, new = _difference(name, found.get(name), wanted[name])
            raise InvalidArgumentError(
                f"{manifest.path.parent} holds a run with {what} {_short(old)}, not {_short(new)}: "
                "resume it as it was begun, or name another folder"
            )


def _are_same(old: Any, new: Any) -> bool:
    """Whether a value of a run is the same; answers are compared where both have some."""
    known = _is_player(old) and _is_player(new)
    return old == new or (
        known and _without_answers(old) == _without_answers(new) and not _other_answers(old, new)
    )


def _is_player(value: Any) -> bool:
    return isinstance(value, dict) and "checksum" in value


def _without_answers(player: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in player.items() if name != _ANSWERS}


def _other_answers(old: dict[str, Any], new: dict[str, Any]) -> tuple[str, str] | None:
    return difference_of(old[_ANSWERS], new[_ANSWERS]) if _ANSWERS in old and _ANSWERS in new else None


def check_same_shards(found: Manifest, planned: Manifest) -> None:
    """Raise `StorageError` unless a manifest found lists the very shards that are planned."""
    if [_place(entry) for entry in found.shards] != [_place(entry) for entry in planned.shards]:
        raise StorageError(f"{found.path} is damaged: its shards are not those of its run; {_REMEDY}")


def file_of(shard: Shard, layout: Layout) -> str:
    """The name of a shard's file."""
    return f"shard-{shard.number:06}{layout.suffix}"


def is_shard(name: str) -> bool:
    """Whether a file has the name of a shard."""
    return bool(_FILE.fullmatch(name))


def name_of(job: int, jobs: int) -> str:
    """The name of a job's manifest."""
    return "manifest.json" if jobs == 1 else f"manifest-{job:06}-of-{jobs:06}.json"


def checksum_of(path: Path, name: str) -> str:
    """A checksum of a file, of `_CHECKSUMS`, in hexadecimal digits."""
    with path.open("rb") as file:
        return _CHECKSUMS[name](file)


def _crc32(file: BufferedReader) -> str:
    found = 0
    while chunk := file.read(_CHUNK):
        found = crc32(chunk, found)
    return f"{found:08x}"


def _sha256(file: BufferedReader) -> str:
    return file_digest(file, "sha256").hexdigest()


_CHECKSUMS: Final = {"crc32": _crc32, "sha256": _sha256}
"""What tells a damaged file, by its name in an entry: a CRC takes a third of the time of a SHA, or less, and
misses one damage in four thousand million."""


def facts_of(parts: Sequence[Games], path: Path, found: str | None) -> dict[str, Any]:
    """What the manifest says of a finished shard: the results of its games, the size of its file and the
    CRC-32, read from the file where it was not found before."""
    each = [results_of(games) for games in parts]
    results = {name: np.sum([one[name] for one in each], axis=0).tolist() for name in each[0]}
    return results | {"bytes": path.stat().st_size, "crc32": found or checksum_of(path, "crc32")}


def results_of(games: Games) -> dict[str, Any]:
    """The turns of the games, and how many the starter and the second player won with 1, 2 and 3 points."""
    return {"turns": int(games.lengths.sum()), "starter": _wins(games, 0), "second": _wins(games, 1)}


def _wins(games: Games, seat: int) -> list[int]:
    """The games that a seat won with 1, 2 and 3 points."""
    counts: list[int] = np.bincount(games.points[games.winner == seat], minlength=4)[1:].tolist()
    return counts


def _place(entry: Entry) -> tuple[Any, ...]:
    """What an entry says of its shard before it is played."""
    return entry["file"], entry["first"], entry["games"]


def _check_entry(entry: Any, run: dict[str, Any]) -> None:
    """Raise `KeyError`, `TypeError` or `ValueError` for what is no entry of a shard of the run."""
    _check_types(entry, _PLANNED)
    if entry["state"] == FINISHED:
        _check_types(entry, _RESULTS | {_checksum_in(entry): str})
    elif entry["state"] != PLANNED:
        raise _DamageError(f" (a shard is {shown(entry['state'])})")
    named = _FILE.fullmatch(entry["file"])
    if not named:
        raise _DamageError(f" (a shard has the file {shown(entry['file'])})")
    before = int(named[1]) * run["games_per_shard"]
    first, games = run["first"] + before, min(run["games_per_shard"], run["games"] - before)
    if (entry["first"], entry["games"]) != (first, games) or first < 0 or not 0 < games <= MAX_GAMES:
        raise _DamageError(f" ({entry['file']} has {entry['games']} games from {entry['first']} on)")


def _checksum_in(entry: Entry) -> str:
    """The name of the checksum in an entry."""
    return next((name for name in _CHECKSUMS if name in entry), "crc32")


def _check_types(data: dict[str, Any], types: dict[str, type]) -> None:
    """Raise `TypeError`, `KeyError` or `ValueError` unless these values are there and of these types."""
    for name, kind in types.items():
        if not isinstance(data[name], kind):
            raise _DamageError(f" ({name} is {shown(data[name])})")


def _text(data: dict[str, Any]) -> str:
    """One line a shard, the rest indented: to be read by people, and not long."""
    shards = data.pop("shards")
    head = json.dumps(data, indent=1)[:-2]
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in shards)
    return f'{head},\n "shards": [\n{lines}\n ]\n}}\n' if shards else f'{head},\n "shards": []\n}}\n'


def _difference(name: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """What differs in a value of a run: of rules of one name the first choice that does."""
    if name == "rules" and isinstance(old, dict) and old.get("name") == new["name"]:
        choice = next(choice for choice in (*new, *old) if old.get(choice) != new.get(choice))
        return f"{choice} of the rules", old.get(choice), new.get(choice)
    if _is_player(old) and _is_player(new) and _without_answers(old) == _without_answers(new):
        answers = _other_answers(old, new) or ("", "")
        return f"{name} {new['name']} whose evaluator answers", *answers
    return name, old, new


def _short(value: Any) -> str:
    """A value as a message shows it; of rules and players the name, and how it is told from others."""
    if not isinstance(value, dict) or "name" not in value:
        return shown(value)
    checksum = value.get("checksum")
    return f"{value['name']} ({checksum[:12]})" if isinstance(checksum, str) else str(value["name"])

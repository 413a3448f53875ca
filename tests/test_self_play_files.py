"""Self-play on disk: shards and manifest, runs broken off and gone on with, everything that goes wrong."""

import dataclasses
import errno
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from corpus import assert_same_games
from evaluating import rough, stalling
from narde import (
    EvaluatorError,
    InvalidArgumentError,
    Network,
    StorageError,
    evaluators,
    load_shards,
    storage,
)
from narde.games import join_games
from narde.selfplay import self_play

RUN: dict[str, Any] = {"n": 50, "player": "random", "seed": 5, "record": ["positions", "dice"]}
SHARDS: dict[str, Any] = {"games_per_shard": 8, "batch": 3}


def play(out: Path, **options: Any) -> narde.Shards:
    """Fifty games in seven shards."""
    return self_play(**{**RUN, **SHARDS, "out": out, **options})


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def states(folder: Path) -> list[str]:
    manifest = json.loads((folder / "manifest.json").read_text())
    return [entry["state"] for entry in manifest["shards"]]


# ---- what is written -------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["npz", "parquet"])
def test_shards_hold_the_games(tmp_path: Path, format: str) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    player = Network.random(16)
    record = ["positions", "dice", "chosen", "values"]
    shards = play(tmp_path / "a" / "b", player=player, record=record, format=format)
    assert [path.name for path in shards.files] == [f"shard-{i:06}.{format}" for i in range(7)]
    assert (len(shards), shards.n, shards.is_complete) == (7, 50, True)
    expected = self_play(50, player, seed=5, record=record)
    assert_same_games(join_games(list(shards)), expected)
    assert_same_games(join_games(list(load_shards(tmp_path / "a" / "b"))), expected)
    assert_same_games(shards[-1], load_shards(tmp_path / "a" / "b")[6])
    assert repr(shards) == f"<narde.Shards {tmp_path}/a/b: 7 shards, 50 of 50 games>"


def test_the_manifest_says_what_was_played(tmp_path: Path) -> None:
    network = Network.random(16)
    shards = play(tmp_path, player=network, opponent="pips,epsilon=0.5", first=100, n=20, games_per_shard=16)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["format"], manifest["schema"], manifest["job"]) == ("narde self-play", 2, [0, 1])
    run = manifest["run"]
    assert (run["narde"], run["rules"]["name"], run["seed"]) == (narde.__version__, "long", 5)
    assert run["starter"] == {"name": "greedy:<Network>", "checksum": network.checksum}
    assert run["second"] == {"name": "pips,epsilon=0.5", "checksum": None}
    games = join_games(list(shards))
    first, last = manifest["shards"]
    assert (first["first"], first["games"], last["first"], last["games"]) == (100, 16, 116, 4)
    for entry, part in zip((first, last), shards, strict=True):
        assert entry["turns"] == part.lengths.sum()
        assert entry["bytes"] == (tmp_path / entry["file"]).stat().st_size
        for seat, name in enumerate(("starter", "second")):
            won = part.points[part.winner == seat]
            assert entry[name] == [int((won == points).sum()) for points in (1, 2, 3)]
    assert len(games) == 20


@pytest.mark.parametrize("options", [{"threads": 3}, {"batch": 50}, {"games_per_shard": 8, "batch": 8}])
def test_the_same_bytes_however_they_are_played(tmp_path: Path, options: dict[str, Any]) -> None:
    """Of shards that hold the same games; the manifest tells batches apart."""
    play(tmp_path / "a")
    play(tmp_path / "b", **options)
    for name, content in files(tmp_path / "a").items():
        assert name == "manifest.json" or files(tmp_path / "b")[name] == content


@pytest.mark.parametrize("jobs", [2, 3, 9])
def test_the_jobs_of_an_array_write_the_same_shards(tmp_path: Path, jobs: int) -> None:
    play(tmp_path / "whole")
    for job in reversed(range(jobs)):
        play(tmp_path / "parts", shard=(job, jobs), resume=True)
    whole, parts = files(tmp_path / "whole"), files(tmp_path / "parts")
    assert {name: parts[name] for name in whole if name != "manifest.json"} == {
        name: content for name, content in whole.items() if name != "manifest.json"
    }
    assert sum(name.startswith("manifest") for name in parts) == jobs
    shards = load_shards(tmp_path / "parts")
    assert shards.is_complete
    assert_same_games(join_games(list(shards)), self_play(**RUN))
    with pytest.raises(InvalidArgumentError, match="holds a run with shard"):
        play(tmp_path / "parts")


def test_a_run_without_games(tmp_path: Path) -> None:
    shards = play(tmp_path, n=0)
    assert (len(shards), shards.is_complete, list(shards)) == (0, True, [])
    assert list(load_shards(tmp_path)) == []


def test_memory_stays_flat(tmp_path: Path) -> None:
    """The peak of a run does not grow with its games."""
    peaks = []
    for n in (40, 320):
        tracemalloc.start()
        play(tmp_path / str(n), n=n, games_per_shard=10, batch=10)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


# ---- going on with a run ---------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("format", ["npz", "parquet"])
def test_a_killed_run_ends_with_the_bytes_of_one_that_was_not(tmp_path: Path, format: str) -> None:
    """SIGKILL in the fourth shard, in which the evaluator stands still."""
    if format == "parquet":
        pytest.importorskip("pyarrow")
    options = f"n=12, player=stalling, seed=5, record=['dice'], games_per_shard=2, batch=2, format={format!r}"
    program = f"from evaluating import stalling; import narde; narde.self_play({options}, out='killed')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NARDE_TEST_STALL": "350"}
    killed = tmp_path / "killed"
    with subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, env=environment) as child:
        try:
            while not (killed / f"shard-000002.{format}").exists():
                assert child.poll() is None, "the run came to its end before it was killed"
                time.sleep(0.02)
        finally:
            child.kill()
    assert child.returncode == -signal.SIGKILL
    assert states(killed)[-1] == "planned"
    for name in (f"shard-000003.{format}", "manifest.json"):
        (killed / f".{name}.0123abcd.tmp").write_bytes(b"half")
    arguments = {**RUN, "n": 12, "player": stalling, "record": ["dice"], "games_per_shard": 2, "batch": 2}
    shards = self_play(**arguments, format=format, out=killed, resume=True)
    self_play(**arguments, format=format, out=tmp_path / "whole")
    assert files(killed) == files(tmp_path / "whole")
    assert (shards.is_complete, shards.repaired) == (True, ())


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError])
def test_whatever_ends_a_run_finished_shards_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type, threads: int
) -> None:
    def progress(done: int, total: int) -> None:
        if done >= 24:
            raise fault

    monkeypatch.setattr("narde.selfplay.running._TICK", 0.0)
    with pytest.raises(fault):
        play(tmp_path / "broken", progress=progress, threads=threads)
    assert states(tmp_path / "broken") == ["finished"] * 2 + ["planned"] * 5
    assert not load_shards(tmp_path / "broken").is_complete
    calls: list[int] = []
    play(tmp_path / "broken", resume=True, progress=lambda done, total: calls.append(done))
    assert (calls[0], calls[-1]) == (16, 50), "what is finished is not played again"
    play(tmp_path / "whole")
    assert files(tmp_path / "broken") == files(tmp_path / "whole")


def test_a_finished_run_is_not_played_again(tmp_path: Path) -> None:
    play(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("shard*")}
    assert play(tmp_path, resume=True).is_complete
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.glob("shard*")}
    with pytest.raises(InvalidArgumentError, match="holds a run already: resume it, or name"):
        play(tmp_path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seed": 6}, "with seed 5, not 6"),
        ({"n": 51}, "with games 50, not 51"),
        ({"player": "pips"}, "with starter random, not pips"),
        ({"opponent": "pips"}, "with second random, not pips"),
        ({"rules": "short"}, "with rules long, not short"),
        ({"rules": dataclasses.replace(narde.rules("long"), koks=3)}, "with koks of the rules 0, not 3"),
        ({"batch": 4}, "with batch 3, not 4"),
        ({"record": ()}, r"with record \['positions', 'dice'\], not \[\]"),
        ({"shard": (0, 2)}, "with shard"),
    ],
)
def test_another_run_is_not_gone_on_with(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    play(tmp_path, n=50)
    with pytest.raises(InvalidArgumentError, match=reason):
        play(tmp_path, resume=True, **change)


def test_other_weights_are_another_run(tmp_path: Path) -> None:
    play(tmp_path, player=Network.random(16))
    with pytest.raises(InvalidArgumentError, match=r"greedy:<Network> \(\w{12}\), not greedy:<Network> \("):
        play(tmp_path, player=Network.random(16, seed=1), resume=True)


# ---- what goes wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["npz", "parquet"])
def test_a_flipped_byte_is_noticed_and_named(tmp_path: Path, format: str) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    play(tmp_path, format=format)
    before = files(tmp_path)
    bad = tmp_path / f"shard-000003.{format}"
    content = bytearray(before[bad.name])
    content[len(content) // 2] ^= 1
    bad.write_bytes(content)
    shards = load_shards(tmp_path)
    assert len(shards[2]) == 8
    with pytest.raises(StorageError, match=f"shard-000003.{format} is damaged: .*resume=True"):
        list(shards)
    (tmp_path / f"shard-000005.{format}").unlink()
    (tmp_path / f"shard-000006.{format}").write_bytes(b"")
    resumed = play(tmp_path, format=format, resume=True)
    assert [fault.split(":")[0].split("/")[-1].split(" ")[0] for fault in resumed.repaired] == [
        f"shard-00000{i}.{format}" for i in (3, 5, 6)
    ]
    assert files(tmp_path) == before


def nans(rows: np.ndarray) -> np.ndarray:
    return np.full((len(rows), 5), np.nan, np.float32)


def too_few(rows: np.ndarray) -> np.ndarray:
    return rough(rows)[1:]


def raising(rows: np.ndarray) -> np.ndarray:
    raise RuntimeError("out of ideas")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("fault", "reason"),
    [(nans, "nan as the chance of winning"), (too_few, "return float32"), (raising, "out of ideas")],
)
def test_a_faulty_evaluator_stops_the_run(tmp_path: Path, fault: Any, reason: str, threads: int) -> None:
    """Once, when two shards are there; the message names a position, what is finished is kept."""
    calls = count(1)

    def faulty(rows: np.ndarray) -> np.ndarray:
        if next(calls) != 400:
            return rough(rows)
        while len(list((tmp_path / "faulty").glob("shard-*"))) < 2:
            time.sleep(0.01)
        return fault(rows)

    with pytest.raises(EvaluatorError, match=reason) as caught:
        play(tmp_path / "faulty", player=faulty, n=40, batch=8, threads=threads, record=())
    assert "long:" in str(caught.value) or "row" in str(caught.value)
    kept = states(tmp_path / "faulty").count("finished")
    assert 2 <= kept < 5
    expected = self_play(8 * kept, rough, seed=5)
    assert_same_games(join_games(list(load_shards(tmp_path / "faulty"))), expected)


def test_a_full_disk_is_noticed_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = storage.writer

    def writer(*layout: Any) -> Any:
        def write(file: Any, meta: Any, parts: Any) -> None:
            if meta["first"] == 24:
                file.write(b"x" * 100)
                raise OSError(errno.ENOSPC, "No space left on device")
            real(*layout)(file, meta, parts)

        return write

    monkeypatch.setattr(storage, "writer", writer)
    with pytest.raises(StorageError, match=r"shard-000003\.npz: No space left on device"):
        play(tmp_path / "full")
    assert states(tmp_path / "full") == ["finished"] * 3 + ["planned"] * 4
    assert not list((tmp_path / "full").glob(".*")), "nothing half written is left"
    monkeypatch.undo()
    play(tmp_path / "full", resume=True)
    play(tmp_path / "whole")
    assert files(tmp_path / "full") == files(tmp_path / "whole")


def test_a_folder_that_cannot_be_written_is_named_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    def never(rows: np.ndarray) -> np.ndarray:
        raise AssertionError("played")

    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file is not a folder"):
        play(tmp_path / "file", player=never)
    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(StorageError, match=f"{tmp_path}/.*: Read-only file system"):
        play(tmp_path, player=never)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "damaged"),
        ("[]", "damaged"),
        ('{"format": "x"}', "does not say"),
        ('{"format": "narde self-play", "schema": 3}', "upgrade narde"),
        ('{"format": "narde self-play", "schema": 1, "run": {}, "job": [0, 1], "shards": [{}]}', "damaged"),
        ("[" * 100_000, "damaged"),
    ],
)
def test_a_damaged_manifest_is_named(tmp_path: Path, content: str, reason: str) -> None:
    play(tmp_path)
    (tmp_path / "manifest.json").write_text(content)
    for use in (lambda: load_shards(tmp_path), lambda: play(tmp_path, resume=True)):
        with pytest.raises(StorageError, match=f"manifest.json: .*{reason}"):
            use()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(job=[]),
        lambda data: data.update(job="01"),
        lambda data: data.update(run={}),
        lambda data: data.update(shards={}),
        lambda data: data["shards"][0].update(first="x"),
        lambda data: data["shards"][0].update(games=1.5),
        lambda data: data["shards"][0].update(file="shard-000000.npz\0"),
    ],
)
def test_a_manifest_with_other_values_is_damaged(tmp_path: Path, damage: Any) -> None:
    play(tmp_path, n=16)
    data = json.loads((tmp_path / "manifest.json").read_text())
    damage(data)
    (tmp_path / "manifest.json").write_text(json.dumps(data))
    for use in (lambda: load_shards(tmp_path), lambda: play(tmp_path, n=16, resume=True)):
        with pytest.raises(StorageError, match=r"manifest\.json: damaged"):
            use()


def test_a_manifest_without_a_shard_of_its_run_is_damaged(tmp_path: Path) -> None:
    play(tmp_path, n=16)
    data = json.loads((tmp_path / "manifest.json").read_text())
    del data["shards"][1]
    (tmp_path / "manifest.json").write_text(json.dumps(data))
    with pytest.raises(StorageError, match="its shards are not those of its run"):
        play(tmp_path, n=16, resume=True)


def test_a_file_outside_the_folder_is_never_read(tmp_path: Path) -> None:
    play(tmp_path)
    manifest = tmp_path / "manifest.json"
    manifest.write_text(manifest.read_text().replace("shard-000000.npz", "../shard-000000.npz"))
    with pytest.raises(StorageError, match="damaged"):
        load_shards(tmp_path)


def test_folders_without_a_run_are_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"no manifest\.json in"):
        load_shards(tmp_path)
    play(tmp_path / "a")
    play(tmp_path / "b", seed=6, shard=(0, 2))
    (tmp_path / "a" / "manifest-000000-of-000002.json").write_bytes(
        (tmp_path / "b" / "manifest-000000-of-000002.json").read_bytes()
    )
    with pytest.raises(StorageError, match="of two runs"):
        load_shards(tmp_path / "a")


def test_the_race_stands_still_only_where_it_is_told_to() -> None:
    row = narde.starting_row()[None]
    assert np.array_equal(stalling(row), evaluators.race("long")(row))

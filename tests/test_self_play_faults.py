"""Self-play on disk: faulty evaluators, full disks, damaged shards and manifests."""

import errno
import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus import assert_same_games
from evaluating import rough
from narde import EvaluatorError, InvalidArgumentError, StorageError, load_shards, storage
from narde.games import join_games
from narde.selfplay import self_play
from test_self_play_files import files, play, states


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


def asked(n: int, first: int = 0) -> set[bytes]:
    """The rows that games of the run below ask an evaluator about."""
    rows: set[bytes] = set()

    def remember(asked: np.ndarray) -> np.ndarray:
        rows.update(map(bytes, asked))
        return rough(asked)

    self_play(n, remember, seed=5, first=first)
    return rows


def wait_for_shards(folder: Path, number: int) -> None:
    """A minute at most: another thread plays and writes them."""
    until = time.monotonic() + 60
    while len(list(folder.glob("shard-*"))) < number and time.monotonic() < until:
        time.sleep(0.01)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("fault", "reason"),
    [(nans, "nan as the chance of winning"), (too_few, "return float32"), (raising, "out of ideas")],
)
def test_a_faulty_evaluator_stops_the_run(tmp_path: Path, fault: Any, reason: str, threads: int) -> None:
    """In the last shard, when two are on disk; the message names a position, what is finished is kept."""
    trap = asked(8, first=32) - asked(32)

    def faulty(rows: np.ndarray) -> np.ndarray:
        if trap.isdisjoint(map(bytes, rows)):
            return rough(rows)
        wait_for_shards(tmp_path / "faulty", 2)
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


def test_a_system_without_threads_to_write_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(
        InvalidArgumentError, match="threads is 1, and 1 more to write: can't start new thread"
    ):
        play(tmp_path)
    monkeypatch.undo()
    assert play(tmp_path, resume=True).is_complete


def test_a_folder_that_cannot_be_written_is_named_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    def never(rows: np.ndarray) -> np.ndarray:
        raise AssertionError("played")

    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"write to .*/file: it is not a folder"):
        play(tmp_path / "file", player=never)
    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(StorageError, match=f"{tmp_path}: Read-only file system"):
        play(tmp_path, player=never)


def test_a_finished_run_needs_no_folder_that_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    play(tmp_path)
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(Path, "touch", refuse)
    assert play(tmp_path, resume=True, progress=lambda *counts: told.append(counts)).is_complete
    assert told == [(50, 50)]
    with pytest.raises(InvalidArgumentError, match="with seed 5, not 6"):
        play(tmp_path, resume=True, seed=6)
    with pytest.raises(StorageError, match=f"{tmp_path}: Read-only file system"):
        play(tmp_path)
    (tmp_path / "shard-000003.npz").unlink()
    with pytest.raises(StorageError, match=f"{tmp_path}: Read-only file system"):
        play(tmp_path, resume=True)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "damaged, or no manifest; remove it and resume the run, which plays its shards again$"),
        ("[]", "damaged, or no manifest; remove it"),
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
    (tmp_path / "manifest.json").unlink()
    assert play(tmp_path, resume=True).is_complete


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

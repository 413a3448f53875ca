"""Self-play on disk as Parquet: the same bytes however it is played, compressed or not, and older folders."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import narde
from corpus import assert_same_games
from narde import InvalidArgumentError, Network, StorageError, load_shards, storage
from narde.games import join_games
from narde.selfplay import RECORDED, self_play
from test_storage_parquet import in_the_older_layout

pytest.importorskip("pyarrow")

RUN: dict[str, Any] = {"n": 30, "player": Network.random(8), "seed": 5, "record": RECORDED}


def play(out: Path, **options: Any) -> narde.Shards:
    """Thirty games in three shards."""
    return self_play(**{**RUN, "out": out, "format": "parquet", "games_per_shard": 12, "batch": 4, **options})


def shards_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("shard*"))}


@pytest.mark.parametrize("options", [{"threads": 3}, {"batch": 5, "threads": 2}, {"batch": 1}, {"batch": 12}])
def test_the_same_bytes_however_they_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    """In row groups of as many games as a unit, of more and of fewer."""
    monkeypatch.setattr(storage, "_GROUP", 4)
    play(tmp_path / "a")
    play(tmp_path / "b", **options)
    assert shards_in(tmp_path / "a") == shards_in(tmp_path / "b")
    assert_same_games(join_games(list(load_shards(tmp_path / "b"))), self_play(**RUN))


def test_compressed_shards_hold_the_same_games(tmp_path: Path) -> None:
    plain, small = play(tmp_path / "plain"), play(tmp_path / "small", compression="zstd")
    assert_same_games(join_games(list(small)), join_games(list(plain)))
    sizes = [sum(entry["bytes"] for entry in shards.entries) for shards in (small, plain)]
    assert 2 * sizes[0] < sizes[1]
    assert (plain.run["compression"], small.run["compression"]) == ("none", "zstd")
    assert play(tmp_path / "small", compression="zstd", resume=True).repaired == ()
    with pytest.raises(InvalidArgumentError, match="with compression 'zstd', not 'none'"):
        play(tmp_path / "small", resume=True)


def as_before(folder: Path) -> None:
    """Turn a run into one of the schema before: SHA-256, and nothing about compression."""
    manifest = folder / "manifest.json"
    data = json.loads(manifest.read_text())
    del data["run"]["compression"]
    for entry in data["shards"]:
        content = (folder / entry["file"]).read_bytes()
        del entry["crc32"]
        entry.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
    manifest.write_text(json.dumps(data | {"schema": 1}))


def test_an_older_folder_is_read_and_checked_but_not_gone_on_with(tmp_path: Path) -> None:
    """Its shards are of another layout: one run must not hold both."""
    for path in play(tmp_path).files:
        in_the_older_layout(path)
    as_before(tmp_path)
    assert_same_games(join_games(list(load_shards(tmp_path))), self_play(**RUN))
    with pytest.raises(InvalidArgumentError, match="with compression None, not 'none'"):
        play(tmp_path, resume=True)
    bad = tmp_path / "shard-000001.parquet"
    content = bytearray(bad.read_bytes())
    content[len(content) // 2] ^= 1
    bad.write_bytes(content)
    with pytest.raises(StorageError, match=r"shard-000001\.parquet is damaged: .*resume=True"):
        list(load_shards(tmp_path))


def test_an_older_run_of_npz_is_gone_on_with(tmp_path: Path) -> None:
    """Its files are as they were; what is damaged is told by the checksum of then."""
    play(tmp_path, format="npz")
    before = shards_in(tmp_path)
    as_before(tmp_path)
    content = bytearray(before["shard-000002.npz"])
    content[100] ^= 1
    (tmp_path / "shard-000002.npz").write_bytes(content)
    (fault,) = play(tmp_path, format="npz", resume=True).repaired
    assert "shard-000002.npz is damaged" in fault
    assert shards_in(tmp_path) == before
    entries = json.loads((tmp_path / "manifest.json").read_text())["shards"]
    assert [("sha256" in entry, "crc32" in entry) for entry in entries] == [(True, False)] * 2 + [
        (False, True)
    ]


@pytest.mark.parametrize("change", [{"crc32": None}, {"crc32": 7}, {"sha256": 7}])
def test_a_shard_without_a_checksum_is_damage(tmp_path: Path, change: dict[str, Any]) -> None:
    play(tmp_path)
    data = json.loads((tmp_path / "manifest.json").read_text())
    del data["shards"][0]["crc32"]
    data["shards"][0].update({name: value for name, value in change.items() if value is not None})
    (tmp_path / "manifest.json").write_text(json.dumps(data))
    with pytest.raises(StorageError, match=r"manifest\.json: damaged"):
        load_shards(tmp_path)

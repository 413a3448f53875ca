"""Manifests of self-play that contradict themselves or each other."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narde import StorageError, load_shards
from test_self_play_files import play

Entries = list[dict[str, Any]]


def change(manifest: Path, spoil: Callable[[Entries], object]) -> None:
    """Change the entries of the shards in a manifest."""
    data = json.loads(manifest.read_text())
    spoil(data["shards"])
    manifest.write_text(json.dumps(data))


def test_a_shard_that_stands_twice_is_not_counted_twice(tmp_path: Path) -> None:
    assert play(tmp_path).n == 50
    change(tmp_path / "manifest.json", lambda shards: shards.append(shards[2]))
    with pytest.raises(
        StorageError, match=r"manifest\.json: shard-\d+\.npz, games from \d+ on, stands twice;"
    ):
        load_shards(tmp_path)
    with pytest.raises(StorageError, match=r"manifest\.json"):
        play(tmp_path, resume=True)


@pytest.mark.parametrize(
    "damage",
    [
        {"first": -5},
        {"first": 1000},
        {"games": 10**30},
        {"games": 7},
        {"file": "shard-000999.npz"},
        {"file": "shard-000999.npz", "first": 7992, "games": -7942},
    ],
)
def test_a_shard_of_other_games_than_the_run_has_is_damage(tmp_path: Path, damage: dict[str, Any]) -> None:
    play(tmp_path)
    change(tmp_path / "manifest.json", lambda shards: shards[2].update(damage))
    for read in (load_shards, lambda out: play(out, resume=True)):
        with pytest.raises(StorageError, match=r"manifest\.json: damaged, .*\d+ games from -?\d+ on"):
            read(tmp_path)


def test_a_shard_of_two_jobs_is_not_counted_twice(tmp_path: Path) -> None:
    play(tmp_path, shard=(0, 3))
    shutil.copy(tmp_path / "manifest-000000-of-000003.json", tmp_path / "manifest-000001-of-000003.json")
    with pytest.raises(
        StorageError, match=r"000001-of.*stands twice, the first time in .*manifest-000000-of"
    ):
        load_shards(tmp_path)


def test_half_a_manifest_that_a_killed_job_left_is_removed(tmp_path: Path) -> None:
    """One of another job stays: that may be at work."""
    play(tmp_path, shard=(0, 3))
    for job in (0, 1):
        (tmp_path / f".manifest-00000{job}-of-000003.json.0123abcd.tmp").write_bytes(b"half")
    play(tmp_path, shard=(0, 3), resume=True)
    assert [path.name for path in tmp_path.glob(".*")] == [".manifest-000001-of-000003.json.0123abcd.tmp"]

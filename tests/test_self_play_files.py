"""Self-play on disk: shards and manifest, runs broken off and gone on with."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from corpus import assert_same_games
from evaluating import stalling
from narde import (
    InvalidArgumentError,
    Network,
    evaluators,
    load_shards,
)
from narde.games import join_games
from narde.selfplay import self_play
from shell import ended

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
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as child, ended(child):
        while not (killed / f"shard-000002.{format}").exists():
            assert child.poll() is None, "the run came to its end before it was killed"
            time.sleep(0.02)
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
    found = states(tmp_path / "broken")
    assert found[:3] == ["finished"] * 3, "the third shard was whole when its last unit was told"
    assert threads > 1 or found[3:] == ["planned"] * 4
    kept = load_shards(tmp_path / "broken").n
    calls: list[int] = []
    play(tmp_path / "broken", resume=True, progress=lambda done, total: calls.append(done))
    assert (calls[0], calls[-1]) == (kept, 50), "what is finished is not played again"
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


def test_the_race_stands_still_only_where_it_is_told_to() -> None:
    row = narde.starting_row()[None]
    assert np.array_equal(stalling(row), evaluators.race("long")(row))

"""The scripts of docs/clusters.md for job arrays: any order of jobs, jobs that are killed and put back, and
the folder in the end that of one run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import narde
from test_docs import BLOCKS, Block, run

SCRIPT, AFTER = (next(block for block in BLOCKS if block.needs == name) for name in ("slurm", "slurm-after"))
SMALL = SCRIPT._replace(code=SCRIPT.code.replace("10_000_000", "60").replace("seed=1", "seed=1, batch=5"))
"""The script with fewer games, and in smaller chunks."""
JOBS = 3


def job(task: int) -> dict[str, str]:
    """What Slurm tells a job of an array that is counted from 1."""
    return {
        "SLURM_ARRAY_TASK_ID": str(task + 1),
        "SLURM_ARRAY_TASK_MIN": "1",
        "SLURM_ARRAY_TASK_COUNT": str(JOBS),
        "SLURM_CPUS_PER_TASK": "2",
    }


def shards_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("shard-*")}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The shards of the same games played by one job."""
    folder = tmp_path_factory.mktemp("alone")
    narde.self_play(60, "greedy", seed=1, record=["positions", "dice", "values"], batch=5, out=folder)
    shards = shards_in(folder)
    assert len(shards) == 12
    return shards


def run_job(task: int, patch: pytest.MonkeyPatch, block: Block = SMALL) -> None:
    for name, value in job(task).items():
        patch.setenv(name, value)
    run(block, {"__name__": "docs"})


def test_jobs_in_any_order_make_one_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    alone: dict[str, bytes],
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for task in (2, 0, 1, 0):
        run_job(task, monkeypatch)
    assert shards_in(tmp_path / "games") == alone
    run(AFTER, {"__name__": "docs", "narde": narde})
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "60 True"
    assert len(said) == 1 + len(alone)


KILLED = """
import os, signal
from narde import storage
from narde.selfplay import running
def write_games(parts, path, *rest):
    if path.name == "shard-000006.npz":
        os.kill(os.getpid(), signal.SIGKILL)
    return storage.write_games(parts, path, *rest)
running.write_games = write_games
"""
"""Before a script: ends it when it is about to write that shard, the third of four of the second job."""


def test_a_job_that_is_killed_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: dict[str, bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "play.py").write_text(KILLED + SMALL.code)
    done = subprocess.run([sys.executable, "play.py"], env={**os.environ, **job(1)}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert sorted(shards_in(tmp_path / "games")) == ["shard-000004.npz", "shard-000005.npz"]
    for task in (1, 2, 0):
        run_job(task, monkeypatch)
    assert shards_in(tmp_path / "games") == alone
    assert narde.load_shards("games").is_complete


def test_another_number_of_jobs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_job(0, monkeypatch)
    monkeypatch.setenv("SLURM_ARRAY_TASK_COUNT", "4")
    with pytest.raises(narde.InvalidArgumentError, match="shard"):
        run(SMALL, {"__name__": "docs"})

"""Rollouts that are killed or interrupted go on from their checkpoint; threads, processes and executors play
the same trials."""

from __future__ import annotations

import contextlib
import errno
import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import narde
from narde import StorageError
from narde.board import Rows
from narde.evaluators import race
from narde.network import Network
from narde.rollouts.asking import plan_of
from narde.rollouts.checkpoint import Checkpoint
from narde.rollouts.running import Work, run_trials
from shell import NARDE, ended, environment

ROW = narde.starting_row("long")
OPTIONS = {"trials": 432, "seed": 3, "truncate": 4}
WORDS = ("rollout", "start", "--evaluator", "pips", "--seed", "3", "--threads", "1", "--json")


def processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, get_context("spawn"))


@pytest.mark.parametrize("evaluator", [race("long"), Network.random(16, seed=1)], ids=["lockstep", "core"])
def test_threads_and_executors_play_the_same_trials(evaluator: object) -> None:
    alone = narde.rollout(ROW, evaluator, **OPTIONS)
    threads = narde.rollout(ROW, evaluator, threads=3, **OPTIONS)
    with ThreadPoolExecutor(2) as pool:
        pooled = narde.rollout(ROW, evaluator, executor=pool, **OPTIONS)
    assert alone.values.tobytes() == threads.values.tobytes() == pooled.values.tobytes()
    assert alone.json() == threads.json() == pooled.json()


@pytest.mark.long
@pytest.mark.parametrize("evaluator", [race("long"), Network.random(16, seed=1)], ids=["lockstep", "core"])
def test_processes_play_the_same_trials(evaluator: object) -> None:
    alone = narde.rollout(ROW, evaluator, **OPTIONS)
    spread = narde.rollout(ROW, evaluator, executor=processes, **OPTIONS)
    assert alone.values.tobytes() == spread.values.tobytes()
    start, options = narde.Position.start("short"), {"trials": 150, "seed": 1, "truncate": 3}
    plays = [
        narde.rollout_plays(start, (3, 1), race("short"), executor=executor, **options)
        for executor in (None, processes)
    ]
    assert plays[0].json() == plays[1].json()


# ---- trials that are played together -----------------------------------------------------------------------


class Neighbours:
    """Pips, but a little other with other rows beside them, as matrix products are in their last bit."""

    def __init__(self) -> None:
        self.pips = race("long")
        self.asked: list[int] = []

    def __call__(self, rows: Rows) -> np.ndarray:
        self.asked.append(len(rows))
        return self.pips(rows) * np.float32(1 - len(rows) % 97 / 1000)


PLAIN = {"trials": 700, "seed": 3, "truncate": 3, "variance_reduction": False}


@pytest.mark.parametrize(
    ("options", "together"),
    [({}, [144] * 4), ({"variance_reduction": False}, [288] * 2),
     ({"variance_reduction": False, "plies": 1}, [144] * 4)],
    ids=["reduced", "plain", "plain, one ply"],
)  # fmt: skip
def test_so_many_trials_are_played_together(options: dict, together: list[int]) -> None:
    """Seen by how many rows are judged when trials are cut off."""
    row, asked = narde.starting_row("long"), []
    evaluator = Neighbours()
    plan = plan_of(row[None], narde.rules("long"), evaluator, seed=1, truncate=1, bearoff=False,
                   **{"variance_reduction": True, "plies": 0, **options})  # fmt: skip
    judged = plan.player

    def judge(rows: Rows) -> np.ndarray:
        asked.append(len(rows))
        return judged(rows)

    vars(plan)["player"] = judge
    run_trials(plan, 576, Work(), lambda values: False)
    assert [n for n in asked if n in (144, 288)] == together


def test_neighbours_are_the_same_whoever_plays() -> None:
    alone = narde.rollout(ROW, Neighbours(), **PLAIN)
    threads = narde.rollout(ROW, Neighbours(), threads=3, **PLAIN)
    with ThreadPoolExecutor(2) as pool:
        pooled = narde.rollout(ROW, Neighbours(), executor=pool, **PLAIN)
    assert alone.values.tobytes() == threads.values.tobytes() == pooled.values.tobytes()
    assert not np.allclose(alone.values, narde.rollout(ROW, race("long"), **PLAIN).values, atol=1e-4)


@pytest.mark.parametrize("last", [144, 288, 432, 576])
def test_neighbours_are_the_same_after_an_interruption(last: int, tmp_path: Path) -> None:
    """Progress is told every 144 trials; 288 are played together, and kept before the first is told."""
    told: list[int] = []

    def interrupt(done: int, trials: int) -> None:
        told.append(done)
        if done == last:
            raise KeyboardInterrupt

    whole = narde.rollout(ROW, Neighbours(), checkpoint=tmp_path / "whole.npz", **PLAIN)
    with pytest.raises(KeyboardInterrupt):
        narde.rollout(ROW, Neighbours(), checkpoint=tmp_path / "part.npz", progress=interrupt, **PLAIN)
    with np.load(tmp_path / "part.npz") as kept:
        assert len(kept["values"]) == -(-last // 288) * 288
    last = 0
    again = narde.rollout(ROW, Neighbours(), checkpoint=tmp_path / "part.npz", progress=interrupt, **PLAIN)
    assert told[-5:] == [144, 288, 432, 576, 700]
    assert again.values.tobytes() == whole.values.tobytes()
    assert (tmp_path / "part.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_run_may_end_between_trials_that_are_played_together(tmp_path: Path) -> None:
    plan = plan_of(ROW[None], narde.rules("long"), Neighbours(), seed=3, truncate=3, variance_reduction=False,
                   plies=0, bearoff=True)  # fmt: skip
    whole = narde.rollout(ROW, Neighbours(), **PLAIN).values
    asked: list[int] = []

    def is_enough(values: np.ndarray) -> bool:
        asked.append(len(values))
        return len(values) == 432

    for _ in range(2):  # from the beginning, and from the checkpoint
        found = run_trials(plan, 700, Work(checkpoint=Checkpoint(tmp_path / "kept.npz")), is_enough)
        assert found[:, 0].tobytes() == whole[:432].tobytes()
    assert asked == [288, 432] * 2
    more = narde.rollout(ROW, Neighbours(), checkpoint=tmp_path / "kept.npz", **PLAIN)
    assert more.values.tobytes() == whole.tobytes()


def test_a_finished_checkpoint_need_not_be_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    path = tmp_path / "kept.npz"
    whole = narde.rollout(ROW, race("long"), checkpoint=path, **OPTIONS)
    monkeypatch.setattr(Path, "touch", refuse)
    again = narde.rollout(ROW, race("long"), checkpoint=path, **OPTIONS)
    assert again.values.tobytes() == whole.values.tobytes()
    for other, trials in ((path, 433), (tmp_path / "new.npz", 432)):
        with pytest.raises(StorageError, match=f"cannot write {other}: Read-only"):
            narde.rollout(ROW, race("long"), checkpoint=other, **{**OPTIONS, "trials": trials})


# ---- interruptions -----------------------------------------------------------------------------------------


def broken_off(path: Path, how: int, trials: int) -> tuple[int, bytes]:
    """What became of a rollout in a process of its own, which was sent the signal once its checkpoint held
    some trials: the exit code and what it said."""
    words = [*NARDE, *WORDS, "--truncate", "10", "-n", str(trials), "--checkpoint", str(path)]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, env=environment(), **streams) as run, ended(run):
        while run.poll() is None and not path.exists():
            time.sleep(0.02)
        while run.poll() is None:  # again, if the interpreter drops what was raised in a callback of its own
            run.send_signal(how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(20)
        assert run.stderr is not None
        return run.returncode, run.stderr.read()


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are those of POSIX")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_a_run_that_was_ended_goes_on(how: str, tmp_path: Path) -> None:
    """So many trials take ten minutes, the first file a second to appear."""
    path, trials = tmp_path / "kept.npz", 1_000_000
    code, said = broken_off(path, getattr(signal, how), trials)
    assert code == (130 if how == "SIGINT" else -signal.SIGKILL)
    assert (b"the same command goes on from there" in said) == (how == "SIGINT")
    with np.load(path) as kept:
        reached = len(kept["values"])
    assert 0 < reached < trials
    assert reached % 144 == 0
    options = {"seed": 3, "truncate": 10, "trials": reached + 100}
    again = narde.rollout(ROW, race("long"), checkpoint=path, **options)
    whole = narde.rollout(ROW, race("long"), checkpoint=tmp_path / "whole.npz", threads=2, **options)
    assert again.json() == whole.json()
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_the_json_of_the_program_is_that_of_the_function(tmp_path: Path) -> None:
    words = [*NARDE, *WORDS, "-n", "36", "--truncate", "2", "--no-bearoff"]
    told = subprocess.run(words, capture_output=True, check=True, env=environment())
    found = narde.rollout(ROW, race("long"), seed=3, trials=36, truncate=2, bearoff=False)
    assert json.loads(told.stdout) == json.loads(found.json())

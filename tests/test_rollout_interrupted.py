"""Rollouts that are killed or interrupted go on from their checkpoint; threads, processes and executors play
the same trials."""

from __future__ import annotations

import contextlib
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
from narde.evaluators import race
from narde.network import Network
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
    """So many trials take far longer than the first file does to appear."""
    path, trials = tmp_path / "kept.npz", 100_000
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

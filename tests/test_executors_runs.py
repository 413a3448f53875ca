"""Everything that takes an executor gives the same bytes by threads and processes as alone, also where a
process is lost; runs that are over before a unit is."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import narde
from narde import InvalidArgumentError
from narde.executors import processes, run_units
from runs import FATAL_RUNS, RUNS

ending = sys.modules["narde.executors.processes"]
"""The module, whose name in the package is that of its function."""


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """Two processes for all runs."""
    with processes(2)() as executor:
        yield executor


@pytest.mark.parametrize("name", RUNS)
def test_threads_and_processes_give_the_same_bytes(name: str, pool: Executor) -> None:
    run = RUNS[name]
    assert run() == run(threads=3) == run(executor=pool)


@pytest.mark.parametrize("name", ["fatal_player", pytest.param("fatal_rollout", marks=pytest.mark.long)])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_lost_process_changes_nothing(name: str, tmp_path: Path) -> None:
    """Before Python 3.12 a pool may fail in its own thread when it loses a process."""
    run = FATAL_RUNS[name]
    assert run(tmp_path) == run(tmp_path, executor=processes(2))
    assert (tmp_path / "dead").exists()


def test_threads_end_a_unit_for_which_nobody_waits() -> None:
    """One that would count plays for minutes."""
    begun, whole = Event(), []
    start = narde.starting_row("long")

    def work(unit: int) -> None:
        if unit == 0:
            begun.wait(120)
            raise KeyError("over")
        begun.set()
        for _ in range(10**6):
            narde.count_afterstates(start, np.full((1000, 2), 3))
        whole.append(unit)

    with pytest.raises(KeyError, match="over"):
        list(run_units(work, range(2), workers=2))
    assert not whole


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_pool_that_fails_in_its_own_thread_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before Python 3.12, where it breaks, here while it is being closed, with a unit that was cancelled."""
    monkeypatch.setattr(ending, "is_broken", lambda executor: False)
    pool = processes(2)()
    units = [pool.submit(time.sleep, 600) for _ in range(9)]
    units[-1].cancel()
    lost, other = pool._processes.values()
    try:
        lost.kill()
        ending.close(pool)
        other.join(60)
        assert not other.is_alive()
    finally:
        other.kill()


def test_what_processes_cannot_be_given_is_told(pool: Executor) -> None:
    for executor in (pool, processes(1)):
        with pytest.raises(InvalidArgumentError, match=r"cannot be given the work.*lambda.*top of a module"):
            narde.self_play(2, lambda rows: rows, seed=1, executor=executor)
    assert list(run_units(abs, [-1, 2], executor=pool)) == [1, 2]

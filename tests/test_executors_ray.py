"""Units of work on a Ray cluster of two workers on this machine."""

import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

import narde
from narde import InvalidPositionError, WorkerLostError
from narde.executors import RayExecutor, run_units
from runs import FATAL_RUNS, RUNS, as_bytes
from test_docs import BLOCKS, Block, run
from units import UNITS, LosesWorkers, games, refuses

pytestmark = pytest.mark.filterwarnings("ignore")
"""What Ray warns of is its own affair."""

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = pytest.importorskip("ray", reason="Ray comes with the ray extra")

EXPECTED = [games(unit) for unit in UNITS]


SLOW_START = "timed out during startup"
"""What Ray says when a node is not there after 30 seconds, which cannot be set; a busy machine needs more."""


def start_ray(folder: str, tries: int = 5) -> None:
    """Start two workers; what a start that was given up has left running ends with this process."""
    options = {"include_dashboard": False, "object_store_memory": 80_000_000, "log_to_driver": False}
    try:
        ray.init(num_cpus=2, _temp_dir=folder, _node_ip_address="127.0.0.1", **options)
    except Exception as fault:
        ray.shutdown()
        if SLOW_START not in str(fault) or tries == 1:
            raise
        start_ray(folder, tries - 1)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Two workers; their files, and those that Ray keeps at home, are in a folder with a name short enough
    for sockets."""
    folder = tempfile.mkdtemp(prefix="ray")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOME", folder)
            patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))  # the workers import `units`
            patch.setenv("RAY_memory_monitor_refresh_ms", "0")  # kill no worker where others fill the memory
            patch.setenv("RAY_gcs_server_port_wait_time_s", "120")  # 30 are too few for a busy machine
            start_ray(folder)
            yield
            ray.shutdown()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        gc.collect()  # what is left of it complains here, where complaints are let pass


def test_ray_gives_the_same_bytes_as_threads() -> None:
    assert list(run_units(games, UNITS, executor=RayExecutor())) == EXPECTED


def test_a_lost_workers_unit_is_done_again(tmp_path: Path) -> None:
    work = LosesWorkers(tmp_path, {7: 2})
    assert list(run_units(work, UNITS, executor=RayExecutor())) == EXPECTED
    assert work.losses() == 2


def test_a_unit_that_always_loses_its_worker_is_named(tmp_path: Path) -> None:
    run = run_units(LosesWorkers(tmp_path, {5: 9}), UNITS, executor=RayExecutor(), tries=2)
    assert list(islice(run, 5)) == EXPECTED[:5]
    with pytest.raises(WorkerLostError, match=r"unit 5, \(200, 40\), lost its worker 2 times \(WorkerC"):
        next(run)


def test_what_the_work_raises_passes_through() -> None:
    run = run_units(refuses, UNITS, executor=RayExecutor())
    assert list(islice(run, 3)) == EXPECTED[:3]
    with pytest.raises(InvalidPositionError, match=r"^no position$") as caught:
        next(run)
    assert type(caught.value) is InvalidPositionError
    assert caught.value.reasons == ("it is none",)
    assert isinstance(caught.value.__cause__, ray.exceptions.RayTaskError)


def test_after_a_closed_run_the_cluster_takes_another() -> None:
    executor = RayExecutor()
    run = run_units(games, UNITS, executor=executor)
    assert next(run) == EXPECTED[0]
    run.close()
    assert list(run_units(games, UNITS, executor=executor)) == EXPECTED


@pytest.mark.parametrize("name", RUNS)
def test_runs_give_the_same_bytes(name: str) -> None:
    assert RUNS[name](executor=RayExecutor()) == RUNS[name]()


@pytest.mark.parametrize("name", FATAL_RUNS)
def test_runs_that_lose_a_worker_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    run = FATAL_RUNS[name]
    assert run(tmp_path, executor=RayExecutor()) == run(tmp_path)
    assert (tmp_path / "dead").exists()


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.needs == "ray"], ids=str)
def test_the_page_on_clusters_does_what_it_says(block: Block) -> None:
    """It finds the cluster of the tests."""
    names: dict[str, object] = {"__name__": "docs"}
    run(block, names)
    assert as_bytes(names["games"].winner) == as_bytes(narde.self_play(300, "pips", seed=1).winner)


def test_two_workers_are_seen() -> None:
    assert RayExecutor()._max_workers == 2


def test_it_is_an_executor_like_others() -> None:
    with RayExecutor(num_cpus=1) as executor:
        assert list(executor.map(pow, (2, 3), (5, 2))) == [32, 9]
        assert executor.submit(sorted, [1, 2], reverse=True).result() == [2, 1]
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(abs, -1)


def sleeps_until(wakened: Path) -> None:
    """Sleeps until the file is there, however often it is interrupted."""
    while not wakened.exists():
        with suppress(KeyboardInterrupt):
            time.sleep(0.1)


def test_calls_are_cancelled_also_those_that_have_begun(tmp_path: Path) -> None:
    """Whether Ray ends them or not: nobody waits for them."""
    executor = RayExecutor()
    futures = [executor.submit(sleeps_until, tmp_path / "wakened") for _ in range(4)]
    executor.shutdown(cancel_futures=True)
    for future in futures:
        with pytest.raises(CancelledError):
            future.result()
    (tmp_path / "wakened").touch()
    assert RayExecutor().submit(abs, -1).result() == 1, "the two workers are free again"

"""Units of work on a Dask cluster of two workers on this machine."""

import asyncio
import gc
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import narde
from narde import InvalidArgumentError, InvalidPositionError, NardeError, WorkerLostError
from narde.executors import run_units
from runs import FATAL_RUNS, RUNS, as_bytes
from test_docs import BLOCKS, Block, run
from units import UNITS, LosesWorkers, games, refuses

pytestmark = pytest.mark.filterwarnings("ignore")
"""What Dask warns of is its own affair."""

dask = pytest.importorskip("dask", reason="Dask comes with the dask extra")
distributed = pytest.importorskip("distributed", reason="Dask comes with the dask extra")

EXPECTED = [games(unit) for unit in UNITS]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two workers, one thread each, whose files are in a folder of the tests; the first worker that a unit
    costs is told at once, while Dask's own default is to try three others. A worker that is lost a second
    time while it is still being started again is not given up, however slow the machine."""
    folder = tmp_path_factory.mktemp("dask")
    settings = {
        "temporary-directory": str(folder),
        "distributed.scheduler.allowed-failures": 0,
        "distributed.deploy.lost-worker-timeout": "1 hour",
    }
    options = {"threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(2, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
    gc.collect()  # what is left of it complains here, where complaints are let pass


@pytest.fixture
def executor(client: Any) -> Executor:
    return client.get_executor()


def test_dask_gives_the_same_bytes_as_threads(executor: Executor) -> None:
    assert list(run_units(games, UNITS, executor=executor)) == EXPECTED


def killed() -> BaseException:
    return distributed.KilledWorker("unit", None, 0)


def cancelled() -> BaseException:
    """No `Exception`, as Dask has it."""
    return asyncio.CancelledError("unit")


@pytest.mark.parametrize("fault", [killed, cancelled])
def test_a_result_that_cannot_be_fetched_is_a_loss(
    fault: Callable[[], BaseException], client: Any, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For which the futures of Dask's own executor wait for ever."""
    fetch, faults = client._gather, [fault()]

    async def gather(*args: Any, **options: Any) -> Any:
        if faults:
            raise faults.pop()
        return await fetch(*args, **options)

    monkeypatch.setattr(client, "_gather", gather)
    assert list(run_units(games, UNITS, executor=executor)) == EXPECTED
    assert not faults


@pytest.mark.parametrize("n", [1, 8])
def test_a_client_that_is_closed_meanwhile_ends_the_run(n: int, client: Any) -> None:
    """Also where the run asks just then how many workers there are."""
    with distributed.Client(client.scheduler.address, set_as_default=False) as other:
        run = run_units(games, UNITS, executor=other.get_executor())
        assert list(islice(run, n)) == EXPECTED[:n]
    with pytest.raises(NardeError, match=r"the executor was shut down|a broken executor takes no more work"):
        list(run)


def test_a_lost_workers_unit_is_done_again(executor: Executor, tmp_path: Path) -> None:
    work = LosesWorkers(tmp_path, {7: 2})
    assert list(run_units(work, UNITS, executor=executor)) == EXPECTED
    assert work.losses() == 2


def test_a_unit_that_always_loses_its_worker_is_named(executor: Executor, tmp_path: Path) -> None:
    run = run_units(LosesWorkers(tmp_path, {1: 9}), UNITS[:2], executor=executor, tries=2)
    with pytest.raises(WorkerLostError, match=r"lost its worker 2 times \(KilledWorker: "):
        list(run)


def test_what_the_work_raises_passes_through(executor: Executor) -> None:
    run = run_units(refuses, UNITS, executor=executor)
    assert list(islice(run, 3)) == EXPECTED[:3]
    with pytest.raises(InvalidPositionError, match=r"^no position$") as caught:
        next(run)
    assert caught.value.reasons == ("it is none",)


def test_after_a_closed_run_the_cluster_takes_another(executor: Executor) -> None:
    run = run_units(games, UNITS, executor=executor)
    assert next(run) == EXPECTED[0]
    run.close()
    assert list(run_units(games, UNITS, executor=executor)) == EXPECTED


@pytest.mark.parametrize("name", RUNS)
def test_runs_give_the_same_bytes(name: str, executor: Executor) -> None:
    assert RUNS[name](executor=executor) == RUNS[name]()


@pytest.mark.parametrize("name", FATAL_RUNS)
def test_runs_that_lose_a_worker_give_the_same_bytes(name: str, executor: Executor, tmp_path: Path) -> None:
    run = FATAL_RUNS[name]
    assert run(tmp_path, executor=executor) == run(tmp_path)
    assert (tmp_path / "dead").exists()


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.needs == "dask"], ids=str)
def test_the_page_on_clusters_does_what_it_says(block: Block, client: Any) -> None:
    """Its client finds the cluster of the tests."""
    names: dict[str, object] = {"__name__": "docs"}
    with dask.config.set({"scheduler-address": client.scheduler.address}):
        run(block, names)
    assert as_bytes(names["games"].winner) == as_bytes(narde.self_play(300, "pips", seed=1).winner)


def test_the_client_itself_is_no_executor(client: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=r"pass client\.get_executor\(\)"):
        run_units(games, UNITS, executor=client)

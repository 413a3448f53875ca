"""Units of work over threads and processes: their order, how many are in flight, lost workers, ends before
the end."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import closing
from itertools import count, islice
from pathlib import Path

import pytest

import narde
import narde.executors as executors
from narde import InvalidArgumentError, InvalidPositionError, MissingExtraError, WorkerLostError
from narde.executors import RayExecutor, processes, run_units
from shell import ended
from units import UNITS, LosesWorkers, games, refuses

EXPECTED = [games(unit) for unit in UNITS]


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """Two processes that several tests share: none of them loses a worker."""
    with processes(2)() as executor:
        yield executor


# ---- what comes out --------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_give_the_results_in_the_order_of_the_units(workers: int) -> None:
    assert list(run_units(games, UNITS, workers=workers)) == EXPECTED


def test_processes_give_the_same(pool: Executor) -> None:
    assert list(run_units(games, UNITS, executor=pool)) == EXPECTED
    assert pool.submit(abs, -1).result() == 1, "the caller's executor stays open"


@pytest.mark.parametrize("workers", [1, 3])
def test_no_units_give_no_results(workers: int) -> None:
    assert list(run_units(games, [], workers=workers)) == []


def test_an_executor_made_for_the_run_is_closed_at_its_end() -> None:
    made: list[ThreadPoolExecutor] = []

    def make() -> ThreadPoolExecutor:
        made.append(ThreadPoolExecutor(2))
        return made[-1]

    run = run_units(games, UNITS, executor=make)
    assert made == [], "nothing is made before the first result is asked for"
    assert list(run) == EXPECTED
    assert len(made) == 1
    with pytest.raises(RuntimeError, match="after shutdown"):
        made[0].submit(games, UNITS[0])


def test_one_worker_is_the_callers_own_thread() -> None:
    assert set(run_units(lambda _: threading.get_ident(), range(3))) == {threading.get_ident()}


# ---- flat memory -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_endless_units_are_taken_as_results_are_asked_for(workers: int) -> None:
    """Four units a worker are out at most, the one asked for included."""
    taken = count()
    with closing(run_units(lambda unit: unit, taken, workers=workers)) as run:
        assert list(islice(run, 50)) == list(range(50))
    assert next(taken) <= 50 + 4 * workers


def test_a_slow_first_unit_does_not_let_results_pile_up() -> None:
    first, seen = threading.Event(), []

    def work(unit: int) -> int:
        if unit == 0:
            first.wait(120)
        seen.append(unit)
        if len(seen) == 7:
            first.set()
        return unit

    assert list(run_units(work, range(30), workers=2)) == list(range(30))
    assert seen.index(0) == 7, "units 1 to 7 only were given out beside it"


class Grows(Executor):
    """Done at once; has one worker more each time it is asked."""

    def __init__(self) -> None:
        self.workers = 0

    @property
    def _max_workers(self) -> int:
        self.workers += 1
        return self.workers

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        future: Future = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_a_cluster_that_grows_gets_more_units() -> None:
    cluster = Grows()
    taken = count()
    with closing(run_units(lambda unit: unit, taken, executor=cluster)) as run:
        assert list(islice(run, 13)) == list(range(13))
    assert cluster.workers == 3
    assert next(taken) == 12 + 4 * 3


# ---- lost workers ----------------------------------------------------------------------------------------


a_pool_may_fail_in_its_own_thread = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnhandledThreadExceptionWarning"
)
"""Before Python 3.12, when it loses a process while it takes a unit; the unit is done again all the same."""


@a_pool_may_fail_in_its_own_thread
def test_a_lost_workers_unit_is_done_again(tmp_path: Path) -> None:
    work = LosesWorkers(tmp_path, {7: 1})
    assert list(run_units(work, UNITS, executor=processes(2))) == EXPECTED
    assert work.losses() == 1


@pytest.mark.long
@a_pool_may_fail_in_its_own_thread
def test_units_that_lose_workers_again_and_again_are_done_at_last(tmp_path: Path) -> None:
    work = LosesWorkers(tmp_path, {2: 2, 3: 1, 20: 2})
    assert list(run_units(work, UNITS, executor=processes(2))) == EXPECTED
    assert work.losses() == 5


@pytest.mark.long
@a_pool_may_fail_in_its_own_thread
def test_a_unit_that_always_loses_its_worker_is_named(tmp_path: Path) -> None:
    """It is unit 5, though units beside it lost their worker with it."""
    work = LosesWorkers(tmp_path, {5: 99})
    run = run_units(work, UNITS, executor=processes(2), tries=2)
    assert list(islice(run, 5)) == EXPECTED[:5]
    with pytest.raises(WorkerLostError, match=r"unit 5, \(200, 40\), lost its worker 2 times") as caught:
        next(run)
    assert caught.value.unit == 5
    assert isinstance(caught.value.__cause__, BrokenExecutor)
    assert list(run) == []


@a_pool_may_fail_in_its_own_thread
def test_a_broken_pool_that_cannot_be_made_again_says_what_to_pass(tmp_path: Path) -> None:
    work = LosesWorkers(tmp_path, {0: 1})
    with processes(2)() as executor, pytest.raises(WorkerLostError, match="pass a function that makes"):
        list(run_units(work, UNITS, executor=executor))


class LosesSome(Grows):
    """A cluster that goes on when it loses a worker: the futures of these calls tell of it."""

    def __init__(self, fault: Exception, lost: set[int]) -> None:
        super().__init__()
        self.fault, self.lost, self.calls = fault, lost, count()

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        if next(self.calls) not in self.lost:
            return super().submit(fn, *args, **kwargs)
        future: Future = Future()
        future.set_exception(self.fault)
        return future


def foreign(module: str, name: str) -> Exception:
    """A fault of a class of that name, as it comes from a library that need not be there."""
    return type(name, (Exception,), {"__module__": module})("gone")


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("distributed.scheduler", "KilledWorker"),
        ("distributed.comm.core", "CommClosedError"),
        ("ray.exceptions", "WorkerCrashedError"),
        ("ray.exceptions", "NodeDiedError"),
    ],
)
def test_a_cluster_that_loses_a_worker_goes_on(module: str, name: str) -> None:
    cluster = LosesSome(foreign(module, name), {0, 3, 4, 9})
    assert list(run_units(games, UNITS, executor=cluster)) == EXPECTED
    assert next(cluster.calls) == len(UNITS) + 4


class Cancels(Grows):
    """Somebody else cancels the first call, and the future's waiters are never told."""

    first = True

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        if self.first:
            self.first = False
            future: Future = Future()
            future.cancel()
            return future
        return super().submit(fn, *args, **kwargs)


def test_a_unit_that_somebody_else_cancelled_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors.units, "_GLANCE", 0.01)
    assert list(run_units(games, UNITS, executor=Cancels())) == EXPECTED


def test_the_same_name_from_elsewhere_is_no_loss() -> None:
    cluster = LosesSome(foreign("mine", "KilledWorker"), {1})
    with pytest.raises(Exception, match="gone"):
        list(run_units(games, UNITS, executor=cluster))


def test_a_cluster_that_always_loses_workers_ends_the_run() -> None:
    cluster = LosesSome(foreign("ray.exceptions", "WorkerCrashedError"), set(range(99)))
    with pytest.raises(WorkerLostError, match=r"unit 0, \(0, 40\), lost its worker 3 times \(W.*: gone\)"):
        list(run_units(games, UNITS, executor=cluster))


class Forgets(Grows):
    """A pool that broke while it took a unit, and never tells."""

    _broken = True

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        return Future()


def test_a_unit_that_a_broken_pool_forgot_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors.units, "_GLANCE", 0.01)
    made = [Grows(), Forgets()]
    assert list(run_units(games, UNITS, executor=made.pop)) == EXPECTED
    with pytest.raises(WorkerLostError, match="broke and forgot the unit"):
        list(run_units(games, UNITS, executor=Forgets()))


# ---- ends before the end ---------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_work_raises_passes_through(workers: int) -> None:
    run = run_units(refuses, UNITS, workers=workers)
    assert list(islice(run, 3)) == EXPECTED[:3]
    with pytest.raises(InvalidPositionError, match=r"^no position$") as caught:
        next(run)
    assert (caught.value.index, caught.value.reasons) == (3, ("it is none",))
    assert list(run) == []


def test_what_the_work_raises_in_a_process_passes_through(pool: Executor) -> None:
    with pytest.raises(InvalidPositionError, match=r"^no position$") as caught:
        list(run_units(refuses, UNITS, executor=pool))
    assert caught.value.reasons == ("it is none",)


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyboardInterrupt])
def test_units_that_have_not_begun_are_cancelled(fault: type[BaseException]) -> None:
    """One thread: while the fault of unit 0 reaches the caller it may begin one more unit."""
    begun, go = [], threading.Event()

    def work(unit: int) -> None:
        begun.append(unit)
        if unit == 0:
            raise fault
        go.wait(120)

    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(fault):
            next(run_units(work, range(1000), executor=executor))
        go.set()
    assert begun in ([0], [0, 1])


def test_closing_the_iterator_cancels_and_leaves_no_thread() -> None:
    before = threading.enumerate()
    run = run_units(games, UNITS, workers=2)
    assert next(run) == EXPECTED[0]
    run.close()
    assert not set(threading.enumerate()).difference(before)


def test_ctrl_c_ends_the_run() -> None:
    """The signal comes from one of very many units, whatever the caller does at that moment."""

    def work(unit: int) -> None:
        if unit == 100:
            os.kill(os.getpid(), signal.SIGINT)

    before = threading.enumerate()
    with pytest.raises(KeyboardInterrupt):
        deque(run_units(work, range(10**6), workers=2), maxlen=0)
    ours = [thread for thread in threading.enumerate() if thread not in before]
    for thread in ours:
        thread.join(60)
    assert not any(thread.is_alive() for thread in ours)


# ---- arguments -------------------------------------------------------------------------------------------


INTERRUPTED = """
import itertools, os, time
from narde.executors import processes, run_units
def work(unit):
    time.sleep(0.01)
    return os.getpid()
if __name__ == "__main__":
    for process in run_units(work, itertools.count(), executor=processes(2)):
        print(process, flush=True)
"""


def test_ctrl_c_in_a_terminal_ends_processes_without_a_word_of_theirs(tmp_path: Path) -> None:
    """It reaches all of them, once both are at work; it is pressed again until it is heard."""
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    command = [sys.executable, str(script)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        subprocess.Popen(command, text=True, start_new_session=True, **pipes) as program,
        ended(program, lambda: os.killpg(program.pid, signal.SIGKILL)),
    ):
        seen: set[str] = set()
        while len(seen) < 2:
            seen.add(program.stdout.readline())
            assert "" not in seen, "it has come to an end"
        said = None
        while said is None:
            os.killpg(program.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                _, said = program.communicate(timeout=20)
    assert program.returncode == -signal.SIGINT
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert "Process " not in said


class Client:
    """Has what a Dask client has."""

    def get_executor(self) -> None: ...


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"workers": 0}, "workers is 0"),
        ({"tries": 0}, "tries is 0"),
        ({"executor": 3}, "pass a concurrent.futures.Executor"),
        ({"executor": Client()}, r"pass client\.get_executor\(\)"),
        ({"work": 3}, "work is 3"),
        ({"leftover": 3}, "leftover is 3"),
    ],
)
def test_wrong_arguments_are_refused_at_once(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(InvalidArgumentError, match=complaint):
        run_units(options.pop("work", games), UNITS, **options)


def test_a_function_that_makes_no_executor_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="executor is 7"):
        list(run_units(games, UNITS, executor=lambda: 7))


def test_an_executor_that_is_shut_down_is_refused() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(InvalidArgumentError, match="was shut down"):
        list(run_units(games, UNITS, executor=executor))


def test_ray_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'narde\[ray\]'"):
        RayExecutor()


def test_narde_knows_the_error() -> None:
    assert issubclass(narde.WorkerLostError, (narde.NardeError, RuntimeError))

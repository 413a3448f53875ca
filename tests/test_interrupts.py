"""Long runs: what they report on the way, and that an interrupt ends them at once."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from inspect import CO_GENERATOR
from types import FrameType

import numpy as np
import pytest

import narde
from corpus import assert_same_games
from narde import kernels, random_games
from narde.executors import run_units
from narde.kernels import in_chunks
from shell import ended, press_ctrl_c

SIZE = 16
threads_of_both_kinds = pytest.mark.parametrize("threads", [1, 3])


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games in chunks of 16, each of which is reported."""
    monkeypatch.setattr(narde.games, "_CHUNK", SIZE)
    monkeypatch.setattr(narde.games, "_TICK", 0.0)


@threads_of_both_kinds
@pytest.mark.parametrize("record", [(), ("dice",)])
def test_progress_rises_to_the_end(small_chunks: None, threads: int, record: tuple[str, ...]) -> None:
    calls, callers = [], set()

    def progress(done: int, total: int) -> None:
        calls.append((done, total))
        callers.add(threading.get_ident())

    games = random_games(100, seed=1, threads=threads, record=record, progress=progress)
    done = [done for done, _ in calls]
    assert done == sorted(set(done))
    assert calls[-1] == (100, 100)
    assert len(calls) == (13 if record else 7)
    assert {total for _, total in calls} == {100}
    assert callers == {threading.get_ident()}
    assert_same_games(games, random_games(100, seed=1, record=record))


@pytest.mark.parametrize("record", [(), ("dice",)])
def test_progress_of_no_games(record: tuple[str, ...]) -> None:
    calls = []
    random_games(0, seed=1, record=record, progress=lambda *numbers: calls.append(numbers))
    assert calls == [(0, 0)]


def test_progress_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after each chunk, but when a tick has gone by."""
    monkeypatch.setattr(narde.games, "_TICK", 1e9)
    calls = []
    random_games(2000, seed=1, progress=lambda *numbers: calls.append(numbers))
    assert calls == [(2000, 2000)]


@threads_of_both_kinds
@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError])
def test_what_progress_raises_ends_the_run(small_chunks: None, threads: int, fault: type) -> None:
    calls = []
    before = threading.active_count()

    def progress(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 3:
            raise fault

    with pytest.raises(fault):
        random_games(10**6, seed=1, threads=threads, progress=progress)
    assert calls == [SIZE, 2 * SIZE, 3 * SIZE]
    assert threading.active_count() <= before


# ---- chunks of work --------------------------------------------------------------------------------------


@threads_of_both_kinds
@pytest.mark.parametrize("total", [0, 1, 9, 10, 11, 95])
def test_chunks_come_in_order(threads: int, total: int) -> None:
    def work(start: int, stop: int) -> int:
        time.sleep((start * 7 % 10) / 10_000)
        return stop - start

    chunks = list(in_chunks(total, 10, threads, work))
    assert [chunk[:2] for chunk in chunks] == [(i, min(i + 10, total)) for i in range(0, total, 10)]
    assert all(size == stop - start for start, stop, size in chunks)


@threads_of_both_kinds
def test_an_interrupt_leaves_the_rest_undone(threads: int) -> None:
    """At most those that run already are finished; none begins afterwards, and no thread stays behind."""
    begun = []
    before = threading.active_count()

    def run() -> None:
        for start, _, _ in in_chunks(20_000, 1, threads, lambda start, stop: begun.append(start)):
            if start == 5:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert len(begun) <= 6 + 5 * threads
    assert threading.active_count() <= before


@threads_of_both_kinds
def test_an_exception_of_the_work_comes_through(threads: int) -> None:
    def work(start: int, stop: int) -> None:
        if start == 4:
            raise MemoryError("of chunk 4")

    with pytest.raises(MemoryError, match="of chunk 4"):
        list(in_chunks(1000, 2, threads, work))


@threads_of_both_kinds
def test_a_fault_does_not_hold_the_memory_of_the_work(threads: int) -> None:
    """Which may be gigabytes, until the collector of cycles comes by."""

    def run() -> weakref.ref[np.ndarray]:
        memory = np.zeros(1)

        def work(start: int, stop: int) -> None:
            assert memory[0] == start, "chunk 0 alone is well"

        with contextlib.suppress(AssertionError):
            list(in_chunks(100, 1, threads, work))
        return weakref.ref(memory)

    gc.collect()
    gc.disable()
    try:
        assert run()() is None
    finally:
        gc.enable()


def test_the_first_chunk_that_fails_is_told_whatever_fails_sooner() -> None:
    def work(start: int, stop: int) -> None:
        time.sleep(0 if start else 0.01)
        raise ValueError(f"chunk {start}")

    with pytest.raises(ValueError, match="chunk 0"):
        list(in_chunks(100, 1, 3, work))


def test_the_thread_that_asks_works_too() -> None:
    """Two threads are there for two chunks at once, and one of them is the caller's."""
    both = threading.Barrier(2)

    def work(start: int, stop: int) -> int:
        both.wait(60)
        return threading.get_ident()

    found = [who for _, _, who in in_chunks(20, 1, 2, work)]
    assert len(set(found)) == 2
    assert found.count(threading.get_ident()) == 10


def test_a_helper_that_is_told_to_exit_ends_the_run() -> None:
    both, caller = threading.Barrier(2), threading.get_ident()

    def work(start: int, stop: int) -> None:
        both.wait(60)
        if threading.get_ident() != caller:
            raise SystemExit(f"in chunk {start}")

    with pytest.raises(SystemExit, match="in chunk"):
        list(in_chunks(2, 1, 2, work))


def test_work_does_not_run_far_ahead() -> None:
    """Of twenty thousand chunks, only a few wait at a time."""
    begun = []
    chunks = in_chunks(20_000, 1, 2, lambda start, stop: begun.append(start))
    next(chunks)
    time.sleep(0.01)
    assert len(begun) <= 8
    chunks.close()


# ---- Ctrl-C anywhere -------------------------------------------------------------------------------------


class CtrlC:
    """For `sys.setprofile`: Ctrl-C at one of the places where Python may notice it in this thread, by number.

    They are those in `kernels` where a function begins, ends, calls one of C or comes back from it. At a
    `yield` there is none, and what is raised there nevertheless would end a generator of Python 3.11 without
    its `finally`."""

    def __init__(self, place: int) -> None:
        self.left = place
        self.came = False

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if code.co_filename != kernels.__file__ or (event == "return" and code.co_flags & CO_GENERATOR):
            return
        self.left -= 1
        if self.left < 0 and not self.came:
            self.came = True
            raise KeyboardInterrupt


def take_chunks() -> None:
    with contextlib.closing(in_chunks(12, 1, 3, lambda start, stop: start)) as chunks:
        assert [result for _, _, result in chunks] == list(range(12))


def take_units() -> None:
    with contextlib.closing(run_units(abs, range(12), workers=2, leftover=lambda *pair: None)) as results:
        assert list(results) == list(range(12))


@pytest.mark.parametrize("take", [take_chunks, take_units])
def test_ctrl_c_anywhere_ends_the_run_and_all_its_threads(
    take: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "_GLANCE", 0.01)
    before, profile = threading.enumerate(), sys.getprofile()
    for place in range(10_000):
        ctrl_c, interrupted = CtrlC(place), False
        sys.setprofile(ctrl_c)
        try:
            take()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            sys.setprofile(profile)
        assert interrupted is ctrl_c.came
        for thread in set(threading.enumerate()) - set(before):
            thread.join(60)
            assert not thread.is_alive(), f"after Ctrl-C at place {place}"
        if not interrupted:
            break
    assert 50 < place < 9_999


# ---- Ctrl-C ----------------------------------------------------------------------------------------------

RUNS: dict[str, str] = {
    "games": "narde.random_games(10**8, seed=1, threads=1, progress=tell)",
    "games in threads": "narde.random_games(10**8, seed=1, threads=2, progress=tell)",
    "perft": "tell(); narde.perft(narde.starting_row('short'), 6, 'short', threads=2)",
}
PROGRAM = """
import signal, narde
def tell(*_):
    if not told:
        told.append(print("runs", flush=True))
told = []
try:
    {run}
except KeyboardInterrupt:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("interrupted")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
def test_ctrl_c_ends_a_run_that_would_take_minutes(run: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(run=run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with ended(process):
            assert process.stdout.readline() == "runs\n"
            press_ctrl_c(process)
        out, err = process.communicate()
    assert (process.returncode, out) == (0, "interrupted\n"), err


# ---- the end of the program ------------------------------------------------------------------------------

ENDS: dict[str, tuple[str, str]] = {
    "nobody asks any more": ("print(next(run))", "0\n"),
    "another thread asks on": (
        "Thread(target=lambda: (main_thread().join(), sleep(0.1), print(sum(run)))).start()",
        "4950\n",
    ),
    "a callback asks on": ("atexit.register(lambda: print(sum(run))); next(run)", "4950\n"),
    "a callback asks": ("atexit.register(lambda: print(sum(run)))", "4950\n"),
}
"""What a program does with a run of a hundred units before its main thread ends, and what it prints."""


@pytest.mark.parametrize(("use", "output"), ENDS.values(), ids=ENDS.keys())
def test_threads_end_with_the_program_but_not_before_who_asks(use: str, output: str) -> None:
    code = f"""
import atexit
from threading import Thread, main_thread
from time import sleep
from narde import executors, kernels
kernels._GLANCE = 0.01
run = executors.run_units(lambda unit: sleep(0.001) or unit, range(100), workers=2)
{use}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, output), done.stderr

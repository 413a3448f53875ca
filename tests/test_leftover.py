"""What is done already when a run ends before its end: units are handed over, whole shards are written."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from narde import EvaluatorError, StorageError, load_shards
from narde.executors import run_units
from narde.games import Games
from narde.selfplay.running import _Writer
from narde.selfplay.units import Task, Unit
from test_self_play_files import files, play, states


class AtOnce(Executor):
    """Two workers, who are done with a unit, or have failed, when they are given it: eight are in flight."""

    _max_workers = 2

    def submit(self, fn: Callable, /, *args: object, **kwargs: object) -> Future:
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as fault:
            future.set_exception(fault)
        return future


# ---- units -----------------------------------------------------------------------------------------------


def test_what_is_done_when_the_run_ends_is_left_over() -> None:
    """In the order of the units, without those that failed and those that were given."""
    left: list[tuple[int, float]] = []
    run = run_units(
        lambda unit: 1 / (unit % 4 - 3), count(), executor=AtOnce(), leftover=lambda *pair: left.append(pair)
    )
    with pytest.raises(ZeroDivisionError):
        deque(run, maxlen=0)
    assert [unit for unit, _ in left] == [4, 5, 6, 8, 9, 10]
    assert all(result == 1 / (unit % 4 - 3) for unit, result in left)


@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_is_left_over_at_the_end(workers: int) -> None:
    assert list(run_units(abs, range(9), workers=workers, leftover=pytest.fail)) == list(range(9))


def test_what_runs_when_the_iterator_is_closed_is_left_over_once_it_is_done() -> None:
    left, both = [], threading.Barrier(2)

    def work(unit: int) -> int:
        if unit in (1, 2):
            both.wait(60)
        return -unit

    with closing(run_units(work, count(), workers=2, leftover=lambda *pair: left.append(pair))) as run:
        assert [next(run), next(run)] == [0, -1]
    assert left[0] == (2, -2)


# ---- shards ----------------------------------------------------------------------------------------------


def fail_at(monkeypatch: pytest.MonkeyPatch, game: int, after: int = 0) -> None:
    """The unit with this game fails, once so many others are played."""
    real, played, enough = Task.__call__, [], threading.Event()

    def work(task: Task, unit: Unit) -> Games:
        if game in range(unit.first, unit.first + unit.n):
            assert after == 0 or enough.wait(60)
            raise EvaluatorError("out of ideas")
        games = real(task, unit)
        played.append(unit)
        if len(played) == after:
            enough.set()
        return games

    monkeypatch.setattr(Task, "__call__", work)


def check_kept(tmp_path: Path, expected: str, **options: Any) -> None:
    """These shards of the run in folder a are finished, and nothing else is there; gone on with, it plays the
    others only, and ends with the bytes of a run without a break."""
    kept = [i for i, letter in enumerate(expected) if letter == "f"]
    assert states(tmp_path / "a") == [{"f": "finished", "p": "planned"}[letter] for letter in expected]
    found = files(tmp_path / "a")
    assert list(found) == ["manifest.json", *(f"shard-{i:06}.npz" for i in kept)]
    games, told = load_shards(tmp_path / "a").n, []
    assert games == sum([8, 8, 8, 8, 8, 8, 2][i] for i in kept)
    play(tmp_path / "a", resume=True, progress=lambda *numbers: told.append(numbers), **options)
    assert told[0] == (games, 50)
    play(tmp_path / "b", **options)
    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize("threads", [2, 3])
def test_shards_behind_a_fault_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    fail_at(monkeypatch, 16, after=6)
    with pytest.raises(EvaluatorError, match="out of ideas"):
        play(tmp_path / "a", batch=8, threads=threads)
    monkeypatch.undo()
    check_kept(tmp_path, "ffpffff", batch=8)


def test_shards_are_written_only_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three units each; of the eight in flight the first fails, the last of the second shard."""
    fail_at(monkeypatch, 15)
    with pytest.raises(EvaluatorError, match="out of ideas"):
        play(tmp_path / "a", executor=AtOnce())
    monkeypatch.undo()
    check_kept(tmp_path, "fpffppp")


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError])
def test_what_progress_raises_loses_no_whole_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type
) -> None:
    """Neither that of the unit it was told of, the first of the third shard, nor two in flight."""

    def progress(done: int, total: int) -> None:
        if done == 19:
            raise fault

    monkeypatch.setattr("narde.selfplay.running._TICK", 0.0)
    with pytest.raises(fault):
        play(tmp_path / "a", executor=AtOnce(), progress=progress)
    check_kept(tmp_path, "ffffppp")


def test_ctrl_c_while_a_whole_shard_waits_for_the_disk_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, {2})
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "a", batch=8)
    monkeypatch.undo()
    check_kept(tmp_path, "fffpppp", batch=8)


def test_a_second_ctrl_c_ends_the_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first comes before the third shard is written, the second one shard later."""
    interrupt(monkeypatch, {2, 4})
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "a", batch=8, executor=AtOnce())
    monkeypatch.undo()
    check_kept(tmp_path, "fffpppp", batch=8)


def interrupt(monkeypatch: pytest.MonkeyPatch, calls: set[int]) -> None:
    """Ctrl-C in these calls of what waits before a shard is written, counted from 0."""
    real, numbers = _Writer._finish, count()

    def finish(writer: _Writer, left: int) -> None:
        if next(numbers) in calls:
            raise KeyboardInterrupt
        real(writer, left)

    monkeypatch.setattr(_Writer, "_finish", finish)


def test_a_full_disk_is_not_asked_for_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def full(parts: Any, path: Path, compression: Any) -> None:
        asked.append(path.name)
        raise StorageError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr("narde.selfplay.running.write_games", full)
    with pytest.raises(StorageError, match=r"shard-000000\.npz: No space left"):
        play(tmp_path / "a", executor=AtOnce(), batch=8)
    assert asked == ["shard-000000.npz"]
    monkeypatch.undo()
    check_kept(tmp_path, "ppppppp", batch=8)

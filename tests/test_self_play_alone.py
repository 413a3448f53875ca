"""Two runs of self-play in one folder at once: the second is refused, and does no harm."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from narde import StorageError, load_shards
from narde.selfplay import alone
from shell import ended
from test_self_play_files import play

fcntl = pytest.importorskip("fcntl")  # elsewhere files are not locked


FORKING = """
import os, sys
from pathlib import Path
from narde.selfplay.alone import alone_at

with alone_at(Path(sys.argv[1])):
    if os.fork():
        os._exit(0)  # no clean end, as if killed
    print("begun", flush=True)
    sys.stdin.read()
    print("outlived", flush=True)
    os._exit(0)
"""
"""A run that is gone, and left its worker behind, who ends with the standard input."""


class Msvcrt:
    """Locks files as the module of that name does on Windows: of one byte of the file, for one handle."""

    LK_NBLCK = 2

    @staticmethod
    def locking(handle: int, mode: int, n: int) -> None:
        assert (mode, n) == (Msvcrt.LK_NBLCK, 1)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None


@pytest.mark.parametrize("windows", [False, True])
def test_a_second_run_in_the_folder_is_refused_while_the_first_is_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: bool
) -> None:
    """And does no harm; other jobs of the array are no second run."""
    if windows:
        monkeypatch.setattr(alone, "msvcrt", Msvcrt)
    refused, done = [], []

    def begin_another(number: int, total: int) -> None:
        if not refused:
            for resume in (True, False):
                with pytest.raises(
                    StorageError, match=r"another run writes to .* now: wait for its end"
                ) as caught:
                    play(tmp_path, shard=(0, 2), resume=resume)
                refused.append(str(caught.value))
            done.append(play(tmp_path, shard=(1, 2)).n)

    assert play(tmp_path, shard=(0, 2), progress=begin_another).is_complete is False
    assert str(tmp_path) in refused[1] and len(done) == 1
    assert load_shards(tmp_path).is_complete
    assert not list(tmp_path.glob(".*"))


def test_a_file_of_a_lock_that_was_left_behind_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / ".manifest.json.lock").touch()
    assert play(tmp_path).is_complete
    assert not list(tmp_path.glob(".*"))


def test_a_forked_worker_that_outlives_a_killed_run_does_not_keep_its_lock(tmp_path: Path) -> None:
    """As those of a `ProcessPoolExecutor` by "fork" do."""
    command = [sys.executable, "-c", FORKING, str(tmp_path / "manifest.json")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as killed, ended(killed):
        assert killed.stdout is not None and killed.stdout.readline() == "begun\n"
        assert killed.wait(60) == 0
        assert play(tmp_path).is_complete
        assert killed.communicate()[0] == "outlived\n"


def test_a_lock_that_has_lost_its_name_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run ends, and removes its file, just between the second one's opening and locking it."""
    path, lock = tmp_path / ".manifest.json.lock", fcntl.flock

    def late(handle: int, kind: int) -> None:
        path.unlink()
        lock(handle, kind)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(StorageError, match="another run writes"):
        play(tmp_path)


def test_a_file_system_without_locks_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int, kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert play(tmp_path).is_complete

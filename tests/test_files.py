"""A file appears whole or not at all: after errors, interrupts and refusals of every kind."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from narde._files import Summed, as_path, prove_writable, remove_dead, replacing
from narde.errors import InvalidArgumentError, StorageError

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and permission bits of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_name_appears_when_the_block_ends(tmp_path: Path) -> None:
    with replacing(tmp_path / "a.bin") as file:
        file.write(b"new")
        assert "a.bin" not in names(tmp_path)
    assert names(tmp_path) == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"new"


def test_the_checksum_is_that_of_what_was_written(tmp_path: Path) -> None:
    with (tmp_path / "a.bin").open("wb") as file:
        summed = Summed(file)
        assert (summed.crc32, summed.write(b"some "), summed.tell()) == ("00000000", 5, 5)
        summed.write(memoryview(b"bytes"))
    assert summed.crc32 == f"{zlib.crc32((tmp_path / 'a.bin').read_bytes()):08x}"


def test_a_file_not_written_in_order_has_no_checksum(tmp_path: Path) -> None:
    with (tmp_path / "a.bin").open("wb") as file:
        summed = Summed(file)
        summed.write(b"some bytes")
        summed.seek(0)
        summed.write(b"S")
    assert summed.crc32 is None
    assert (tmp_path / "a.bin").read_bytes() == b"Some bytes"


@pytest.mark.parametrize("write", ["writelines", "truncate"])
def test_what_may_be_written_otherwise_has_no_sum(tmp_path: Path, write: str) -> None:
    with (tmp_path / "a.bin").open("wb") as file:
        summed = Summed(file)
        assert not hasattr(summed, "no_such_thing") and summed.crc32 is not None
        getattr(summed, write)(*{"writelines": ([b"x"],), "truncate": ()}[write])
        assert summed.crc32 is None


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_old_file_survives_any_fault(tmp_path: Path, fault: type[BaseException]) -> None:
    (tmp_path / "a.bin").write_bytes(b"old")
    with pytest.raises(fault), replacing(tmp_path / "a.bin") as file:
        file.write(b"half")
        raise fault
    assert names(tmp_path) == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"old"


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    reason = r"cannot write .*a.bin: No space left on device$"
    with pytest.raises(StorageError, match=reason), replacing(tmp_path / "a.bin") as file:
        file.write(b"half")
        raise OSError(28, os.strerror(28))
    assert names(tmp_path) == []


@posix
def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        with replacing(tmp_path / "a.bin"):
            pass
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a.bin").stat().st_mode) == 0o640


@posix
def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link.bin").symlink_to(tmp_path / "disk" / "a.bin")
    with replacing(tmp_path / "link.bin") as file:
        file.write(b"new")
    assert (tmp_path / "link.bin").is_symlink()
    assert (tmp_path / "disk" / "a.bin").read_bytes() == b"new"


def unwritable(tmp_path: Path) -> dict[str, Path]:
    """Targets that the system refuses also to root."""
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder.bin").mkdir()
    return {
        "below a file": tmp_path / "file" / "a.bin",
        "a folder": tmp_path / "folder.bin",
        "too long a name": tmp_path / ("n" * 300),
    }


@pytest.mark.parametrize("kind", ["below a file", "a folder", "too long a name"])
def test_what_cannot_be_written_is_known_before_and_after(tmp_path: Path, kind: str) -> None:
    target = unwritable(tmp_path)[kind]
    before = names(tmp_path)
    with pytest.raises(StorageError, match="cannot write"):
        prove_writable(target)
    with pytest.raises(StorageError, match="cannot write"), replacing(target) as file:
        file.write(b"x")
    assert names(tmp_path) == before


@posix
def test_a_pipe_is_refused_and_stays_one(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.npz", tmp_path / "link.npz"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for target in (pipe, link):
        reason = rf"cannot write .*{target.name}: it is no regular file but a device, a pipe"
        with pytest.raises(StorageError, match=reason):
            prove_writable(target)
        with pytest.raises(StorageError, match=reason), replacing(target) as file:
            file.write(b"x")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["link.npz", "pipe.npz"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="/proc is where not even root may write")
def test_a_folder_that_refuses_files() -> None:
    with pytest.raises(StorageError, match=r"cannot write /proc/self/a.bin: "):
        prove_writable(Path("/proc/self/a.bin"))


def test_proving_makes_the_folder_and_leaves_no_file(tmp_path: Path) -> None:
    prove_writable(tmp_path / "new" / "deep" / "a.bin")
    assert names(tmp_path / "new" / "deep") == []


@pytest.mark.parametrize("path", [7, None, b"bytes.npz", "null\0.npz", "\ud800.npz"])
def test_what_names_no_file(path: object) -> None:
    with pytest.raises(InvalidArgumentError, match="path"):
        as_path(path)  # type: ignore[arg-type]


# ---- what a killed process leaves ------------------------------------------------------------------------

HALF = """
import sys, time
from pathlib import Path
from narde._files import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("half is written", flush=True)
    time.sleep(100)
"""
locks = pytest.mark.skipif(sys.platform == "win32", reason="no locks of files as on Unix")


def temporaries(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.glob(".a.bin.*.tmp")]


@locks
def test_what_a_killed_process_left_is_removed_and_a_living_ones_not(tmp_path: Path) -> None:
    """By the next that proves the name writable; the same of another name stays."""
    target = tmp_path / "a.bin"
    (tmp_path / ".a.bin.old.tmp").write_bytes(b"no name of ours")
    (tmp_path / ".b.bin.01234567.tmp").write_bytes(b"")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", HALF, str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "half is written\n"
            prove_writable(target)
            assert sorted(temporaries(tmp_path)) == [b"half", b"no name of ours"]
        finally:
            child.kill()
    assert sorted(temporaries(tmp_path)) == [b"half", b"no name of ours"], "SIGKILL leaves all as it is"
    prove_writable(target)
    assert names(tmp_path) == [".a.bin.old.tmp", ".b.bin.01234567.tmp"]


@locks
def test_a_file_taken_for_a_dead_ones_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may look between the making of a file and its lock, and then removes it."""
    fcntl = pytest.importorskip("fcntl")
    target, lock, looked = tmp_path / "a.bin", fcntl.flock, []

    def late(handle: int, kind: int) -> None:
        if not looked:
            looked.append(True)
            remove_dead(target)
        lock(handle, kind)

    monkeypatch.setattr(fcntl, "flock", late)
    with replacing(target) as file:
        assert len(temporaries(tmp_path)) == 1
        file.write(b"whole")
    assert looked and names(tmp_path) == ["a.bin"] and target.read_bytes() == b"whole"


@locks
def test_a_file_system_without_locks_writes_and_removes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int, kind: int) -> None:
        raise OSError(38, os.strerror(38))

    (tmp_path / ".a.bin.01234567.tmp").write_bytes(b"another's")
    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", refuse)
    prove_writable(tmp_path / "a.bin")
    with replacing(tmp_path / "a.bin") as file:
        file.write(b"whole")
    assert names(tmp_path) == [".a.bin.01234567.tmp", "a.bin"]


@locks
def test_a_file_system_that_counts_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As simple ones in user space do: a file without links is not one that was removed."""
    real = os.fstat
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat_result((*real(handle)[:3], 0, *real(handle)[4:])))
    with replacing(tmp_path / "a.bin") as file:
        file.write(b"whole")
    monkeypatch.undo()
    assert names(tmp_path) == ["a.bin"] and (tmp_path / "a.bin").read_bytes() == b"whole"

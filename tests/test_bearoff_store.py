"""The file of the tables: found again, checked, replaced when it is not whole, done without where it cannot
be."""

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import narde
from boards import race_row
from narde.bearoff_db import store
from narde.bearoff_db.database import BearoffDatabase
from narde.bearoff_db.tables import COLUMNS, Tables
from narde.errors import InvalidArgumentError, StorageError

ROW = race_row([0, 1, 0, 0, 2, 1], [2, 0, 1, 0, 0, 0])


@pytest.fixture
def tables() -> Tables:
    """The tables of the test run, built once."""
    return store.open_tables()[0]


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch, tables: Tables) -> list[int]:
    """How many threads each build was asked to use; a build takes no time."""
    asked: list[int] = []

    def build(threads: int, progress: object) -> Tables:
        asked.append(threads)
        return tables

    monkeypatch.setattr(store, "build", build)
    return asked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: Tables) -> Path:
    """An empty cache folder, as a new process finds it; the tables of the run are mapped from another one."""
    monkeypatch.setenv("NARDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "_opened", {})
    return tmp_path / "cache"


def open_in_new_process(monkeypatch: pytest.MonkeyPatch) -> BearoffDatabase:
    monkeypatch.setattr(store, "_opened", {})
    return narde.bearoff()


def same(a: Tables, b: Tables) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in COLUMNS)


def test_built_once_and_mapped_from_then_on(
    folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch, tables: Tables
) -> None:
    db = narde.bearoff("short", threads=2)
    assert builds == [2]
    assert db.path == folder / "bearoff-1.tables"
    assert db.path.stat().st_size == store.FILE_SIZE
    assert [path.name for path in folder.iterdir()] == [db.path.name]
    assert open_in_new_process(monkeypatch).path == db.path
    assert narde.bearoff("long").win(ROW) == narde.bearoff("long").win(ROW)
    assert builds == [2]
    loaded = store.load(db.path)
    assert loaded is not None and same(loaded, tables)
    assert not any(getattr(loaded, name).flags.writeable for name in COLUMNS)


def flip_byte(at: int) -> Callable[[bytes], bytes]:
    return lambda content: content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a flipped bit of the first table": flip_byte(200),
    "a flipped bit of the last": flip_byte(store.FILE_SIZE - 1),
    "a flipped bit in the middle": flip_byte(store.FILE_SIZE // 2),
    "a flipped bit of the checksum": flip_byte(30),
    "a flipped bit of the padding": flip_byte(120),
    "one byte less": lambda content: content[:-1],
    "one byte more": lambda content: content + b"\0",
    "half of it": lambda content: content[: len(content) // 2],
    "only the header": lambda content: content[:128],
    "nothing": lambda content: b"",
    "zeros": lambda content: bytes(len(content)),
    "another version": lambda content: content.replace(b"narde bearoff 1", b"narde bearoff 2", 1),
    "something else": lambda content: b"hello",
}


@pytest.fixture(scope="module")
def whole() -> bytes:
    """What a good file holds."""
    path = store.open_tables()[1]
    assert path is not None
    return path.read_bytes()


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_not_whole_is_not_read(damage: str, tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "tables"
    path.write_bytes(whole)
    assert store.load(path) is not None
    path = tmp_path / "damaged"
    path.write_bytes(DAMAGES[damage](whole))
    assert store.load(path) is None


@pytest.mark.parametrize("damage", ["a flipped bit in the middle", "half of it", "another version"])
def test_what_is_not_whole_is_replaced(
    damage: str, folder: Path, builds: list[int], whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = narde.bearoff().path
    assert path is not None and path.read_bytes() == whole
    monkeypatch.setattr(store, "_opened", {})
    path.write_bytes(DAMAGES[damage](whole))
    assert narde.bearoff().path == path
    assert len(builds) == 2
    assert path.read_bytes() == whole


def test_a_later_version_keeps_a_file_of_its_own(
    folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = narde.bearoff().path
    monkeypatch.setattr(store, "VERSION", 2)
    second = open_in_new_process(monkeypatch).path
    assert first is not None and second is not None and first != second
    assert first.exists() and second.exists()
    assert store.load(first) is None


def test_a_folder_that_cannot_be_written_costs_one_warning(
    tmp_path: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch, tables: Tables
) -> None:
    """A file stands where the folder should: no user, not even root, can write there."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NARDE_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(store, "_opened", {})
    with pytest.warns(RuntimeWarning, match=r"stays in memory.*cannot make .*set NARDE_CACHE") as caught:
        db = narde.bearoff()
    assert len(caught) == 1 and "\n" not in str(caught[0].message)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = narde.bearoff("short")
    assert db.path is None and again.path is None
    assert len(builds) == 1
    assert db.win(ROW) == tables.win[tuple(narde.bearoff()._ranks(ROW[np.newaxis]))]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_place_of_the_file_costs_one_warning(folder: Path, builds: list[int]) -> None:
    """In a process of its own, which can be ended should it wait for the pipe."""
    folder.mkdir()
    pipe = folder / "bearoff-1.tables"
    os.mkfifo(pipe)
    code = "from pathlib import Path; from narde.bearoff_db import store; print(store.load(Path({!r})))"
    command = [sys.executable, "-c", code.format(str(pipe))]
    assert subprocess.run(command, capture_output=True, text=True, timeout=60).stdout == "None\n"
    with pytest.warns(RuntimeWarning, match=r"stays in memory.*cannot write .*bearoff-1.tables: .* a pipe"):
        assert narde.bearoff().path is None
    assert pipe.is_fifo() and len(builds) == 1


def test_a_full_disk_costs_one_warning(
    folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(tables: Tables, path: Path) -> None:
        raise StorageError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(store, "save", refuse)
    with pytest.warns(RuntimeWarning, match="No space left on device"):
        assert narde.bearoff().path is None


def test_without_a_home_folder_the_tables_stay_in_memory(
    builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("NARDE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(store, "_opened", {})
    with pytest.warns(RuntimeWarning, match="there is no home folder"):
        assert narde.bearoff().path is None


def test_another_process_may_have_been_faster(
    folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch, tables: Tables
) -> None:
    """On Windows a file that someone has mapped cannot be replaced; then his is as good."""
    real = store.save

    def meanwhile(tables: Tables, path: Path) -> None:
        real(tables, path)
        raise StorageError("cannot write: Access is denied")

    monkeypatch.setattr(store, "save", meanwhile)
    assert narde.bearoff().path == folder / "bearoff-1.tables"


def test_writers_at_once_and_a_reader_between_them(tmp_path: Path, tables: Tables) -> None:
    """A reader finds nothing or all, whoever writes."""
    path = tmp_path / "new" / "bearoff-1.tables"
    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(store.save, tables, path) for _ in range(6)]
        while not all(writer.done() for writer in writers):
            is_there = path.exists()
            assert (store.load(path) is not None) >= is_there
        for writer in writers:
            writer.result()
    loaded = store.load(path)
    assert loaded is not None and same(loaded, tables)
    assert [left.name for left in path.parent.iterdir()] == [path.name]


@pytest.mark.long
def test_two_processes_build_at_once(tmp_path: Path) -> None:
    code = "import narde; db = narde.bearoff(); print(db.path.name, float(db.win(narde.flip(%r, 'long'))))"
    row = narde.flip(ROW).tolist()
    environment = {**os.environ, "NARDE_CACHE": str(tmp_path)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code % row], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    expected = f"bearoff-1.tables {float(narde.bearoff().win(ROW))}\n"
    assert [process.communicate()[0] for process in processes] == [expected] * 2
    assert [path.name for path in tmp_path.iterdir()] == ["bearoff-1.tables"]


def test_where_the_cache_folder_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    where = store.cache_folder
    assert where({"NARDE_CACHE": "/x/y", "XDG_CACHE_HOME": "/z"}, "linux") == Path("/x/y")
    assert where({"NARDE_CACHE": "", "XDG_CACHE_HOME": "/z"}, "linux") == Path("/z/narde")
    assert where({"XDG_CACHE_HOME": "not/absolute"}, "linux") == tmp_path / ".cache" / "narde"
    assert where({}, "linux") == tmp_path / ".cache" / "narde"
    assert where({}, "darwin") == tmp_path / "Library" / "Caches" / "narde"
    assert where({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/narde/Cache")


def test_a_database_travels_by_its_rules() -> None:
    """Workers open the tables themselves: nothing of them is pickled."""
    db = narde.bearoff("short")
    text = pickle.dumps(db)
    again = pickle.loads(text)
    assert len(text) < 2000
    assert again.rules == db.rules and again.path == db.path
    assert repr(again) == "narde.bearoff('short')"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_does_not_wait_for_a_lock_that_nobody_holds() -> None:
    code = """
import os, warnings
import narde
from narde.bearoff_db import store
from narde.bearoff_db.database import BearoffDatabase
warnings.simplefilter("ignore")
store._lock.acquire()
child = os.fork()
if child == 0:
    os._exit(0 if store._lock.acquire(timeout=5) else 1)
print(os.waitpid(child, 0)[1])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_threads_out_of_range(threads: object) -> None:
    with pytest.raises(InvalidArgumentError, match="threads is"):
        narde.bearoff(threads=threads)  # type: ignore[arg-type]


def test_progress_must_be_a_function() -> None:
    with pytest.raises(InvalidArgumentError, match="progress is 3: pass a function"):
        narde.bearoff(progress=3)  # type: ignore[arg-type]

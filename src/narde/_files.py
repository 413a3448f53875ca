"""Files that appear under their name whole or not at all, and paths proved writable before long work."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Container, Iterator
from pathlib import Path
from typing import IO, Any, Final
from zlib import crc32

from narde.errors import InvalidArgumentError, NardeError, StorageError, shown

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def as_path(path: str | os.PathLike[str]) -> Path:
    """The path as a `pathlib.Path`; raises `InvalidArgumentError` for what names no file."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise InvalidArgumentError(f"a path is a str or a pathlib.Path, not {type(path).__name__}") from None
    if not isinstance(text, str) or "\0" in text or not _can_be_encoded(text):
        raise InvalidArgumentError(
            f"{shown(text)} is no path: give a str or a pathlib.Path, no null characters or lone surrogates"
        )
    return Path(text)


def _can_be_encoded(text: str) -> bool:
    """Whether the system can be told the name; Python's own escapes for odd bytes of a name pass."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """A new file in the same folder that takes the name `target` when the block ends well, else vanishes.

    Until then an older file of that name stays as it was. The new one is locked, so that `prove_writable`
    knows it from one that a killed process left. Raises `StorageError` for what the system refuses
    and for a name that a folder, a device or a pipe has.
    """
    final = Path(os.path.realpath(target))  # a symbolic link keeps pointing to the file
    with _storage_errors(target):
        _refuse_other_kinds(target)
        with _temporary(final) as (temporary, file):
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(final)
    _sync_folder(final.parent)


@contextlib.contextmanager
def _temporary(final: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """A new file, locked until the block ends, and gone where it ends with an exception."""
    path = _temporary_name(final)
    try:
        with path.open("xb") as file, _lock_of(file) as locked:
            if locked:
                yield path, file
                return
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise
    with _temporary(final) as another:  # this one was taken for a dead process's before it was locked
        yield another


@contextlib.contextmanager
def _lock_of(file: IO[bytes]) -> Iterator[bool]:
    """Whether no other process has locked the file, which nobody can then until the block ends, also if the
    file is closed before; true where the system or its file system has no locks."""
    if fcntl is None:
        yield True
        return
    handle = os.dup(file.fileno())
    try:
        locked = try_lock(handle)
        yield Path(file.name).exists() if locked else locked is None
    finally:
        os.close(handle)


def try_lock(handle: int) -> bool | None:
    """Lock a file through this handle until that is closed, where nobody else has, and say whether it was;
    None where the system or its file system has no locks, and on Windows."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


_HARMLESS: Final = frozenset(
    ("close", "closed", "fileno", "flush", "mode", "name", "readable", "seekable", "tell", "writable")
)
"""Of what a file can do, that which changes none of its bytes."""


class Summed:
    """A file open for writing, which adds up the CRC-32 of what is written while it is at hand."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._crc: int | None = 0

    @property
    def crc32(self) -> str | None:
        """In hexadecimal digits; None if the file was not written from its beginning to its end."""
        return None if self._crc is None else f"{self._crc:08x}"

    def write(self, data: bytes) -> int:
        if self._crc is not None:
            self._crc = crc32(data, self._crc)
        return self._file.write(data)

    def seek(self, *place: int) -> int:
        self._crc = None
        return self._file.seek(*place)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._file, name)
        if name not in _HARMLESS:
            self._crc = None
        return found


def opened(source: Path) -> IO[bytes]:
    """A regular file to be read; raises `StorageError` for all else, and never waits for a pipe."""
    try:
        if not stat.S_ISREG(source.stat().st_mode):
            raise StorageError(f"cannot read {source}: it is a folder, a device or a pipe, no regular file")
        return source.open("rb")
    except NardeError:
        raise
    except OSError as fault:
        raise StorageError(f"cannot read {source}: {fault.strerror or fault}") from None


def read_whole(source: Path, most: int) -> bytes:
    """The bytes of a file that has no more than `most`; raises `StorageError` for all else, never waits."""
    with opened(source) as file:
        try:
            data = file.read(most + 1)
        except OSError as fault:
            raise StorageError(f"cannot read {source}: {fault.strerror or fault}") from None
    if len(data) > most:
        raise StorageError(f"cannot read {source}: it has more than the {most} bytes of any such file")
    return data


def prove_writable(target: Path) -> None:
    """Make the folder of `target` where it is missing and a file in it; raises `StorageError` if refused.

    Removes what killed processes have left half written of that name, wherever the system can lock files."""
    with _storage_errors(target):
        _make_folder(target.parent, f"cannot write {target}: {target.parent} is not a folder")
        _refuse_other_kinds(target)
        final = Path(os.path.realpath(target))
        remove_dead(final)
        _touch(final)


def prove_folder(folder: Path) -> None:
    """Make a folder where it is missing and a file in it; raises `StorageError` naming it if refused."""
    with _storage_errors(folder):
        _make_folder(folder, f"cannot write to {folder}: it is not a folder")
        _touch(folder / "narde")


def _make_folder(folder: Path, refusal: str) -> None:
    """Make it where it is missing; raises `StorageError` with this text where something else has its name."""
    if folder.exists() and not folder.is_dir():
        raise StorageError(refusal)
    folder.mkdir(parents=True, exist_ok=True)


def _touch(final: Path) -> None:
    """Make a file beside one of the name, and remove it."""
    probe = _temporary_name(final)
    probe.touch(exist_ok=False)
    probe.unlink(missing_ok=True)  # another process may have taken it for a dead one's


def remove_dead(final: Path) -> None:
    """Remove the temporary files of a name that no living process has locked."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        for path in temporaries(final.parent, {final.name}):
            with contextlib.suppress(OSError), path.open("r+b") as file:
                if try_lock(file.fileno()):
                    path.unlink()


def temporaries(folder: Path, names: Container[str]) -> list[Path]:
    """The temporary files in a folder of the files of these names: of writers at work, or killed."""
    found = ((path, _TEMPORARY.fullmatch(path.name)) for path in folder.glob(".*.tmp"))
    return [path for path, known in found if known and known[1] in names]


def _refuse_other_kinds(target: Path) -> None:
    """Raise `StorageError` where something has the name that a new file must not replace."""
    try:
        mode = target.stat().st_mode  # of what a symbolic link points to
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "no regular file but a device, a pipe or a socket"
        raise StorageError(f"cannot write {target}: it is {kind}")


_TEMPORARY: Final = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp", re.DOTALL)


def _temporary_name(final: Path) -> Path:
    return final.with_name(f".{final.name}.{os.urandom(4).hex()}.tmp")


def _sync_folder(folder: Path) -> None:
    """Bring the new name to the disk too, where the system can: else a power cut may undo the rename."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _storage_errors(target: Path) -> Iterator[None]:
    """Turn what the system says into one line that names the file."""
    try:
        yield
    except NardeError:
        raise
    except OSError as fault:
        raise StorageError(f"cannot write {target}: {fault.strerror or fault}") from None

"""Files that appear under their name whole or not at all, and paths proved writable before long work."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from narde.errors import InvalidArgumentError, NardeError, StorageError


def as_path(path: str | os.PathLike[str]) -> Path:
    """The path as a `pathlib.Path`; raises `InvalidArgumentError` for what names no file."""
    try:
        text = os.fspath(path)
    except TypeError:
        raise InvalidArgumentError(f"a path is a str or a pathlib.Path, not {type(path).__name__}") from None
    if not isinstance(text, str) or "\0" in text:
        raise InvalidArgumentError(
            f"{text!r} is no path: give a str or a pathlib.Path without null characters"
        )
    return Path(text)


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """A new file in the same folder that takes the name `target` when the block ends well, else vanishes.

    Until then an older file of that name stays as it was. Raises `StorageError` for what the system refuses.
    """
    final = Path(os.path.realpath(target))  # a symbolic link keeps pointing to the file
    temporary = _temporary_name(final)
    with _storage_errors(target):
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(final)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
    _sync_folder(final.parent)


def prove_writable(target: Path) -> None:
    """Make the folder of `target` where it is missing and a file in it; raises `StorageError` if refused."""
    with _storage_errors(target):
        if target.parent.exists() and not target.parent.is_dir():
            raise StorageError(f"cannot write {target}: {target.parent} is not a folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise StorageError(f"cannot write {target}: it is a folder")
        probe = _temporary_name(Path(os.path.realpath(target)))
        probe.touch(exist_ok=False)
        probe.unlink()


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

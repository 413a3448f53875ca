"""The tables in a file of the user's cache folder: written whole or not at all, checked and mapped when read.

The file is a line "narde bearoff <version> <SHA-256 of the rest>", filled up with zero bytes to 128, then the
tables of `tables.COLUMNS` one after the other, little-endian. So its length and its first 128 bytes
follow from the rest, and any change of any byte shows.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import sys
import threading
import warnings
from collections.abc import Mapping
from itertools import accumulate, pairwise
from math import prod
from pathlib import Path
from typing import Final

import numpy as np

from narde._files import opened, replacing
from narde.bearoff_db.tables import COLUMNS, Progress, Tables, build
from narde.errors import StorageError

VERSION: Final = 1
"""Version of the file: of its layout and of what is in the tables. A file of another one is not read."""

_HEADER: Final = 128
_SIZES: Final = [np.dtype(kind).itemsize * prod(shape) for kind, shape in COLUMNS.values()]
_OFFSETS: Final = list(accumulate(_SIZES, initial=_HEADER))
FILE_SIZE: Final = _OFFSETS[-1]
"""Bytes of the file."""

_opened: dict[Path | None, tuple[Tables, Path | None]] = {}
_lock = threading.Lock()


def open_tables(threads: int = 1, progress: Progress | None = None) -> tuple[Tables, Path | None]:
    """The tables and the file that they are mapped from, None where they are kept in memory alone.

    A file that is missing, damaged or of another version is replaced. Several processes may do so at once:
    each writes a file of its own, and the last one to finish gives it its name.
    """
    path = cache_file()
    with _lock:
        if path not in _opened:
            kept = load(path)
            _opened[path] = (kept, path) if kept else _built(path, threads, progress)
        return _opened[path]


def cache_file() -> Path | None:
    """Where the tables are kept; None where there is no home folder either."""
    try:
        return cache_folder(os.environ, sys.platform) / f"bearoff-{VERSION}.tables"
    except RuntimeError:  # pathlib's way of saying that it finds no home folder
        return None


def cache_folder(environment: Mapping[str, str], platform: str) -> Path:
    """The folder that NARDE_CACHE names, else the platform's place for a user's caches."""
    if environment.get("NARDE_CACHE"):
        return Path(environment["NARDE_CACHE"]).expanduser()
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "narde" / "Cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "narde"
    xdg = Path(environment.get("XDG_CACHE_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "narde"


def save(tables: Tables, path: Path) -> None:
    """Write the file; an older one stays as it is until the new one is complete.

    Raises `StorageError` where the folder or the file cannot be written.
    """
    columns = [np.ascontiguousarray(getattr(tables, name), kind).data for name, (kind, _) in COLUMNS.items()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise StorageError(f"cannot make {path.parent}: {fault.strerror or fault}") from None
    with replacing(path) as file:
        file.write(_header(*columns))
        for column in columns:
            file.write(column)


def load(path: Path | None) -> Tables | None:
    """The tables of a file, mapped into memory, read-only; None unless it is whole and of this version."""
    if path is None:
        return None
    try:
        with opened(path) as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # missing, not to be read, no regular file, empty
        return None
    content = memoryview(mapped)
    if len(content) != FILE_SIZE or content[:_HEADER] != _header(content[_HEADER:]):
        return None
    return Tables(
        *(
            np.frombuffer(content[start:stop], kind).reshape(shape)
            for (start, stop), (kind, shape) in zip(pairwise(_OFFSETS), COLUMNS.values(), strict=True)
        )
    )


def _header(*parts: memoryview) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return f"narde bearoff {VERSION} {digest.hexdigest()}\n".encode().ljust(_HEADER, b"\0")


def _built(path: Path | None, threads: int, progress: Progress | None) -> tuple[Tables, Path | None]:
    """New tables, mapped from their file where that can be written, and that file."""
    tables = build(threads, progress)
    reason = "there is no home folder"
    if path is not None:
        try:
            save(tables, path)
        except StorageError as fault:
            reason = str(fault)
        mapped = load(path)  # also where another process was faster, and holds the file open on Windows
        if mapped:
            return mapped, path
    warnings.warn(
        f"the bear-off database stays in memory and is built again next time: {reason};"
        " set NARDE_CACHE to a folder that can be written",
        RuntimeWarning,
        stacklevel=4,
    )
    return tables, None


def _new_lock() -> None:
    """A forked child must not wait for a thread that it does not have."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)

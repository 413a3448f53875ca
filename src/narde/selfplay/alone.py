"""One run at a time in a folder: a second would remove the first one's unfinished files, and each forget in
its manifest what the other has finished."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from narde._files import try_lock
from narde.errors import StorageError

msvcrt: Any
try:
    import msvcrt  # Windows
except ImportError:
    msvcrt = None

_held: Final[set[int]] = set()
"""The handles of locks in this process."""


@contextlib.contextmanager
def alone_at(manifest: Path) -> Iterator[None]:
    """The only block at work for this manifest, in any process, wherever the system can lock files.

    The lock is a file beside it that is gone afterwards; that of a killed process is no lock. Raises
    `StorageError` while another block is at work.
    """
    path = manifest.with_name(f".{manifest.name}.lock")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as fault:
        raise StorageError(f"cannot write {path}: {fault.strerror}") from None
    _held.add(handle)
    ours = False
    try:
        ours = _locked(handle, path)
        if not ours:
            raise StorageError(
                f"another run writes to {manifest.parent} now: wait for its end, or stop it and resume it"
            )
        yield
    finally:
        if ours and msvcrt is None:
            _remove(path)
        _held.discard(handle)
        os.close(handle)
        if ours and msvcrt is not None:  # no open file can be removed, neither this nor the next run's
            _remove(path)


def _locked(handle: int, path: Path) -> bool:
    """Whether the file is locked by this handle now and still has its name; true where the file system has no
    locks."""
    if msvcrt is not None:
        return _locked_on_windows(handle)
    locked = try_lock(handle)
    if not locked:
        return locked is None
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(handle), path.stat())
    return False


def _locked_on_windows(handle: int) -> bool:
    """There an open file cannot be removed, so that it still has its name."""
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as fault:  # any other is that of a file system without locks
        return not isinstance(fault, PermissionError)
    return True


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _let_go() -> None:
    """In a forked process: it may outlive the run, if that is killed, and would keep the lock as long."""
    for handle in _held:
        with contextlib.suppress(OSError):
            os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)

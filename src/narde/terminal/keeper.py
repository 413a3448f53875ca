"""The file of a match in play, written anew at each change: nothing is lost whatever ends the program."""

from __future__ import annotations

import shlex
from pathlib import Path

from narde._files import prove_writable
from narde.errors import InvalidArgumentError, StorageError
from narde.terminal.table import Table, save_table

DEFAULT: str = "narde-play.json"
"""The file where none is named; a number is added if it exists."""


class Keeper:
    """Keeps one table after another in a file, or in none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.fault: StorageError | None = None
        """What the system said when the last table could not be written."""
        self._kept: Table | None = None

    def keep(self, table: Table) -> StorageError | None:
        """Write the table unless it has been; returns what the system said against it."""
        if self.path is None or table is self._kept:
            return None
        try:
            save_table(table, self.path)
        except StorageError as fault:
            self.fault = fault
            return fault
        self._kept, self.fault = table, None
        return None

    @property
    def resuming(self) -> str:
        """The command that goes on with the match; empty where nothing was kept."""
        return f"narde play --resume {shlex.quote(str(self.path))}" if self._kept is not None else ""


def new_file(wanted: Path | None) -> Path:
    """A file for a new match that does not exist yet, proved writable.

    Raises `InvalidArgumentError` if the wanted one exists, `StorageError` if it cannot be written.
    """
    path = wanted
    if path is None:
        stem, suffix = DEFAULT.split(".")
        names = (f"{stem}{f'-{n}' if n > 1 else ''}.{suffix}" for n in range(1, 10_000))
        path = next(free for name in names if not (free := Path(name)).exists())
    elif path.exists():
        raise InvalidArgumentError(f"--save {path}: it exists, use --resume {path} or name another file")
    prove_writable(path)
    return path

"""How far a long run has come, on stderr, for a person at a terminal only."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from narde.cli.output import rich_console

Tell = Callable[[str, int, int], None]
"""Takes a label, the work done before, and that done under the label so far."""


@contextlib.contextmanager
def progress(total: int, *, no_color: bool) -> Iterator[Tell]:
    """Something to call as `tell(label, before, done)` during a run of `total` steps."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda label, before, done: None
        return
    console = rich_console(no_color=no_color, stderr=True)
    with _plain_line(total) if console is None else _rich_bar(console, total) as tell:
        yield tell


@contextlib.contextmanager
def _plain_line(total: int) -> Iterator[Tell]:
    """One line, written over and over, and wiped at the end."""
    longest = 0

    def tell(label: str, before: int, done: int) -> None:
        nonlocal longest
        text = f"{label}  {before + done:,} of {total:,}  {100 * (before + done) // total} %"
        longest = max(longest, len(text))
        print(f"\r{text:{longest}}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        print(f"\r{'':{longest}}\r", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def _rich_bar(console: Any, total: int) -> Iterator[Tell]:
    rich = import_module("rich.progress")
    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.TextColumn("{task.completed:,} of {task.total:,}"),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda label, before, done: bar.update(task, description=label, completed=before + done)

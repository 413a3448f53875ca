"""How far a long run has come, on stderr, for a person at a terminal only."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from typing import Any

from narde.cli.output import rich_console

Tell = Callable[[str, int, int], None]
"""Takes a label, the work done before, and that done under the label so far."""


@dataclass
class Speed:
    """How fast a run goes, for its label: what was done before it began does not count."""

    begun: float = field(default_factory=time.monotonic)
    before: int | None = None
    done: int = 0

    def at(self, done: int, total: int) -> str:
        """`11,200 games/s, 0:00:42 left`, once there is something to tell."""
        if self.before is None:
            self.before = done
        self.done = done - self.before
        rate = self.done / self.seconds
        if not self.done:
            return "games"
        return f"{rate:,.0f} games/s, {timedelta(seconds=round((total - done) / rate))} left"

    @property
    def seconds(self) -> float:
        """Since the run began; never 0."""
        return max(time.monotonic() - self.begun, 1e-9)


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

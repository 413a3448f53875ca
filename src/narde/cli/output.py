"""Tables and JSON on stdout; with rich on a terminal where it is installed, else the same as plain text."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from math import floor, isfinite, log10
from typing import Any

from narde._tables import Table as Table
from narde.stats import Estimate


def show(table: Table, *, no_color: bool) -> None:
    """Print the table, with rich where it is installed and stdout is a terminal wide enough."""
    text = str(table)
    console = rich_console(no_color=no_color) if sys.stdout is not None and sys.stdout.isatty() else None
    if console is None or console.width < max(map(len, text.splitlines())):
        print(text)
    else:
        console.print(_rich_table(table))


def rich_console(*, no_color: bool, stderr: bool = False) -> Any:
    """A `rich.console.Console`, or None where rich is not installed."""
    try:
        console = import_module("rich.console")
    except ImportError:
        return None
    return console.Console(no_color=no_color or None, highlight=False, stderr=stderr)


def _rich_table(table: Table) -> Any:
    box, tables = import_module("rich.box"), import_module("rich.table")
    # A blank of padding and the blank that the box puts between columns: as wide as the plain table.
    shown = tables.Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold"
    )
    for i, name in enumerate(table.header):
        shown.add_column(name, justify="right" if i else "left", style="" if i else "cyan", no_wrap=True)
    for row in table.rows:
        shown.add_row(*row)
    return shown


def note(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    print(f"narde: {text}", file=sys.stderr)


def show_json(data: Any) -> None:
    """One JSON object on one line; an estimate is an object, a number that is not finite is null."""
    print(json.dumps(_jsonable(data), allow_nan=False))


def _jsonable(data: Any) -> Any:
    if isinstance(data, Estimate):
        return _jsonable({"value": data.value, "low": data.low, "high": data.high})
    if isinstance(data, dict):
        return {key: _jsonable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_jsonable(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


def plus_minus(estimate: Estimate, most_decimals: int = 2) -> str:
    """The value and half the width of its interval, to two digits of the latter: `50.12±0.22`.

    More decimals than `most_decimals` only as far as that half width has a digit other than 0 to show.
    """
    margin = estimate.margin
    if not isfinite(margin):
        return f"{estimate.value:,.{most_decimals}f}"
    place = -floor(log10(margin)) if margin > 0 else most_decimals
    decimals = max(0, place, min(most_decimals, place + 1))
    return f"{estimate.value:,.{decimals}f}±{margin:,.{decimals}f}"


def thousands(estimate: Estimate) -> str:
    """A rate in few characters: `104k±16k`, below ten thousand `9,876±120`."""
    if estimate.value < 10_000:
        return plus_minus(estimate, 0)
    return "±".join(f"{part}k" for part in plus_minus(estimate.scaled(1e-3), 1).split("±"))


def short_count(n: int) -> str:
    """A number in few characters: `200,000`, and from a million on `1.25M`."""
    return f"{n:,}" if n < 1_000_000 else f"{n / 1e6:,.4g}M"

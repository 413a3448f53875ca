"""The lines of a `.mat` file: tags, headings, and the cells of the left and the right player.

Programs differ in their columns, so cells are found by the words that begin them. A cell is the right
player's if another stands before it in its line, or if it begins far to the right.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from narde.errors import NotationError

LENGTH: Final = re.compile(r"\s*([0-9]{1,9})\s+point\s+match\b.*", re.IGNORECASE)
MONEY: Final = re.compile(r"\s*(?:unlimited|money)\s+(?:match|session|game)\b.*", re.IGNORECASE)
GAME: Final = re.compile(r"\s*Game\s+([0-9]{1,9})\s*", re.IGNORECASE)

_SCORES: Final = re.compile(r":\s*([0-9]{1,9})(?=\s|$)")
_ROW: Final = re.compile(r"\s*([0-9]{1,6})\)")
_CELL: Final = re.compile(
    r"(?<!\S)(?:[0-6]{2}:|Doubles?\b|Redoubles?\b|Beavers?\b|Raccoons?\b|Takes?\b|Accepts?\b|Drops?\b|Passes\b"
    r"|Rejects?\b|Wins?\b|Loss?es\b|Resign)",
    re.IGNORECASE,
)
_RIGHT: Final = 20
"""The column from which on a lone cell is the right player's; left cells begin before column 10, right ones
beyond 30."""


class Cell(NamedTuple):
    """What a player did: the text of the cell, of player 0 (left) or 1 (right)."""

    player: int
    text: str


def tag_of(line: str) -> tuple[str, str] | None:
    """Name and text of a line such as `; [EventDate "2026.05.01"]`, or None."""
    inner = line.lstrip("; ").rstrip()
    name, quote, text = inner[1:].partition('"')
    if not (
        line.startswith(";") and inner.startswith("[") and quote and text.endswith('"]') and name.strip()
    ):
        return None
    return name.strip(), text[:-2].strip()


def score_line(line: str) -> tuple[tuple[str, str], tuple[int, int]] | None:
    """The names and points of a line `Ann : 0      Bob : 2`, or None."""
    found = list(_SCORES.finditer(line))
    if len(found) < 2 or line[found[-1].end() :].strip():
        return None
    first, last = found[0], found[-1]
    names = line[: first.start()].strip(), line[first.end() : last.start()].strip()
    return names, (int(first[1]), int(last[1]))


def cells(line: str) -> list[Cell]:
    """The cells of a line, in order; a row's number alone has none. Raises `NotationError` for other text."""
    row = _ROW.match(line)
    body = " " * row.end() + line[row.end() :] if row else line
    starts = [found.start() for found in _CELL.finditer(body)]
    if stray := body[: starts[0] if starts else None].strip():
        raise NotationError(f"{stray[:40]!r} is no roll, no cube action and no result")
    texts = [body[start:end].strip() for start, end in pairwise([*starts, len(body)])]
    return [
        Cell(int(number > 0 or start >= _RIGHT), text)
        for number, (start, text) in enumerate(zip(starts, texts, strict=True))
    ]

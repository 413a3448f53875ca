"""The grammar of typed plays: from text to the paths of checkers, with nothing known of row and rules yet."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from narde.errors import NotationError
from narde.notation.turn import BAR_POINT, OFF_POINT, Path

MAX_LENGTH: Final = 100
"""Characters of a play; four moves written out in full take fewer than forty."""

PASS: Final = "pass"
_PASSES: Final = frozenset(
    ("", PASS, "(pass)", "no move", "no play", "cannot move", "can't move", "dance", "fan")
)

_POINT: Final = r"(?:bar|b|off|o|[0-9]{1,2})"
_MOVE: Final = re.compile(rf"({_POINT}(?:[/-]{_POINT}\*?)+)(?:\(([1-4])\)|x([1-4]))?(\*?)")
_LONE_POINT: Final = re.compile(rf"{_POINT}\*?")
_ROLL: Final = re.compile(r"\s*([1-6])\s*[-/, ]?\s*([1-6])\s*:")
_SPACE_WITHIN: Final = re.compile(r"\s*([/(-])\s*|\s+(?=[*)x])")
_SAME: Final = str.maketrans({"–": "-", "—": "-", "−": "-", "×": "x"})
_NAMES: Final = {"bar": BAR_POINT, "b": BAR_POINT, "off": OFF_POINT, "o": OFF_POINT}


class Typed(NamedTuple):
    """What was typed: each checker's path, the points marked as hit, and the roll if it stood in front."""

    paths: tuple[Path, ...]
    marked: frozenset[int]
    roll: tuple[int, int] | None


def read(text: str) -> Typed:
    """Read a play; the empty text is a pass. Raises `NotationError` naming the piece that is no move."""
    if not isinstance(text, str):
        raise NotationError(f"a play is text, not {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise NotationError(f"{text[:20]!r}... has {len(text)} characters: a play has at most {MAX_LENGTH}")
    plain = text.translate(_SAME).lower()
    prefix = _ROLL.match(plain)
    roll = (int(prefix[1]), int(prefix[2])) if prefix else None
    body = plain[prefix.end() if prefix else 0 :]
    if " ".join(body.split()) in _PASSES:
        return Typed((), frozenset(), roll)
    paths: list[Path] = []
    marked: set[int] = set()
    for piece in _pieces(body):
        path, count, hits = _read_piece(piece, text)
        paths += [path] * count
        marked |= hits
    return Typed(tuple(paths), frozenset(marked), roll)


def _pieces(body: str) -> list[str]:
    """The moves, parted by spaces, commas or semicolons; bare points ("8 5 6 5") are taken in pairs."""
    pieces = re.split(r"[\s,;]+", _SPACE_WITHIN.sub(r"\1", body).strip(" \t\r\n,;"))
    if len(pieces) % 2 == 0 and all(_LONE_POINT.fullmatch(piece) for piece in pieces):
        return [f"{start}/{end}" for start, end in zip(pieces[::2], pieces[1::2], strict=True)]
    return pieces


def _read_piece(piece: str, text: str) -> tuple[Path, int, set[int]]:
    """The path of one piece, how many checkers take it, and the points marked with a `*`."""
    found = _MOVE.fullmatch(piece)
    if not found:
        forms = "24/18, 13/7*/3, bar/22, 6/off or 24/18(2)"
        raise NotationError(f"{piece!r} in {text!r} is no move: write {forms}")
    names = re.split("[/-]", found[1] + found[4])
    path = tuple(_NAMES[name] if name in _NAMES else int(name) for name in (n.rstrip("*") for n in names))
    for fault, reason in _misplaced(path):
        if fault:
            raise NotationError(f"{piece!r} in {text!r} is no move: {reason}")
    hits = {point for name, point in zip(names, path, strict=True) if name.endswith("*")}
    return path, int(found[2] or found[3] or 1), hits


def _misplaced(path: Path) -> tuple[tuple[bool, str], ...]:
    """What no move of any game can do, and whether this path does it."""
    return (
        (max(path) > BAR_POINT, f"the points are 1 to 24, and {BAR_POINT} is the bar"),
        (OFF_POINT in path[:-1], "a checker that is off does not move on"),
        (BAR_POINT in path[1:], "only a checker that is hit goes to the bar"),
    )

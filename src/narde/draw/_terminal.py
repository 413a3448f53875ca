"""What the terminal can show: colour or none, Unicode or ASCII, and how wide it is."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import IO, Any, Final

WIDTH: Final = 80
"""Columns of a text board where nothing else is known."""


@dataclass(frozen=True)
class Glyphs:
    """The characters that a text board is made of.

    home: The edge along a home board.
    corners: Of the plain edge: top left, top right, bottom left, bottom right.
    home_corners: The same where the edge is that of a home board.
    hinges: Where hinge and edge meet: top, bottom.
    bars: Where the sides of the bar meet the edge: top left, top right, bottom left, bottom right.
    home_bars: The same where the neighbouring half is a home board.
    """

    light: str
    dark: str
    guide: str
    side: str
    hinge: str
    edge: str
    home: str
    corners: str
    home_corners: str
    hinges: str
    bars: str
    home_bars: str
    up: str
    down: str
    dot: str
    ellipsis: str

    @property
    def drawn(self) -> str:
        """Every character, to ask whether an encoding carries them."""
        return "".join(str(value) for value in vars(self).values())


UNICODE: Final = Glyphs(
    light="○",
    dark="●",
    guide="·",
    side="│",
    hinge="║",
    edge="─",
    home="═",
    corners="┌┐└┘",
    home_corners="╒╕╘╛",
    hinges="╥╨",
    bars="┬┬┴┴",
    home_bars="╤╤╧╧",
    up="↑",
    down="↓",
    dot="·",
    ellipsis="…",
)
ASCII: Final = Glyphs(
    light="O",
    dark="X",
    guide=".",
    side="|",
    hinge="|",
    edge="-",
    home="=",
    corners="++++",
    home_corners="++++",
    hinges="++",
    bars="++++",
    home_bars="++++",
    up="^",
    down="v",
    dot="-",
    ellipsis="...",
)


def glyphs_for(ascii: bool | None, stream: IO[str] | None) -> tuple[Glyphs, str]:
    """The glyphs that the stream's encoding carries, and that encoding, for the words around them."""
    if ascii is not None:
        return (ASCII, "ascii") if ascii else (UNICODE, "utf-8")
    encoding = getattr(_stream(stream), "encoding", None)
    if not isinstance(encoding, str):
        return UNICODE, "utf-8"
    return (UNICODE if _carries(encoding, UNICODE.drawn) else ASCII), encoding


def _carries(encoding: str, words: str) -> bool:
    try:
        words.encode(encoding)
    except (LookupError, UnicodeError):
        return False
    return True


def encodable(words: str, encoding: str) -> str:
    """The words with `?` for every character that the encoding lacks."""
    try:
        return words.encode(encoding, "replace").decode(encoding)
    except (LookupError, UnicodeError):
        return words.encode("ascii", "replace").decode("ascii")


def has_colour(colour: bool | None, stream: IO[str] | None) -> bool:
    """Whether to colour: as told, else by NO_COLOR, FORCE_COLOR, TERM as Python does, else if a terminal."""
    if colour is not None:
        return colour
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and _is_terminal(_stream(stream)) and _knows_escapes()


def _knows_escapes() -> bool:
    """Whether the terminal understands escape codes: all do but old ones on Windows, which say nothing."""
    return sys.platform != "win32" or any(
        map(os.environ.get, ("WT_SESSION", "TERM", "ANSICON", "ConEmuANSI"))
    )


def width_for(width: int | None, stream: IO[str] | None) -> int:
    """The columns to fill at most: as told, else those of the terminal, 80 at most, else 80."""
    if width is not None:
        return width
    return (
        min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns) if _is_terminal(_stream(stream)) else WIDTH
    )


def _stream(stream: IO[str] | None) -> Any:
    return sys.stdout if stream is None else stream


def _is_terminal(stream: Any) -> bool:
    """Whether the stream is a terminal; one that is closed, or that cannot say, is none."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError, OSError):
        return False

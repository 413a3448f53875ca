"""Words in a picture: made safe, measured in columns, cut to size, and the whole position in sentences."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from narde.errors import InvalidArgumentError

_JOINERS: Final = "\u200c\u200d"
"""Format characters that spelling needs; every other one (direction marks, byte order marks) is dropped."""
_EMOJI_STYLE: Final = "\ufe0f"
"""Turns the sign before it into a picture of two columns: counted as the second."""


def clean(option: str, words: Any) -> str:
    """One line of printable text: no control or format characters, no lone surrogates, single blanks.

    So neither a terminal's escape codes nor characters that XML forbids get into a picture.
    """
    if not isinstance(words, str):
        raise InvalidArgumentError(f"{option}={quoted(words)} is no text: pass a str")
    return " ".join("".join(map(_printable, words)).split())


def _printable(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    if category == "Cf":
        return char if char in _JOINERS else ""
    if category == "Cs" or ord(char) & 0xFFFE == 0xFFFE:
        return "\ufffd"
    return char


def columns(words: str) -> int:
    """The columns that a terminal needs for the words: two for wide characters, none for combining ones."""
    return sum(_columns(char) for char in words)


def _columns(char: str) -> int:
    if char == _EMOJI_STYLE:
        return 1
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf"):
        return 0
    return 2 if category == "Cn" or unicodedata.east_asian_width(char) in "WF" else 1


def fit(words: str, width: int, ellipsis: str = "…") -> str:
    """The words, cut to `width` columns with an ellipsis where they are longer."""
    if columns(words) <= width:
        return words
    room = width - columns(ellipsis)
    kept = ""
    for char in words:
        room -= _columns(char)
        if room < 0:
            break
        kept += char
    return (kept.rstrip() + ellipsis)[: max(width, 0)]


def pad(words: str, width: int) -> str:
    """The words with blanks after them up to `width` columns."""
    return words + " " * (width - columns(words))


def cube_words(value: int) -> str:
    """The value of a cube; 2^17 and so on above 65536, so that it fits on its face."""
    return str(value) if value <= 65536 else f"2^{value.bit_length() - 1}"


def quoted(value: Any) -> str:
    """The repr of what a caller passed, cut short enough for an error message."""
    try:
        return fit(repr(value), 60)
    except Exception:  # a repr of someone else's, or a number too long to print
        return f"<{type(value).__name__}>"

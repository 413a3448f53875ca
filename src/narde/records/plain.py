"""Plain text of other programs: bytes in any of their encodings, lines made clean, dates in any form."""

from __future__ import annotations

import re
from typing import Final

from narde.errors import NardeError
from narde.records.model import check_date

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_DATE: Final = re.compile(r"([0-9]{4})[-./]([0-9]{1,2})[-./]([0-9]{1,2})")
_TIME: Final = re.compile(r"([0-9]{1,2})[:.]([0-9]{2})(?:[:.]([0-9]{2}))?")


def decode(data: bytes) -> str:
    """The text of bytes in UTF-8, UTF-16 with a mark, or else Windows-1252; its lines end in a line feed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def one_line(text: str) -> str:
    """The text without control characters and without space at its ends."""
    return _CONTROL.sub(" ", text).strip()


def date_of(date: str, time: str = "") -> str | None:
    """A date such as 2026.05.01 and a time such as 18.30 in ISO 8601; None if they are none."""
    found, clock = _DATE.fullmatch(date.strip()), _TIME.fullmatch(time.strip())
    if not found:
        return date.strip() if _is_date(date.strip()) else None
    text = f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}"
    timed = f"{text}T{clock[1]:0>2}:{clock[2]}" + (f":{clock[3]}" if clock[3] else "") if clock else text
    return timed if _is_date(timed) else text if _is_date(text) else None


def _is_date(text: str) -> bool:
    try:
        check_date(text)
    except NardeError:
        return False
    return bool(text)

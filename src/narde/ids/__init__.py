"""Position IDs: the narde ID for every variant; GNUBG, XGID and OGID for short nardy.

`parse` reads any of them to a `Setup`, whose method `id` writes them; `describe_row` names a row in an error
message.
"""

from __future__ import annotations

from typing import Final

import numpy.typing as npt

from narde.board import as_rows
from narde.errors import NardeError, shown
from narde.ids.forms import parse
from narde.ids.narde_id import write_narde
from narde.ids.setup import Setup
from narde.rules import Rules

__all__ = ["Setup", "describe_row", "parse"]

_LONGEST: Final = 200


def describe_row(row: npt.ArrayLike, rules: str | Rules = "long") -> str:
    """The narde ID of a row, or its plain numbers if it is no position of the game; raises nothing."""
    try:
        return write_narde(Setup(row, rules))
    except NardeError:
        return _plain(row)


def _plain(row: npt.ArrayLike) -> str:
    """The numbers of what should have been a row, as far as there are any; cut where it becomes too long."""
    try:
        batch, single = as_rows(row)
    except NardeError:
        return shown(row, _LONGEST)
    return str((batch[0] if single else batch).tolist())[:_LONGEST]

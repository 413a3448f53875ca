"""Money sessions whose file does not say what customs they had: tried without, then with those that fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from narde.cube import MoneyOptions
from narde.records.errors import RecordError
from narde.records.model import MatchRecord

_GUESSES: Final = tuple(
    MoneyOptions(jacoby=jacoby, beavers=beavers) for beavers in (False, True) for jacoby in (False, True)
)


def with_customs(read: Callable[[MoneyOptions], MatchRecord]) -> MatchRecord:
    """The record read without the Jacoby rule and beavers if that is sound, else with either or both.

    `read` does not heed the guess where the file says what holds. Raises the first `RecordError` where no
    guess helps.
    """
    faults = []
    for guess in _GUESSES:
        try:
            return read(guess)
        except RecordError as fault:
            faults.append(fault)
            if fault.record is None or fault.record.length is not None:
                break
    raise faults[0]

"""A row as the checkers of both sides, each counted by his own points: what every ID is made of."""

from __future__ import annotations

from typing import Final

import numpy as np

from narde.board import BAR, CHECKERS, OFF, Rows, W, flip, validate
from narde.errors import InvalidPositionError
from narde.rules import Rules

PLACES: Final = BAR + 1
"""The places of a side that an ID counts: his points 1 to 24 and the bar. What is missing from 15 is off."""

Side = list[int]
"""The checkers of one side on each of his `PLACES`."""


def sides_of(row: tuple[int, ...], rules: Rules) -> tuple[Side, Side]:
    """The mover's and the opponent's checkers, each by his own points."""
    mover = np.array(row, np.int8)
    own, opponent = (np.maximum(seen, 0)[:PLACES].tolist() for seen in (mover, flip(mover, rules)))
    return own, opponent


def row_of(own: Side, opponent: Side, rules: Rules) -> Rows:
    """The row of the checkers of both sides. Raises `InvalidPositionError` if it is no position."""
    if max(sum(own), sum(opponent)) > CHECKERS:
        raise InvalidPositionError(f"a side has more than {CHECKERS} checkers: {sum(own)}, {sum(opponent)}")
    mine, his = _side_row(own), flip(_side_row(opponent), rules)
    shared = np.flatnonzero(mine * his)
    if shared.size:
        raise InvalidPositionError(f"checkers of both sides stand on the mover's point {shared[0] + 1}")
    row = mine + his
    validate(row, rules)
    return row


def _side_row(counts: Side) -> Rows:
    """A row of one side alone."""
    row = np.zeros(W, np.int8)
    row[:PLACES] = counts
    row[OFF] = CHECKERS - sum(counts)
    return row

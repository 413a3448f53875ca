"""GNUBG position IDs checked against GNUBG's own code, the package `gnubg-nn`."""

import numpy as np
import pytest
from hypothesis import given, settings

import narde
from narde.ids import Setup, parse
from setups import rows

gnubg_nn = pytest.importorskip("gnubg_nn", reason="pip install gnubg-nn==1.1.0a11")


def board_of(row: tuple[int, ...]) -> list[list[int]]:
    """GNUBG's board: the opponent's and then the mover's checkers on their own points 1 to 24 and the bar."""
    sides = (narde.flip(np.array(row), "short"), np.array(row))
    return [side[:25].clip(0).tolist() for side in sides]


@settings(max_examples=60)
@given(rows("short"))
def test_gnubg_writes_the_same_position_id(row: tuple[int, ...]) -> None:
    position_id, _, _ = Setup(row, "short").id("gnubg").partition(":")
    assert gnubg_nn.position_id(board_of(row)) == position_id
    assert gnubg_nn.board_from_position_id(position_id) == board_of(row)


@settings(max_examples=60)
@given(rows("short"))
def test_gnubg_position_ids_read(row: tuple[int, ...]) -> None:
    assert parse(gnubg_nn.position_id(board_of(row))) == Setup(row, "short")


def test_the_second_side_of_a_gnubg_board_is_on_roll() -> None:
    """What the order of the sides rests on: GNUBG plays the roll for the second one."""
    row = [0] * 28
    row[12], row[26], row[0], row[27] = 2, 13, -2, -13
    ((_, moves),) = gnubg_nn.moves(board_of(tuple(row)), 6, 6, 1)
    assert {start for start, _ in moves} <= {13, 7, 1}
    assert (13, 7) in moves

"""What errors say: the index, the row as an ID or as plain numbers, the dice where known, every reason."""

import numpy as np
import pytest

import narde
from narde.errors import InvalidArgumentError, InvalidDiceError, InvalidPositionError

START = narde.starting_row("long")
START_ID = "nal22225zzw22225zzw7"
BAD = START.copy()
BAD[[3, 24]] = 1, -1
"""Two faults of totals, and two of the bar."""

REASONS = (
    "the mover has 16 checkers, expected 15",
    "the opponent has 16 checkers, expected 15",
    "index 24, the mover's bar, is -1, expected 0 or more",
    "there is no bar in long nardy, keep 24 and 25 at 0",
)
MANY = [(6, 5), (4, 3), (2, 1)]
CALLS = [narde.afterstates, narde.count_afterstates]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
@pytest.mark.parametrize(
    ("rows", "dice", "index", "roll"),
    [
        ([START, START, BAD], MANY, 2, "dice 2 = 2-1"),
        ([START, START, BAD], (4, 3), 2, "dice 0 = 4-3"),
        (BAD, (4, 3), 0, "dice 0 = 4-3"),
    ],
    ids=["one roll each", "one roll for all", "one row"],
)
def test_a_bad_row_comes_with_its_dice_and_every_reason(call, rows, dice, index, roll) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        call(rows, dice)
    assert (caught.value.index, caught.value.reasons) == (index, REASONS)
    first, row, last = str(caught.value).splitlines()
    assert first == f"row {index} is no position: {'; '.join(REASONS)}"
    assert (row, last) == (f"  row {index} = {BAD.tolist()}", f"  {roll}")


def test_a_bad_row_for_many_rolls_names_none_of_them() -> None:
    with pytest.raises(InvalidPositionError) as caught:
        narde.afterstates(BAD, MANY)
    assert str(caught.value).splitlines()[1:] == [f"  row 0 = {BAD.tolist()}"]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
@pytest.mark.parametrize(
    ("rows", "dice", "index", "row"),
    [
        ([BAD, START], [(1, 1), (0, 3)], 1, f"  row 1 = {START_ID}"),
        ([START, BAD], [(1, 1), (0, 3)], 1, f"  row 1 = {BAD.tolist()}"),
        (START, [(1, 1), (1, 1), (7, 3)], 2, f"  row 0 = {START_ID}"),
        (START, (7, 3), 0, f"  row 0 = {START_ID}"),
        ([START], [(1, 1), (7, 3)], 1, None),
        ([], [(7, 3)], 0, None),
    ],
    ids=["an ID", "plain numbers", "one row", "one of both", "no such row", "no row"],
)
def test_bad_dice_come_with_their_row(call, rows, dice, index, row) -> None:
    with pytest.raises(InvalidDiceError, match=f"dice {index} are .*each die shows 1 to 6") as caught:
        call(rows, dice)
    assert caught.value.index == index
    assert str(caught.value).splitlines()[1:] == ([] if row is None else [row])


def test_dice_that_are_no_pairs_have_no_index() -> None:
    with pytest.raises(InvalidDiceError, match="dtype") as caught:
        narde.afterstates(START, (1.0, 2.0))
    assert caught.value.index is None


def test_numbers_that_no_row_holds() -> None:
    with pytest.raises(InvalidPositionError, match="row 1 is no position: values beyond int8") as caught:
        narde.afterstates(np.array([START, [200] * 28]), (1, 2))
    assert (caught.value.index, caught.value.reasons) == (1, ("values beyond int8, -128 to 127",))


def test_perft_rolls_its_own_dice_and_names_none() -> None:
    with pytest.raises(InvalidPositionError) as caught:
        narde.perft(BAD, 1)
    assert "dice" not in str(caught.value)
    with pytest.raises(InvalidArgumentError, match="one row, not 2"):
        narde.perft([START, START], 1)

"""Results of finished rows: the texts, a slow twin on random rows, shapes and the last roll."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narde.board import flip, starting_row, validate
from narde.errors import InvalidPositionError
from narde.rules import rules, variants
from narde.scoring import RESULT_NAMES, finished, last_roll_due, points_by_kind, result_kinds, results

KOKS = replace(rules("long"), name="koks", koks=3)
LAST_ROLL = replace(rules("long"), name="last roll", last_roll=True)
HOUSES = [*map(rules, variants()), KOKS, replace(rules("long"), mars=1), replace(rules("short"), koks=0)]


def lost_row(loser: dict[int, int], off: int = 0, bar: int = 0) -> np.ndarray:
    """A row whose opponent has all off; the mover's checkers by his points."""
    row = np.zeros(28, np.int8)
    for point, checkers in loser.items():
        row[point - 1] = checkers
    row[24], row[26], row[27] = bar, off, -15
    return row


@st.composite
def lost_rows(draw, house):
    """Any lost row: off and bar and places at random, as far as the game has them."""
    off = draw(st.integers(0, 14)) if draw(st.booleans()) else 0
    bar = draw(st.integers(0, 15 - off)) if house.game == "short" and draw(st.booleans()) else 0
    highest = 6 if off and house.game == "long" else 24
    places = draw(st.lists(st.integers(1, highest), min_size=15 - off - bar, max_size=15 - off - bar))
    return lost_row({p: places.count(p) for p in places}, off, bar)


def slow_points(row, house):
    """The loser's points in words of the texts, one row, no arrays; the mover has lost."""
    if row[26] >= 1:
        return -1
    behind = row[24] > 0 or any(row[point - 1] > 0 for point in range(19, 25))
    return -house.koks if behind and house.koks else -house.mars


@pytest.mark.parametrize("name", ["minsport", "bkgm", "nardeon", "long"])
@pytest.mark.parametrize(
    ("row", "points"), [(lost_row({6: 14}, off=1), -1), (lost_row({6: 15}), -2), (lost_row({24: 15}), -2)]
)
def test_long_nardy_scores_oin_and_mars_and_no_koks(name, row, points):
    """F10; minsport l19, bkgm l27, nardeon l51-52 and l55, long l77."""
    validate(row, name)
    assert results(row, name) == points
    assert RESULT_NAMES["long"][abs(result_kinds(row, name))] == {-1: "oin", -2: "mars"}[points]


@pytest.mark.parametrize(
    ("row", "points"),
    [
        (lost_row({6: 14}, off=1), -1),
        (lost_row({19: 14}, off=1), -1),
        (lost_row({6: 14}, bar=1), -3),
        (lost_row({18: 15}), -2),
        (lost_row({18: 14, 19: 1}), -3),
        (lost_row({18: 14, 24: 1}), -3),
    ],
)
def test_short_nardy_scores_single_gammon_and_backgammon(row, points):
    """F12; short l32-34. A loser who has borne one off loses a single game wherever his others are."""
    validate(row, "short")
    assert results(row, "short") == points
    assert (
        RESULT_NAMES["short"][abs(result_kinds(row, "short"))]
        == ("single", "gammon", "backgammon")[-points - 1]
    )


@pytest.mark.parametrize(("point", "points"), [(24, -3), (19, -3), (18, -2), (1, -2)])
def test_koks_needs_a_checker_in_the_quarter_of_the_head(point, points):
    """F13; nardeon l55."""
    assert results(lost_row({6: 14, point: 1}), KOKS) == points


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: f"{house.name}-{house.mars}-{house.koks}")
@settings(max_examples=30)
@given(data=st.data())
def test_results_equal_a_slow_twin_from_either_side(house, data):
    rows = np.array(data.draw(st.lists(lost_rows(house), min_size=1, max_size=8)))
    validate(rows, house)
    expected = [slow_points(row, house) for row in rows.tolist()]
    assert results(rows, house).tolist() == expected
    assert results(flip(rows, house), house).tolist() == [-points for points in expected]
    assert finished(rows).all()


@pytest.mark.parametrize("name", variants())
def test_unfinished_rows_have_no_result(name):
    row = starting_row(name)
    assert results(row, name) == 0
    assert not finished(row)


def test_shapes_and_dtypes():
    row = lost_row({6: 15})
    assert results(row).dtype == np.int8 and results(row).shape == ()
    assert results([row, starting_row()]).tolist() == [-2, 0]
    assert results(np.zeros((0, 28), np.int8)).shape == (0,)
    assert finished(np.zeros((0, 28), np.int8)).dtype == bool
    with pytest.raises(InvalidPositionError):
        results(np.zeros(26, np.int8))


def test_points_by_kind_are_the_rules():
    assert points_by_kind("long").tolist() == [0, 1, 2, 2]
    assert points_by_kind("short").tolist() == [0, 1, 2, 3]
    assert points_by_kind(replace(KOKS, mars=1)).tolist() == [0, 1, 1, 3]


def test_the_second_player_answers_the_starters_last_play():
    """F14: he rolls once more if the starter finished first, and both off is a draw; no text has it."""
    rows = np.array([lost_row({6: 2}, off=13), lost_row({6: 2}, off=13), starting_row()])
    assert last_roll_due(rows, LAST_ROLL, [False, True, False]).tolist() == [True, False, False]
    assert not last_roll_due(rows, "long", False).any()
    both_off = lost_row({}, off=15)
    assert not last_roll_due(both_off, LAST_ROLL, True)
    assert not last_roll_due(both_off, LAST_ROLL, False)
    assert finished(both_off) and results(both_off, LAST_ROLL) == 0
    assert RESULT_NAMES["long"][result_kinds(both_off, LAST_ROLL)] == "draw"


def test_no_answer_is_due_by_default_in_any_text():
    assert not any(rules(name).last_roll for name in variants())

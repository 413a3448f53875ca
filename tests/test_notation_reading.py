"""Plays read: what people type, the worked positions, and which of several ways over a point is meant."""

from typing import Any

import numpy as np
import pytest

import narde
from cases import Entry, final_of, row_of, settings
from narde import AmbiguousPlayError, IllegalPlayError, NotationError, Rules, parse_play, reference
from narde.errors import InvalidDiceError, InvalidPositionError
from positions import Dice, Row
from positions import row_of as row_on

LONG = tuple(narde.starting_row("long").tolist())
SHORT = tuple(narde.starting_row("short").tolist())
BLOTS = row_on([25, 24, 24, *[13] * 4, *[8] * 3, *[6] * 5], [22, 20, 18, 16, 7, 4, *[12] * 4, 1, 1])
HOME = row_on([6, 6, 5, 3], [24] * 15)
SETTINGS = list(settings())
NO_POSITIONS = {"C25", "D16"}
"""Worked positions of the generators alone: some checkers are off while others are not home."""

SPELLED: list[tuple[Row, str, Dice, str, list[str]]] = [
    (
        LONG,
        "long",
        (6, 5),
        "24/13",
        ["24/18/13", "24/19/13", "24/18 18/13", "19/13 24/19", "24-13", "24 - 18 - 13"],
    ),
    (
        LONG,
        "long",
        (6, 5),
        "24/13",
        ["65: 24/13", "6-5: 24/13", "56:24/13", " 24/13\n", "24 13", "24 18 18 13"],
    ),
    (LONG, "long", (6, 6), "24/18(2)", ["24/18 24/18", "24/18,24/18", "24/18x2", "24/18 ×2", "24/18 ( 2 )"]),
    (
        SHORT,
        "short",
        (3, 1),
        "8/5 6/5",
        ["6/5 8/5", "6/5, 8/5", "8-5;6-5", "8 5 6 5", "08/05 06/05", "8−5 6−5"],
    ),
    (
        SHORT,
        "short",
        (6, 6),
        "24/18(2) 13/7(2)",
        ["13/7(2) 24/18(2)", "13/7 24/18 13/7 24/18", "13/7X2 24/18(2)"],
    ),
    (
        SHORT,
        "short",
        (4, 4),
        "24/16(2)",
        ["24/20/16(2)", "24/20(2) 20/16(2)", "20/16 24/20 24/16", "24–16 (2)"],
    ),
    (
        SHORT,
        "short",
        (4, 4),
        "13/5 13/9(2)",
        ["13/9(3) 9/5", "9/5 13/9x3", "13/9 13/9 13/9/5", "13/9(1) 13/9 13/5"],
    ),
    (
        BLOTS,
        "short",
        (6, 3),
        "bar/22*/16*",
        ["BAR/22/16", "25/22*/16", "b/22 22/16*", "bar-22-16", "Bar 22 22 16"],
    ),
    (BLOTS, "short", (5, 3), "bar/22* 13/8", ["13/8 bar/22", "13/8, bar/22*", "25-22* 13-8", "13/8 b/22 *"]),
    (
        BLOTS,
        "short",
        (4, 4),
        "bar/21 24/20*(2) 8/4*",
        ["8/4 24/20(2) b/21", "b/21 24/20(2)* 8/4", "8/4* 24/20*x2 25/21"],
    ),
    (
        HOME,
        "short",
        (6, 5),
        "6/off 5/off",
        ["5/off 6/off", "6/0 5/0", "6/o 5/OFF", "6-off, 5-off", "6 off 5 off"],
    ),
    (HOME, "short", (6, 6), "6/off(2) 5/off 3/off", ["3/off 5/off 6/off x2", "6/off 6/off 5/off 3/off"]),
    (HOME, "long", (3, 2), "5/off", ["5/3/off", "5/2/off", "5/3 3/off", "2/off 5/2"]),
]


@pytest.mark.parametrize("row, rules, dice, canonical, typed", SPELLED)
def test_what_people_type_is_read(row: Row, rules: str, dice: Dice, canonical: str, typed: list[str]) -> None:
    expected = parse_play(canonical, row, dice, rules)
    assert expected.notation == canonical
    for text in typed:
        play = parse_play(text, row, dice, rules)
        assert play.notation == canonical, text
        assert play.afterstate.tolist() == expected.afterstate.tolist(), text


@pytest.mark.parametrize(
    "text", ["", " ", "pass", "Pass", "(pass)", "Cannot  move", "no move", "54:", "4-5: Cannot Move"]
)
def test_a_forced_pass_is_read(text: str) -> None:
    row = row_on([25, *[6] * 14], [point for point in range(19, 25) for _ in range(2)])
    play = parse_play(text, row, (5, 4), "short")
    assert (play.notation, play.moves) == ("pass", ())
    assert play.afterstate.tolist() == narde.flip(row, "short").tolist()


@pytest.fixture(params=SETTINGS, ids=[name for name, _, _ in SETTINGS])
def setting(request: pytest.FixtureRequest) -> tuple[Entry, Rules]:
    return request.param[1:]


def test_plays_of_the_worked_positions_are_read(setting: tuple[Entry, Rules]) -> None:
    """The texts lead to the positions that are listed."""
    entry, rules = setting
    if entry["id"] in NO_POSITIONS:
        return
    row, expected = row_of(entry["position"]), entry["expected"]
    texts = expected.get("plays", [])
    read = {tuple(parse_play(text, row, entry["dice"], rules).afterstate.tolist()) for text in texts}
    finals = {reference.flip(final_of(entry, final), rules) for final in expected.get("finals", [])}
    assert read == finals
    for final in expected.get("contains", []):
        play = parse_play(final["play"], row, entry["dice"], rules)
        assert tuple(play.afterstate.tolist()) == reference.flip(final_of(entry, final), rules)


@pytest.mark.parametrize("name", sorted(NO_POSITIONS))
def test_worked_rows_that_are_no_positions_are_refused(name: str) -> None:
    entry, rules = next((entry, rules) for _, entry, rules in SETTINGS if entry["id"] == name)
    with pytest.raises(InvalidPositionError, match="off while others are not in his home"):
        parse_play("pass", row_of(entry["position"]), entry["dice"], rules)


def test_excluded_plays_of_the_worked_positions_are_refused(setting: tuple[Entry, Rules]) -> None:
    entry, rules = setting
    excluded = [final["play"] for final in entry["expected"].get("excludes", [])]
    for text in [*excluded, *entry["expected"].get("excludes_plays", [])]:
        with pytest.raises(IllegalPlayError):
            parse_play(text, row_of(entry["position"]), entry["dice"], rules)


def test_a_play_knows_its_moves_in_an_order_that_can_be_played() -> None:
    assert parse_play("24/13", LONG, (5, 6)).moves == ((24, 18), (18, 13))
    assert parse_play("18/13 24/18", LONG, (5, 6)).moves == ((24, 18), (18, 13))
    assert parse_play("24/19/13", LONG, (5, 6)).moves == ((24, 19), (19, 13))
    assert parse_play("13/8 bar/22*", BLOTS, (5, 3), "short").moves == ((25, 22), (13, 8))
    afterstate = parse_play("24/13", LONG, (5, 6)).afterstate
    assert (afterstate.dtype, afterstate.shape) == (np.int8, (28,))


def test_a_checker_borne_off_by_both_dice_uses_both() -> None:
    """2/off is one move of 2 or, over the 1 point, two moves; alone it must be the two."""
    row = row_on([2, 1], [24] * 15)
    assert parse_play("2/off", row, (2, 1), "long").moves == ((2, 1), (1, 0))
    assert parse_play("2/off 1/off", row, (2, 1), "long").moves == ((2, 0), (1, 0))


def test_the_last_checker_goes_off_by_one_die_or_two() -> None:
    row = row_on([6], [24] * 15)
    assert {parse_play(text, row, (6, 5), "short").notation for text in ["6/off", "6/1/off"]} == {"6/off"}


# ---- hits on the way ---------------------------------------------------------------------------------------

ONE_BLOT = row_on([20, *[6] * 14], [17, *[24] * 14])
TWO_BLOTS = row_on([20, *[6] * 14], [17, 15, *[24] * 13])
CLOSED_AND_BLOT = row_on([20, *[6] * 14], [17, 15, 15, *[24] * 12])


@pytest.mark.parametrize(
    "row, text, notation",
    [
        (ONE_BLOT, "20/12", "20/12"),
        (ONE_BLOT, "20/15/12", "20/12"),
        (ONE_BLOT, "20/17*/12", "20/17*/12"),
        (ONE_BLOT, "20/17/12", "20/17*/12"),
        (ONE_BLOT, "17/12 20/17", "20/17*/12"),
        (TWO_BLOTS, "20/17/12", "20/17*/12"),
        (TWO_BLOTS, "20/15/12", "20/15*/12"),
        (CLOSED_AND_BLOT, "20/12", "20/17*/12"),
        (CLOSED_AND_BLOT, "20/17*/12", "20/17*/12"),
    ],
)
def test_a_point_left_out_is_one_without_a_hit_if_that_can_be(row: Row, text: str, notation: str) -> None:
    assert parse_play(text, row, (5, 3), "short").notation == notation


def test_a_play_that_may_hit_here_or_there_is_ambiguous() -> None:
    with pytest.raises(
        AmbiguousPlayError, match=r"20/15\*/12 or 20/17\*/12\? Name the point between\n  position nas"
    ):
        parse_play("20/12", TWO_BLOTS, (5, 3), "short")


@pytest.mark.parametrize(
    "row, rules, text, point",
    [
        (ONE_BLOT, "short", "20/12*", "12"),
        (ONE_BLOT, "short", "20/15*/12", "15"),
        (LONG, "long", "24/16*", "16"),
    ],
)
def test_a_hit_that_is_none_is_refused(row: Row, rules: str, text: str, point: str) -> None:
    with pytest.raises(IllegalPlayError, match=f"no opposing checker is hit on {point}\n"):
        parse_play(text, row, (5, 3), rules)


# ---- what is no question at all ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", [None, 24, b"24/13", ["24/13"], float("nan")])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(NotationError, match="a play is text, not"):
        parse_play(text, LONG, (6, 5))


@pytest.mark.parametrize(
    "text, piece, reason",
    [
        ("24//13", "24//13", "write 24/18"),
        ("24/18 18", "18", "write 24/18"),
        ("24", "24", "write 24/18"),
        ("24/18 foo", "foo", "write 24/18"),
        ("24*/18", "24*/18", "write 24/18"),
        ("24/18(5)", "24/18(5)", "write 24/18"),
        ("24/18(0)", "24/18(0)", "write 24/18"),
        ("124/18", "124/18", "write 24/18"),
        ("24/1８", "24/1８", "write 24/18"),
        ("24/18(2", "24/18(2", "write 24/18"),
        ("26/20", "26/20", "the points are 1 to 24"),
        ("off/6", "off/6", "does not move on"),
        ("6/off/3", "6/off/3", "does not move on"),
        ("6/bar", "6/bar", "only a checker that is hit"),
        ("24/18/25", "24/18/25", "only a checker that is hit"),
    ],
)
def test_text_that_is_no_play_is_refused_with_the_piece(text: str, piece: str, reason: str) -> None:
    with pytest.raises(NotationError) as raised:
        parse_play(text, LONG, (6, 5))
    assert str(raised.value).startswith(f"{piece!r} in {text!r} is no move: ")
    assert reason in str(raised.value)


def test_long_text_and_other_rolls_are_refused() -> None:
    with pytest.raises(NotationError, match="has 101 characters"):
        parse_play("24/13" + " " * 96, LONG, (6, 5))
    assert parse_play("24/13" + " " * 95, LONG, (6, 5)).notation == "24/13"
    with pytest.raises(NotationError, match="for another roll: the dice are 6-5"):
        parse_play("64: 24/14", LONG, (5, 6))


def test_bad_rows_and_dice_are_refused_before_the_text() -> None:
    with pytest.raises(InvalidPositionError, match="one row"):
        parse_play("24/13", [LONG, LONG], (6, 5))
    with pytest.raises(InvalidPositionError, match="16 checkers"):
        parse_play("24/13", [*LONG[:23], 16, 0, 0, 0, 0], (6, 5))
    with pytest.raises(InvalidDiceError, match="one roll"):
        parse_play("24/13", LONG, [(6, 5)])
    with pytest.raises(InvalidDiceError, match="1 to 6"):
        parse_play("24/13", LONG, (0, 5))

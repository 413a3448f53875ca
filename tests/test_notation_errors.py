"""Plays refused: the reason in the words of the rules, the nearest legal plays, and no other exception."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import narde
from narde import IllegalPlayError, NardeError, Rules, parse_play
from narde.ids import describe_row
from positions import Dice, Row, row_of, turns

LONG, SHORT = narde.rules("long"), narde.rules("short")
STRICT = replace(LONG, name="never", prime_rule="never")
AT_THE_END = replace(LONG, name="end", prime_check="end_of_turn")
TWO = replace(LONG, name="two", head_per_turn=2, head_exception="none")

START = tuple(narde.starting_row("long").tolist())
SHORT_START = tuple(narde.starting_row("short").tolist())
WALL = row_of([24, *[19] * 9, 18, 17, 16, 15, 9], [12] * 15)
WALL_WITH_ONE_PAST = row_of([24, *[19] * 9, 18, 17, 16, 15, 9], [*[12] * 14, 13])
ON_BAR = row_of([25, *[13] * 5, *[6] * 9], [21, 21, 22, 23, *[1] * 5])
HOME = row_of([6, 4, 4, 2], [24] * 15)
OUTSIDE = row_of([9, *[4] * 14], [*[24] * 15])
SHUT = row_of([25, *[6] * 14], [point for point in range(19, 25) for _ in range(2)])
BOTH_CLOSED = row_of([*[24] * 14, 14], [*[12] * 13, 18, 19])
ONE_DIE = row_of([20, *[1] * 14], [12] * 15)

ONE_HEAD = "only one checker may leave the head in this turn"
ENTER = "a checker on the bar must enter first"
NOT_HOME = "no checker may be borne off while one is on {}, not in the home board"
NO_BEHIND = "only if no checker is behind it, and one is on 6"
WALLED = "six points in a row may not be held with no opposing checker ahead of them: 20, 19, 18, 17, 16, 15"
NO_WALL = "six points in a row may not be held: 20, 19, 18, 17, 16, 15"
BACKWARDS = "18/24 goes backwards: checkers move from higher points to lower ones"

REFUSED: list[tuple[Row, Rules, Dice, str, str]] = [
    (START, LONG, (6, 5), "24/18 24/19", ONE_HEAD),
    (START, TWO, (1, 1), "24/23(3)", "only 2 checkers may leave the head in this turn"),
    (START, TWO, (2, 1), "24/22 24/23 24/22", "3 moves are more than 2-1 gives"),
    (START, LONG, (6, 6), "24/18(4) 18/12", "5 moves are more than 6-6 gives"),
    (START, LONG, (4, 4), "24/20(2) 20/16", "it makes 3 of the 4 moves that can be made"),
    (START, LONG, (6, 5), "24/14", "24/14 is 10 pips, which 6-5 does not make"),
    (START, LONG, (6, 5), "24/23", "24/23 is 1 pip, which 6-5 does not make"),
    (START, LONG, (6, 5), "24/13(2)", "24/13 is 11 pips, and no die is left"),
    (START, LONG, (6, 5), "24/18 24/18", "24/18 is 6 pips, and only 5 is left"),
    (START, LONG, (6, 5), "24/18", "it uses one die where both can be played"),
    (START, LONG, (6, 5), "pass", "a pass is allowed only when no die can be played"),
    (START, LONG, (6, 5), "18/24", BACKWARDS),
    (START, LONG, (6, 5), "14/8", "no checker on 14"),
    (START, LONG, (6, 5), "24/18 14/9", "no checker on 14"),
    (START, LONG, (6, 5), "bar/19", "no checker on the bar"),
    (START, LONG, (6, 5), "6/off", "no checker on 6"),
    (START, LONG, (6, 6), "24/12", "point 12 is closed"),
    (SHORT_START, SHORT, (5, 5), "24/19", "point 19 is closed"),
    (SHORT_START, SHORT, (6, 5), "24/13 13/8", "13/8 is 5 pips, and no die is left"),
    (SHORT_START, SHORT, (5, 5), "13/8(3)", "it makes 3 of the 4 moves that can be made"),
    (BOTH_CLOSED, LONG, (6, 5), "24/13", "point 18 is closed; point 19 is closed"),
    (ON_BAR, SHORT, (3, 2), "13/8", ENTER),
    (ON_BAR, SHORT, (4, 2), "bar/21", "point 21 is closed"),
    (ON_BAR, SHORT, (4, 2), "bar/23 13/9 6/4", "3 moves are more than 4-2 gives"),
    (
        ON_BAR,
        SHORT,
        (6, 3),
        "bar/22 6/off",
        NOT_HOME.format(22),
    ),
    (OUTSIDE, LONG, (4, 1), "4/off", NOT_HOME.format(9)),
    (HOME, LONG, (5, 1), "2/1 4/off", f"a 5 bears off from 4 {NO_BEHIND}"),
    (HOME, LONG, (5, 1), "4/off", f"a 5 bears off from 4 {NO_BEHIND}; a 5 bears off from 3 {NO_BEHIND}"),
    (WALL, LONG, (4, 1), "24/20", WALLED),
    (WALL, LONG, (4, 1), "24/20 20/19", WALLED),
    (WALL, AT_THE_END, (4, 1), "24/20 9/8", WALLED),
    (WALL_WITH_ONE_PAST, STRICT, (4, 1), "24/20 9/8", NO_WALL),
    (ONE_DIE, LONG, (5, 3), "20/17", "only one die can be played, and it must be the higher, 5"),
    (ONE_DIE, LONG, (5, 3), "20/12", "point 12 is closed"),
    (SHUT, SHORT, (6, 1), "bar/24", "point 24 is closed"),
    (SHUT, SHORT, (6, 1), "6/5", ENTER),
]


@pytest.mark.parametrize("row, rules, dice, text, reason", REFUSED)
def test_a_refusal_gives_the_reason(row: Row, rules: Rules, dice: Dice, text: str, reason: str) -> None:
    with pytest.raises(IllegalPlayError) as raised:
        parse_play(text, row, dice, rules)
    refusal, question, plays = str(raised.value).splitlines()
    assert refusal == f"{text!r} is illegal: {reason}"
    assert (
        question == f"  position {describe_row(row, rules)}, dice {dice[0]}-{dice[1]}, rules {rules.name!r}"
    )
    legal = narde.format_plays(row, dice, narde.afterstates(row, dice, rules).positions, rules)
    named, listed = plays.split(": ")
    assert set(listed.split(", ")) <= set(legal)
    assert len(listed.split(", ")) == min(len(legal), 5)
    several = f"  the nearest of {len(legal)} legal plays"
    assert named == (several if len(legal) > 1 else "  the only legal play")


@pytest.mark.parametrize(
    "dice, text, nearest",
    [
        ((3, 1), "8/5*, 6/5", "8/5 6/5"),
        ((3, 1), "23/20", "24/20"),
        ((3, 1), "8/5 7/6", "24/23 8/5"),
        ((6, 6), "24/12(2)", "24/18(2) 13/7(2)"),
        ((6, 6), "24/18(2) 13/7", "24/18(2) 13/7(2)"),
        ((5, 2), "13/8 24/21", "24/22 13/8"),
        ((6, 4), "24/14 13/9", "24/18 13/9"),
    ],
)
def test_the_nearest_legal_play_comes_first(dice: Dice, text: str, nearest: str) -> None:
    with pytest.raises(IllegalPlayError, match="legal plays: ") as raised:
        parse_play(text, SHORT_START, dice, SHORT)
    assert str(raised.value).split("legal plays: ")[1].split(", ")[0] == nearest


# ---- anything at all ---------------------------------------------------------------------------------------

POINTS = st.sampled_from(["bar", "b", "25", "off", "o", "0", *map(str, range(1, 25))])
PIECES = st.builds(
    lambda points, star, count: "/".join(points) + star + count,
    st.lists(POINTS, min_size=1, max_size=4),
    st.sampled_from(["", "*"]),
    st.sampled_from(["", "", "(2)", "x3", "(4)"]),
)
TEXTS = st.one_of(
    st.text(max_size=120),
    st.text("0123456789/-*(),;:x bofarps", max_size=40),
    st.lists(PIECES, max_size=5).map(" ".join),
)


@given(turns(), TEXTS)
@example((START, (1, 1), LONG), "24/23x4 " * 12)
@example((START, (1, 1), LONG), "1/off " * 16)
@example((SHORT_START, (2, 1), SHORT), "\ud800/٣ ²/1")
def test_any_text_is_a_legal_play_or_an_error_of_ours(turn: tuple[Row, Dice, Rules], text: str) -> None:
    row, dice, rules = turn
    try:
        play = parse_play(text, row, dice, rules)
    except NardeError as error:
        assert len(str(error)) < 1500
        return
    assert play.notation in narde.format_plays(row, dice, [play.afterstate], rules)
    again = parse_play(play.notation, row, dice, rules)
    assert again.afterstate.tobytes() == play.afterstate.tobytes()

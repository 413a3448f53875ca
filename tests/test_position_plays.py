"""`Plays`: the legal plays of a position, against the reference; how one is chosen; what is refused."""

import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings

import narde
from narde import (
    AmbiguousPlayError,
    IllegalPlayError,
    InvalidArgumentError,
    InvalidDiceError,
    NardeError,
    NotationError,
    Plays,
    Position,
    reference,
)
from positions import row_of, turns

START = Position.start()
SHORT = Position.start("short")
AFTER = row_of([24] * 14 + [13], [12] * 15)
"""The start after 24/13, still seen by the mover."""


# ---- against the reference ---------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(turns())
def test_plays_are_those_of_the_reference(turn) -> None:
    row, dice, rules = turn
    expected = reference.plays(row, dice, rules)
    plays = Position(row, rules).plays(*dice)
    assert [tuple(after) for after in plays.afterstates.tolist()] == list(expected)
    assert len(plays) == len(list(plays)) == len(plays.moves) == len(expected)
    for play, after in zip(plays, expected, strict=True):
        assert tuple(play.afterstate.tolist()) == after
        assert narde.format_play(row, play.moves, rules) == play.notation
    assert plays.is_pass is (list(expected) == [reference.flip(row, rules)])
    assert plays.notation == [play.notation for play in plays]


@settings(deadline=None, max_examples=40)
@given(turns())
def test_every_way_to_name_a_play_finds_it(turn) -> None:
    row, dice, rules = turn
    position = Position(row, rules)
    plays = position.plays(*dice)
    for i in random.Random(1).sample(range(len(plays)), min(3, len(plays))):
        after = Position(plays.afterstates[i], rules)
        for choice in (i, np.int64(i), plays.notation[i], plays[i], after, after.row, after.row.tolist()):
            assert plays.index(choice) == i
            assert choice in plays
            assert position.play(choice, dice) == after
        assert plays.index(i - len(plays)) == i


@settings(deadline=None, max_examples=40)
@given(turns())
def test_no_row_but_an_afterstate_is_in(turn) -> None:
    row, dice, rules = turn
    plays = Position(row, rules).plays(*dice)
    expected = set(map(tuple, narde.afterstates(row, dice, rules).positions.tolist()))
    for other in (row, reference.flip(row, rules), *list(expected)[:2]):
        assert (other in plays) is (other in expected)


@pytest.mark.parametrize("rules", narde.variants())
def test_a_game_is_played_position_by_position(rules: str) -> None:
    rng = random.Random(7)
    position, row = Position.start(rules), tuple(narde.starting_row(rules).tolist())
    for _ in range(40):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        afterstates = reference.afterstates(row, dice, rules)
        chosen = rng.randrange(len(afterstates))
        position, row = position.play(position.plays(*dice).notation[chosen], *dice), afterstates[chosen]
        assert position == Position(row, rules)


# ---- a value -----------------------------------------------------------------------------------------------


def test_dice_are_given_in_any_form() -> None:
    same = [SHORT.plays(3, 1), SHORT.plays(1, 3), SHORT.plays((1, 3)), SHORT.plays("31"), SHORT.plays("3-1")]
    same += [SHORT.plays(np.array([3, 1], np.int8)), SHORT.plays(*np.array([3, 1]))]
    assert same == [same[0]] * len(same)
    assert {plays.dice for plays in same} == {(3, 1)}
    after = SHORT.play("8/5 6/5", 3, 1)
    assert (
        SHORT.play("8/5 6/5", (1, 3))
        == SHORT.play("8/5 6/5", "31")
        == SHORT.play("31: 8/5 6/5", 3, 1)
        == after
    )


def test_plays_are_a_value() -> None:
    plays = SHORT.plays(3, 1)
    assert plays == SHORT.plays(3, 1)
    assert len({plays, SHORT.plays(3, 1), SHORT.plays(3, 2), START.plays(3, 1)}) == 3
    assert plays.afterstates is plays.afterstates
    assert not plays.afterstates.flags.writeable and not plays.moves.flags.writeable
    plays.notation.clear()
    assert len(plays.notation) == 16
    again = pickle.loads(pickle.dumps(plays))
    assert again == plays and not again.afterstates.flags.writeable
    assert (
        [str(play) for play in plays]
        == plays.notation
        == [play.notation for play in reversed(list(plays))][::-1]
    )


def test_items_are_counted_from_either_end() -> None:
    plays = SHORT.plays(3, 1)
    assert [plays[i].notation for i in (0, 15, -1, -16)] == [
        "24/23 24/21",
        *[plays.notation[15]] * 2,
        "24/23 24/21",
    ]
    assert random.Random(1).choice(plays).notation in plays.notation
    for i in (16, -17):
        with pytest.raises(IndexError, match=f"play {i} of 16"):
            plays[i]
    with pytest.raises(InvalidArgumentError, match="no index of a play"):
        plays["24/23 24/21"]  # type: ignore[index]


def test_repr_lists_the_first_plays() -> None:
    assert (
        repr(START.plays(6, 5)) == "<narde.Position.from_id('nal22225zzw22225zzw7') with 6-5, 1 play: 24/13>"
    )
    assert repr(SHORT.plays(3, 1)).endswith(
        "16 plays: 24/23 24/21, 24/20, 24/21 8/7, 24/21 6/5, 24/23 13/10, 13/9, ...>"
    )


def test_a_pass_is_a_play() -> None:
    shut = Position(row_of([25] * 15, [24, 24, 23, 23, 22, 22, 21, 21, 20, 20, 19, 19, 1, 1, 1]), "short")
    plays = shut.plays(4, 2)
    assert plays.is_pass and plays.notation == ["pass"] and plays[0].moves == ()
    assert shut.play("pass", 4, 2) == shut.flip()
    assert not START.plays(6, 5).is_pass
    with pytest.raises(IllegalPlayError, match="a pass is allowed only when no die can be played"):
        START.play("pass", 6, 5)


def test_the_last_roll_is_played_on() -> None:
    """A position that is over still has plays: under `last_roll` the second player answers."""
    last = Position(row_of([2, 1], []), narde.Rules(last_roll=True))
    assert last.is_over
    drawn = last.play("2/off 1/off", 2, 1)
    assert (drawn.result, drawn.result_name) == (0, "draw")


# ---- what is refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("24/12", "24/12 is 12 pips"),
        ("pass", "a pass is allowed only"),
        (1, "there is no play 1\n"),
        (-2, "there is no play -2\n"),
        (START, "no legal play leads to nal22225zzw22225zzw7\n"),
        (AFTER, "no legal play leads to nal"),
        ([0] * 28, r"no legal play leads to \[0, 0"),
        (Position.start("minsport"), "by other rules"),
        (SHORT.plays(3, 1)[0], r"no legal play leads to"),
        (True, "a bool tells no play"),
        (None, "a NoneType tells no play"),
        ({}, "a dict tells no play"),
        ([1, 2], "a list tells no play"),
        (b"24/13", "a bytes tells no play"),
        ([AFTER], "a list tells no play: pass notation, a Play, an afterstate"),
        (float("nan"), "a float tells no play"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_legal_play(choice: object, reason: str) -> None:
    plays = START.plays(6, 5)
    assert choice not in plays
    for refused in (lambda: plays.index(choice), lambda: START.play(choice, 6, 5)):  # type: ignore[arg-type]
        with pytest.raises(IllegalPlayError, match=reason) as caught:
            refused()
        assert "position nal22225zzw22225zzw7, dice 6-5, rules 'long'" in str(caught.value)
        assert "24/13" in str(caught.value)


def test_text_that_is_no_play_or_several() -> None:
    assert "hello" not in START.plays(6, 5)
    with pytest.raises(NotationError, match="is no move"):
        START.play("hello", 6, 5)
    blots = Position(row_of([10], [9, 7, 1, 1]), "short")
    assert "10/6" not in blots.plays(3, 1)
    with pytest.raises(AmbiguousPlayError, match="is ambiguous"):
        blots.play("10/6", 3, 1)


@pytest.mark.parametrize(
    "dice", [(), (6,), (6, 5, 4), (0, 1), (7, 1), (1.0, 2), ("6", "5"), ("67",), (None,), ((6, 5), 4)]
)
def test_dice_that_are_none(dice: tuple[object, ...]) -> None:
    for call in (lambda: START.plays(*dice), lambda: START.play("24/13", *dice)):
        with pytest.raises(InvalidDiceError, match=r"\n  position nal22225zzw22225zzw7$"):
            call()


def test_plays_with_bad_dice_are_found_out() -> None:
    with pytest.raises(NardeError):
        len(Plays(START, (9, 9)))

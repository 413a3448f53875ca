"""Plays written: one spelling an afterstate, in the field's form, whatever the order of the moves."""

from itertools import islice, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from narde import Rules, format_play, format_plays, reference
from narde.errors import IllegalPlayError, InvalidArgumentError, InvalidDiceError, InvalidPositionError
from narde.notation.writing import blots_of, spell
from positions import HOUSE_RULES, SHORT, Dice, Row, made_turns, row_of

START = tuple(narde.starting_row("short").tolist())
BLOTS = row_of([25, 24, 24, *[13] * 4, *[8] * 3, *[6] * 5], [22, 20, 18, 16, 7, 4, *[12] * 4, 1, 1])
HOME = row_of([6, 6, 5, 5, 3, 3], [24] * 15)

WRITTEN = [
    ("24/18 13/8", START, [(24, 18), (13, 8)]),
    ("24/13", START, [(24, 18), (18, 13)]),
    ("13/11 13/8", START, [(13, 8), (13, 11)]),
    ("24/18(2) 13/7(2)", START, [(13, 7), (24, 18), (13, 7), (24, 18)]),
    ("24/16(2)", START, [(24, 20), (20, 16), (24, 20), (20, 16)]),
    ("13/5 13/9(2)", START, [(13, 9), (13, 9), (13, 9), (9, 5)]),
    ("8/4(2) 6/2(2)", START, [(8, 4), (6, 2), (8, 4), (6, 2)]),
    ("13/11 6/4(3)", START, [(6, 4), (6, 4), (6, 4), (13, 11)]),
    ("pass", START, []),
    ("bar/22* 13/8", BLOTS, [(13, 8), (25, 22)]),
    ("bar/22*/16*", BLOTS, [(25, 22), (22, 16)]),
    ("bar/22*/21", BLOTS, [(25, 22), (22, 21)]),
    ("bar/15", BLOTS, [(25, 21), (21, 15)]),
    ("bar/21 13/7*", BLOTS, [(25, 21), (13, 7)]),
    ("bar/22* 24/18* 8/4*", BLOTS, [(25, 22), (24, 18), (8, 4)]),
    ("bar/21 24/20*(2)", BLOTS, [(24, 20), (25, 21), (24, 20)]),
    ("24/20*/16* 24/20", BLOTS, [(24, 20), (24, 20), (20, 16)]),
    ("24/20*/16*(2)", BLOTS, [(24, 20), (24, 20), (20, 16), (20, 16)]),
    ("6/off(2)", HOME, [(6, 0), (6, 0)]),
    ("6/off 5/off", HOME, [(5, 0), (6, 0)]),
    ("6/1 6/off", HOME, [(6, 1), (6, 0)]),
    ("5/off", HOME, [(5, 2), (2, 0)]),
    ("7/1*/off", row_of([7, 6, 6], [1, *[24] * 14]), [(7, 1), (1, 0)]),
]


@pytest.mark.parametrize("text, row, moves", WRITTEN, ids=[text for text, _, _ in WRITTEN])
def test_plays_are_written_as_the_field_does(text: str, row: Row, moves: list[tuple[int, int]]) -> None:
    assert {format_play(row, order, "short") for order in permutations(moves)} == {text}


def test_plays_are_written_as_gnu_backgammon_does() -> None:
    lines = (Path(__file__).parent / "gnubg_plays.txt").read_text(encoding="utf-8").splitlines()
    compared = 0
    for position, texts in (line.split(": ") for line in lines if not line.startswith("#")):
        setup = narde.parse(position)
        assert setup.dice is not None
        positions = narde.afterstates(setup.row, setup.dice, "short").positions
        written = format_plays(setup.row, setup.dice, positions, "short")
        assert sorted(written) == sorted(texts.split(", ")), position
        compared += len(written)
    assert compared > 2000


def test_moves_may_come_as_the_core_gives_them() -> None:
    row = narde.starting_row("short")
    out = narde.afterstates(row, (3, 1), "short", moves=True)
    assert out.moves is not None
    texts = [format_play(row, moves, "short") for moves in out.moves]
    assert texts == format_plays(row, (1, 3), out.positions, "short")
    assert texts[:4] == ["24/23 24/21", "24/20", "24/21 8/7", "24/21 6/5"]


def test_a_pass_is_written_as_a_word() -> None:
    shut_out = row_of([25, *[6] * 14], [point for point in range(19, 25) for _ in range(2)])
    (afterstate,) = narde.afterstates(shut_out, (6, 5), "short").positions
    assert format_plays(shut_out, (6, 5), [afterstate], "short") == ["pass"]
    assert format_play(shut_out, np.full((4, 2), -1), "short") == "pass"


def turns(rules: Rules, seed: int, number: int) -> list[tuple[Row, Dice]]:
    return list(islice(made_turns(rules.game, seed), number))


def test_a_last_checker_that_hits_on_its_way_off() -> None:
    """The shorter way, off by the higher die, hits nobody and is another play."""
    row = row_of([5], [1, *[24] * 14])
    positions = narde.afterstates(row, (6, 4), "short").positions
    assert format_plays(row, (6, 4), positions, "short") == ["5/1*/off"]


@pytest.mark.parametrize("rules", [narde.rules("long"), SHORT], ids=lambda rules: rules.name)
def test_each_afterstate_has_one_spelling(rules: Rules) -> None:
    """Whichever of all its sequences of moves is written; and no two afterstates share it."""
    for row, dice in turns(rules, 11, 30):
        plays = reference.plays(row, dice, rules)
        blots = blots_of(np.array(row), rules)
        spelled = [{spell(moves, blots) for moves in sequences} for sequences in plays.values()]
        assert all(len(texts) == 1 for texts in spelled), (row, dice)
        texts = [text for (text,) in spelled]
        assert len(set(texts)) == len(texts), (row, dice)
        assert format_plays(row, dice, list(plays), rules) == texts, (row, dice)


@pytest.mark.long
def test_each_afterstate_has_one_spelling_under_any_rules() -> None:
    for seed, rules in enumerate([*HOUSE_RULES, SHORT]):
        for row, dice in turns(rules, 500 + seed, 25):
            plays = reference.plays(row, dice, rules)
            blots = blots_of(np.array(row), rules)
            texts = [{spell(moves, blots) for moves in sequences} for sequences in plays.values()]
            assert [{text} for text in format_plays(row, dice, list(plays), rules)] == texts, (
                row,
                dice,
                rules,
            )
            assert len(set.union(*texts)) == len(texts), (row, dice, rules)


@pytest.mark.parametrize(
    "moves, reason",
    [
        ([(23, 20)], "no checker on 23"),
        ([(25, 20)], "no checker on the bar"),
        ([(24, 12)], "point 12 is closed"),
        ([(24, 23), (24, 22), (24, 21)], "no checker on 24"),
    ],
)
def test_moves_that_cannot_be_made_are_not_written(moves: list[tuple[int, int]], reason: str) -> None:
    with pytest.raises(IllegalPlayError, match=f"{reason}\n  position nas"):
        format_play(START, moves, "short")


@pytest.mark.parametrize(
    "moves",
    [
        [(24, 18, 12)],
        [24, 18],
        [(24, 18)] * 5,
        [(24.0, 18.0)],
        [("24", "18")],
        [(24, 18), (13,)],
        [(18, 24)],
        [(24, 24)],
        [(26, 20)],
        [(6, -1)],
        [(10**30, 6)],
        None,
        "24/18",
        {24: 18},
    ],
)
def test_what_is_no_list_of_moves_is_refused(moves: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="move"):
        format_play(START, moves, "short")


def test_an_afterstate_of_another_roll_is_named() -> None:
    row = narde.starting_row()
    after = narde.afterstates(row, [(6, 5), (2, 1)]).positions
    with pytest.raises(IllegalPlayError, match=r"afterstate 1 is none of the 1 to which .*\n.*dice 6-5"):
        format_plays(row, (5, 6), after)
    assert format_plays(row, (6, 5), np.empty((0, 28), np.int8)) == []
    assert format_plays(row, (6, 5), after[0]) == ["24/13"]


def test_bad_rows_and_dice_are_refused() -> None:
    row = narde.starting_row()
    with pytest.raises(InvalidPositionError, match="one row"):
        format_play([row, row], [(24, 18)])
    with pytest.raises(InvalidPositionError, match="16 checkers"):
        format_play([*row[:23], 16, 0, 0, 0, 0], [(24, 18)])
    with pytest.raises(InvalidPositionError, match="16 checkers"):
        format_plays([*row[:23], 16, 0, 0, 0, 0], (6, 5), [row])
    with pytest.raises(InvalidDiceError, match="one roll"):
        format_plays(row, [(6, 5), (2, 1)], [row])
    with pytest.raises(InvalidDiceError, match="1 to 6"):
        format_plays(row, (7, 5), [row])

"""The core against the reference: the same afterstates, in order, counted, and reached by legal plays."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

import brute
import narde
from comparing import differences, rules_for
from generators import core_afterstates, core_plays
from positions import Turn, made_turns, played_turns, turns

TURNS_OF_VARIANT = {"minsport": 60, "bkgm": 120, "nardeon": 60, "long": 240, "short": 240}
"""How many turns of whole games are compared; three of the texts have the same rules for plays."""


def cheaper(turns_: Iterator[Turn], doubles: int) -> Iterator[Turn]:
    """The same turns with only one in `doubles` of the doubles, which cost the reference thirty times as
    much."""
    seen = 0
    for row, dice in turns_:
        seen += dice[0] == dice[1]
        if dice[0] != dice[1] or seen % doubles == 1:
            yield row, dice


@settings(max_examples=150, deadline=None)
@given(turn=turns())
def test_core_equals_reference(turn) -> None:
    row, dice, rules = turn
    assert differences(row, dice, rules) == []


@pytest.mark.parametrize("game", ["long", "short"])
def test_core_equals_reference_on_made_rows(game: str) -> None:
    rng = Random(11)
    for row, dice in islice(cheaper(made_turns(game, seed=11), doubles=7), 250):
        assert differences(row, dice, rules_for(game, rng)) == []


@pytest.mark.parametrize("variant", narde.variants())
def test_core_equals_reference_in_play(variant: str) -> None:
    """Whole games by wall-building, head-heavy and random players, which the core drives."""
    played = played_turns(core_afterstates, variant, seed=3)
    for row, dice in islice(cheaper(played, doubles=5), TURNS_OF_VARIANT[variant]):
        assert differences(row, dice, narde.rules(variant)) == []


@pytest.mark.parametrize("variant", narde.variants())
def test_batches_are_their_rows(variant: str) -> None:
    """A batch is its rows side by side, whatever the threads and the memory it is written to."""
    pairs = list(islice(made_turns(narde.rules(variant).game, seed=5), 3000))
    rows, dice = (np.array(column, np.int8) for column in zip(*pairs, strict=True))
    out = narde.afterstates(rows, dice, variant, check=False)
    again = narde.afterstates(rows[::-1], dice[::-1], variant, check=False, threads=3, out=out)
    counts = narde.count_afterstates(rows[::-1], dice[::-1], variant, check=False)
    assert np.array_equal(counts, np.diff(again.offsets))
    for i in range(0, len(rows), 7):
        expected = core_afterstates(rows[i], dice[i], variant)
        assert [tuple(after) for after in again[len(rows) - 1 - i].tolist()] == expected


FULL = [3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24]
SPARE = [4, 5, 7, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24]
PLAIN = [3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 22, 24]


@pytest.mark.parametrize(
    ("points", "opponent", "dice", "expected"),
    [(FULL, {27: -15}, (1, 1), 2226), (SPARE, {0: -15}, (1, 1), 2140), (PLAIN, {27: -15}, (2, 1), 210)],
)
def test_worst_rolls_known(
    points: list[int], opponent: dict[int, int], dice: tuple[int, int], expected: int
) -> None:
    """The rows with the most afterstates known: none is cut off, and each is there once."""
    row = np.zeros(28, np.int8)
    row[np.array(points) - 1] = 1
    for at, checkers in opponent.items():
        row[at] = checkers
    found = core_afterstates(row, dice, "long")
    assert narde.count_afterstates(row, dice, "long")[0] == len(found) == len(set(found)) == expected
    if opponent == {27: -15}:
        assert found == list(brute.plays(tuple(row.tolist()), dice, narde.rules("long")))


def test_the_last_checker_hits_on_its_way_off() -> None:
    """6-2 takes 5 off by way of 3, where it hits: to bear off with the 6 alone would spare the blot."""
    row = [0] * 28
    row[4], row[26], row[2], row[27] = 1, 14, -1, -14
    ((after, plays),) = core_plays(row, (6, 2), "short").items()
    assert plays == [((5, 3), (3, 0))]
    assert after[24] == 1
    row[2], row[1] = 0, -1
    assert list(core_plays(row, (6, 2), "short").values()) == [[((5, 0),)]]

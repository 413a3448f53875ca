"""Random games are fair: the dice, the choice among the afterstates, and what comes of it."""

from dataclasses import replace

import numpy as np
import pytest

import narde
import twin
from corpus import CORES, counted, deviation, made, one_turn, words
from narde import random_games, rules
from positions import row_of


@pytest.mark.parametrize("variant", narde.variants())
def test_dice_are_fair(variant: str) -> None:
    """Both dice of all turns but the first; the kept opening shows each of the 30 unequal pairs alike."""
    games = random_games(3000, variant, seed=13, record="dice")
    firsts = games.dice[games.offsets[:-1]]
    later = np.delete(games.dice, games.offsets[:-1], axis=0)
    kept = rules(variant).opening_roll == "keep"
    assert (firsts[:, 0] != firsts[:, 1]).all() == kept
    for dice, kinds in ((firsts, 30 if kept else 36), (later, 36)):
        counts = counted(dice)
        assert len(counts) == kinds
        assert abs(deviation(counts)) < 4


@pytest.mark.parametrize("game", ["long", "short"])
@pytest.mark.parametrize("core", CORES, ids=lambda core: core.__name__)
def test_the_choice_is_the_number_of_the_afterstate(game: str, core: object) -> None:
    """The word of the choice, times the number of afterstates, over 2**64: every way a turn is played."""
    variant, n, seed = replace(rules(game), opening_roll="reroll"), 6, 17
    choices = [words(seed, i, 1, 1)[0] for i in range(n)]
    for row in made(game)[0]:
        dice, chosen = one_turn(row, variant, seed, n, core)
        out = narde.afterstates(row, dice, variant)
        for i, word in enumerate(choices):
            assert np.array_equal(chosen[i], out[i][twin.below(word, len(out[i]))])


MANY_PLAYS = {
    "long": row_of([24] * 5 + [20, 18, 17, 15, 14, 11, 9, 8, 6, 3], [12] * 9 + [10, 7, 5, 4, 2, 1]),
    "long, a prime near": row_of([24] * 6 + [23, 22, 21, 20, 18, 17, 13, 11, 9], [12] * 14 + [10]),
    "long, bearing off": row_of([6, 6, 6, 5, 5, 4, 4, 4, 3, 3, 2, 2, 1, 1, 1], [18, 17, 16, 15, 14, 13]),
    "short, two on the bar": row_of([25, 25, 24, 13, 13, 13, 8, 8, 6, 6, 6, 5], [21, 21, 19, 18, 16, 1, 1]),
    "short, many to hit": row_of([24, 23, 22, 21, 13, 12, 8, 7, 6, 6, 6, 5, 3], [20, 18, 16, 14, 9, 4, 2, 2]),
}


@pytest.mark.parametrize("kind", MANY_PLAYS)
def test_each_afterstate_has_the_same_chance(kind: str) -> None:
    """By chi-square for each roll with two afterstates or more."""
    variant, row = replace(rules(kind.split(",")[0]), opening_roll="reroll"), MANY_PLAYS[kind]
    start = np.array(row, np.int8)
    dice, chosen = one_turn(start, variant, seed=19, n=40_000)
    rolls = np.sort(dice, axis=1)[:, ::-1]
    deviations = []
    for roll in narde.plays.ROLLS:
        taken = chosen[(rolls == roll).all(axis=1)]
        possible = len(narde.afterstates(start, roll, variant).positions)
        counts = counted(taken)
        if 1 < possible < len(taken) / 10:
            deviations.append(deviation(np.pad(counts, (0, possible - len(counts)))))
    assert len(deviations) >= 5
    assert max(map(abs, deviations)) < 4


def test_known_statistics_of_long_nardy() -> None:
    """A prototype of others measured 95.7 turns a game and 16.5 % mars in games of this kind."""
    games = random_games(20_000, seed=23)
    assert abs(games.lengths.mean() - 95.7) < 0.4
    assert abs((games.points == 2).mean() - 0.165) < 0.011
    assert set(games.points.tolist()) == {1, 2}

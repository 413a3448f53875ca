"""The core against the reference in bulk, 200,000 turns and more, and fairness in bulk: minutes on two
processors."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from random import Random

import numpy as np
import pytest

import narde
from comparing import differences, rules_for
from corpus import counted, deviation, made, one_turn
from generators import core_afterstates
from narde import Rules, reference, rules
from positions import FAMILIES, HOUSE_RULES, Turn, played_turns

pytestmark = pytest.mark.long

DOUBLES = 0.05
"""The share of doubles, which take the reference up to a hundred times as long as other rolls."""
PROCESSES = 2
PART = 1000
"""Turns that one task compares."""

AMOUNTS = {
    "made long": 90_000,
    "made short": 50_000,
    "played minsport": 8_000,
    "played bkgm": 12_000,
    "played nardeon": 8_000,
    "played long": 16_000,
    "played short": 26_000,
    "every house rule": 14_000,
}
"""How many turns of each kind are compared."""


def roll(rng: Random) -> tuple[int, int]:
    high, low = rng.choice([(high, low) for high in range(2, 7) for low in range(1, high)])
    if rng.random() < DOUBLES:
        return low, low
    return (high, low) if rng.random() < 0.5 else (low, high)


def made_turns(game: str, rng: Random) -> Iterator[tuple[Turn, Rules]]:
    """Rows of every family in turn, some seen by the other side, under the texts and all house rules."""
    while True:
        for family in FAMILIES[game]:
            row = family(rng)
            row = reference.flip(row, game) if rng.random() < 0.25 else row
            yield (row, roll(rng)), rules_for(game, rng)


def turns_in_play(variant: Rules, rng: Random) -> Iterator[tuple[Turn, Rules]]:
    """Rows of whole games by wall-building, head-heavy, blot-leaving and random players, with rolls of the
    test's own: in play too many are doubles."""
    for row, _ in played_turns(core_afterstates, variant, seed=rng.randrange(2**32)):
        yield (row, roll(rng)), variant


def turns_under_house_rules(rng: Random) -> Iterator[tuple[Turn, Rules]]:
    """Made rows under each combination of house rules in turn, heads and walls more often than others."""
    wanted = [family for family in FAMILIES["long"] if "wall" in family.__name__ or "head" in family.__name__]
    while True:
        for variant in HOUSE_RULES:
            yield (rng.choice(wanted)(rng), roll(rng)), variant


def turns_of(kind: str, rng: Random) -> Iterator[tuple[Turn, Rules]]:
    how, _, name = kind.partition(" ")
    if how == "made":
        return made_turns(name, rng)
    if how == "played":
        return turns_in_play(rules(name), rng)
    return turns_under_house_rules(rng)


def compare(kind: str, part: int) -> tuple[int, int, list[str]]:
    """Compare one part: the turns, those of them with more than one afterstate, and the first differences."""
    rng = Random(f"{kind}, part {part}")
    turns, choices, faults = 0, 0, []
    for (row, dice), variant in islice(turns_of(kind, rng), PART):
        faults += differences(row, dice, variant)
        turns += 1
        choices += int(narde.count_afterstates(row, dice, variant, check=False)[0] > 1)
    return turns, choices, faults[:3]


def test_core_equals_reference_in_bulk() -> None:
    """As whole ordered lists, with their counts, and with moves that are legal and as few as can be."""
    parts = [(kind, part) for kind, amount in AMOUNTS.items() for part in range(amount // PART)]
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(compare, *zip(*parts, strict=True)))
    turns, choices = (sum(result[i] for result in results) for i in range(2))
    faults = [fault for result in results for fault in result[2]]
    assert faults[:5] == []
    assert turns == sum(AMOUNTS.values()) >= 200_000
    assert choices > 0.6 * turns


# ---- fair choices ----------------------------------------------------------------------------------------


def deviations_of(row: np.ndarray, variant: Rules, seed: int, n: int) -> Iterator[float]:
    """How far the chosen afterstates of each roll are from equal chances, for rolls that have a choice."""
    dice, chosen = one_turn(row, variant, seed, n)
    rolls = np.sort(dice, axis=1)[:, ::-1]
    for roll in narde.plays.ROLLS:
        taken = chosen[(rolls == roll).all(axis=1)]
        possible = len(narde.afterstates(row, roll, variant).positions)
        counts = counted(taken)
        assert len(counts) <= possible
        if 3 < possible < len(taken) / 10:
            yield deviation(np.pad(counts, (0, possible - len(counts))))


@pytest.mark.parametrize("game", ["long", "short"])
def test_each_afterstate_has_the_same_chance_in_bulk(game: str) -> None:
    """By chi-square over the rolls of 120 made rows, which all together are as the normal distribution has
    them."""
    variant = replace(rules(game), opening_roll="reroll")
    rows = made(game)[0][:120]
    values = np.array([z for i, row in enumerate(rows) for z in deviations_of(row, variant, 100 + i, 40_000)])
    assert len(values) > 500
    assert np.abs(values).max() < 5
    assert abs(values.mean()) < 4 / np.sqrt(len(values))
    assert 0.92 < values.std() < 1.08


@pytest.mark.parametrize("variant", narde.variants())
def test_dice_are_fair_in_bulk(variant: str) -> None:
    """Of 60,000 games: both dice of a turn, and of two turns that follow each other."""
    games = narde.random_games(60_000, variant, seed=47, record="dice")
    later = np.delete(games.dice, games.offsets[:-1], axis=0)
    assert len(later) > 2_000_000
    assert abs(deviation(counted(later))) < 4
    pairs = later[: len(later) // 2 * 2].reshape(-1, 4)
    counts = np.bincount((pairs - 1) @ np.array([216, 36, 6, 1]), minlength=6**4)
    assert len(counts) == 6**4
    assert abs(deviation(counts)) < 4


def test_known_statistics_in_bulk() -> None:
    """Long nardy at random: 95.7 turns a game and 16.4 % mars, as a prototype of others had it."""
    games = narde.random_games(1_000_000, seed=53, threads=PROCESSES)
    assert abs(games.lengths.mean() - 95.7) < 0.1
    assert abs((games.points == 2).mean() - 0.1645) < 0.0015

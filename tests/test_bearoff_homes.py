"""Home boards and their ranks; the turns that the core makes of them, in both games and under all rules."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest

import narde
from boards import GAMES, random_homes
from narde.bearoff_db.homes import (
    BOARDS,
    OPPONENT_HOME,
    all_homes,
    boards_up_to,
    opponents_homes_of,
    ranks_of,
)
from narde.bearoff_db.turns import by_pips, first_lowest, rows_of, turns_of
from narde.plays import ROLLS

HOMES = all_homes()
LONG = narde.rules("long")


def test_there_are_54264_boards_and_each_has_its_rank() -> None:
    assert BOARDS == 54_264 == len(np.unique(HOMES, axis=0))
    assert np.array_equal(ranks_of(HOMES), np.arange(BOARDS))
    assert HOMES.min() == 0
    assert HOMES.sum(axis=1).max() == 15


def test_boards_of_fewer_checkers_come_first() -> None:
    checkers = HOMES.sum(axis=1)
    assert (np.diff(checkers) >= 0).all()
    assert [boards_up_to(n) for n in range(16)] == np.searchsorted(checkers, np.arange(1, 17)).tolist()
    assert boards_up_to(6) == comb(12, 6) == 924


def test_pip_counts_go_up_and_miss_no_board_but_the_empty_one() -> None:
    levels = list(by_pips(HOMES))
    pips = [set((HOMES[level] @ np.arange(1, 7)).tolist()) for level in levels]
    assert pips == [{n} for n in range(1, 91)]
    assert sorted(np.concatenate(levels)) == list(range(1, BOARDS))


def test_the_first_lowest_of_each_segment() -> None:
    values = np.array([3.0, 1.0, 1.0 - 1e-15, 2.0, 5.0, 4.0, 4.0])
    assert first_lowest(values, np.array([0, 4, 5, 7])).tolist() == [1, 4, 5]


def after_all_rolls(rows: np.ndarray, rules: narde.Rules) -> tuple[np.ndarray, np.ndarray]:
    """The boards that the movers leave with each roll, as ranks, and the offsets."""
    after = narde.afterstates(np.repeat(rows, 21, axis=0), np.tile(ROLLS, (len(rows), 1)), rules)
    return ranks_of(opponents_homes_of(after.positions, rules.game)), after.offsets


def assert_same_turns(homes: np.ndarray, rows: np.ndarray, rules: narde.Rules) -> None:
    """The rows lead to the boards that the tables are built from, in the same order."""
    expected = turns_of(homes)
    ranks, offsets = after_all_rolls(rows, rules)
    assert np.array_equal(ranks, expected.ranks)
    assert np.array_equal(offsets, expected.offsets)


@pytest.mark.parametrize("game", GAMES)
def test_both_games_bear_off_alike(game: str) -> None:
    homes = random_homes(1, 2000)
    assert_same_turns(homes, rows_of(homes, game), narde.rules(game))


@pytest.mark.long
def test_both_games_bear_off_alike_from_every_board() -> None:
    for start in range(1, BOARDS, 2000):
        homes = HOMES[start : start + 2000]
        assert_same_turns(homes, rows_of(homes, "short"), narde.rules("short"))


@pytest.mark.parametrize(
    "rules",
    [
        *map(narde.rules, narde.variants()),
        replace(LONG, prime_rule="free"),
        replace(LONG, prime_check="end_of_turn"),
        replace(LONG, head_per_turn=2, head_exception="none"),
    ],
    ids=lambda rules: f"{rules.name}-{rules.prime_rule}-{rules.prime_check}-{rules.head_per_turn}",
)
def test_all_rules_bear_off_alike_wherever_the_opponent_is_out_of_the_way(rules: narde.Rules) -> None:
    """He may stand on the mover's 24 to 13 in long nardy, on 24 to 7 in short nardy; the six points of the
    home board may be held, since all of his checkers are past them."""
    rng = np.random.default_rng(2)
    homes = np.concatenate([random_homes(3, 300), [[3, 3, 3, 2, 2, 2], [1, 1, 1, 1, 1, 1]]]).astype(np.int8)
    rows = rows_of(homes, rules.game)
    rows[:, 6:26] = rows[:, 27] = 0
    places = np.arange(12 if rules.game == "long" else 6, 24)
    for row in rows:
        np.add.at(row, rng.choice(places, 15), -1)
    assert_same_turns(homes, rows, rules)


def test_homes_of_opponents_are_read_from_his_first_point_on() -> None:
    for game in GAMES:
        row = np.zeros((1, 28), np.int8)
        row[0, OPPONENT_HOME[game]] = [-1, -2, -3, -4, -5, 0]
        assert opponents_homes_of(row, game).tolist() == [[1, 2, 3, 4, 5, 0]]
        assert narde.flip(row, game)[0, :6].tolist() == [1, 2, 3, 4, 5, 0]

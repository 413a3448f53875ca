"""Computed match equities: against a slow twin, a published table of backgammon, and cases by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narde.errors import InvalidArgumentError
from narde.met import GameOdds, compute_met, published_met
from narde.rules import rules

LAST_ROLL = replace(rules("long"), last_roll=True, koks=3)
HOUSES = {
    "contest": LAST_ROLL,
    "winner": replace(LAST_ROLL, next_starter="winner"),
    "alternate": replace(LAST_ROLL, next_starter="alternate"),
}
BACKGAMMON = GameOdds.from_rates(mars=0.28)


def forward(away, opponent_away, odds, house, starts):
    """The slow twin: all matches at once, played forward game by game until nearly none is open."""
    points = (1, house.mars, house.koks or house.mars)
    open_matches, won = {(away, opponent_away, starts): 1.0}, 0.0
    while open_matches:
        after = {}
        for (a, b, start), chance in open_matches.items():
            if start is None:
                branches = [((a, b, True), chance / 2), ((a, b, False), chance / 2)]
            else:
                branches = []
                mine, theirs = (odds.starter, odds.second) if start else (odds.second, odds.starter)
                after_win, after_loss, after_draw = {
                    "contest": (None, None, None),
                    "winner": (True, False, None),
                    "alternate": (not start, not start, not start),
                }[house.next_starter]
                for kind in range(3):
                    branches.append(((a - points[kind], b, after_win), chance * mine[kind]))
                    branches.append(((a, b - points[kind], after_loss), chance * theirs[kind]))
                branches.append(((a, b, after_draw), chance * odds.draw))
            for state, part in branches:
                if state[0] <= 0:
                    won += part
                elif state[1] > 0 and part > 1e-15:
                    after[state] = after.get(state, 0.0) + part
        open_matches = after
    return won


def some_odds(numbers):
    total = sum(numbers)
    chances = [number / total for number in numbers]
    return GameOdds(tuple(chances[:3]), tuple(chances[3:6]))


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 20), min_size=7, max_size=7), st.integers(1, 7), st.integers(1, 7))
def test_without_a_cube_the_table_is_exact(house, numbers, a, b):
    odds = some_odds(numbers)
    table = compute_met(7, odds, house)
    assert np.isclose(table.equity(a, b), forward(a, b, odds, house, None), atol=1e-9)
    if house.next_starter != "contest":
        for starts in (True, False):
            assert np.isclose(
                table.equity(a, b, starts=starts), forward(a, b, odds, house, starts), atol=1e-9
            )


def test_by_hand():
    """Long nardy to 2 and 3 points with 30 % mars: a mars is enough at 2-away."""
    table = compute_met(3, GameOdds.from_rates(starter_wins=0.55, mars=0.3), "long")
    assert np.isclose(table.equity(1, 2), 0.5 + 0.5 * 0.7 * 0.5)
    assert np.isclose(table.equity(1, 3), 0.5 + 0.5 * (0.7 * table.equity(1, 2) + 0.3 * 0.5))
    assert np.allclose(np.diag(table.equities), 0.5)
    assert table.name == "long, computed" and table.starting is None


def test_the_starters_advantage_counts_where_the_winner_starts_again():
    odds = GameOdds.from_rates(starter_wins=0.6)
    winner, contest = compute_met(5, odds, "bkgm"), compute_met(5, odds, "long")
    assert winner.equity(1, 1, starts=True) == pytest.approx(0.6)
    assert winner.equity(2, 2, starts=True) == pytest.approx(0.6 * 0.6 + 0.6 * 0.4 * 0.4 + 0.4 * 0.4 * 0.6)
    assert np.allclose(contest.equities, compute_met(5, GameOdds.from_rates(), "long").equities)


def test_backgammon_agrees_with_the_published_table():
    """Kazaross-XG2, the field's standard, rolled out by eXtreme Gammon and GNU Backgammon: within 0.5 % up to
    25 points, Crawford and post-Crawford games included, from two numbers: 28 % gammons and a cube life of
    0.8."""
    published = published_met()
    computed = compute_met(25, BACKGAMMON, "short")
    difference = np.abs(computed.equities - published.equities)
    assert difference.max() < 0.005
    assert difference.mean() < 0.002
    assert difference[0].max() < 0.004, "Crawford games"
    assert np.abs(computed.post_crawford - published.post_crawford).max() < 0.005
    assert abs(computed.post_crawford[1] - published.post_crawford[1]) < 1e-4, "the free drop at 2-away"


LIVE = """
0.000 0.362 0.510 0.635 0.690 0.780 0.820 0.869 0.892 0.922 0.936 0.953
-0.362 0.000 0.189 0.322 0.472 0.585 0.667 0.733 0.788 0.834 0.867 0.896
-0.510 -0.189 0.000 0.139 0.289 0.415 0.513 0.595 0.667 0.729 0.777 0.819
-0.635 -0.322 -0.139 0.000 0.149 0.279 0.385 0.474 0.558 0.630 0.690 0.741
-0.690 -0.472 -0.289 -0.149 0.000 0.131 0.245 0.343 0.436 0.518 0.588 0.649
-0.780 -0.585 -0.415 -0.279 -0.131 0.000 0.118 0.221 0.320 0.409 0.488 0.557
-0.820 -0.667 -0.513 -0.385 -0.245 -0.118 0.000 0.105 0.208 0.300 0.385 0.460
-0.869 -0.733 -0.595 -0.474 -0.343 -0.221 -0.105 0.000 0.103 0.198 0.287 0.367
"""


def test_a_live_cube_gives_keiths_table():
    """Keith's algorithm with 27.6 % gammons as computed by M. Higgins ("Computational Backgammon", 14 March
    2012, compgammon.blogspot.com), as twice the chance less 1, to three places; his post-Crawford row differs
    a little."""
    published = np.array([line.split() for line in LIVE.split("\n") if line], float)
    computed = compute_met(12, GameOdds.from_rates(mars=0.276), "short", cube_life=1.0)
    assert np.abs(computed.equities[:8] - (published + 1) / 2).max() < 0.0015


@settings(max_examples=12, deadline=None)
@given(
    mars=st.floats(0, 0.4),
    wins=st.floats(0.3, 0.7),
    life=st.floats(0.6, 1),
    house=st.sampled_from(["minsport", "short", replace(rules("bkgm"), cube=True, crawford=True)]),
)
def test_tables_with_a_cube_rise_with_every_point(mars, wins, life, house):
    """A nearly dead cube would not do: free doubling after the Crawford game would be worth a point."""
    table = compute_met(8, GameOdds.from_rates(starter_wins=wins, mars=mars), house, cube_life=life)
    assert np.allclose(table.equities + table.equities.T, 1)
    assert (np.diff(table.equities, axis=1) >= -1e-12).all(), "the more the opponent needs, the better"
    assert (np.diff(table.post_crawford) <= 1e-12).all()


def test_the_cube_helps_the_trailer():
    with_cube = compute_met(9, BACKGAMMON, "short").equities
    without = compute_met(9, BACKGAMMON, replace(rules("short"), cube=False, crawford=False)).equities
    assert (with_cube[1:, 1:] - without[1:, 1:])[np.triu_indices(8, 1)].max() < 0


def test_without_the_crawford_rule_the_trailer_doubles_at_once():
    table = compute_met(5, BACKGAMMON, replace(rules("short"), crawford=False))
    for away in range(1, 6):
        assert table.equity(away, 1) == table.equity(away, 1, post_crawford=True)
    assert table.equity(5, 1) > compute_met(5, BACKGAMMON, "short").equity(5, 1)


def test_no_spread_means_no_free_drop():
    table = compute_met(6, BACKGAMMON, "short", opening_spread=0.0)
    assert table.post_crawford[1] == 0.5
    assert table.post_crawford[2] == pytest.approx(0.5 * (0.72 * 0.5 + 0.28))


def test_odds_from_rates_and_results():
    odds = GameOdds.from_rates(starter_wins=0.6, mars=0.25, koks=0.05, second_mars=0.5)
    assert np.allclose(odds.starter, (0.42, 0.15, 0.03)) and np.allclose(odds.second, (0.18, 0.2, 0.02))
    assert odds.draw == pytest.approx(0)
    counted = GameOdds.from_results(np.array([1, 1, 2, 3, -1, -2, 0, 0, 1, -1], np.int8))
    assert counted == GameOdds((0.3, 0.1, 0.1), (0.2, 0.1, 0.0)) and counted.draw == pytest.approx(0.2)


@pytest.mark.parametrize(
    "bad",
    [
        ((0.5, 0.5, 0.5), (0, 0, 0)),
        ((1, 0, 0), (0, 0, 0)),
        ((-0.1, 0.5, 0), (0.5, 0, 0)),
        ((0.5, 0.0, 0.0), ("x", 0, 0)),
        (1, (0.5, 0, 0)),
    ],
)
def test_odds_that_cannot_be(bad):
    with pytest.raises(InvalidArgumentError):
        GameOdds(*bad)


@pytest.mark.parametrize("bad", [{"mars": "0.2"}, {"starter_wins": 2}, {"second_koks": [0.1]}])
def test_rates_that_cannot_be(bad):
    with pytest.raises(InvalidArgumentError, match="a rate is"):
        GameOdds.from_rates(**bad)


@pytest.mark.parametrize("bad", [[], [4], [[1]], [0.5], ["win"]])
def test_results_that_cannot_be(bad):
    with pytest.raises(InvalidArgumentError):
        GameOdds.from_results(bad)


@pytest.mark.parametrize(
    "bad",
    [
        {"length": 0},
        {"length": 101},
        {"length": 2.0},
        {"cube_life": 1.5},
        {"cube_life": float("nan")},
        {"cube_life": "x"},
        {"opening_spread": -0.1},
        {"opening_spread": 0.5},
        {"odds": (0.5, 0.5)},
    ],
)
def test_arguments_out_of_range(bad):
    with pytest.raises(InvalidArgumentError):
        compute_met(**({"length": 3, "odds": BACKGAMMON, "rules": "short"} | bad))


def test_the_longest_table_is_computed():
    assert compute_met(100, GameOdds.from_rates(mars=0.3), "long").length == 100

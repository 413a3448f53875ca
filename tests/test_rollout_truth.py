"""Rollouts against the truth: over many seeds the 95 % interval covers it 93 to 97 times in a hundred.

A share of 95 % among 200 seeds has a standard deviation of 1.5 %, so each position is held to 4 of these, and
all together, which they must be as well, to 93 to 97 %.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import narde
from narde.board import Rows
from narde.evaluators import equity
from narde.network import Network
from narde.rollouts import Rollout
from races import Bent, ByTable, Played, Solved
from races import race as race_row

SEEDS = 200


@dataclass(frozen=True)
class Case:
    """A race, who plays it, and the exact chances under his play."""

    row: Rows
    game: str
    evaluator: Callable[[Rows], np.ndarray]
    truth: np.ndarray

    def roll_out(self, seed: int, trials: int, *, reduced: bool) -> Rollout:
        options = {"trials": trials, "variance_reduction": reduced, "bearoff": False}
        return narde.rollout(self.row, self.evaluator, self.game, seed=seed, **options)


def of_tables(mover: dict[int, int], opponent: dict[int, int], game: str) -> Case:
    """A race of few checkers, whose exact chances the bear-off tables give, played by chances that rank plays
    as they do but are wrong."""
    row, tables = race_row(mover, opponent, game), ByTable(game)
    assert tables.database.exact(row)
    return Case(row, game, Bent(tables), tables.database.chances(row))


def of_mars(mover: dict[int, int], opponent: dict[int, int], game: str) -> Case:
    """A race in which a mars may be lost, solved by recursion."""
    row, solved = race_row(mover, opponent, game), Solved(game)
    return Case(row, game, Bent(solved), solved.chances(row))


def of_network(mover: dict[int, int], opponent: dict[int, int], game: str) -> Case:
    """A race played by a network, badly, within the core; the chances under its play by recursion."""
    row, network = race_row(mover, opponent, game), Network.random(16, game=game, seed=2)
    return Case(row, game, network, Played(network, game).chances(row))


CASES = {
    "two checkers": (of_tables, {6: 1, 5: 1}, {4: 1, 2: 1}),
    "four each": (of_tables, {6: 2, 5: 2}, {6: 1, 5: 2}),
    "six each": (of_tables, {6: 2, 4: 1, 2: 1, 1: 2}, {5: 2, 3: 2, 1: 1}),
    "mars": (of_mars, {3: 1, 2: 1, 1: 1}, {6: 14, 5: 1}),
    "network": (of_network, {6: 1, 4: 1, 1: 1}, {5: 1, 3: 1, 2: 1}),
}


def covered(case: Case, seeds: range, trials: int, *, reduced: bool) -> list[bool]:
    """For each seed whether the interval of the equity covers the truth; the mean over all of them must meet
    it too, equity and chances."""
    found = [case.roll_out(seed, trials, reduced=reduced) for seed in seeds]
    truth = float(equity(case.truth, case.game))
    values = np.array([[r.equity, *r.chances] for r in found]) - [truth, *case.truth]
    error = values.std(axis=0, ddof=1) / np.sqrt(len(seeds))
    assert (np.abs(values.mean(axis=0)) <= 4 * error + 1e-7).all()
    return [r.interval[0] <= truth <= r.interval[1] for r in found]


@pytest.mark.parametrize(
    "reduced", [True, pytest.param(False, marks=pytest.mark.long)], ids=["reduced", "plain"]
)
def test_the_interval_of_a_short_race_covers_the_truth(reduced: bool) -> None:
    make, mover, opponent = CASES["two checkers"]
    hits = covered(make(mover, opponent, "long"), range(SEEDS), 144, reduced=reduced)
    assert np.mean(hits) == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / SEEDS))


@pytest.mark.long
@pytest.mark.parametrize("reduced", [True, False], ids=["reduced", "plain"])
def test_the_intervals_of_races_cover_the_truth(reduced: bool) -> None:
    hits = []
    for number, (make, mover, opponent) in enumerate(CASES.values()):
        for game in ("long", "short"):
            seeds = range(1000 * len(hits), 1000 * len(hits) + SEEDS)
            trials = 360 if number % 2 else 250  # whole sets, and one that is cut short
            hits.append(covered(make(mover, opponent, game), seeds, trials, reduced=reduced))
            assert np.mean(hits[-1]) == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / SEEDS))
    assert 0.93 <= np.mean(hits) <= 0.97


@pytest.mark.long
@pytest.mark.parametrize("game", ["long", "short"])
def test_variance_reduction_does_not_shift_the_mean_of_whole_games(game: str) -> None:
    """From the start, by a network and within the core: no truth is known, but both means must meet."""
    network, row = Network.random(16, game=game, seed=5), narde.starting_row(game)
    plain = narde.rollout(row, network, game, seed=1, trials=50_000, variance_reduction=False)
    reduced = narde.rollout(row, network, game, seed=2, trials=1296)
    gap = np.abs(plain.chances - reduced.chances)
    errors = np.hypot(plain.chance_errors, reduced.chance_errors)
    assert (gap <= 4 * errors).all()
    assert abs(plain.equity - reduced.equity) <= 4 * np.hypot(plain.standard_error, reduced.standard_error)

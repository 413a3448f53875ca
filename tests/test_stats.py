"""The 95 % intervals against published examples, exact coverage and one another."""

from __future__ import annotations

from math import comb, inf, isclose
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narde.errors import InvalidArgumentError
from narde.stats import Estimate, Z, mean_interval, ratio_interval, share_interval, student_t

# R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
# Medicine 17 (1998), table I, method 3: the score interval without continuity correction.
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]
# The additional hours of sleep of Student's 1908 paper, first drug and second drug.
SLEEP_1 = (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
SLEEP_2 = (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)


def test_z_is_the_normal_point() -> None:
    assert isclose(NormalDist().inv_cdf(0.975), Z, rel_tol=1e-12)


@pytest.mark.parametrize(("successes", "n", "low", "high"), NEWCOMBE)
def test_share_as_published(successes: int, n: int, low: float, high: float) -> None:
    estimate = share_interval(successes, n)
    assert estimate.value == successes / n
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


def covered(n: int, p: float) -> float:
    """The exact probability that the interval of a share of n trials holds p."""
    holds = (k for k in range(n + 1) if share_interval(k, n).low <= p <= share_interval(k, n).high)
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in holds)


@pytest.mark.parametrize("p", [0.05, 0.165, 0.3, 0.5, 0.8])
def test_share_covers_about_95_percent(p: float) -> None:
    assert 0.93 < covered(200, p) < 0.97


@given(st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_share_stays_within_its_interval_and_mirrors(pair: tuple[int, int]) -> None:
    successes, n = pair
    estimate, mirror = share_interval(successes, n), share_interval(n - successes, n)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert isclose(estimate.low, 1 - mirror.high, abs_tol=1e-12)


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (-1, 5), (6, 5), (0, -1)])
def test_share_of_nothing_is_refused(successes: int, n: int) -> None:
    with pytest.raises(InvalidArgumentError, match=f"no share of {successes} in {n}"):
        share_interval(successes, n)


@pytest.mark.parametrize(
    ("values", "mean", "low", "high"),
    [
        (SLEEP_1, 0.75, -0.5297804, 2.0297804),
        (np.subtract(SLEEP_2, SLEEP_1), 1.58, 0.7001142, 2.4598858),
    ],
)
def test_mean_of_the_sleep_data(values: tuple[float, ...], mean: float, low: float, high: float) -> None:
    estimate = mean_interval(values)
    assert np.allclose([estimate.value, estimate.low, estimate.high], [mean, low, high], atol=5e-8)


def test_mean_of_one_value_is_unbounded_and_of_none_refused() -> None:
    assert mean_interval([3]) == Estimate(3.0, -inf, inf)
    with pytest.raises(InvalidArgumentError, match="no values"):
        mean_interval([])


@pytest.mark.parametrize("values", [[1e200, -1e200], [np.inf], np.ma.array([1.0, 2.0], mask=True)])
def test_numbers_too_large_and_hidden_ones_have_no_mean(values: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"(?s)values are .*: pass finite numbers to 1e100"):
        mean_interval(values)


def test_mean_does_not_overflow_small_integers() -> None:
    assert mean_interval(np.full(1000, 120, np.int8)) == Estimate(120.0, 120.0, 120.0)


# Student's distribution, 97.5 % points of the usual printed tables.
@pytest.mark.parametrize(
    ("degrees", "point"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980), (10**9, 1.960)],
)
def test_student_t_as_printed(degrees: int, point: float) -> None:
    assert round(student_t(degrees), 3) == point


def test_student_t_falls_smoothly_and_needs_a_degree() -> None:
    points = [student_t(d) for d in range(1, 200)]
    steps = np.diff(points)
    assert (steps < 0).all() and (np.diff(steps) > 0).all()  # no seam between the table and the expansion
    with pytest.raises(InvalidArgumentError, match="not 0"):
        student_t(0)


def test_ratio_over_equal_denominators_is_the_mean() -> None:
    seconds = np.full(10, 0.5)
    games = np.array([50, 52, 49, 51, 50, 53, 48, 50, 51, 52])
    assert np.allclose(
        [getattr(ratio_interval(games, seconds), f) for f in ("value", "low", "high")],
        [2 * getattr(mean_interval(games), f) for f in ("value", "low", "high")],
    )


def test_ratio_covers_about_95_percent() -> None:
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(2000):
        seconds = random.uniform(0.5, 1.5, 30)
        estimate = ratio_interval(seconds * 100 + random.normal(0, 5, 30), seconds)
        hits += estimate.low <= 100 <= estimate.high
    assert 0.93 < hits / 2000 < 0.97


def test_ratio_of_one_block_is_unbounded() -> None:
    assert ratio_interval([10], [2]) == Estimate(5.0, -inf, inf)


@pytest.mark.parametrize(("y", "x"), [([], []), ([1, 2], [1]), ([1], [0]), ([1, 1], [1e-200, 1e-200])])
def test_ratio_of_nothing_is_refused(y: list[float], x: list[float]) -> None:
    with pytest.raises(InvalidArgumentError, match="no ratio"):
        ratio_interval(y, x)


def test_estimate_margin_and_scale() -> None:
    estimate = Estimate(0.5, 0.4, 0.7)
    assert isclose(estimate.margin, 0.15)
    assert estimate.scaled(100) == Estimate(50.0, 40.0, 70.0)

"""The stratified rolls of trials, and the standard error of their mean."""

import json

import numpy as np
import pytest

import narde
from narde import streams
from narde.rollouts.spread import Spread, spread_of
from narde.rollouts.trials import SET, dice_of_rolls, strata
from narde.stats import student_t

# ---- rolls -------------------------------------------------------------------------------------------------


def test_in_every_set_each_roll_comes_once_as_first_and_once_as_second() -> None:
    rolls = strata(5, 0, 40 * SET).reshape(40, SET, 2)
    assert (np.sort(rolls, axis=1) == np.arange(SET)[:, None]).all()


def test_the_orders_of_sets_turns_and_seeds_differ() -> None:
    rolls = strata(5, 0, 40 * SET).reshape(40, SET, 2)
    orders = {tuple(rolls[s, :, turn]) for s in range(40) for turn in range(2)}
    orders |= {tuple(strata(6, 0, SET)[:, turn]) for turn in range(2)}
    assert len(orders) == 82


def test_the_rolls_of_a_trial_do_not_depend_on_which_others_are_asked_for() -> None:
    whole = strata(7, 0, 200)
    for first, stop in [(0, 1), (35, 37), (40, 71), (72, 144), (199, 200)]:
        assert (strata(7, first, stop) == whole[first:stop]).all()


def test_a_set_is_ordered_by_words_of_its_own() -> None:
    words = streams.words(7, 3, 4, np.arange(72))
    expected = [sorted(range(36), key=lambda k: words[36 * turn + k]) for turn in range(2)]
    assert strata(7, 4 * SET, 5 * SET).T.tolist() == expected


def test_pairs_of_rolls_are_uniform() -> None:
    """Over 3,600 sets the 1,296 pairs come 100 times each, give or take; chi-squared with 35 * 35 degrees."""
    first, second = strata(1, 0, 3600 * SET).T
    counts = np.bincount(SET * first + second, minlength=SET * SET)
    chi2 = ((counts - 100.0) ** 2).sum() / 100
    assert abs(chi2 - 1225 * 36 / 35) < 5 * np.sqrt(2 * 1225)


def test_rolls_as_dice() -> None:
    assert dice_of_rolls(np.array([0, 1, 6, 35])).tolist() == [[1, 1], [1, 2], [2, 1], [6, 6]]


# ---- standard errors ---------------------------------------------------------------------------------------


def fitted(values: np.ndarray, rolls: np.ndarray) -> tuple[np.ndarray, int]:
    """The residual variance of the least-squares fit of an effect of either roll, by linear algebra."""
    columns = np.concatenate([np.eye(SET)[rolls[:, 0]], np.eye(SET)[rolls[:, 1]]], axis=1)
    effects, _, rank, _ = np.linalg.lstsq(columns, values, rcond=None)
    residuals = values - columns @ effects
    return (residuals**2).sum(axis=0) / (len(values) - rank), len(values) - int(rank)


@pytest.mark.parametrize("n", [108, 144, 360, 1296])
def test_the_error_is_that_of_a_least_squares_fit(n: int) -> None:
    rng = np.random.default_rng(n)
    rolls = strata(n, 0, n)
    values = rng.normal(size=(n, 3)) + rng.normal(size=(SET, 3))[rolls[:, 0]] + 5
    residual, degrees = fitted(values, rolls)
    found = spread_of(values, rolls)
    assert found.degrees == degrees
    assert np.allclose(found.mean, values.mean(axis=0), rtol=1e-12)
    assert np.allclose(found.error, np.sqrt(residual / n), rtol=1e-9)
    assert np.allclose(found.half_width, found.error * student_t(degrees), rtol=1e-12)


@pytest.mark.parametrize(("n", "degrees"), [(106, 105), (107, 36)])
def test_below_107_trials_the_plain_error_is_told(n: int, degrees: int) -> None:
    values = np.random.default_rng(n).normal(size=(n, 1))
    found = spread_of(values, strata(1, 0, n))
    assert found.degrees == degrees
    assert np.allclose(found.error, values.std(axis=0, ddof=1) / n**0.5) == (n == 106)


def test_an_unfinished_set_adds_the_variance_of_a_sample_without_replacement() -> None:
    rolls = strata(3, 0, 370)
    values = np.random.default_rng(3).normal(size=(370, 1)) + (rolls[:, :1] < 9) * 4.0
    residual, _ = fitted(values, rolls)
    main = values.var(axis=0, ddof=1) - residual
    expected = (370 * residual + 10 * 26 / 35 * main) / 370**2
    assert np.allclose(spread_of(values, rolls).error ** 2, expected, rtol=1e-9)


def test_few_trials_have_the_plain_error() -> None:
    values = np.random.default_rng(3).normal(size=(100, 2))
    found = spread_of(values, strata(3, 0, 100))
    assert found.degrees == 99
    assert np.allclose(found.error, values.std(axis=0, ddof=1) / 10)


def test_one_trial_tells_no_error() -> None:
    found = spread_of(np.array([[0.5]]), strata(3, 0, 1))
    assert found.degrees == 0
    assert found.error == found.half_width == np.inf


def test_one_trial_of_plays_tells_no_error_in_json_either() -> None:
    found = narde.rollout_plays(narde.Position.start("short"), (3, 1), seed=1, trials=1, top=2)
    assert found.clear_by == 0
    best, other = json.loads(found.json())["plays"]
    assert (best["standard_error"], best["behind_error"], other["behind_error"]) == (None, 0, None)
    assert set(best["chance_errors"].values()) == {None}


def test_values_that_never_differ_have_no_error() -> None:
    found = spread_of(np.full((360, 1), 0.1), strata(3, 0, 360))
    assert (found.mean[0], found.error[0]) == (pytest.approx(0.1, abs=1e-15), 0)


def test_the_columns_do_not_depend_on_each_other() -> None:
    rolls = strata(8, 0, 360)
    values = np.random.default_rng(8).normal(size=(360, 4))
    whole, alone = spread_of(values, rolls), spread_of(values[:, 2:3].copy(), rolls)
    assert (whole.mean[2], whole.error[2]) == (alone.mean[0], alone.error[0])


def means_and_spreads(n: int, seeds: range) -> tuple[np.ndarray, list[Spread]]:
    """Trials of a made-up game, with an effect of each roll, of both together, and noise that depends on the
    roll."""
    rng = np.random.default_rng(1)
    first, second, both = rng.normal(size=SET), rng.normal(size=SET), rng.normal(size=(SET, SET))
    noise = rng.uniform(0.2, 1.5, (SET, SET))
    spreads = []
    for seed in seeds:
        a, b = strata(seed, 0, n).T
        e = noise[a, b] * np.random.default_rng([seed, n]).normal(size=n)
        values = first[a] + second[b] + 0.7 * both[a, b] + e
        spreads.append(spread_of(values[:, None], strata(seed, 0, n)))
    return np.array([spread.mean[0] for spread in spreads]), spreads


@pytest.mark.parametrize("n", [144, 250])
def test_the_error_is_right_and_the_interval_covers_19_times_in_20(n: int) -> None:
    """Over 500 seeds a standard deviation is known to 3.2 %, a share of 95 % to 1 %."""
    means, spreads = means_and_spreads(n, range(500))
    told = np.sqrt(np.mean([spread.error[0] ** 2 for spread in spreads]))
    assert told == pytest.approx(means.std(ddof=1), rel=0.1)
    covered = [abs(s.mean[0] - means.mean()) <= s.half_width[0] for s in spreads]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)

"""Passes over all afterstates of a batch, to the last bit what NumPy and plain loops say."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

import narde
from narde import EvaluatorError, evaluators, streams
from narde.bearoff_db.domain import is_covered, race_faults
from narde.dice import ROLLS, WEIGHTS
from narde.evaluators.plies import first_highest, mean_of_rolls
from narde.evaluators.worth import values_to_mover
from narde.players.picking import softened
from positions import made_rows

GAMES = ["long", "short"]
HOUSES = [
    *narde.variants(),
    replace(narde.rules("long"), koks=3),
    replace(narde.rules("short"), mars=1, koks=0),
]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def some_chances(rng: np.random.Generator, n: int) -> np.ndarray:
    """Chances with ones and zeros among them."""
    return rng.uniform(-0.1, 1.1, (n, 5)).clip(0, 1).astype(np.float32)


def some_parts(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Values in eighths, so that many are equal, and the offsets of so many rows of one to thirty values."""
    offsets = np.append(0, np.cumsum(rng.integers(1, 31, rows)))
    return (rng.integers(-16, 17, offsets[-1]) / 8).astype(np.float32), offsets


@pytest.mark.parametrize("rules", HOUSES, ids=str)
def test_values_are_minus_the_equity_in_single_precision(
    rules: str | narde.Rules, rng: np.random.Generator
) -> None:
    rule = narde.rules(rules)
    chances = some_chances(rng, 1000)
    win, win_mars, win_koks, lose_mars, lose_koks = chances.T
    points = np.float32(2) * win - np.float32(1)
    points = points + np.float32(rule.mars - 1) * (win_mars - lose_mars)
    if rule.koks:
        points = points + np.float32(rule.koks - rule.mars) * (win_koks - lose_koks)
    assert np.array_equal(values_to_mover(chances, rule), -points)
    assert np.array_equal(values_to_mover(np.asfortranarray(chances), rule), -points)
    assert values_to_mover(chances, rule) == pytest.approx(-evaluators.equity(chances, rule), abs=1e-6)


def test_the_first_of_the_highest_is_found(rng: np.random.Generator) -> None:
    values, offsets = some_parts(rng, 500)
    expected = [a + int(np.argmax(values[a:b])) for a, b in pairwise(offsets)]
    assert first_highest(values, offsets).tolist() == expected
    assert first_highest(values[:0], offsets[:1]).shape == (0,)


@pytest.mark.parametrize("temperature", [5e-324, 1e-3, 0.3, 1e300])
def test_one_is_drawn_in_proportion(temperature: float, rng: np.random.Generator) -> None:
    """The sums that NumPy adds up row by row in a table; words of all kinds, the greatest one too."""
    values, offsets = some_parts(rng, 300)
    words = rng.integers(0, 2**64, 300, np.uint64)
    words[:5] = 0, 2**64 - 1, 2**63, 2**11 - 1, 2**64 - 2**11
    found = softened(values, offsets, words, temperature)
    for i, (a, b) in enumerate(pairwise(offsets)):
        part = values[a:b].astype(np.float64)
        with np.errstate(over="ignore"):
            sums = np.exp((part - part.max()) / temperature).cumsum()
        wanted = int(words[i] >> np.uint64(11)) / 2**53 * sums[-1]
        assert found[i] == a + min(int((sums <= wanted).sum()), b - a - 1)


def test_means_of_the_rolls_are_summed_in_their_order(rng: np.random.Generator) -> None:
    chances = some_chances(rng, 30 * len(ROLLS))
    means = np.zeros((30, 5))
    other = evaluators.swapped(chances.astype(np.float64)).reshape(30, len(ROLLS), 5)
    for roll, weight in enumerate(WEIGHTS):
        means += weight * other[:, roll]
    assert np.array_equal(mean_of_rolls(chances), means / 36)


# ---- what evaluators return ------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.25])
def test_one_wrong_chance_is_found_wherever_it_stands(wrong: float, rng: np.random.Generator) -> None:
    rows = np.repeat(narde.starting_row("long")[None], 5, axis=0)
    for place in range(25):
        chances = some_chances(rng, 5)
        chances.reshape(-1)[place] = wrong
        with pytest.raises(EvaluatorError, match=rf"gave {wrong} as the chance of .*row {place // 5} of 5"):
            evaluators.check(chances, rows, "long")


def test_chances_in_any_layout_are_taken(rng: np.random.Generator) -> None:
    rows = np.repeat(narde.starting_row("long")[None], 7, axis=0)
    chances = some_chances(rng, 7)
    unaligned = np.frombuffer(b"." + chances.tobytes(), np.float32, offset=1).reshape(7, 5)
    strided = np.repeat(chances, 2, axis=0)[::2]
    for given in (
        chances.astype(">f4"),
        np.asfortranarray(chances),
        strided,
        unaligned,
        chances.astype("f8"),
    ):
        found = evaluators.check(given, rows, "long")
        assert np.array_equal(found, chances)
        assert found.flags.c_contiguous
        assert found.flags.aligned
    assert evaluators.check(chances, rows, "long") is chances


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_rows_of_games_that_are_over_are_parted_and_joined(
    game: str, share: float, rng: np.random.Generator
) -> None:
    games = narde.random_games(60, game, seed=4, record=["positions", "chosen"])
    last = games.chosen[games.offsets[1:] - 1]
    over = rng.random(60) < share
    rows = np.where(over[:, None], last, games.positions[games.offsets[:-1] + 5])
    assert narde.finished(rows).tolist() == [row[26] == 15 or row[27] == -15 for row in rows.tolist()]
    seen = []

    def evaluator(asked: np.ndarray) -> np.ndarray:
        seen.append(asked)
        return (asked[:, :5] % 8 / 8).astype(np.float32)

    expected = (rows[:, :5] % 8 / 8).astype(np.float32)
    expected[over] = evaluators.exact_chances(last[over], game)
    assert np.array_equal(evaluators.chances_of(evaluator, rows, game), expected)
    assert [len(asked) for asked in seen] == [60 - over.sum()] * (share < 1)
    assert all(np.array_equal(asked, rows[~over]) for asked in seen)


@pytest.mark.parametrize("game", GAMES)
def test_races_are_rows_without_faults(game: str) -> None:
    rule = narde.rules(game)
    ends = narde.random_games(100, game, seed=8, record="positions").positions
    both_off = np.zeros((1, 28), np.int8)
    both_off[0, 26:] = 15, -15
    rows = np.concatenate([ends, narde.flip(ends, game), both_off, list(islice(made_rows(game, 5), 500))])
    covered = is_covered(rows.astype(np.int8), rule)
    assert 50 < covered.sum() < len(rows) - 50
    assert np.array_equal(covered, ~np.any([bad for bad, _ in race_faults(rows, rule)], axis=0))


# ---- words and dice --------------------------------------------------------------------------------------


def test_dice_are_made_of_words(rng: np.random.Generator) -> None:
    words = rng.integers(0, 2**64, (40, 3), np.uint64)
    opening = rng.random((40, 1)) < 0.5
    others = [[b for b in range(1, 7) if b != a] for a in range(7)]

    def dice(word: int, different: bool) -> list[int]:
        a, b = divmod(word * (30 if different else 36) >> 64, 5 if different else 6)
        return [a + 1, others[a + 1][b] if different else b + 1]

    plain, kept = ([[dice(w, d) for w in line] for line in words.tolist()] for d in (False, True))
    assert streams.dice_of(words).tolist() == plain
    assert streams.dice_of(words, True).tolist() == kept
    assert np.array_equal(streams.dice_of(words, opening), np.where(opening[..., None], kept, plain))
    assert streams.dice_of(words[3, 1]).tolist() == plain[3][1]
    assert streams.dice_of(words[:0]).shape == (0, 3, 2)


def test_words_turn_by_turn_of_games_that_end() -> None:
    games, live = np.array([7, 2**62, 0, 5, 5]), np.arange(5)
    turns = streams.TurnsOfGames(2**90 + 1, streams.CHOICES, games)
    for turn in (2, 3, 4, 5, 9, 12):
        assert np.array_equal(turns.at(turn, live), streams.words(2**90 + 1, 1, games[live], turn))
        live = live[live != turn]

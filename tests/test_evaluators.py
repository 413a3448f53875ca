"""Evaluators: their answers are checked, what these are worth, best plays, turns ahead, races by pips."""

import pickle
from dataclasses import replace
from math import erf

import numpy as np
import pytest

import narde
from narde import evaluators
from narde.dice import ROLLS, WEIGHTS
from narde.errors import EvaluatorError, InvalidArgumentError
from narde.ids import describe_row
from narde.network import Network
from playing import long_end
from test_network import KOKS, batch, endings

GAMES = ["long", "short"]
ALL_RULES = [*narde.variants(), KOKS]


def by_hash(rows: np.ndarray) -> np.ndarray:
    """Chances that have no sense but differ from row to row, in steps so coarse that equities tie."""
    mixed = rows.astype(np.int64) @ np.arange(3, 31) ** 3
    return ((mixed[:, None] * [1, 5, 7, 11, 13] % 8) / 8).astype(np.float32)


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_equity_is_the_mean_of_the_points(rules: str | narde.Rules) -> None:
    """Of games whose results are counted one by one."""
    rule = narde.rules(rules)
    games = narde.random_games(300, rule, seed=5)
    points = np.where(games.winner == 0, games.points, -games.points)
    kinds = [1, rule.mars, rule.koks or 99]
    chances = [np.mean(points >= kinds[k]) for k in range(3)] + [np.mean(points <= -kinds[k]) for k in (1, 2)]
    assert evaluators.equity(np.array([chances] * 2), rule) == pytest.approx([points.mean()] * 2)
    assert evaluators.equity(chances, rule).shape == ()


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_finished_rows_have_exact_chances(rules: str | narde.Rules) -> None:
    rule = narde.rules(rules)
    games = narde.random_games(400, rule, seed=6, record=("chosen",))
    last = games.chosen[games.offsets[1:] - 1]
    chances = evaluators.exact_chances(last, rule)
    assert np.array_equal(evaluators.equity(chances, rule), narde.results(last, rule))
    assert np.array_equal(evaluators.equity(evaluators.swapped(chances), rule), -narde.results(last, rule))
    assert np.array_equal(evaluators.value_of(by_hash, last, rule), narde.results(last, rule))


def test_finished_rows_are_kept_from_the_evaluator() -> None:
    rows, _ = batch("short", 20)
    over = np.zeros(28, np.int8)
    over[26], over[10] = 15, -15
    mixed = np.insert(rows, 7, over, axis=0)

    def evaluator(seen: np.ndarray) -> np.ndarray:
        assert not narde.finished(seen).any()
        return by_hash(seen)

    chances = evaluators.chances_of(evaluator, mixed, "short")
    assert np.array_equal(np.delete(chances, 7, axis=0), by_hash(rows))
    assert chances[7].tolist() == [1, 1, 0, 0, 0]
    assert evaluators.call(evaluator, rows[:0], "short").shape == (0, 5)


@pytest.mark.parametrize("game", GAMES)
def test_best_plays_are_those_of_a_plain_search(game: str) -> None:
    rules = narde.rules(game)
    parts = batch(game, 150), endings(rules, 50)
    rows, dice = (np.concatenate(column) for column in zip(*parts, strict=True))
    best = evaluators.best_plays(by_hash, rows, dice, rules, threads=2)
    for i, (row, roll) in enumerate(zip(rows, dice, strict=True)):
        after = narde.afterstates(row, roll, rules).positions
        worth = -evaluators.value_of(by_hash, after, rules)
        assert best.indices[i] == int(np.argmax(worth))
        assert np.array_equal(best.afterstates[i], after[best.indices[i]])
        assert np.array_equal(best.chances[i], evaluators.chances_of(by_hash, after, rules)[best.indices[i]])


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_a_network_is_the_same_inside_and_outside_the_core(rules: str | narde.Rules) -> None:
    """A function around it takes the way of any other evaluator: the same bytes, by one ply too."""
    rule = narde.rules(rules)
    network = Network.random(32, game=rule.game, seed=9)
    parts = batch(rule.game, 200), endings(rule, 100)
    rows, dice = (np.concatenate(column) for column in zip(*parts, strict=True))
    inside = evaluators.best_plays(network, rows, dice, rule)
    outside = evaluators.best_plays(lambda seen: network(seen), rows, dice, rule)
    assert [part.tobytes() for part in inside] == [part.tobytes() for part in outside]
    ahead = [evaluators.lookahead(one, rule) for one in (network, lambda seen: network(seen))]
    some = rows[170:230]
    assert np.array_equal(ahead[0](some), ahead[1](some))
    assert np.array_equal(network.look_ahead(some, rule, threads=3), ahead[0](some))


@pytest.mark.parametrize("game", GAMES)
def test_a_ply_ahead_is_the_mean_over_the_rolls(game: str) -> None:
    """Against plain arithmetic, and whatever the batch; two plies are one ply of one ply."""
    rules = narde.rules(game)
    rows, _ = batch(game, 70)
    one = evaluators.lookahead(by_hash, rules)
    found = one(rows)
    for i in (0, 66):
        best = evaluators.best_plays(by_hash, rows[i], ROLLS, rules)
        of_roll = evaluators.swapped(best.chances.astype(np.float64))
        assert found[i] == pytest.approx((of_roll * WEIGHTS[:, None]).sum(axis=0) / 36, abs=1e-7)
        assert np.array_equal(one(rows[i : i + 1])[0], found[i])
    two = evaluators.lookahead(by_hash, rules, plies=2)
    end = endings(rules, 1)[0]
    assert np.array_equal(two(end), evaluators.lookahead(one, rules)(end))
    assert evaluators.lookahead(by_hash, rules, plies=0) is by_hash


def test_a_ply_ahead_is_exact_at_the_end() -> None:
    """Checkers on the six and the ace point are both off with any six and with doubles of 2 to 5, 15 rolls of
    36; else the opponent wins."""
    row = long_end({1: 1, 6: 1}, {1: 1})
    ahead = evaluators.lookahead(lambda rows: np.tile(np.float32([1, 0, 0, 0, 0]), (len(rows), 1)), "long")
    assert ahead(row[None])[0].tolist() == [np.float32(15 / 36), 0, 0, 0, 0]


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_a_network_takes_games_that_are_over_as_over(rules: str | narde.Rules) -> None:
    """Also beside some that are not."""
    rule = narde.rules(rules)
    network = Network.random(16, game=rule.game, seed=3)
    lost = narde.random_games(20, rule, seed=2, record=["chosen"])
    rows = lost.chosen[np.cumsum(lost.lengths) - 1]
    rows = np.concatenate([rows, narde.flip(rows, rule), narde.starting_row(rule)[None]])
    dice = np.resize(ROLLS, (len(rows), 2))
    quick = evaluators.best_plays(network, rows, dice, rule)
    slow = evaluators.best_plays(lambda seen: network(seen), rows, dice, rule)
    assert all(np.array_equal(one, other) for one, other in zip(quick, slow, strict=True))
    ahead = evaluators.lookahead(network, rule)(rows)
    assert np.array_equal(ahead, evaluators.lookahead(lambda seen: network(seen), rule)(rows))
    assert np.array_equal(ahead[:40], evaluators.exact_chances(rows[:40], rule))


FAULTS = {
    "nan": (lambda c: c * [1, np.nan, 1, 1, 1], "gave nan as the chance of winning mars, for row 0 of 9"),
    "large": (lambda c: c * 0 + 1.01, "gave 1.0[0-9]* as the chance of winning, for row 0"),
    "small": (lambda c: c * 0 - 0.1, "gave -0.1"),
    "narrow": (lambda c: c[:, :4], r"returned float32 \(9, 4\) for 9 rows"),
    "short": (lambda c: c[1:], r"returned float32 \(8, 5\) for 9 rows"),
    "whole": (lambda c: c.astype(int), r"returned int64 \(9, 5\).*return float32 \(9, 5\)"),
    "nothing": (lambda c: None, "returned None for 9 rows"),
    "generator": (lambda c: (row for row in c), "returned <generator object .* for 9 rows"),
    "ragged": (lambda c: [[1], [1, 2]], "no array"),
    "beyond float32": (lambda c: c.astype(float) + 1e300, "gave inf as the chance of winning, for row 0"),
    "masked": (lambda c: np.ma.array(c, mask=c == c[3]), "returned masked values"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_chances_is_refused(name: str) -> None:
    rows, _ = batch("long", 9)
    wrong, message = FAULTS[name]
    with pytest.raises(EvaluatorError, match=message):
        evaluators.call(lambda seen: wrong(by_hash(seen)), rows, "long")


def test_a_fault_names_its_position() -> None:
    rows, _ = batch("short", 50)

    def bad(seen: np.ndarray) -> np.ndarray:
        return np.where((seen == rows[31]).all(axis=1)[:, None], np.inf, by_hash(seen)).astype(np.float32)

    def broken(seen: np.ndarray) -> np.ndarray:
        if (seen == rows[31]).all(axis=1).any():
            raise RuntimeError("no luck")
        return by_hash(seen)

    for evaluator, message in ((bad, "bad gave inf"), (broken, "RuntimeError: 'no luck' in a batch of 50")):
        with pytest.raises(EvaluatorError, match=message) as fault:
            evaluators.call(evaluator, rows, "short")
        assert f"row 31 = {describe_row(rows[31], 'short')}" in str(fault.value)
    assert isinstance(fault.value.__cause__, RuntimeError)


def test_a_fault_of_the_whole_batch_is_told_apart() -> None:
    def full(seen: np.ndarray) -> np.ndarray:
        if len(seen) > 4:
            raise MemoryError
        return by_hash(seen)

    with pytest.raises(EvaluatorError, match=r"MemoryError.*rows 0 to 7, none of them alone"):
        evaluators.call(full, batch("long", 8)[0], "long")


def test_half_precision_is_rounded_to_chances() -> None:
    rows, _ = batch("long", 3)
    chances = evaluators.call(lambda seen: (by_hash(seen) * 0 + 1.0004).astype(np.float64), rows, "long")
    assert chances.dtype == np.float32
    assert (chances == 1).all()
    half = evaluators.call(lambda seen: by_hash(seen).astype(np.float16), rows, "long")
    assert np.array_equal(half, by_hash(rows))


def test_rows_are_not_the_evaluators_to_change() -> None:
    rows, _ = batch("long", 3)

    def careless(seen: np.ndarray) -> np.ndarray:
        seen[:] = 0
        return by_hash(seen)

    with pytest.raises(EvaluatorError, match="read-only"):
        evaluators.call(careless, rows, "long")


def test_what_cannot_be_asked_is_refused() -> None:
    rows, dice = batch("long", 3)
    last_roll = replace(narde.rules("long"), last_roll=True)
    for evaluator, rules, message in (
        (17, "long", "pass a function"),
        (by_hash, last_roll, "without last_roll"),
        (Network.random(16, game="short"), "long", "made for the game 'short'"),
        (evaluators.race("short"), "long", "made for the game 'short'"),
    ):
        with pytest.raises(InvalidArgumentError, match=message):
            evaluators.best_plays(evaluator, rows, dice, rules)
    with pytest.raises(InvalidArgumentError, match="plies"):
        evaluators.lookahead(by_hash, "long", plies=4)
    with pytest.raises(InvalidArgumentError, match="shape"):
        evaluators.equity([0.5], "long")


@pytest.mark.parametrize("evaluator", [by_hash, Network.random(16)], ids=["function", "network"])
def test_one_row_or_one_roll_goes_with_many(evaluator: evaluators.Evaluator) -> None:
    rows, dice = batch("long", 4)
    many = evaluators.best_plays(evaluator, np.repeat(rows[:1], 4, axis=0), dice, "long")
    one = evaluators.best_plays(evaluator, rows[0], dice, "long")
    assert np.array_equal(many.afterstates, one.afterstates)
    assert np.array_equal(
        evaluators.best_plays(evaluator, rows, dice[0], "long").indices,
        evaluators.best_plays(evaluator, rows, np.repeat(dice[:1], 4, axis=0), "long").indices,
    )
    assert len(evaluators.best_plays(evaluator, rows[:0], dice[:0], "long").indices) == 0
    with pytest.raises(InvalidArgumentError, match="4 rows and 3 dice"):
        evaluators.best_plays(evaluator, rows, dice[:3], "long")


@pytest.mark.parametrize("rules", GAMES)
def test_race_by_pips(rules: str) -> None:
    """The documented formula, in plain arithmetic; being on roll is worth half a roll."""
    rows, _ = batch(rules, 200)
    race = evaluators.race(rules)
    for row, found in zip(rows, race(rows), strict=True):
        own, opponent = narde.pips(row, rules).tolist()
        spread = 2**0.5 * (665 / 36 / (49 / 6) * (own + opponent)) ** 0.5
        assert found[0] == pytest.approx((1 + erf((opponent - own + 4) / spread)) / 2, abs=0.01)
        assert found[1:].tolist() == [0, 0, 0, 0]
    assert 0.5 < race(narde.starting_row(rules)[None])[0, 0] < 0.6
    assert race(narde.starting_row(rules)).shape == (1, 5)
    assert pickle.loads(pickle.dumps(race)) == race

"""The network in the core against plain matrix products, its choice against all afterstates weighed."""

import gc
import pickle
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import narde
from narde import _games, _net
from narde._sums import columns_of
from narde.errors import InvalidArgumentError, InvalidPositionError
from narde.evaluators import exact_chances
from narde.features import FEATURES, code_of, features
from narde.kernels import packed
from narde.network import Network
from positions import made_turns

GAMES = ["long", "short"]


def batch(game: str, number: int, seed: int = 8) -> tuple[np.ndarray, np.ndarray]:
    unfinished = (turn for turn in made_turns(game, seed) if turn[0][26] < 15 and turn[0][27] > -15)
    pairs = list(islice(unfinished, number))
    rows, dice = (np.array(column, np.int8) for column in zip(*pairs, strict=True))
    return rows, dice


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hidden", [16, 64, 128])
def test_chances_are_those_of_the_forward_pass(game: str, hidden: int) -> None:
    network = Network.random(hidden, game=game, seed=hidden)
    rows, _ = batch(game, 500)
    assert np.abs(network(rows) - network.forward(rows)).max() < 1e-6
    assert np.array_equal(network(rows, threads=3), network(rows))
    assert np.array_equal(network(rows[7]), network(rows)[7])


def test_a_row_that_another_thread_has_changed_reads_no_foreign_memory() -> None:
    """Past the check of rows the core takes any numbers of checkers for 0 to 15."""
    network = Network.random(16, seed=1)
    changed, like = np.zeros((2, 28), np.int8)
    changed[[0, 23, 26, 27]], like[[0, 23, 26, 27]] = (100, -100, 127, -128), (4, -4, 15, 0)
    chances = np.empty((2, 5), np.float32)
    network.compiled.evaluate(np.stack([changed, like]), 0, 2, chances)
    assert np.array_equal(chances[0], chances[1])


def endings(rules: narde.Rules, number: int) -> tuple[np.ndarray, np.ndarray]:
    """The last turns of games, in which a play may end the game."""
    games = narde.random_games(number, rules, seed=3, record=("positions", "dice"))
    last = games.offsets[1:] - 1
    return games.positions[last], games.dice[last]


KOKS = replace(narde.rules("long"), name="koks", koks=3)


@pytest.mark.parametrize("rules", ["long", "short", KOKS], ids=str)
@pytest.mark.parametrize("hidden", [48, 64, 128])
def test_choice_is_the_best_of_all_afterstates(rules: str | narde.Rules, hidden: int) -> None:
    """Bit for bit the values of the afterstates, the first of equals; a won game by its points."""
    rule = narde.rules(rules)
    network = Network.random(hidden, game=rule.game, seed=5)
    parts = batch(rule.game, 700), endings(rule, 200)
    rows, dice = (np.concatenate(column) for column in zip(*parts, strict=True))
    afters, values, indices, chances = network.choose(rows, dice, rule, chances=True)
    out = narde.afterstates(rows, dice, rule)
    expected = worth(network, out.positions, rule)
    for i in range(len(rows)):
        of_row = expected[out.offsets[i] : out.offsets[i + 1]]
        assert values[i] == of_row.max()
        assert indices[i] == int(np.argmax(of_row))
        assert np.array_equal(afters[i], out[i][indices[i]])
    assert network.choose(rows, dice, rule).chances is None
    over = narde.finished(afters)
    assert over.any()
    assert np.array_equal(chances[~over], network(afters[~over]))
    assert np.array_equal(chances[over], exact_chances(afters[over], rule))


def worth(network: Network, positions: np.ndarray, rules: narde.Rules) -> np.ndarray:
    """The value of afterstates to those who have played them, in the order of the core's float32 sums."""
    win, win_mars, win_koks, lose_mars, lose_koks = network(positions).T
    equity = np.float32(2) * win - np.float32(1)
    equity += np.float32(rules.mars - 1) * (win_mars - lose_mars)
    if rules.koks:
        equity += np.float32(rules.koks - rules.mars) * (win_koks - lose_koks)
    over = positions[:, 27] == -15
    equity[over] = narde.results(positions[over], rules)
    return -equity


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hidden", [16, 64, 80, 128, 512])
def test_avx2_and_plain_arithmetic_give_the_same_bytes(game: str, hidden: int) -> None:
    network = Network.random(hidden, game=game, seed=1)
    rows, dice = batch(game, 200)
    fast = network(rows), *network.choose(rows, dice, game, chances=True)
    _net.use_avx2(False)
    try:
        slow = network(rows), *network.choose(rows, dice, game, chances=True)
    finally:
        _net.use_avx2(True)
    assert [part.tobytes() for part in fast] == [part.tobytes() for part in slow]


@pytest.mark.parametrize("game", GAMES)
def test_features_are_the_documented_code(game: str) -> None:
    rows, _ = batch(game, 100)
    inputs = features(rows)
    for row, found in zip(rows.tolist(), inputs, strict=True):
        sides = [max(n, 0) for n in (*row[:24], row[24], row[26])]
        sides += [max(-n, 0) for n in (*row[:24], row[25], row[27])]
        expected = [x for i, n in enumerate(sides) for x in code_of(n, i % 26)]
        assert found.tolist() == expected
    out = np.empty((100, FEATURES), np.float32)
    assert features(rows, out=out) is out
    with pytest.raises(InvalidArgumentError):
        features(rows, out=np.empty((99, FEATURES), np.float32))


def test_nothing_adds_nothing() -> None:
    weights = Network.random(16).hidden_weights
    assert not columns_of(weights)[:, :, 0].any()


def test_weights_that_could_overflow_are_scaled_or_refused() -> None:
    shape = (FEATURES, 16), (16,), (16, 5), (5,)
    small, large = ([np.full(s, value) for s in shape] for value in (1e-3, 50.0))
    assert Network.from_floats("long", *small).hidden_shift > Network.from_floats("long", *large).hidden_shift
    with pytest.raises(InvalidArgumentError, match="too large"):
        Network.from_floats("long", *[np.full(s, 1e5) for s in shape])
    with pytest.raises(InvalidArgumentError, match="finite"):
        Network.from_floats("long", *[np.full(s, np.nan) for s in shape])
    network = Network.from_floats("long", *large)
    weights = np.full_like(network.hidden_weights, 2**14)
    with pytest.raises(InvalidArgumentError, match="overflow"):
        Network("long", weights, network.hidden_bias, network.output_weights, network.output_bias, 0, 0)


def test_rows_of_another_game_are_refused() -> None:
    network = Network.random(16, game="long")
    with pytest.raises(InvalidArgumentError, match="made for"):
        network.choose(*batch("short", 3), "short")
    with pytest.raises(InvalidArgumentError, match="made for"):
        network.look_ahead(narde.starting_row("short"), "short")
    row = narde.starting_row("short")
    row[23], row[24] = 1, 1
    with pytest.raises(InvalidPositionError, match="row 0"):
        network(row)


@pytest.mark.parametrize("size", [0.0, 1e-6, 0.01, 0.07, 1.0])
def test_any_size_of_weights_gives_the_forward_pass(size: float) -> None:
    """Small weights get fine units: the largest whole numbers still have to fit."""
    draw = np.random.default_rng(3).uniform
    shapes = (FEATURES, 64), (64,), (64, 5), (5,)
    network = Network.from_floats("long", *[draw(-size, size, shape) for shape in shapes])
    rows, _ = batch("long", 200)
    assert np.abs(network(rows) - network.forward(rows)).max() < 1e-6


def test_a_network_is_pickled_used_or_not() -> None:
    network, row = Network.random(16), narde.starting_row()
    for _ in range(2):
        assert np.array_equal(pickle.loads(pickle.dumps(network))(row), network(row))


def test_arrays_are_copies_that_cannot_change() -> None:
    network = Network.random(16)
    with pytest.raises(ValueError, match="read-only"):
        network.hidden_bias[0] = 1
    bias = np.array(network.hidden_bias)
    other = replace(network, hidden_bias=bias)
    bias[:] = 0
    assert np.array_equal(other.hidden_bias, network.hidden_bias)


def test_a_player_outlives_its_network() -> None:
    player = Network.random(16).compiled_with(0.5).turn_player()
    gc.collect()
    columns = np.empty(5, np.int8), np.empty(5, np.int8), np.empty(5, np.int32)
    start, rules = narde.starting_row(), packed(narde.rules("long"))
    _games.play_games(player, player, start, rules, np.array([1, 0], np.uint64), 0, 10_000, *columns)
    assert set(columns[0].tolist()) <= {0, 1}


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"hidden_shift": 2000},
        {"hidden_shift": "a"},
        {"hidden_bias": [1] * 16},
        {"output_bias": np.zeros(4, np.int32)},
    ],
)
def test_wrong_fields_are_refused(change: dict) -> None:
    with pytest.raises(InvalidArgumentError):
        replace(Network.random(16), **change)


def test_wrong_weights_are_refused_by_their_shape() -> None:
    good = [np.zeros(shape) for shape in ((FEATURES, 16), (16,), (16, 5), (5,))]
    for k, bad in ((0, np.zeros((195, 16))), (1, np.zeros(17)), (2, np.zeros((16, 4))), (0, "x")):
        with pytest.raises(InvalidArgumentError):
            Network.from_floats("long", *good[:k], bad, *good[k + 1 :])
    with pytest.raises(InvalidArgumentError, match="epsilon"):
        Network.random(16).compiled_with(float("nan"))


def test_a_row_with_checkers_on_every_point() -> None:
    """As many columns as there can be, for whose places the core needs room."""
    row = np.zeros(28, np.int8)
    row[:12], row[12:24] = 1, -1
    row[0], row[12] = 4, -4
    network = Network.random(32)
    rows = np.repeat(row[None], 50, axis=0)
    assert np.abs(network(rows) - network.forward(rows)).max() < 1e-6

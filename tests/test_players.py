"""Players chosen by name, and their choices against plain Python."""

import math
import pickle
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import narde
from evaluating import rough
from narde import EvaluatorError, InvalidArgumentError, Network, StorageError, evaluators, streams
from narde.dice import ROLLS, WEIGHTS
from narde.players import GreedyPlayer, RandomPlayer
from positions import made_turns

GAMES = ["long", "short"]


def batch(game: str, number: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of games that go on, dice, and choice words."""
    unfinished = (turn for turn in made_turns(game, seed) if turn[0][26] < 15 and turn[0][27] > -15)
    pairs = list(islice(unfinished, number))
    rows, dice = (np.array(column, np.int8) for column in zip(*pairs, strict=True))
    return rows, dice, streams.words(seed, streams.CHOICES, np.arange(number), 5)


# ---- names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "pips",
        "greedy",
        "greedy,epsilon=0.5",
        "pips,ply=1",
        "pips,temperature=0.25,epsilon=0.05",
        "pips,epsilon=1e-05",
    ],
)
def test_a_player_gives_its_name_back(name: str) -> None:
    player = narde.player(name)
    assert str(player) == name
    assert narde.player(player) is player
    assert narde.player(str(player)) == player


@pytest.mark.parametrize("game", GAMES)
def test_greedy_without_a_file_goes_by_the_network_of_the_package(game: str) -> None:
    rows, dice, words = batch(game, 50)
    rules = narde.rules(game)
    named, expected = narde.player("greedy"), narde.player(evaluators.default(game))
    assert named.under(rules).checksum == expected.checksum
    for one in (named, named.under(rules)):
        assert np.array_equal(one.choose(rows, dice, rules, words), expected.choose(rows, dice, rules, words))


def test_a_file_of_weights_by_its_path(tmp_path: Path) -> None:
    network = Network.random(16)
    path = network.save(tmp_path / "a,b c.narde")
    player = narde.player(f"greedy:{path},ply=1, epsilon = 0.5")
    assert str(player) == f"greedy:{path},ply=1,epsilon=0.5"
    assert player.checksum == network.checksum
    assert narde.player(Network.random(16, seed=1)).checksum != network.checksum
    with pytest.raises(StorageError, match="nowhere"):
        narde.player("greedy:nowhere.narde")


def test_options_are_passed_by_name_too() -> None:
    assert narde.player("pips", ply=1, epsilon=0.5) == narde.player("pips,ply=1,epsilon=0.5")
    assert str(narde.player(rough, temperature=0.5)) == "greedy:<evaluating.rough>,temperature=0.5"
    assert str(narde.player(Network.random(16))) == "greedy:<Network>"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("expert", "no player 'expert': name random, pips, greedy, greedy:FILE, bearoff or bearoff:PLAYER"),
        ("greedy:", "no player"),
        ("", "no player"),
        ("random,epsilon=0.5", "the player random has no epsilon"),
        ("pips,depth=1", "no option 'depth' of a player: use ply, temperature, epsilon"),
        ("pips,ply=1,ply=2", "twice"),
        ("pips,ply=one", "give a number"),
        ("pips,ply=", "give a number"),
        ("pips,ply=9", "ply is 9"),
        ("pips,epsilon=1.5", "epsilon is 1.5: pass a number, 0 to 1"),
        ("pips,temperature=-1", "temperature is -1.0: pass a number, 0 or above"),
        ("pips,temperature=nan", "temperature is nan"),
        ("pips,temperature=inf", "temperature is inf"),
        (7, "player is 7"),
    ],
)
def test_wrong_names_are_refused(name: object, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=reason):
        narde.player(name)


def test_wrong_options_are_refused() -> None:
    wrong = {"depth": 1}, {"ply": 0.5}, {"epsilon": "a"}, {"temperature": None}, {"temperature": 10**400}
    for options in wrong:
        with pytest.raises(InvalidArgumentError, match=next(iter(options))):
            narde.player("pips", **options)
    with pytest.raises(InvalidArgumentError, match="has its options"):
        narde.player(narde.player("pips"), ply=1)


def test_players_are_told_where_they_cannot_play() -> None:
    long_only = narde.player(Network.random(16, game="long"))
    with pytest.raises(InvalidArgumentError, match="made for"):
        long_only.check_rules(narde.rules("short"))
    for name in ("random", "pips"):
        narde.player(name).check_rules(narde.rules("short"))


# ---- choices ---------------------------------------------------------------------------------------------


Pick = Callable[[np.ndarray, int], int]


def worth(row: np.ndarray, rules: narde.Rules, ply: int) -> np.float32:
    """The value of an afterstate to the one who has played it, at 1 ply roll by roll."""
    if not ply or row[27] == -15:
        return -np.float32(evaluators.value_of(rough, row[None], rules)[0])
    total = np.zeros(5)
    for roll, weight in zip(ROLLS, WEIGHTS, strict=True):
        rows = narde.afterstates(row, roll, rules).positions
        best = rows[int(np.argmax(-evaluators.value_of(rough, rows, rules)))]
        total += weight * evaluators.swapped(evaluators.chances_of(rough, best[None], rules)[0].astype(float))
    return -np.float32(evaluators.equity((total / 36).astype(np.float32), rules))


def assert_chosen(player: narde.players.Player, game: str, number: int, pick: Pick) -> None:
    """The player's choices, and their values, are those that `pick` makes of the values of a row's
    afterstates."""
    rows, dice, words = batch(game, number)
    rules = narde.rules(game)
    chosen, values = player.weigh(rows, dice, rules, words)
    assert np.array_equal(player.choose(rows, dice, rules, words), chosen)
    out = narde.afterstates(rows, dice, rules)
    for i, word in enumerate(words.tolist()):
        expected = np.array([worth(row, rules, player.ply) for row in out[i]])
        index = pick(expected, word)
        assert np.array_equal(chosen[i], out[i][index])
        assert values[i] == pytest.approx(expected[index], abs=1e-6)


@pytest.mark.parametrize("game", GAMES)
def test_the_first_of_the_highest_values_is_chosen(game: str) -> None:
    assert_chosen(narde.player(rough), game, 80, lambda values, word: int(np.argmax(values)))


def test_a_ply_ahead_is_the_mean_over_all_rolls() -> None:
    assert_chosen(narde.player(rough, ply=1), "long", 3, lambda values, word: int(np.argmax(values)))


def mixed(word: int) -> int:
    return word * 0x9E3779B97F4A7C15 % 2**64


def soft(values: np.ndarray, word: int, temperature: float) -> int:
    weights = [math.exp((float(v) - float(max(values))) / temperature) for v in values]
    wanted, index = (mixed(word) >> 11) / 2**53 * math.fsum(weights), 0
    while index < len(values) - 1 and math.fsum(weights[: index + 1]) <= wanted:
        index += 1
    return index


@pytest.mark.parametrize("game", GAMES)
def test_temperature_softens_the_choice(game: str) -> None:
    player = narde.player(rough, temperature=0.2)
    assert_chosen(player, game, 80, lambda values, word: soft(values, word, 0.2))


def test_a_very_low_temperature_takes_one_of_the_best() -> None:
    rows, dice, words = batch("short", 100)
    rules = narde.rules("short")
    values = [narde.player(rough, temperature=t).weigh(rows, dice, rules, words)[1] for t in (0, 5e-324)]
    assert np.array_equal(*values)


@pytest.mark.parametrize("game", GAMES)
def test_a_share_of_turns_takes_any_afterstate(game: str) -> None:
    def pick(values: np.ndarray, word: int) -> int:
        if word < 2**62:
            return mixed(word) * len(values) >> 64
        return int(np.argmax(values))

    assert_chosen(narde.player(rough, epsilon=0.25), game, 80, pick)


@pytest.mark.parametrize("name", ["random", "pips", "pips,temperature=0.1,epsilon=0.3", "network"])
def test_a_choice_depends_on_no_other_row(name: str) -> None:
    player = narde.player(Network.random(16), epsilon=0.2) if name == "network" else narde.player(name)
    rows, dice, words = batch("long", 90)
    rules = narde.rules("long")
    whole = player.choose(rows, dice, rules, words)
    for size in (1, 7, 64):
        parts = [slice(i, i + size) for i in range(0, 90, size)]
        found = [player.choose(rows[part], dice[part], rules, words[part]) for part in parts]
        assert np.array_equal(np.concatenate(found), whole)
    assert player.choose(rows[:0], dice[:0], rules, words[:0]).shape == (0, 28)


def test_the_pips_player_hits_where_he_can() -> None:
    """The opponent's pips grow, his own shrink alike by all plays."""
    row = narde.starting_row("short")
    row[18:20] = -4, -1  # a blot on the mover's 20 point
    rules = narde.rules("short")
    out = narde.afterstates(row, (4, 1), rules)
    chosen = narde.player("pips").choose(
        row[None], np.array([[4, 1]], np.int8), rules, np.zeros(1, np.uint64)
    )
    assert chosen[0, 24] == 1
    assert out.positions[:, 24].min() == 0


# ---- travelling ------------------------------------------------------------------------------------------


def test_players_are_pickled_with_what_they_need(tmp_path: Path) -> None:
    path = Network.random(16).save(tmp_path / "weights.narde")
    players = [
        RandomPlayer(),
        narde.player("pips,ply=1"),
        narde.player(rough),
        narde.player(f"greedy:{path}"),
    ]
    path.unlink()
    rows, dice, words = batch("long", 30)
    for player in players:
        again = pickle.loads(pickle.dumps(player))
        assert (str(again), again.checksum) == (str(player), player.checksum)
        choices = [one.choose(rows, dice, narde.rules("long"), words) for one in (player, again)]
        assert np.array_equal(*choices)
    assert pickle.loads(pickle.dumps(players[3])) is pickle.loads(pickle.dumps(players[3]))


def test_a_faulty_evaluator_is_named_with_the_position() -> None:
    player = GreedyPlayer(lambda rows: np.full((len(rows), 5), np.nan, np.float32), "nan")
    rows, dice, words = batch("long", 3)
    with pytest.raises(EvaluatorError, match="nan as the chance of winning"):
        player.choose(rows, dice, narde.rules("long"), words)

"""Self-play: games told turn by turn in plain Python, and the same bytes however they are played."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

import narde
from corpus import assert_same_games
from evaluating import rough
from narde import Games, InvalidArgumentError, InvalidRulesError, Network, executors, random_games, streams
from narde.dice import SeededDice
from narde.games import join_games
from narde.kernels import Stopped, stop_with
from narde.players import Player
from narde.scoring import finished, last_roll_due
from narde.selfplay import RECORDED, incore, self_play
from narde.selfplay.lockstep import play_in_lockstep

TURNS = ("positions", "dice", "chosen")
LONG, SHORT = narde.rules("long"), narde.rules("short")
HOUSE = [
    replace(LONG, last_roll=True, koks=3),
    replace(LONG, prime_rule="free", head_per_turn=0, head_exception="none", koks=3, mars=1),
    replace(SHORT, opening_roll="reroll", koks=0),
]


def told(players: tuple[Player, Player], rules: narde.Rules, seed: int, game: int) -> Games:
    """One game turn by turn: a row at a time, dice as a `Game` rolls them, the words by NumPy."""
    dice = SeededDice(seed, game)
    words = np.random.Philox(key=seed, counter=[0, game, streams.CHOICES, 0])
    row, turns, rolls, chosen, values = narde.starting_row(rules), [], [], [], []
    while True:
        mover = len(turns) % 2
        roll = dice.contest(True) if not turns and rules.opening_roll == "keep" else dice.roll()
        word = np.array([words.random_raw()], np.uint64)
        after, value = players[mover].weigh(row[None], np.array([roll], np.int8), rules, word)
        for column, cell in zip((turns, rolls, chosen, values), (row, roll, after[0], value[0]), strict=True):
            column.append(cell)
        row = after[0]
        if finished(row) and not last_roll_due(row, rules, mover == 1):
            break
    result = int(narde.results(row, rules))
    winner = [0, 1 - mover, mover][np.sign(result)] if result else -1
    numbers = (np.array([x], kind) for x, kind in ((winner, "i1"), (abs(result), "i1"), (len(turns), "i4")))
    columns = {"positions": turns, "dice": rolls, "chosen": chosen}
    kept = {name: np.array(column, np.int8) for name, column in columns.items()}
    kept |= {"values": np.array(values, np.float32), "offsets": np.array([0, len(turns)])}
    return Games(rules, seed, game, *numbers, **kept)


# ---- equal to slow twins ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "opponent", "rules"),
    [
        ("pips", None, "long"),
        ("pips,temperature=0.3,epsilon=0.1", rough, "bkgm"),
        (rough, "pips", "long"),
        ("pips,temperature=0.9", None, "short"),
        (rough, "pips,epsilon=1", "short"),
    ],
)
def test_games_are_those_told_turn_by_turn(name: object, opponent: object, rules: str) -> None:
    games = self_play(4, name, rules, opponent=opponent, seed=2**70, first=9, record=RECORDED)
    assert games.lengths.max() < 1000
    players = narde.player(name), narde.player(name if opponent is None else opponent)
    expected = join_games([told(players, narde.rules(rules), 2**70, game) for game in range(9, 13)])
    assert_same_games(games, expected)


@pytest.mark.parametrize("rules", [*narde.variants(), *HOUSE], ids=str)
def test_random_players_play_random_games(rules: object) -> None:
    """In the core and in lockstep, the slow twin of both."""
    expected = random_games(60, rules, seed=3, first=5, record=TURNS)
    assert_same_games(self_play(60, "random", rules, seed=3, first=5, record=TURNS), expected)
    players = (narde.player("random"),) * 2
    assert_same_games(play_in_lockstep(players, narde.rules(rules), 3, 5, 60, 999, TURNS), expected)


@pytest.mark.parametrize("game", ["long", "short"])
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0])
def test_a_network_plays_the_same_in_the_core_and_in_lockstep(game: str, epsilon: float) -> None:
    """As a player of the core, in lockstep, and as a function that nobody knows for a network."""
    network = Network.random(32, game=game, seed=4)
    expected = self_play(40, narde.player(network, epsilon=epsilon), game, seed=8, record=RECORDED)
    player = narde.player(network, epsilon=epsilon)
    found = play_in_lockstep((player, player), narde.rules(game), 8, 0, 40, 999, RECORDED)
    assert_same_games(found, expected)
    plain = narde.player(lambda rows: network(rows), epsilon=epsilon)
    assert_same_games(self_play(40, plain, game, seed=8, record=RECORDED), expected)


def test_a_network_against_a_random_player_in_the_core() -> None:
    network = narde.player(Network.random(16))
    players = network, narde.player("random")
    games = self_play(30, network, seed=1, opponent="random", record=TURNS)
    assert_same_games(games, play_in_lockstep(players, LONG, 1, 0, 30, 999, TURNS))
    assert_same_games(
        games, self_play(30, lambda rows: network.evaluator(rows), seed=1, opponent="random", record=TURNS)
    )


# ---- however they are played -----------------------------------------------------------------------------

PLAYERS = [Network.random(16), "random", rough]


@pytest.mark.parametrize(
    ("player", "rules"),
    [
        (PLAYERS[0], "long"),
        (Network.random(16, game="short"), "short"),
        ("random", "short"),
        (rough, "short"),
        ("pips,temperature=0.8", "long"),
    ],
    ids=["network long", "network short", "random", "function", "pips"],
)
def test_nothing_but_the_seed_changes_the_games(player: object, rules: str) -> None:
    record = TURNS if player == "random" else RECORDED
    expected = self_play(24, player, rules, seed=6, first=3, record=record)
    for options in ({"batch": 5}, {"batch": 7, "threads": 3}, {"batch": 16, "games_per_shard": 10}):
        assert_same_games(self_play(24, player, rules, seed=6, first=3, record=record, **options), expected)
    parts = [
        self_play(24, player, rules, seed=6, first=3, record=record, batch=4, shard=(i, 3)) for i in range(3)
    ]
    assert [len(part) for part in parts] == [8, 8, 8]
    assert_same_games(join_games(parts), expected)
    for name in ("winner", "points", "lengths"):
        plain = self_play(24, player, rules, seed=6, first=3)
        assert plain.offsets is None
        assert np.array_equal(getattr(plain, name), getattr(expected, name))


def test_processes_play_the_same_games() -> None:
    for player in (narde.player(Network.random(16), epsilon=0.1), rough):
        expected = self_play(40, player, seed=6, record=RECORDED)
        made = executors.processes(2)
        assert_same_games(self_play(40, player, seed=6, record=RECORDED, batch=6, executor=made), expected)


@pytest.mark.parametrize("room", [1, 100, 300])
def test_room_that_is_too_small_is_enlarged(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = self_play(20, PLAYERS[0], seed=6, record=RECORDED)
    monkeypatch.setattr(incore, "_ROOM", room)
    assert_same_games(self_play(20, PLAYERS[0], seed=6, record=RECORDED), expected)


@pytest.mark.parametrize(("name", "record"), [("play_games", ()), ("record_games", ["dice"])])
def test_a_unit_in_the_core_ends_soon_once_its_run_is_over(
    name: str, record: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    over, played = Event(), getattr(incore, name)

    def play_some(*arguments: object) -> object:
        over.set()
        return played(*arguments)

    def run() -> None:
        stop_with(over)
        self_play(2000, "random", seed=1, batch=2000, record=record)

    monkeypatch.setattr(incore, name, play_some)
    with ThreadPoolExecutor(1) as pool, pytest.raises(Stopped):
        pool.submit(run).result()


def test_a_game_without_end_is_nobodys() -> None:
    network = Network.random(16)
    games = self_play(30, network, seed=1, record=RECORDED, max_turns=90)
    whole = self_play(30, network, seed=1)
    short = whole.lengths <= 90
    assert 0 < short.sum() < 30
    assert np.array_equal(games.winner, np.where(short, whole.winner, -1))
    assert np.array_equal(games.points, np.where(short, whole.points, 0))
    assert np.array_equal(games.lengths, np.minimum(whole.lengths, 90))
    plain = self_play(30, lambda rows: network(rows), seed=1, record=RECORDED, max_turns=90)
    assert_same_games(games, plain)


@pytest.mark.parametrize("player", PLAYERS, ids=["network", "random", "function"])
def test_no_games(player: object) -> None:
    games = self_play(0, player, seed=1, record=TURNS)
    assert (len(games), games.offsets.tolist(), games.chosen.shape) == (0, [0], (0, 28))
    assert (
        len(self_play(1, player, seed=1, shard=(1, 2))) + len(self_play(1, player, seed=1, shard=(0, 2))) == 1
    )


def test_progress_is_told_from_the_first_to_the_last() -> None:
    calls = []
    self_play(50, "random", seed=1, batch=10, progress=lambda *numbers: calls.append(numbers))
    assert (calls[0], calls[-1]) == ((0, 50), (50, 50))
    assert calls == sorted(calls)


# ---- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"n": -1}, "n is -1"),
        ({"n": 2**40, "games_per_shard": 1}, "more than 1048576 shards"),
        ({"seed": -1}, "seed is -1"),
        ({"first": 2**63}, "first is"),
        ({"batch": 0}, "batch is 0"),
        ({"max_turns": 0}, "max_turns is 0"),
        ({"games_per_shard": 0}, "games_per_shard is 0"),
        ({"shard": 3}, "shard is 3: pass two numbers"),
        ({"shard": (2, 2)}, "the job in shard, counted from 0, is 2"),
        ({"shard": (0, 0)}, "the number of jobs in shard is 0"),
        ({"threads": 0}, "threads is 0"),
        ({"executor": 3}, "executor is 3"),
        ({"record": ["equity"]}, "record names 'equity'"),
        ({"record": "values"}, "the player random weighs nothing"),
        ({"player": "pips", "opponent": "random", "record": "values"}, "the player random weighs nothing"),
        ({"player": Network.random(16), "rules": "short"}, "was made for"),
        ({"player": "pips", "rules": HOUSE[0]}, "last_roll"),
        ({"opponent": "expert"}, "no player"),
        ({"progress": 3}, "progress is 3"),
        ({"resume": True}, "name a folder by out="),
        ({"resume": 1}, "resume is 1"),
        ({"format": "npz"}, "name a folder by out="),
        ({"format": "csv", "out": "x"}, "format is 'csv'"),
        ({"compression": "zstd"}, "name a folder by out="),
        ({"compression": "zstd", "out": "x"}, "compression is 'zstd': only Parquet"),
        ({"compression": "gzip", "out": "x"}, "compression is 'gzip': use 'none' or 'zstd'"),
        ({"out": 3}, "path"),
    ],
)
def test_wrong_arguments_are_named(options: dict, reason: str) -> None:
    arguments = {"n": 1, "player": "random", "seed": 1, **options}
    with pytest.raises(InvalidArgumentError, match=reason):
        self_play(**arguments)
    with pytest.raises(InvalidRulesError):
        self_play(1, "random", "chess", seed=1)


@pytest.mark.long
@pytest.mark.parametrize("game", ["long", "short"])
def test_a_network_plays_thousands_of_games_the_same_in_the_core_and_in_lockstep(game: str) -> None:
    player = narde.player(narde.evaluators.default(game), epsilon=0.05)
    expected = self_play(3000, player, game, seed=11, record=RECORDED)
    assert_same_games(
        play_in_lockstep((player, player), narde.rules(game), 11, 0, 3000, 9999, RECORDED), expected
    )
    plain = narde.player(lambda rows: player.evaluator(rows), epsilon=0.05)
    assert_same_games(self_play(3000, plain, game, seed=11, record=RECORDED), expected)

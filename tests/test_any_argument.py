"""A grid of bad values, each given for each argument of each public function: it answers or raises a
`NardeError` that is not too long."""

from inspect import isfunction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from boards import race_row
from narde import draw, evaluators, executors, met, players, rollouts, stats, streams
from narde.dice import ListedDice, SeededDice, as_pair, dice_source, read_dice
from narde.features import features
from narde.ids import describe_row
from narde.janowski import may_double
from narde.records import MatchRecord, decode_record, encode_record
from narde.scoring import points_by_kind, result_kinds
from spoiling import Call, assert_answered_or_refused, call, each_of, name_of

LONG, SHORT = narde.starting_row("long"), narde.starting_row("short")
START = narde.Position.start("long")
RACE = race_row([3, 3, 0, 0, 0, 0], [2, 2, 2, 0, 0, 0])
PIPS = evaluators.race("long")
NETWORK = narde.Network.random(8, seed=1)
AFTER = narde.afterstates(LONG, (2, 1))
CHANCES = [0.5, 0.1, 0, 0.1, 0]
PLAY: dict[str, Any] = {"seed": 1, "first": 0, "threads": 1, "executor": None, "batch": 1, "max_turns": 3}
ROLL: dict[str, Any] = {
    "trials": 1,
    "seed": 1,
    "truncate": 1,
    "variance_reduction": False,
    "plies": 0,
    "bearoff": False,
    "standard_error": None,
    "threads": 1,
    "executor": None,
    "checkpoint": None,
}
CUBE: dict[str, Any] = {"cube": None, "score": None, "money": None, "cube_life": 0.5}
GIVEN = CUBE | {"cube": narde.Cube(), "money": narde.MoneyOptions(), "table": None}


def all_units(*arguments: Any, **options: Any) -> list[Any]:
    return list(executors.run_units(*arguments, **options))


def first_roll(rolls: Any) -> tuple[int, int]:
    return ListedDice(rolls).roll()


def all_steps(record: Any) -> list[Any]:
    return list(narde.replay(record))


CALLS: list[Call] = [
    call(narde.afterstates, LONG, (2, 1), "long", threads=1, out=None, moves=False, check=True),
    call(narde.count_afterstates, LONG, (2, 1), "long", threads=1, check=True),
    call(narde.perft, LONG, 1, "long", threads=1),
    call(narde.flip, LONG, "long"),
    call(narde.pips, LONG, "long"),
    call(narde.validate, LONG, "long"),
    call(narde.starting_row, "long"),
    call(narde.rules, "long"),
    call(narde.results, LONG, "long"),
    call(narde.finished, LONG),
    call(result_kinds, LONG, "long"),
    call(points_by_kind, "long"),
    call(narde.reference.plays, LONG, (2, 1), "long"),
    call(narde.reference.afterstates, LONG, (2, 1), "long"),
    call(narde.reference.perft, LONG, 1, "long"),
    call(narde.random_games, 1, "long", seed=1, threads=1, first=0, record=()),
    call(narde.join_games, [narde.random_games(1, seed=1)]),
    call(narde.save_games, narde.random_games(1, seed=1), "games.npz", compression=None),
    call(narde.load_games, "nowhere.npz"),
    call(narde.load_shards, "nowhere"),
    call(narde.self_play, 1, "pips", "long", **PLAY, opponent="random", record=(), games_per_shard=1),
    call(
        narde.self_play,
        1,
        "random",
        "long",
        **PLAY,
        out="run",
        format="npz",
        compression=None,
        shard=(0, 1),
        resume=True,
    ),
    call(narde.duel, "random", "random", 1, "long", **PLAY),
    call(narde.player, "pips", ply=0, temperature=0.0, epsilon=0.0),
    call(players.GreedyPlayer, PIPS, "pips", 0, 0.0, 0.0),
    call(players.BearoffPlayer, narde.player("pips")),
    call(narde.rollout, LONG, PIPS, "long", **ROLL),
    call(narde.rollout_plays, LONG, (2, 1), PIPS, "long", **ROLL, plays=None, top=1, clear=None),
    call(narde.analyze, LONG, (2, 1), PIPS, "long", plies=0, bearoff=False),
    call(narde.analyze, SHORT, (2, 1), evaluators.race("short"), "short", **CUBE),
    call(narde.cube_decision, CHANCES, "short", **GIVEN),
    call(narde.cubeful_equity, CHANCES, "short", **GIVEN),
    call(may_double, narde.Cube(), None),
    call(narde.Cube, 1, None, None),
    call(narde.Score, (0, 4), 5, True),
    call(narde.MoneyOptions, jacoby=False, beavers=False, automatic_doubles=0),
    call(narde.Game.begin, "long", score=None, money=None, starter=None),
    call(narde.Match.begin, 3, "long", players=("a", "b"), money=None),
    call(narde.bearoff, "long", threads=1),
    *(call(getattr(narde.bearoff("long"), name), RACE) for name in ("covers", "covers_mover", "exact")),
    *(call(getattr(narde.bearoff("long"), name), RACE) for name in ("dist", "epc", "win", "mars", "chances")),
    call(narde.bearoff("long").equity, RACE),
    call(narde.bearoff("long").best_plays, RACE, (2, 1), threads=1),
    call(narde.Position, LONG, "long"),
    call(narde.Position.start, "long"),
    call(narde.Position.from_id, START.id()),
    call(START.plays, (2, 1)),
    call(START.plays((2, 1)).index, "24/21"),
    call(narde.parse, START.id()),
    call(describe_row, LONG, "long"),
    call(narde.Setup, LONG, "long", dice=(2, 1), cube_value=1, cube_owner=None),
    call(narde.format_play, LONG, [(24, 3)], "long"),
    call(narde.format_plays, LONG, (2, 1), AFTER.positions, "long"),
    call(narde.parse_play, "24/21", LONG, (2, 1), "long"),
    call(draw.text, LONG, "long", title="", dice=(2, 1), cube=None),
    call(draw.svg, LONG, "long", title="", dice=(2, 1), cube=None),
    call(draw.theme_of, "wood"),
    call(narde.read_record, "nowhere.txt", format=None),
    call(narde.write_record, MatchRecord(rules=narde.rules("long")), "match.txt", format=None),
    call(decode_record, b"", "narde"),
    call(encode_record, MatchRecord(rules=narde.rules("long")), "narde"),
    call(all_steps, MatchRecord(rules=narde.rules("long"))),
    call(narde.Network.random, 8, seed=1, game="long"),
    call(narde.Network.load, "nowhere.narde"),
    call(NETWORK.save, "network.narde"),
    call(NETWORK, LONG[None]),
    call(NETWORK.forward, LONG[None]),
    call(NETWORK.choose, LONG[None], (2, 1), "long", threads=1),
    call(NETWORK.look_ahead, LONG[None], "long"),
    call(features, LONG[None], out=None),
    call(evaluators.call, PIPS, LONG[None], "long"),
    call(evaluators.check, [CHANCES], LONG[None], "long", PIPS),
    call(evaluators.chances_of, PIPS, LONG[None], "long"),
    call(evaluators.value_of, PIPS, LONG[None], "long"),
    call(evaluators.load, "nowhere.narde"),
    call(evaluators.TorchEvaluator, len, "features", "cpu"),
    call(evaluators.best_plays, PIPS, LONG[None], (2, 1), "long", threads=1),
    call(evaluators.best_plays, NETWORK, LONG[None], (2, 1), "long", threads=1),
    call(evaluators.lookahead, PIPS, "long", 0),
    call(evaluators.race, "long"),
    call(PIPS, LONG[None]),
    call(evaluators.default, "long"),
    call(evaluators.equity, CHANCES, "long"),
    call(evaluators.swapped, CHANCES),
    call(evaluators.exact_chances, race_row([0] * 6), "long"),
    call(all_units, str, [1, 2], executor=None, workers=1, tries=1, leftover=None),
    call(executors.processes, 1),
    call(met.GameOdds, (0.4, 0.1, 0), (0.4, 0.1, 0)),
    call(met.GameOdds.from_rates, starter_wins=0.5, mars=0.1, koks=0.0, second_mars=0.1),
    call(met.GameOdds.from_results, [1, -1]),
    call(met.compute_met, 2, met.GameOdds.from_rates(), "long", cube_life=0.5, opening_spread=0.0, name=""),
    call(met.parse_met, ""),
    call(met.read_met, "nowhere.xml"),
    call(met.write_met, met.published_met(), "table.xml"),
    call(stats.share_interval, 1, 2),
    call(stats.mean_interval, [1.0, 2.0]),
    call(stats.ratio_interval, [1.0, 2.0], [1.0, 2.0]),
    call(stats.student_t, 1),
    call(streams.words, 1, 0, [0], [0]),
    call(streams.key_of, 1),
    call(SeededDice, 1, 0, 0),
    call(first_roll, [(2, 1)]),
    call(dice_source, 1),
    call(read_dice, "nowhere.txt"),
    call(as_pair, (2, 1)),
]


@each_of(CALLS)
def test_a_bad_argument_is_answered_or_refused(
    entry: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warnings are errors here; what comes back as a sound answer is judged elsewhere."""
    monkeypatch.chdir(tmp_path)
    assert_answered_or_refused(entry)


def with_booleans(value: Any) -> list[Any]:
    """The whole numbers with True or False among them, as Python's and as NumPy's; none for other values."""
    if type(value) is int:
        return [True, np.True_, np.array(True)]
    array = np.asarray(value) if isinstance(value, tuple | list | np.ndarray) else np.zeros(0)
    if array.dtype.kind != "i" or not array.size:
        return []
    return [as_list(array, True), as_list(array, np.False_), array != 0, [array[0] != 0, *array[1:]]]


def as_list(array: np.ndarray, first: Any) -> list[Any]:
    """The numbers in lists, a boolean instead of the first of them."""
    values = array.tolist()
    (values if array.ndim == 1 else values[0])[0] = first
    return values  # type: ignore[no-any-return]


COUNTING = [entry for entry in CALLS if entry[0] not in (all_units, describe_row)]


@each_of(COUNTING)
def test_a_boolean_is_no_whole_number(entry: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither alone nor among dice, rows and scores, where NumPy would take it for 1 or 0. Units of work may
    be anything, and `describe_row` is for rows that are none, too."""
    monkeypatch.chdir(tmp_path)
    function, arguments, options = entry
    taken = []
    for key, value in [*enumerate(arguments), *options.items()]:
        for wrong in with_booleans(value):
            given = [wrong if i == key else argument for i, argument in enumerate(arguments)]
            try:
                function(*given, **{**options, **({key: wrong} if isinstance(key, str) else {})})
            except narde.NardeError:
                continue
            taken.append(f"{wrong!r} as argument {key}")
    assert not taken, "\n".join(taken)


def test_every_public_function_is_in_the_grid() -> None:
    """Those without arguments apart, and `RayExecutor`, whose options are Ray's."""
    known = {name_of(entry) for entry in CALLS} | {"run_units", "replay"}
    for module in (narde, evaluators, executors, players, rollouts, met):
        for name in module.__all__:
            found = getattr(module, name)
            if isfunction(found) and found.__code__.co_argcount + found.__code__.co_kwonlyargcount:
                assert found.__qualname__ in known, f"{module.__name__}.{name}"

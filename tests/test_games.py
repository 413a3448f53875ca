"""Random games: the same bytes however they are run, and equal to slow twins."""

from dataclasses import replace

import numpy as np
import pytest

import narde
import twin
from corpus import CORES, assert_same_games
from generators import core_afterstates
from narde import Games, InvalidArgumentError, Rules, join_games, random_games, reference, rules

LONG, SHORT = rules("long"), rules("short")
ALL = ("positions", "dice", "chosen")
HOUSE = [
    replace(LONG, last_roll=True, koks=3),
    replace(LONG, prime_check="end_of_turn", head_exception="any_double", mars=1),
    replace(LONG, prime_rule="never", head_per_turn=2, head_exception="none", opening_roll="reroll"),
    replace(LONG, prime_rule="free", head_per_turn=0, head_exception="none", koks=3, mars=1),
    replace(SHORT, opening_roll="reroll", koks=0),
]
EVERY_RULES = [*map(rules, narde.variants()), *HOUSE]

any_rules = pytest.mark.parametrize("variant", EVERY_RULES, ids=lambda variant: variant.name)
any_variant = pytest.mark.parametrize("variant", narde.variants())


# ---- however they are run --------------------------------------------------------------------------------


@any_variant
@pytest.mark.parametrize("threads", [2, 7])
def test_threads_change_nothing(variant: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = random_games(100, variant, seed=3, record=ALL)
    assert_same_games(random_games(100, variant, seed=3, record=ALL, threads=threads), expected)
    monkeypatch.setattr(narde.games, "_CHUNK", 9)
    assert_same_games(random_games(100, variant, seed=3, record=ALL, threads=threads), expected)


@any_variant
def test_any_cut_gives_the_same_games(variant: str) -> None:
    expected = random_games(60, variant, seed=2**70, first=5, record=ALL)
    parts = [
        random_games(n, variant, seed=2**70, first=first, record=ALL)
        for first, n in [(5, 1), (6, 0), (6, 32), (38, 27)]
    ]
    assert_same_games(join_games(parts), expected)
    assert_same_games(join_games([join_games(parts[:2]), join_games(parts[2:])]), expected)


@any_variant
def test_what_is_recorded_changes_nothing_else(variant: str) -> None:
    everything = random_games(50, variant, seed=4, record=ALL)
    for names in ((), ("chosen",), ("dice", "positions"), ("chosen", "positions", "chosen")):
        games = random_games(50, variant, seed=4, record=names)
        for name in ("winner", "points", "lengths"):
            assert np.array_equal(getattr(games, name), getattr(everything, name))
        assert (games.offsets is None) == (names == ())
        for name in ALL:
            kept = getattr(games, name)
            assert (kept is None) == (name not in names)
            assert kept is None or np.array_equal(kept, getattr(everything, name))


@pytest.mark.parametrize("record", ["dice", ["dice"], {"dice"}, iter(["dice"]), {"dice": 1}])
def test_columns_are_named_by_a_text_or_by_any_iterable(record: object) -> None:
    games = random_games(2, seed=4, record=record)
    assert games.dice is not None
    assert games.positions is games.chosen is None


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.__name__)
@any_variant
def test_every_build_of_the_core_plays_the_same_games(
    variant: str, core: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = random_games(80, variant, seed=8, record=ALL)
    monkeypatch.setattr(narde.games, "core", core)
    assert_same_games(random_games(80, variant, seed=8, record=ALL), expected)


def test_games_and_seeds_differ() -> None:
    seeds = [0, 1, 2**64, 2**128 - 1]
    lengths = [tuple(random_games(20, seed=seed).lengths.tolist()) for seed in seeds]
    assert len(set(lengths)) == len(seeds)
    assert random_games(1, seed=0, first=19).lengths[0] == lengths[0][19]
    assert random_games(2, seed=0, first=2**62).first == 2**62


def test_no_games() -> None:
    games = random_games(0, seed=1, record=ALL)
    assert len(games) == 0
    assert games.offsets.tolist() == [0]
    assert (games.positions.shape, games.dice.shape, games.chosen.shape) == ((0, 28), (0, 2), (0, 28))
    assert random_games(0, seed=1).offsets is None


def test_types_of_games() -> None:
    games = random_games(30, "short", seed=np.int64(9), record=ALL)
    types = {name: getattr(games, name).dtype for name in ("winner", "points", "lengths", "offsets", *ALL)}
    assert [str(kind) for kind in types.values()] == [
        "int8",
        "int8",
        "int32",
        "int64",
        "int8",
        "int8",
        "int8",
    ]
    assert games.offsets.tolist() == [0, *np.cumsum(games.lengths)]
    assert isinstance(games.seed, int)


def test_parts_that_do_not_fit() -> None:
    one, after = random_games(3, seed=1), random_games(3, seed=1, first=3)
    for parts in (
        [after, one],
        [one, random_games(3, seed=1, first=4)],
        [one, random_games(3, seed=2, first=3)],
        [one, random_games(3, "short", seed=1, first=3)],
        [one, one],
    ):
        with pytest.raises(InvalidArgumentError, match="do not continue those from"):
            join_games(parts)
    with pytest.raises(InvalidArgumentError, match="with and without recorded columns"):
        join_games([one, random_games(3, seed=1, first=3, record="dice")])
    assert_same_games(join_games([one, after]), random_games(6, seed=1))


# ---- equal to slow twins ---------------------------------------------------------------------------------


def assert_equal_to_twins(games: Games, afterstates: twin.Afterstates) -> None:
    for i in range(len(games)):
        expected = twin.game(games.seed, games.first + i, games.rules, afterstates)
        turns = slice(games.offsets[i], games.offsets[i + 1])
        assert list(map(tuple, games.dice[turns].tolist())) == expected.dice
        assert list(map(tuple, games.positions[turns].tolist())) == expected.positions
        assert list(map(tuple, games.chosen[turns].tolist())) == expected.chosen
        assert (games.winner[i], games.points[i]) == (expected.winner, expected.points)
        assert games.lengths[i] == len(expected.dice)


@any_rules
def test_one_game_as_the_reference_plays_it(variant: Rules) -> None:
    assert_equal_to_twins(random_games(1, variant, seed=2**100 + 7, record=ALL), reference.afterstates)


@any_rules
def test_many_games_as_they_are_told(variant: Rules) -> None:
    """Dice, choices, ends and points, the plays being the core's own."""
    games = random_games(12, variant, seed=6, first=2**40, record=ALL)
    assert_equal_to_twins(games, core_afterstates)


@any_variant
def test_recorded_turns_follow_from_each_other(variant: str) -> None:
    games = random_games(150, variant, seed=12, record=ALL)
    last = games.offsets[1:] - 1
    inner = np.setdiff1d(np.arange(len(games.positions)), last)
    assert np.array_equal(games.chosen[inner], games.positions[inner + 1])
    assert (games.positions[games.offsets[:-1]] == narde.starting_row(variant)).all()
    assert (games.chosen[last, 27] == -15).all()
    assert np.array_equal(games.winner, 1 - games.lengths % 2)
    out = narde.afterstates(games.positions, games.dice, variant)
    owners = np.repeat(np.arange(len(out)), np.diff(out.offsets))
    is_chosen = (out.positions == games.chosen[owners]).all(axis=1)
    assert np.array_equal(owners[is_chosen], np.arange(len(out)))

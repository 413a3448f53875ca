"""Anything at all passed in: a value or a `NardeError` comes back; garbage stays within its memory."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import narde
from corpus import CORES, Int8, made
from narde import NardeError, Rules
from narde._moves import moves_of
from narde.board import as_dice
from narde.kernels import packed
from positions import HOUSE_RULES, SHORT

START = narde.starting_row("long")
ROWS, DICE = made("long")

few_or_too_many = st.integers(max_value=2) | st.integers(min_value=2**70)
"""No number that is a lot of work."""

things = st.recursive(
    st.none() | st.booleans() | st.floats() | few_or_too_many | st.text(max_size=3) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=8,
)
shapes = st.sampled_from([(), (0,), (2,), (28,), (1, 28), (3, 28), (3, 2), (0, 28), (28, 3), (2, 2, 28)])
any_array = st.one_of(
    arrays_of.arrays(arrays_of.scalar_dtypes(), shapes),
    arrays_of.arrays(arrays_of.integer_dtypes(), shapes, elements={"min_value": 0, "max_value": 6}),
    arrays_of.arrays(np.int8, st.sampled_from([(28,), (3, 28)]), elements=st.integers(-2, 2)),
    st.just(START),
    st.just(ROWS[:3]),
)
anything = st.one_of(things, any_array, st.lists(st.integers(-2, 16), min_size=28, max_size=28))
some_dice = st.one_of(things, any_array, st.just((2, 1)), st.tuples(st.integers(0, 7), st.integers(0, 7)))
some_rules = st.one_of(st.sampled_from([*narde.variants(), "backgammon"]), things)
small = st.one_of(st.integers(-2, 2), things)


def gives_a_value_or_a_narde_error(call: Callable, *arguments: object, **options: object) -> None:
    """Neither another exception nor a warning, which the test run makes an error."""
    try:
        call(*arguments, **options)
    except NardeError as fault:
        assert str(fault)


@settings(max_examples=150, deadline=None)
@given(anything, some_dice, some_rules, small, small, st.one_of(st.none(), things))
def test_anything_to_batches(rows, dice, rules, threads, moves, out) -> None:
    gives_a_value_or_a_narde_error(
        narde.afterstates, rows, dice, rules, threads=threads, moves=moves, out=out, check=moves
    )
    gives_a_value_or_a_narde_error(narde.afterstates, rows, dice, rules, moves=True, check=False)
    gives_a_value_or_a_narde_error(narde.count_afterstates, rows, dice, rules)
    gives_a_value_or_a_narde_error(narde.perft, rows, threads if threads != 2 else 1, rules)
    for call in (narde.flip, narde.pips, narde.validate):
        gives_a_value_or_a_narde_error(call, rows, rules)


@settings(max_examples=150, deadline=None)
@given(small, some_rules, small, small, small, things, things)
def test_anything_to_games(n, rules, seed, threads, first, record, progress) -> None:
    gives_a_value_or_a_narde_error(
        narde.random_games,
        n,
        rules,
        seed=seed,
        threads=threads,
        first=first,
        record=record,
        progress=progress,
    )
    gives_a_value_or_a_narde_error(narde.random_games, n, rules, seed=1, record=("dice",))
    gives_a_value_or_a_narde_error(narde.join_games, [n, record])


# ---- rows that nobody checked ----------------------------------------------------------------------------

GARBAGE = {
    "all of int8": lambda rng, shape: rng.integers(-128, 128, shape),
    "few everywhere": lambda rng, shape: rng.integers(-2, 3, shape),
    "stacks of up to 127": lambda rng, shape: rng.integers(0, 2, shape) * rng.integers(1, 128, shape),
    "the mover's alone": lambda rng, shape: rng.integers(0, 6, shape),
    "many of the mover's": lambda rng, shape: np.where(
        rng.random(shape) < 0.8, rng.integers(1, 6, shape), -rng.integers(1, 3, shape)
    ),
    "sparse": lambda rng, shape: np.where(rng.random(shape) < 0.3, rng.integers(-3, 16, shape), 0),
}
"""Rows that are no positions: sides of hundreds of checkers or none, of any sign anywhere."""

MOST = 17_550
"""Multisets of four points out of 24: no roll has more afterstates, whatever stands there."""

GUARD = 64


def written(core: object, row: Int8, dice: Int8, rules: Rules, count: int, memory: Int8) -> int:
    """How many rows the core writes for a row with `count` afterstates; the memory goes on beyond them."""
    memory[: count + GUARD] = 99
    core.generate(row, dice, packed(rules), 0, 1, np.array([0, count]), memory)
    touched = np.flatnonzero((memory[: count + GUARD] != 99).any(axis=1))
    return int(touched[-1]) + 1


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_stays_within_its_memory(garbage: Callable) -> None:
    """What is counted is what is written, even for rows that are no positions."""
    rng = np.random.default_rng(5)
    memory = np.empty((MOST + GUARD, 28), np.int8)
    for rules in (*HOUSE_RULES[::5], SHORT, SHORT, SHORT):
        rows = garbage(rng, (12, 28)).astype(np.int8)
        rows[::4, 23], rows[1::4, 24] = 15, rng.integers(0, 6)
        dice = rng.integers(1, 7, (12, 2)).astype(np.int8)
        dice[::3, 1] = dice[::3, 0]
        counts = narde.count_afterstates(rows, dice, rules, check=False)
        assert counts.min() >= 1
        assert counts.max() <= MOST
        for core in CORES:
            for i, count in enumerate(counts.tolist()):
                assert written(core, rows[i : i + 1], dice[i : i + 1], rules, count, memory) == count


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_in_batches(garbage: Callable) -> None:
    rng = np.random.default_rng(6)
    for rules in (HOUSE_RULES[0], SHORT):
        rows, dice = garbage(rng, (60, 28)).astype(np.int8), rng.integers(1, 7, (60, 2))
        out = narde.afterstates(rows, dice, rules, check=False, moves=True)
        assert np.array_equal(np.diff(out.offsets), narde.count_afterstates(rows, dice, rules, check=False))
        again = narde.afterstates(rows, dice, rules, check=False, out=out, threads=2)
        assert again.positions.tobytes() == out.positions.tobytes()


# ---- rows that change while they are worked on -----------------------------------------------------------


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.__name__)
@pytest.mark.parametrize("game", ["long", "short"])
def test_rows_that_another_thread_changes_stay_within_their_part(core: object, game: str) -> None:
    """They are counted first and written then. A row that has become another one since is told by a wrong
    count: it may be written in part or not at all, and the memory behind it is left alone."""
    rows, dice = made(game)
    rules, out = packed(narde.rules(game)), narde.afterstates(rows, dice, game, moves=True)
    moved = np.roll(np.diff(out.offsets), 1)
    offsets = np.concatenate([[0], np.cumsum(moved)])
    positions = np.full((offsets[-1] + GUARD, 28), 99, np.int8)
    moves = np.full((offsets[-1] + GUARD, 4, 2), 99, np.int8)
    for i in range(len(rows)):
        core.generate(rows, dice, rules, i, i + 1, offsets, positions)
        moves_of(rows, dice, rules, i, i + 1, offsets, moves)
        assert (positions[offsets[i + 1] :] == 99).all()
        assert (moves[offsets[i + 1] :] == 99).all()
    core.generate(rows, dice, rules, 0, len(rows), offsets, positions)
    assert (positions[offsets[-1] :] == 99).all()


def test_dice_are_copied() -> None:
    """So that nobody changes them between their check and their use as indices."""
    for dice in (DICE.copy(), DICE[:1], DICE[0], DICE.astype(np.int64), DICE[:, ::-1]):
        assert not np.shares_memory(as_dice(dice)[0], dice)

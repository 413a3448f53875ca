"""What the tests of batches and games share: made turns and games as arrays, results compared byte by byte,
chi-square without SciPy."""

from collections import Counter
from functools import cache
from itertools import islice
from math import sqrt

import numpy as np
import numpy.typing as npt

import narde
from narde import Afterstates, Games, Rules, _core, kernels
from positions import made_turns

Int8 = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]


class Hostile:
    """An object whose every answer is an exception of its own."""

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        raise RuntimeError("requires grad")

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise KeyError


CORES = [_core] if kernels.core is _core else [_core, kernels.core]
"""The builds of the core that this machine runs."""

COLUMNS = ("winner", "points", "lengths", "offsets", "positions", "dice", "chosen", "values")


@cache
def made(game: str, n: int = 400, seed: int = 21) -> tuple[Int8, Int8]:
    """Made rows int8 (n, 28) and a roll for each, int8 (n, 2); both are read-only."""
    rows, dice = zip(*islice(made_turns(game, seed), n), strict=True)
    columns = np.array(rows, np.int8), np.array(dice, np.int8)
    for column in columns:
        column.flags.writeable = False
    return columns


def assert_same(found: Afterstates, expected: Afterstates) -> None:
    """Both results are the same, byte by byte."""
    assert np.array_equal(found.offsets, expected.offsets)
    assert np.array_equal(found.positions, expected.positions)
    assert (found.moves is None) == (expected.moves is None)
    assert found.moves is None or np.array_equal(found.moves, expected.moves)


def assert_same_games(found: Games, expected: Games) -> None:
    """Both hold the same games, byte by byte."""
    assert (found.rules, found.seed, found.first) == (expected.rules, expected.seed, expected.first)
    for name in COLUMNS:
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes()), name


def one_turn(start: Int8, rules: Rules, seed: int, n: int, core: object = kernels.core) -> tuple[Int8, Int8]:
    """The dice and the afterstates of n first turns at random from any row: int8 (n, 2) and (n, 28)."""
    empty, dice, chosen = np.empty((0, 28), np.int8), np.empty((n, 2), np.int8), np.empty((n, 28), np.int8)
    player = core.turn_player()
    results = np.empty(n, np.int8), np.empty(n, np.int8), np.empty(n, np.int32)
    arguments = key_of(seed), 0, 1, *results, n, empty, dice, chosen, np.empty(0, np.float32)
    narde.games._games.record_games(player, player, start, kernels.packed(rules), *arguments)
    return dice, chosen


def results_from(start: Int8, rules: Rules, seed: int, n: int, max_turns: int = 1000) -> Ints:
    """The winner, points and length of n games at random from any row: (n, 3)."""
    columns = np.empty(n, np.int8), np.empty(n, np.int8), np.empty(n, np.int32)
    arguments, player = (key_of(seed), 0, max_turns, *columns), kernels.core.turn_player()
    narde.games._games.play_games(player, player, start, kernels.packed(rules), *arguments)
    return np.stack(columns, axis=1).astype(np.int64)


def key_of(seed: int) -> npt.NDArray[np.uint64]:
    return np.array([seed % 2**64, seed >> 64], np.uint64)


def words(seed: int, game: int, stream: int, n: int) -> list[int]:
    """The first n words of a game's stream, by NumPy: 0 is its dice, 1 its choices."""
    counter = np.array([0, game, stream, 0], np.uint64)
    return [int(word) for word in np.random.Philox(key=seed, counter=counter).random_raw(n)]


def deviation(counts: Ints) -> float:
    """How far equal chances are from these counts, in standard deviations of a normal variable.

    The cube root of chi-square is nearly normal: E. B. Wilson and M. M. Hilferty, "The distribution of
    chi-square", PNAS 17 (1931) 684-688.
    """
    freedom, expected = counts.size - 1, counts.mean()
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    spread = 2 / (9 * freedom)
    return ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)


def counted(values: Int8) -> Ints:
    """How often each distinct row of the values occurs."""
    whole = np.ascontiguousarray(values).view(f"V{values.shape[1]}")  # one thing a row: far quicker to count
    return np.array(list(Counter(whole.ravel().tolist()).values()))

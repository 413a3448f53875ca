"""Words of whole arrays against NumPy's generator, what is made of them against Python's whole numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narde import InvalidArgumentError, random_games, streams

SEEDS = st.integers(0, 2**128 - 1)
GAMES = st.integers(0, 2**63 - 1)


def numpy_word(seed: int, stream: int, game: int, turn: int) -> int:
    counter = np.array([0, game, stream, 0], np.uint64)
    return int(np.random.Philox(key=seed, counter=counter).random_raw(turn + 1)[turn])


@given(SEEDS, st.integers(0, 2**64 - 1), st.lists(st.tuples(GAMES, st.integers(0, 300)), max_size=8))
def test_words_are_those_of_numpy(seed: int, stream: int, pairs: list[tuple[int, int]]) -> None:
    games, turns = ([pair[k] for pair in pairs] for k in (0, 1))
    found = streams.words(seed, stream, np.array(games, np.int64), np.array(turns, np.int64))
    assert found.dtype == np.uint64
    assert found.tolist() == [numpy_word(seed, stream, *pair) for pair in pairs]


def test_a_far_turn_needs_none_before_it() -> None:
    """The counter holds the block of four words: `advance` goes there in NumPy."""
    far = 2**62 + 3
    generator = np.random.Philox(key=9, counter=[0, 5, 1, 0]).advance(far // 4)
    assert int(streams.words(9, 1, 5, far)) == int(generator.random_raw(4)[far % 4])


def test_shapes_are_broadcast() -> None:
    turns = np.arange(7)[:, None]
    found = streams.words(3, 0, [4, 8], turns)
    assert found.shape == (7, 2)
    assert found[6, 1] == streams.words(3, 0, 8, 6) == numpy_word(3, 0, 8, 6)
    assert streams.words(3, 0, [], []).shape == (0,)
    strided = np.arange(20, dtype=np.int32)[::2]
    assert np.array_equal(streams.words(3, 0, 1, strided), streams.words(3, 0, 1, strided.copy()))


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=9), st.integers(1, 2**32 - 1))
def test_numbers_below_a_limit(words: list[int], limit: int) -> None:
    array = np.array(words, np.uint64)
    assert streams.below(array, limit).tolist() == [word * limit >> 64 for word in words]
    assert streams.shares(array).tolist() == [(word >> 11) / 2**53 for word in words]


def test_dice_are_those_of_the_games() -> None:
    """Turn by turn, with the kept opening roll and the one that is thrown again."""
    for rules, kept in (("long", True), ("bkgm", False)):
        games = random_games(40, rules, seed=2**80 + 1, first=17, record="dice")
        number = np.repeat(np.arange(17, 57), games.lengths)
        turn = np.arange(len(number)) - np.repeat(games.offsets[:-1], games.lengths)
        words = streams.words(2**80 + 1, streams.DICE, number, turn)
        assert np.array_equal(streams.dice_of(words, (turn == 0) & kept), games.dice)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("seed", (-1, 0, 1, 1)),
        ("stream", (0, 2**64, 1, 1)),
        ("games", (0, 0, [-1], [0])),
        ("games", (0, 0, [1.0], [0])),
        ("games", (0, 0, [[1], [1, 2]], [0])),
        ("turns", (0, 0, [1], [2**63])),
        ("turns", (0, 0, [1], "x")),
        ("shapes", (0, 0, [1, 2], [1, 2, 3])),
    ],
)
def test_wrong_numbers_are_named(name: str, arguments: tuple) -> None:
    with pytest.raises(InvalidArgumentError, match=name):
        streams.words(*arguments)

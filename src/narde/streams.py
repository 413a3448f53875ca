"""Random words by seed, stream, game and turn, for whole arrays at once, and dice and choices made of them.

Word t of stream s of game g is `np.random.Philox(key=seed, counter=[0, g, s, 0]).random_raw(t + 1)[t]`:
Philox4x64-10 (J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011). Any word is
found without those before it, so that results depend on seed, game and turn alone."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde._games import fill_dice, fill_four_turns, fill_words
from narde._values import as_flags
from narde.board import Dice, as_integers
from narde.errors import InvalidArgumentError, shown
from narde.kernels import as_share, as_whole_number

Words = npt.NDArray[np.uint64]

DICE: Final = 0
"""The stream of the dice, one word a turn."""

CHOICES: Final = 1
"""The stream of the players' choices, one word a turn."""

CONTESTS: Final = 2
"""The stream of opening contests that are not kept; see `narde.dice`."""

_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(2**32 - 1)


def words(seed: int, stream: int, games: npt.ArrayLike, turns: npt.ArrayLike) -> Words:
    """The words of games and turns: uint64, in the shape of both broadcast together.

    seed: 0 to 2**128 - 1; stream: 0 to 2**64 - 1; games and turns: whole numbers (N,) from 0 to 2**63 - 1.
    Raises `InvalidArgumentError`.
    """
    key = key_of(seed)
    stream = as_whole_number(stream, "stream", 0, 2**64 - 1)
    which = (_as_numbers(games, "games"), _as_numbers(turns, "turns"))
    try:
        both = np.broadcast_arrays(*which)
    except ValueError:
        shapes = " and ".join(str(numbers.shape) for numbers in which)
        raise InvalidArgumentError(f"games and turns have shapes {shapes}: pass as many of both") from None
    out = np.empty(both[0].shape, np.uint64)
    flat = [np.ascontiguousarray(part).reshape(-1) for part in both]
    fill_words(key, stream, flat[0], flat[1], out.reshape(-1))
    return out


class TurnsOfGames:
    """The words of a stream for games (N,) that are all at one turn, turn after turn: what `words` gives,
    unchecked.

    The generator makes the words of four turns together, so that here each is made but once."""

    def __init__(self, seed: int, stream: int, games: npt.NDArray[np.int64]) -> None:
        self._key, self._stream, self._games = key_of(seed), stream, games
        self._four = -1
        self._words = np.empty((len(games), 4), np.uint64)

    def at(self, turn: int, live: npt.NDArray[np.int64]) -> Words:
        """Those of games[live] at a turn, none before that of the last call; games that are not `live` in a
        call are not in later ones."""
        if turn // 4 != self._four:
            self._four = turn // 4
            words = np.empty((len(live), 4), np.uint64)
            fill_four_turns(self._key, self._stream, self._games[live], self._four, words)
            self._words[live] = words
        found: Words = self._words[live, turn % 4]
        return found


def dice_of(words: Words, different: npt.ArrayLike = False) -> Dice:
    """The dice that words of the dice stream stand for: int8 (N, 2).

    A word w gives r = w * 36 >> 64 and the dice r // 6 + 1 and r % 6 + 1; where `different`, as in an opening
    roll that is kept, r = w * 30 >> 64 gives r // 5 + 1 and one of the five other numbers, from low to high.
    Raises `InvalidArgumentError`.
    """
    words = _as_words(words)
    if isinstance(different, bool):
        return _dice(words, different)
    flags = as_flags(different, words.shape, "different")
    return np.where(flags[..., None], _dice(words, True), _dice(words, False))


def _dice(words: Words, different: bool) -> Dice:
    dice = np.empty((*words.shape, 2), np.int8)
    fill_dice(np.ascontiguousarray(words).reshape(-1), different, dice.reshape(-1, 2))
    return dice


def below(words: Words, limits: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Whole numbers from 0 up to but not including the limits, w * limit >> 64: int64 (N,).

    Limits: 1 to 2**32 - 1, one or as many as words. Raises `InvalidArgumentError`.
    """
    words, limit = _as_words(words), as_integers(limits, "limits", InvalidArgumentError)
    if limit.shape not in ((), words.shape) or (limit.size and not 1 <= limit.min() <= limit.max() < 2**32):
        told = f"limits is {shown(limits)}: pass whole numbers from 1 to 2**32 - 1"
        raise InvalidArgumentError(f"{told}, one or as many as words, {words.shape}")
    limit = limit.astype(np.uint64)
    high, low = words >> _HALF, words & _LOW
    number: npt.NDArray[np.int64] = ((high * limit + (low * limit >> _HALF)) >> _HALF).astype(np.int64)
    return number


def shares(words: Words) -> npt.NDArray[np.float64]:
    """Numbers from 0 up to but not including 1: the upper 53 bits of each word, float64 (N,). Raises
    `InvalidArgumentError`."""
    upper: npt.NDArray[np.float64] = (_as_words(words) >> np.uint64(11)).astype(np.float64)
    return upper * 2.0**-53


def threshold_of(share: float) -> int:
    """The number below which a share, 0 to 1, of all words lies; of 1 all but the greatest word. Raises
    `InvalidArgumentError`."""
    return min(int(float(as_share(share, "share")) * 2.0**64), 2**64 - 1)


def key_of(seed: int) -> Words:
    """The Philox key of a seed, 0 to 2**128 - 1: its two 64-bit halves, the lower first, as NumPy takes it.

    Raises `InvalidArgumentError`.
    """
    number = as_whole_number(seed, "seed", 0, 2**128 - 1)
    return np.array([number & (2**64 - 1), number >> 64], np.uint64)


def _as_words(words: Words) -> Words:
    """The words themselves; raises `InvalidArgumentError` for what is none of `words`."""
    if not isinstance(words, (np.ndarray, np.uint64)) or words.dtype != np.uint64:
        raise InvalidArgumentError(f"words is {shown(words)}: pass what narde.streams.words gives, uint64")
    return words


def _as_numbers(values: npt.ArrayLike, name: str) -> npt.NDArray[np.int64]:
    """Whole numbers from 0 as int64; raises `InvalidArgumentError`."""
    numbers = as_integers(values, name, InvalidArgumentError)
    if numbers.size and (numbers.min() < 0 or numbers.max() >= 2**63):
        raise InvalidArgumentError(f"{name} is {shown(values)}: pass whole numbers from 0 to 2**63 - 1")
    return numbers.astype(np.int64)

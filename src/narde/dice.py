"""The 21 rolls and their weights, and where dice come from: a seed, a file, a list or a person's hand.

A source answers two questions: what a contest of one die each shows, and what a roll of both dice shows. The
seeded source gives the very dice of `random_games`, so that a `Game` can replay what the core played.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import numpy as np

from narde._files import as_path
from narde._values import whole
from narde.errors import InvalidArgumentError, InvalidDiceError, StorageError, shown

Pair = tuple[int, int]

ROLLS: Final = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int8)
"""The 21 rolls, the higher die first: int8 (21, 2), from 1-1, 2-1, 2-2 to 6-6."""

WEIGHTS: Final = np.where(ROLLS[:, 0] == ROLLS[:, 1], 1, 2).astype(np.int64)
"""In how many of the 36 ways each roll of `ROLLS` falls: 1 for a double, 2 for two different numbers."""

ROLLS.flags.writeable = False
WEIGHTS.flags.writeable = False

_CONTEST: Final = 2
"""The stream of contests that are not kept; 0 and 1 are the dice and the choices of `random_games`."""

_TEXT: Final = re.compile(r"\s*([1-6])[\s,:-]{0,3}([1-6])\s*")


@runtime_checkable
class DiceSource(Protocol):
    """What a game asks for its dice; any object with these three methods will do."""

    def contest(self, kept: bool) -> Pair:
        """One die each, player 0's and player 1's; equal dice tie. `kept`: the starter plays these two."""

    def roll(self) -> Pair:
        """Both dice of the player on roll."""

    def new_game(self, number: int) -> None:
        """Called before game `number` of a match, counted from 0."""


class SeededDice:
    """The dice of game `game` under `seed`: the same everywhere, whatever was asked of other games.

    Word t of `numpy.random.Philox(key=seed, counter=[0, game, 0, 0])` makes the dice of turn t; r = word * 36
    >> 64 gives the dice r // 6 + 1 and r % 6 + 1. A kept opening is never a double: r = word * 30 >> 64 gives
    r // 5 + 1 and one of the five other numbers, from low to high. The contest of a game whose opening is
    rolled again uses the first word of counter [0, game, 2, 0] in that same way. Ties are left out, which
    changes no chances. Raises `InvalidArgumentError` unless they are whole numbers from 0: a seed of up to
    128 bits, a game of up to 64.
    """

    def __init__(self, seed: int, game: int = 0, turn: int = 0) -> None:
        self.seed = _whole("seed", seed, 128)
        self._start(_whole("game", game, 64))
        for _ in range(_whole("turn", turn, 64)):
            self._next_word()

    def contest(self, kept: bool) -> Pair:
        word = self._next_word() if kept else int(self._stream(_CONTEST).random_raw())
        high, rest = divmod(word * 30 >> 64, 5)
        first = high + 1
        return first, rest + 1 if rest + 1 < first else rest + 2

    def roll(self) -> Pair:
        first, second = divmod(self._next_word() * 36 >> 64, 6)
        return first + 1, second + 1

    def new_game(self, number: int) -> None:
        """Game `number` of a match has the dice of game `number` of the seed, whatever came before."""
        self._start(_whole("number", number, 64))

    def _start(self, game: int) -> None:
        self.game = game
        self.turn = 0
        self._words = self._stream(0)

    def _stream(self, number: int) -> np.random.Philox:
        counter = np.array(
            [0, self.game, number, 0], np.uint64
        )  # a list would pass a large game through float64
        return np.random.Philox(key=self.seed, counter=counter)

    def _next_word(self) -> int:
        self.turn += 1
        return int(self._words.random_raw())

    def __repr__(self) -> str:
        return f"SeededDice({self.seed}, {self.game}, {self.turn})"


class ListedDice:
    """Dice taken in order from an iterable of pairs or texts such as "65"; a contest takes the next pair too.

    Raises `InvalidDiceError` for what is no pair of dice and when there are no more.
    """

    def __init__(self, rolls: Iterable[object], where: str = "the dice") -> None:
        try:
            self._rolls: Iterator[object] = iter(rolls)
        except TypeError:
            raise InvalidDiceError(f"{shown(rolls)} are no rolls: pass a list or iterator of pairs") from None
        self._where = where
        self.taken = 0

    def roll(self) -> Pair:
        try:
            pair = next(self._rolls)
        except StopIteration:
            raise InvalidDiceError(f"{self._where} end after {self.taken} rolls: add more") from None
        self.taken += 1
        return as_pair(pair)

    def contest(self, kept: bool) -> Pair:
        return self.roll()

    def new_game(self, number: int) -> None:
        """The dice go on in order."""


class AskedDice:
    """Dice from a person's hand: `ask("contest")` and `ask("roll")` return a pair or a text such as "65".

    Raises `InvalidArgumentError` for what can't be called."""

    def __init__(self, ask: Callable[[str], object]) -> None:
        if not callable(ask):
            raise InvalidArgumentError(f"ask is {shown(ask)}: pass a function of a text")
        self._ask = ask

    def roll(self) -> Pair:
        return as_pair(self._ask("roll"))

    def contest(self, kept: bool) -> Pair:
        return as_pair(self._ask("contest"))

    def new_game(self, number: int) -> None:
        """A hand needs no notice."""


def dice_source(dice: object) -> DiceSource:
    """The source that `dice` stands for: a source, a seed (int), a path, a callable to ask, or an iterable of
    rolls.

    Raises `InvalidArgumentError` for anything else.
    """
    if isinstance(dice, DiceSource):
        return dice
    if isinstance(dice, (int, np.integer)) and not isinstance(dice, bool):
        return SeededDice(int(dice))
    if isinstance(dice, os.PathLike):
        return read_dice(dice)
    if callable(dice):
        return AskedDice(dice)
    if isinstance(dice, Iterable) and not isinstance(dice, (str, bytes)):
        return ListedDice(dice)
    kind = type(dice).__name__
    raise InvalidArgumentError(
        f"no dice come from {kind} {shown(dice)}: pass a seed, a Path, a callable or rolls"
    )


def read_dice(path: str | os.PathLike[str]) -> ListedDice:
    """The dice of a text file: rolls such as `65` or `6-5`, parted by spaces or lines, or a line of numbers
    `6 5`.

    `#` starts a comment. The file is read as it is used, so it may be longer than memory. Raises
    `StorageError` if it can't be opened; taking a roll raises `InvalidDiceError` naming the line that holds
    none.
    """
    file = as_path(path)
    try:
        is_file = stat.S_ISREG(file.stat().st_mode)
    except OSError:
        is_file = False
    if not is_file:
        raise StorageError(f"no file of dice at {file}")
    return ListedDice(_rolls_in(file), where=f"the dice of {file}")


def as_pair(dice: object) -> Pair:
    """The two dice of a pair or of a text such as "65" or "6-5", as plain integers in the order given.

    Raises `InvalidDiceError` for anything else.
    """
    if isinstance(dice, str):
        match = _TEXT.fullmatch(dice)
        if match is None:
            raise InvalidDiceError(f"{dice[:20]!r} is no roll: write two numbers from 1 to 6, as in 65")
        return int(match[1]), int(match[2])
    try:
        first, second = map(whole, dice)  # type: ignore[call-overload]
    except Exception:  # whatever an object's own __iter__ raises
        first = second = None
    if first is None or second is None:
        raise InvalidDiceError(f"{shown(dice)} is no pair of dice: pass two whole numbers from 1 to 6")
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise InvalidDiceError(
            f"dice {shown(first)}, {shown(second)}: each die shows a whole number from 1 to 6"
        )
    return first, second


def _rolls_in(path: Path) -> Iterator[Pair]:
    """The rolls of a file, line by line."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield from _rolls_of(line.partition("#")[0], f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as fault:
        raise StorageError(f"can't read the dice of {path}: {fault}") from None


def _rolls_of(line: str, where: str) -> Iterator[Pair]:
    words = line.split()
    if words and all(len(word) == 1 for word in words):
        words = ["".join(words[i : i + 2]) for i in range(0, len(words), 2)]
    for word in words:
        try:
            yield as_pair(word)
        except InvalidDiceError as fault:
            raise InvalidDiceError(f"{where}: {fault}") from None


def _whole(name: str, value: int, bits: int) -> int:
    number = whole(value)
    if number is None or not 0 <= number < 2**bits:
        raise InvalidArgumentError(f"{name}={shown(value)}: use a whole number from 0 to 2**{bits} - 1")
    return number

"""Who sits at the board: a person who types, or a player of the program that is called by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from narde.errors import InvalidArgumentError
from narde.game import Game

PERSON: Final = "person"
"""The name of a seat whose player types."""

Action = tuple[str, int | None]
"""The name of an action of `Game` and what it is given: a play's index in `Game.legal`, else None."""


class Player(Protocol):
    """What a seat that is no person's needs."""

    def act(self, game: Game, number: int) -> Action:
        """One of `game.actions`, in game `number` of the match; a roll gets its dice elsewhere."""


class RandomPlayer:
    """Takes any of the afterstates with the same chance; never doubles, takes every double, accepts a defeat.

    Its choices are those of `random_games`: in turn t of game g the number word * n >> 64, where word t is of
    the Philox stream `key=seed, counter=[0, g, 1, 0]`. So they depend on the seed alone, whatever was saved,
    resumed or taken back. Raises `InvalidArgumentError` unless the seed has 0 to 128 bits.
    """

    _ANSWERS: Final = ("roll", "take", "accept")

    def __init__(self, seed: int) -> None:
        self.seed = checked_seed(seed)

    def act(self, game: Game, number: int) -> Action:
        if "play" in game.actions:
            return "play", self._word(number, game.rolled - 1) * len(game.legal) >> 64
        return next(action for action in game.actions if action in self._ANSWERS), None

    def _word(self, number: int, turn: int) -> int:
        stream = np.random.Philox(key=self.seed, counter=np.array([0, number, 1, 0], np.uint64))
        return int(stream.random_raw(turn + 1)[-1])


def checked_seed(seed: int) -> int:
    """The seed itself; raises `InvalidArgumentError` unless it is a whole number of 0 to 128 bits."""
    if type(seed) is not int or not 0 <= seed < 2**128:
        raise InvalidArgumentError(f"seed={seed!r}: use a whole number from 0 to 2**128 - 1")
    return seed


_PLAYERS: Final[dict[str, Callable[[int], Player]]] = {"random": RandomPlayer}


def player(name: str, seed: int) -> Player | None:
    """The player of a name; None for a person. Raises `InvalidArgumentError` for a name that nobody has."""
    if name == PERSON:
        return None
    if name not in _PLAYERS:
        known = ", ".join((PERSON, *_PLAYERS))
        raise InvalidArgumentError(f"no player {name[:40]!r}: use one of {known}")
    return _PLAYERS[name](seed)

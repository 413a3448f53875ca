"""What a player is: a choice of one afterstate for each of many rows at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from narde._values import is_masked
from narde.board import Dice, Rows, W
from narde.errors import InvalidArgumentError, shown
from narde.plays import afterstates
from narde.rules import Rules
from narde.streams import Words, below

Values = npt.NDArray[np.float32]


class Player(ABC):
    """Chooses for a whole batch; each choice depends on the row, its roll and its word, on nothing beside it.

    A class of your own needs `choose` alone. `str(player)` is its name, from which `narde.player` makes
    those of the package again. A player can be pickled where its evaluator can.
    """

    @property
    def has_values(self) -> bool:
        """Whether it weighs afterstates, so that the values of its turns can be recorded: not by default.
        Who sets it to true defines `values_of`, too."""
        return False

    @property
    def checksum(self) -> str | None:
        """Tells players of one name apart, as after training; None where there is nothing to tell."""
        return None

    @abstractmethod
    def choose(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> Rows:
        """The afterstates chosen, int8 (N, 28), each seen by the player who rolls next.

        rows: positions of the game, int8 (N, 28), not over; dice: int8 (N, 2); words: uint64 (N,), of the
        stream `narde.streams.CHOICES`. Each row of the result is one of those that `narde.afterstates` lists
        for its row and roll; a turn without a legal play has a single one, the same position, seen by the
        other. `self_play` does not ask for N = 0, and refuses any other result with `InvalidArgumentError` or
        `IllegalPlayError`. Raises `EvaluatorError`; the players of the package refuse other arrays with
        `InvalidPositionError`, `InvalidDiceError` or `InvalidArgumentError`.
        """

    def weigh(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> tuple[Rows, Values]:
        """The same, and what each is worth to the one who has played it: points, float32 (N,)."""
        chosen = self.choose(rows, dice, rules, words)
        return chosen, self.values_of(chosen, rules)

    def values_of(self, chosen: Rows, rules: Rules) -> Values:
        """What afterstates (M, 28) are worth to those who have played them, as in `weigh`: float32 (M,).

        Raises `InvalidArgumentError` for a player without values."""
        raise InvalidArgumentError(
            f"the player {self} weighs nothing (it has no values_of): do not record values"
        )

    def under(self, rules: Rules) -> Player:
        """The player as he plays by the rules, where his evaluator depends on them."""
        return self

    def check_rules(self, rules: Rules) -> None:  # noqa: B027 (most players can play by any rules)
        """Raise `InvalidArgumentError` for rules by which the player cannot play."""

    def turn_player(self) -> object | None:
        """The player within the core, a capsule for `_games.pyx`; None for one that needs Python."""
        return None

    def __repr__(self) -> str:
        """The class, the same in every process: a run is resumed by the names of its players."""
        return type(self).__name__


def check_asked(rows: Rows, dice: Dice, words: Words) -> None:
    """Raise `InvalidArgumentError` unless a player is asked with arrays that go together; what rows and dice
    hold is seen where they are used."""
    arrays = rows, dice, words
    if all(isinstance(array, np.ndarray) for array in arrays) and words.dtype == np.uint64:
        n = words.size
        if (rows.shape, dice.shape, words.shape) == ((n, W), (n, 2), (n,)):
            return
    given = ", ".join(str(array.shape) if isinstance(array, np.ndarray) else shown(array) for array in arrays)
    raise InvalidArgumentError(
        f"a player chooses for arrays of rows (N, 28), dice (N, 2) and words of narde.streams, uint64 (N,), "
        f"not for {given}: pass as many of each"
    )


def any_plays(rows: Rows, dice: Dice, rules: Rules, words: Words) -> Rows:
    """One of the distinct afterstates of each row, each with the same chance: number word * n >> 64."""
    out = afterstates(rows, dice, rules, check=False)
    chosen: Rows = out.positions[out.offsets[:-1] + below(words, np.diff(out.offsets))]
    return chosen


def check_returned(
    player: Player, what: str, found: Any, dtype: npt.DTypeLike, shape: tuple[int, ...], when: str = ""
) -> None:
    """Raise `InvalidArgumentError` unless a player has returned an array of the type and shape."""
    wanted = np.dtype(dtype)
    if is_masked(found):
        raise InvalidArgumentError(f"player {player} returned masked {what}{when}: return plain numbers")
    if isinstance(found, np.ndarray) and (found.dtype, found.shape) == (wanted, shape):
        return
    told = f"{found.dtype} {found.shape}" if isinstance(found, np.ndarray) else shown(found)
    raise InvalidArgumentError(f"player {player} returned {told} as {what}{when}: return {wanted} {shape}")


def under_rules(player: Player, rules: Rules) -> Player:
    """The player as he plays by the rules; raises `InvalidArgumentError` if `under` gives none."""
    found = player.under(rules)
    if not isinstance(found, Player):
        raise InvalidArgumentError(f"player {player} returned {shown(found)} from under: return a player")
    return found

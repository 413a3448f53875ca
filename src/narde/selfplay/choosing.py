"""A turn of many games as a player chooses it. What players from outside the package return is checked: a
wrong row would only show much later, as games that cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from narde._rows import first_foreign
from narde.board import Dice, Rows, W
from narde.errors import IllegalPlayError, InvalidArgumentError, shown
from narde.ids import describe_row
from narde.players import BearoffPlayer, GreedyPlayer, Player, RandomPlayer, Values
from narde.players.base import check_returned
from narde.plays import afterstates
from narde.rules import Rules
from narde.streams import Words


@dataclass(frozen=True)
class Turns:
    """A turn of each of N games, all the same number of turns old.

    games: Their numbers, int64 (N,).
    turn: The number of the turn within its game, from 0.
    """

    rows: Rows
    dice: Dice
    rules: Rules
    words: Words
    games: npt.NDArray[np.int64]
    turn: int

    def chosen_by(self, player: Player, weighed: bool) -> tuple[Rows, Values | None]:
        """The afterstates that the player chooses, and if wanted what they are worth to him.

        Raises `InvalidArgumentError` and `IllegalPlayError` for what a player must not return."""
        if is_ours(player):
            found: tuple[Rows, Values | None] = self._asked(player, weighed)
            return found
        n = len(self.rows)
        if not n:
            return np.empty((0, W), np.int8), np.empty(0, np.float32) if weighed else None
        for array in (self.rows, self.dice, self.words):
            array.flags.writeable = False
        when = f" in turn {self.turn} of games {self.games[0]} to {self.games[-1]}"
        chosen, values = _checked_pair(player, self._asked(player, weighed), when)
        check_returned(player, "afterstates", chosen, np.int8, (n, W), when)
        chosen = np.array(chosen, order="C")  # a copy: the player may use his memory again
        self._check_legal(player, chosen)
        if weighed:
            check_returned(player, "values", values, np.float32, (n,), when)
            values = np.array(values)
            self._check_finite(player, values)
        return chosen, values

    def _asked(self, player: Player, weighed: bool) -> Any:
        arguments = self.rows, self.dice, self.rules, self.words
        return player.weigh(*arguments) if weighed else (player.choose(*arguments), None)

    def _check_legal(self, player: Player, chosen: Rows) -> None:
        """Raise `IllegalPlayError` unless each row is one of the afterstates of its turn."""
        out = afterstates(self.rows, self.dice, self.rules, check=False)
        i = first_foreign(chosen, out.positions, out.offsets)
        if i >= 0:
            found = f"{self._where(i)}\n  chosen = {chosen[i].tolist()}"
            raise IllegalPlayError(f"player {player} chose what is no afterstate {found}")

    def _check_finite(self, player: Player, values: Values) -> None:
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            i = int(bad[0])
            raise InvalidArgumentError(f"player {player} gave the value {values[i]} {self._where(i)}")

    def _where(self, i: int) -> str:
        dice = "-".join(map(str, self.dice[i].tolist()))
        row = f"row {i} = {describe_row(self.rows[i], self.rules)}, dice {dice}"
        return f"in game {self.games[i]}, turn {self.turn}, row {i} of {len(self.rows)}\n  {row}"


def _checked_pair(player: Player, found: Any, when: str) -> tuple[Any, Any]:
    """What `weigh` returned; raises `InvalidArgumentError` unless these are two things."""
    if isinstance(found, tuple | list) and len(found) == 2:
        return found[0], found[1]
    array = isinstance(found, np.ndarray)
    kind = "one array" if array else f"{len(found)} things" if isinstance(found, tuple) else shown(found)
    raise InvalidArgumentError(
        f"player {player} returned {kind} from weigh{when}: return two arrays, afterstates and values"
    )


def is_ours(player: Player) -> bool:
    """Whether all of the player is of this package, so that what it returns needs no check."""
    if type(player) is BearoffPlayer:
        return is_ours(player.other)
    return type(player) in (RandomPlayer, GreedyPlayer)

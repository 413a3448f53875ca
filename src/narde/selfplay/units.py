"""A unit of self-play, a few neighbouring games of a seed, and who plays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from narde.games import COLUMNS, Games
from narde.players import Player
from narde.rules import Rules
from narde.selfplay.choosing import is_ours
from narde.selfplay.incore import play_in_core
from narde.selfplay.lockstep import play_in_lockstep

RECORDED: Final = (*COLUMNS, "values")
"""What can be recorded of every turn."""


class Unit(NamedTuple):
    """The games first to first + n - 1, played at once."""

    first: int
    n: int


@dataclass(frozen=True)
class Task:
    """Plays units; travels to the workers of an executor.

    record: Of `RECORDED`, in its order.
    """

    starter: Player
    second: Player
    rules: Rules
    seed: int
    record: tuple[str, ...]
    max_turns: int

    @property
    def in_core(self) -> bool:
        """Whether both players play within the core."""
        return None not in self._turn_players()

    def __call__(self, unit: Unit) -> Games:
        """The games of the unit. Raises `EvaluatorError`."""
        starter, second = self._turn_players()
        game = self.rules, self.seed, *unit, self.max_turns, self.record
        if starter is None or second is None:
            return play_in_lockstep((self.starter, self.second), *game)
        return play_in_core((starter, second), *game)

    def _turn_players(self) -> tuple[object | None, object | None]:
        return _in_core(self.starter), _in_core(self.second)


def _in_core(player: Player) -> object | None:
    """The player within the core; a user's own is asked in Python, also if derived from one of the core."""
    return player.turn_player() if is_ours(player) else None

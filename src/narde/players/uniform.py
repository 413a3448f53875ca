"""The player who takes any afterstate with the same chance."""

from __future__ import annotations

from dataclasses import dataclass

from narde.board import Dice, Rows
from narde.errors import InvalidArgumentError
from narde.kernels import core
from narde.players.base import Player, Values, any_plays, check_asked
from narde.rules import Rules
from narde.streams import Words


@dataclass(frozen=True)
class RandomPlayer(Player):
    """Every distinct afterstate with the same chance: the games of `random_games`."""

    has_values = False

    def __str__(self) -> str:
        return "random"

    @property
    def checksum(self) -> None:
        """None: every one is the same."""

    def choose(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> Rows:
        check_asked(rows, dice, words)
        return any_plays(rows, dice, rules, words)

    def weigh(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> tuple[Rows, Values]:
        raise InvalidArgumentError("the player random weighs nothing: do not record values")

    def values_of(self, chosen: Rows, rules: Rules) -> Values:
        raise InvalidArgumentError("the player random weighs nothing: do not record values")

    def turn_player(self) -> object:
        capsule: object = core.turn_player()
        return capsule

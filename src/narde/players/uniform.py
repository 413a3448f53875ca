"""The player who takes any afterstate with the same chance."""

from __future__ import annotations

from dataclasses import dataclass

from narde.board import Dice, Rows
from narde.kernels import core
from narde.players.base import Player, any_plays, check_asked
from narde.rules import Rules
from narde.streams import Words


@dataclass(frozen=True)
class RandomPlayer(Player):
    """Every distinct afterstate with the same chance: the games of `random_games`."""

    def __str__(self) -> str:
        return "random"

    def choose(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> Rows:
        check_asked(rows, dice, words)
        return any_plays(rows, dice, rules, words)

    def turn_player(self) -> object:
        capsule: object = core.turn_player()
        return capsule

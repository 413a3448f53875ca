"""Players by name: who chooses the plays of self-play, duels and the command line.

`base` says what a player is, `uniform`, `greedy` and `perfect` are those there are, `naming` reads their
names.
"""

from __future__ import annotations

from narde.players.base import Player, Values
from narde.players.greedy import GreedyPlayer
from narde.players.naming import player
from narde.players.perfect import BearoffPlayer
from narde.players.uniform import RandomPlayer

__all__ = ["BearoffPlayer", "GreedyPlayer", "Player", "RandomPlayer", "Values", "player"]

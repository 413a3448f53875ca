"""Players by name: who chooses the plays of self-play, duels and the command line.

`base` says what a player is, `random`, `greedy` are those there are, `naming` reads and writes their names.
"""

from __future__ import annotations

from narde.players.base import Player, Values
from narde.players.greedy import GreedyPlayer
from narde.players.naming import player
from narde.players.uniform import RandomPlayer

__all__ = ["GreedyPlayer", "Player", "RandomPlayer", "Values", "player"]

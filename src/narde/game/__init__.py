"""One game, from the opening contest to its result, and what happened in it."""

from narde.game.game import Game
from narde.game.history import Event, Result, Turn

__all__ = ["Event", "Game", "Result", "Turn"]

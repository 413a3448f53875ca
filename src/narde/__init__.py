"""Long nardy (narde) and short nardy (backgammon): legal plays, games and rollouts in NumPy arrays."""

import typing as _typing

from narde import reference
from narde.bearoff_db import bearoff
from narde.board import flip, pips, starting_row, validate
from narde.cube import Cube, MoneyOptions, Score
from narde.errors import (
    AmbiguousPlayError,
    IllegalActionError,
    IllegalPlayError,
    InvalidArgumentError,
    InvalidDiceError,
    InvalidPositionError,
    InvalidRulesError,
    MissingExtraError,
    NardeError,
    NotationError,
    NotCoveredError,
    StorageError,
)
from narde.game import Game
from narde.games import Games, join_games, random_games
from narde.ids import Setup, parse
from narde.match import Match
from narde.notation import Play, format_play, format_plays, parse_play
from narde.plays import Afterstates, afterstates, count_afterstates, perft
from narde.position import Plays, Position
from narde.rules import Rules, rules, variants
from narde.scoring import finished, results
from narde.storage import load_games, save_games

__version__ = "0.1.0"

__all__ = [
    "Afterstates",
    "AmbiguousPlayError",
    "Cube",
    "Game",
    "Games",
    "IllegalActionError",
    "IllegalPlayError",
    "InvalidArgumentError",
    "InvalidDiceError",
    "InvalidPositionError",
    "InvalidRulesError",
    "Match",
    "MissingExtraError",
    "MoneyOptions",
    "NardeError",
    "NotCoveredError",
    "NotationError",
    "Play",
    "Plays",
    "Position",
    "Rules",
    "Score",
    "Setup",
    "StorageError",
    "afterstates",
    "bearoff",
    "count_afterstates",
    "finished",
    "flip",
    "format_play",
    "format_plays",
    "join_games",
    "load_games",
    "parse",
    "parse_play",
    "perft",
    "pips",
    "random_games",
    "reference",
    "results",
    "rules",
    "save_games",
    "starting_row",
    "validate",
    "variants",
]

if _typing.TYPE_CHECKING:
    from narde import draw as draw
else:

    def __getattr__(name):
        """Loads `narde.draw` when it is first asked for, which keeps `import narde` fast."""
        if name != "draw":
            raise AttributeError(f"module 'narde' has no attribute {name!r}")
        from importlib import import_module

        return import_module("narde.draw")

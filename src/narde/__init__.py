"""Long nardy (narde) and short nardy (backgammon): legal plays, games and rollouts in NumPy arrays."""

import typing as _typing

from narde import reference
from narde.board import flip, pips, starting_row, validate
from narde.errors import (
    AmbiguousPlayError,
    EvaluatorError,
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
    WorkerLostError,
)
from narde.games import Games, join_games, random_games
from narde.plays import Afterstates, afterstates, count_afterstates, perft
from narde.rules import Rules, rules, variants
from narde.scoring import finished, results

__version__ = "0.1.0"

__all__ = [
    "Afterstates",
    "AmbiguousPlayError",
    "Analysis",
    "Cube",
    "CubeDecision",
    "Duel",
    "EvaluatorError",
    "Game",
    "Games",
    "IllegalActionError",
    "IllegalPlayError",
    "InvalidArgumentError",
    "InvalidDiceError",
    "InvalidPositionError",
    "InvalidRulesError",
    "Match",
    "MatchRecord",
    "MissingExtraError",
    "MoneyOptions",
    "NardeError",
    "Network",
    "NotCoveredError",
    "NotationError",
    "Play",
    "PlayRollouts",
    "Plays",
    "Position",
    "RecordError",
    "Rollout",
    "Rules",
    "Score",
    "Setup",
    "Shards",
    "StorageError",
    "WorkerLostError",
    "afterstates",
    "analyze",
    "bearoff",
    "count_afterstates",
    "cube_decision",
    "cubeful_equity",
    "duel",
    "finished",
    "flip",
    "format_play",
    "format_plays",
    "join_games",
    "load_games",
    "load_shards",
    "parse",
    "parse_play",
    "perft",
    "pips",
    "player",
    "random_games",
    "read_record",
    "reference",
    "replay",
    "results",
    "rollout",
    "rollout_plays",
    "rules",
    "save_games",
    "self_play",
    "starting_row",
    "validate",
    "variants",
    "write_record",
]

if _typing.TYPE_CHECKING:
    from narde import dice as dice
    from narde import draw as draw
    from narde import evaluators as evaluators
    from narde import executors as executors
    from narde import features as features
    from narde import ids as ids
    from narde import met as met
    from narde import players as players
    from narde import records as records
    from narde import rollouts as rollouts
    from narde import stats as stats
    from narde import streams as streams
    from narde.bearoff_db import bearoff
    from narde.cube import Cube, MoneyOptions, Score
    from narde.duels import Duel, duel
    from narde.game import Game
    from narde.ids import Setup, parse
    from narde.janowski import CubeDecision, cube_decision, cubeful_equity
    from narde.match import Match
    from narde.network import Network
    from narde.notation import Play, format_play, format_plays, parse_play
    from narde.players import player
    from narde.position import Plays, Position
    from narde.records import MatchRecord, RecordError, read_record, replay, write_record
    from narde.rollouts import Analysis, PlayRollouts, Rollout, analyze, rollout, rollout_plays
    from narde.selfplay import Shards, load_shards, self_play
    from narde.storage import load_games, save_games
else:
    _LAZY = {
        "bearoff_db": ("bearoff",),
        "cube": ("Cube", "MoneyOptions", "Score"),
        "dice": ("dice",),
        "draw": ("draw",),
        "duels": ("Duel", "duel"),
        "evaluators": ("evaluators",),
        "executors": ("executors",),
        "features": ("features",),
        "game": ("Game",),
        "ids": ("Setup", "ids", "parse"),
        "janowski": ("CubeDecision", "cube_decision", "cubeful_equity"),
        "match": ("Match",),
        "met": ("met",),
        "network": ("Network",),
        "notation": ("Play", "format_play", "format_plays", "parse_play"),
        "players": ("player", "players"),
        "position": ("Plays", "Position"),
        "records": ("MatchRecord", "RecordError", "read_record", "records", "replay", "write_record"),
        "rollouts": (
            "Analysis",
            "PlayRollouts",
            "Rollout",
            "analyze",
            "rollout",
            "rollout_plays",
            "rollouts",
        ),
        "selfplay": ("Shards", "load_shards", "self_play"),
        "stats": ("stats",),
        "storage": ("load_games", "save_games"),
        "streams": ("streams",),
    }
    _MODULE_OF = {name: module for module, names in _LAZY.items() for name in names}

    def __getattr__(name):
        """Loads a name when it is first asked for: who only wants arrays waits for nothing else."""
        if name not in _MODULE_OF:
            raise AttributeError(f"module 'narde' has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f"narde.{_MODULE_OF[name]}")
        globals()[name] = module if name == _MODULE_OF[name] else getattr(module, name)
        return globals()[name]

    def __dir__():
        return sorted({*globals(), *_MODULE_OF})

"""Evaluators: functions from rows to the chances of how a game will end, and what is made of them.

Any callable is one that takes rows (M, 28) int8, none of a game that is over, each seen by the player on
roll, and returns float32 (M, 5): that player's chances of winning at all, of winning mars (gammon) or more,
of winning koks (backgammon), of losing mars or more, of losing koks.
"""

from __future__ import annotations

from narde.evaluators.calling import Chances, Evaluator, call, chances_of, check, value_of
from narde.evaluators.loading import load
from narde.evaluators.models import OnnxEvaluator, TorchEvaluator
from narde.evaluators.plies import BestPlays, Lookahead, best_plays, lookahead
from narde.evaluators.race import race
from narde.evaluators.shipped import default
from narde.evaluators.worth import equity, exact_chances, swapped

__all__ = [
    "BestPlays",
    "Chances",
    "Evaluator",
    "Lookahead",
    "OnnxEvaluator",
    "TorchEvaluator",
    "best_plays",
    "call",
    "chances_of",
    "check",
    "default",
    "equity",
    "exact_chances",
    "load",
    "lookahead",
    "race",
    "swapped",
    "value_of",
]

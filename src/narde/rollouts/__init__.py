"""Rollouts: the equity of a position, or of the plays of a roll, from games that an evaluator plays.

Left to right: `trials` rolls the dice, `plan` says what is played, `in_core` plays it within the core and
`lockstep` by any evaluator, `spread` measures the error, `checkpoint` keeps, `running` gives out the work,
`result`, `ranked` and `ranking` tell, `asking` and `of_plays` take the questions; `analysis` and `cubes`
answer some without a game.
"""

from __future__ import annotations

from narde.rollouts.analysis import AnalysedPlay, Analysis, analyze
from narde.rollouts.asking import rollout
from narde.rollouts.of_plays import rollout_plays
from narde.rollouts.ranking import PlayRollouts, RolledPlay
from narde.rollouts.result import Rollout

__all__ = [
    "AnalysedPlay",
    "Analysis",
    "PlayRollouts",
    "RolledPlay",
    "Rollout",
    "analyze",
    "rollout",
    "rollout_plays",
]

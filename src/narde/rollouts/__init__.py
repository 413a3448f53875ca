"""Rollouts: the equity of a position, or of every play of a roll, from games that an evaluator plays.

Left to right: `trials` rolls the dice, `plan` says what is played, `lockstep` plays, `spread` measures the
error, `checkpoint` keeps, `running` gives out the work, `result` tells, `asking` takes the questions.
"""

from __future__ import annotations

from narde.rollouts.asking import rollout
from narde.rollouts.result import Rollout

__all__ = ["Rollout", "rollout"]

"""The chances of a race by the pips alone: what the player "pips" goes by, and a yardstick for others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from narde.board import Rows, as_rows, pips
from narde.evaluators.worth import OUTPUTS
from narde.rules import Rules
from narde.rules import rules as rules_of

_VARIANCE: Final = 2.262
"""Of a side's progress, for each pip that it rolls: a roll has 49/6 pips on average, with the variance
665/36."""

_ON_ROLL: Final = 4
"""Pips that being on roll is worth: half a roll (D. Kleinman, Vision Laughs at Counting, 1980)."""

_LOGISTIC: Final = 1.702
"""1 / (1 + exp(-1.702 z)) is within 0.01 of the normal distribution function of z."""


@dataclass(frozen=True)
class Race:
    """The evaluator that `race` gives.

    game: The board it is for.
    """

    game: Literal["long", "short"]

    def __call__(self, rows: Rows, /) -> npt.NDArray[np.float32]:
        own, opponent = pips(as_rows(rows)[0], self.game).T
        spread = np.sqrt(_VARIANCE * np.maximum(own + opponent, 1))
        chances = np.zeros((len(own), OUTPUTS), np.float32)
        chances[:, 0] = 1 / (1 + np.exp(-_LOGISTIC * (opponent - own + _ON_ROLL) / spread))
        return chances


def race(rules: str | Rules = "long") -> Race:
    """An evaluator by pips: the chance that the player on roll wins a race with so many pips on either side.

    With the lead D and the sum S of the pips it is the normal distribution function of (D + 4) / sqrt(2.262
    S), after Kleinman's metric (D + 4)**2 / (S - 4), by its logistic likeness; mars and koks have no chance.
    """
    return Race(rules_of(rules).game)

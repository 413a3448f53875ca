"""The dice of trials: those of the first two turns stratified, the later ones from the seed's dice stream.

Trials come in sets of 36. Within a set each of the 36 rolls comes once as the first roll and once as the
second, both in an order of the set's own drawn at random: a Latin hypercube sample (M. McKay, R. Beckman and
W. Conover, Technometrics 21 (1979) 239-245). Every set is a fair sample by itself, whatever the others, and
every trial's rolls are uniform, as those of a game are.

The dice of a trial depend on seed, trial and turn alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde import streams
from narde.board import Dice

ORDERS: Final = 3
"""The stream of the orders in which the rolls of a set come: word 36 * turn + k of set s for roll k."""

SET: Final = 36
"""Trials of a set, as many as there are rolls of two dice."""

STRATIFIED: Final = 2
"""Turns whose rolls are stratified."""

Numbers = npt.NDArray[np.int64]


def strata(seed: int, first: int, stop: int) -> Numbers:
    """The first two rolls of the trials first to stop - 1, each 0 to 35: int64 (n, 2).

    Roll r shows the dice r // 6 + 1 and r % 6 + 1."""
    sets = np.arange(first // SET, -(-stop // SET))
    keys = streams.words(seed, ORDERS, sets[:, None], np.arange(STRATIFIED * SET))
    orders = np.argsort(keys.reshape(-1, STRATIFIED, SET), axis=-1, kind="stable")
    rolls: Numbers = orders.transpose(0, 2, 1).reshape(-1, STRATIFIED)
    start = first - first % SET
    return rolls[first - start : stop - start].astype(np.int64)


def dice_of_rolls(rolls: Numbers) -> Dice:
    """The dice of rolls 0 to 35: int8 (..., 2)."""
    return np.ascontiguousarray(np.stack([rolls // 6 + 1, rolls % 6 + 1], axis=-1), np.int8)

"""Evaluators for tests of self-play, at the top level of a module, so that any process can import them."""

import os
import time
from itertools import count

import numpy as np

from narde import evaluators

_calls = count(1)


def rough(rows: np.ndarray) -> np.ndarray:
    """Chances in eighths, so that many afterstates are equal and each row's are the same in any batch."""
    chances = np.zeros((len(rows), 5), np.float32)
    chances[:, 0] = (rows[:, :24].astype(int) @ np.arange(24) % 7 + 1) / 8
    chances[:, 1] = chances[:, 0] / 4
    return chances


def stalling(rows: np.ndarray) -> np.ndarray:
    """The race of long nardy, but the call of the number in the environment comes to no end."""
    if next(_calls) == int(os.environ.get("NARDE_TEST_STALL", "0")):
        time.sleep(3600)
    return evaluators.race("long")(rows)

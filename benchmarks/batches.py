"""The batches that the benchmarks work on: positions of seeded random games, the same on every machine."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from narde.games import random_games
from narde.plays import ROLLS

SEED = 20_240_229


class Batch(NamedTuple):
    """Rows with their dice under a rule text, and how many afterstates they have in all, pinned."""

    rules: str
    rows: npt.NDArray[np.int8]
    dice: npt.NDArray[np.int8]
    afterstates: int

    def __len__(self) -> int:
        return len(self.rows)


@cache
def played(rules: str, n: int, afterstates: int) -> Batch:
    """The first n turns of random games, shuffled: each row with the roll that was played from it."""
    games = random_games(n // 60, rules, seed=SEED, record=("positions", "dice"))
    assert games.positions is not None and games.dice is not None and len(games.positions) >= n
    order = np.random.default_rng(SEED).permutation(n)
    return Batch(rules, games.positions[order], games.dice[order], afterstates)


@cache
def all_rolls(rules: str, n: int, afterstates: int) -> Batch:
    """n rows of random games, each with all 21 rolls, so that the average over rows is one over the rolls."""
    rows = played(rules, 50_000, 0).rows[:n]
    dice = np.tile(ROLLS, (n, 1))
    return Batch(rules, np.repeat(rows, len(ROLLS), axis=0), dice, afterstates)

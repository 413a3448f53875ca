"""The batches that the benchmarks work on: positions of seeded games, the same on every machine."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import narde
from narde import evaluators, streams
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


@cache
def sensible(rules: str, games: int, afterstates: int) -> Batch:
    """All turns of games that the network of the package plays with itself, in the order of the turns."""
    network, alive = evaluators.default(rules), np.arange(games)
    rows, turns = np.tile(narde.starting_row(rules), (games, 1)), []
    while len(alive):
        turn = len(turns)
        different = turn == 0 and narde.rules(rules).opening_roll == "keep"
        dice = streams.dice_of(streams.words(SEED, streams.DICE, alive, [turn]), different)
        turns.append((rows, dice))
        after = network.choose(rows, dice, rules)[0]
        going = ~narde.finished(after)
        rows, alive = after[going], alive[going]
    columns = [np.concatenate(column) for column in zip(*turns, strict=True)]
    return Batch(rules, *columns, afterstates)

"""The best play of rows in a race, as its afterstate: looked up for a side alone, compared where the opponent
matters."""

from __future__ import annotations

from typing import Final

import numpy as np

from narde.bearoff_db.chances import equities, is_exact, outcome_chances
from narde.bearoff_db.domain import Flags, is_covered
from narde.bearoff_db.homes import HOME, OPPONENT_HOME, all_homes, opponents_homes_of, ranks_of
from narde.bearoff_db.tables import Tables
from narde.bearoff_db.turns import first_lowest
from narde.board import CHECKERS, OFF, OPPONENT_OFF, Dice, Rows, flip
from narde.kernels import in_chunks
from narde.plays import ROLLS, afterstates
from narde.rules import Rules

_CHUNK: Final = 4096

_ROLL_NUMBERS: Final = np.zeros((7, 7), np.intp)
"""The number of each roll in `plays.ROLLS`, by either order of its dice."""
_ROLL_NUMBERS[ROLLS[:, 0], ROLLS[:, 1]] = _ROLL_NUMBERS[ROLLS[:, 1], ROLLS[:, 0]] = np.arange(len(ROLLS))


def best_afterstates(tables: Tables, rows: Rows, dice: Dice, rules: Rules, threads: int) -> Rows:
    """The best afterstates of rows (N, 28) with dice (N, 2), each mover being home and nobody in his way."""
    best = np.empty(rows.shape, np.int8)

    def choose(start: int, stop: int) -> None:
        part, rolls, out = rows[start:stop], dice[start:stop], best[start:stop]
        weighed = _is_weighed(part, rules)
        out[weighed] = _by_equity(tables, part[weighed], rolls[weighed], rules)
        out[~weighed] = _by_rolls(tables, part[~weighed], rolls[~weighed], rules)

    for _ in in_chunks(len(rows), _CHUNK, threads, choose):
        pass
    return best


def _is_weighed(rows: Rows, rules: Rules) -> Flags:
    """Rows whose plays are compared by equity: exact ones, and those that may lose a mars."""
    weighed = is_covered(rows, rules)
    races = rows[weighed]
    opponents = ranks_of(opponents_homes_of(races, rules.game))
    weighed[weighed] = is_exact(ranks_of(races[:, HOME]), opponents) | (races[:, OFF] == 0)
    return weighed


def _by_equity(tables: Tables, rows: Rows, dice: Dice, rules: Rules) -> Rows:
    """The afterstates of the least equity for the opponent, who rolls next."""
    after = afterstates(rows, dice, rules, check=False)
    movers = ranks_of(opponents_homes_of(after.positions, rules.game))
    opponents = ranks_of(after.positions[:, HOME])
    left = equities(outcome_chances(tables, opponents, movers), rules)
    return after.positions[first_lowest(left, after.offsets)] if len(rows) else rows


def _by_rolls(tables: Tables, rows: Rows, dice: Dice, rules: Rules) -> Rows:
    """The afterstates that leave the mover the fewest expected rolls."""
    boards = tables.best[ranks_of(np.maximum(rows[:, HOME], 0)), _ROLL_NUMBERS[dice[:, 0], dice[:, 1]]]
    homes = all_homes()[boards]
    after = flip(rows, rules)
    home = OPPONENT_HOME[rules.game]  # where in short nardy a checker that has passed the mover's may stand
    after[:, home] = np.where(after[:, home] > 0, after[:, home], -homes)
    after[:, OPPONENT_OFF] = homes.sum(axis=1) - CHECKERS
    return after

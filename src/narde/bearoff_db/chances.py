"""The chances of a race between two home boards: exact where the two-sided table covers both, else from the
one-sided distributions, as if both played for the fewest rolls and nothing else."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.homes import Ranks
from narde.bearoff_db.one_sided import FULL, MOST_FIRST_ROLLS, MOST_ROLLS
from narde.bearoff_db.tables import Tables
from narde.bearoff_db.turns import Floats
from narde.bearoff_db.two_sided import FEW_BOARDS
from narde.rules import Rules

WIN, WIN_MARS, WIN_KOKS, LOSE_MARS, LOSE_KOKS = range(5)
"""The columns of outcome chances."""

_AT_ONCE: Final = 2048
"""Boards that are estimated together, so that the memory for it stays small."""


def is_exact(mover: Ranks, opponent: Ranks) -> npt.NDArray[np.bool_]:
    """Whether the two-sided table covers both boards."""
    return (mover < FEW_BOARDS) & (opponent < FEW_BOARDS)


def outcome_chances(tables: Tables, mover: Ranks, opponent: Ranks) -> Floats:
    """The mover's five chances for pairs of boards given by rank, float64 (N, 5)."""
    chances = np.zeros((len(mover), 5))
    exact = is_exact(mover, opponent)
    chances[exact, WIN] = tables.win[mover[exact], opponent[exact]]
    others = np.flatnonzero(~exact)
    for start in range(0, len(others), _AT_ONCE):
        part = others[start : start + _AT_ONCE]
        chances[part] = _estimated(tables, mover[part], opponent[part])
    return chances


def equities(chances: Floats, rules: Rules) -> Floats:
    """The cubeless equity of outcome chances, in points of the mover; nobody loses a koks from home."""
    return 2 * chances[:, WIN] - 1 + (rules.mars - 1) * (chances[:, WIN_MARS] - chances[:, LOSE_MARS])


def _estimated(tables: Tables, mover: Ranks, opponent: Ranks) -> Floats:
    """The chances when each side's number of rolls has its one-sided distribution; below, arrays are (31, N).

    The mover wins with his n-th roll if the opponent's n - 1 were not enough, and wins a mars if after those
    the opponent had none off; the opponent wins a mars with his n-th roll if the mover had none off after n.
    """
    chances = np.zeros((len(mover), 5))
    own, theirs = (np.ascontiguousarray(tables.rolls[boards].T) for boards in (mover, opponent))
    chances[:, WIN] = _meets(own, _one_roll_less(_later(theirs)))
    chances[:, WIN_MARS] = _meets(own, _one_roll_less(_none_off(tables, opponent)))
    chances[:, LOSE_MARS] = _meets(theirs, _none_off(tables, mover))
    return chances


def _meets(rolls: Floats, chances: Floats) -> Floats:
    """The chance of what has chances[n] after n rolls, when there are n of them with the chance rolls[n]."""
    total = np.zeros(rolls.shape[1])
    for of_n, chance in zip(rolls, chances, strict=True):  # roll by roll: the same sum on every machine
        total += of_n * chance
    return np.minimum(total, 1)  # rounding may leave a little more


def _later(rolls: Floats) -> Floats:
    """The chance that more than n rolls are needed, from the chances of exactly n."""
    later = np.empty_like(rolls)
    left = np.ones(rolls.shape[1])
    for of_n, later_than_n in zip(rolls, later, strict=True):
        left -= of_n
        np.maximum(left, 0, out=later_than_n)  # rounding may leave a little less than none
    return later


def _one_roll_less(later: Floats) -> Floats:
    """What holds after the n - 1 rolls that the opponent has had at the mover's n-th."""
    return np.concatenate([later[:1], later[:-1]])


def _none_off(tables: Tables, boards: Ranks) -> Floats:
    """The chance that n rolls bear off nothing, (31, N)."""
    chances = np.zeros((MOST_ROLLS + 1, len(boards)))
    full = np.flatnonzero(boards >= FULL)
    chances[: MOST_FIRST_ROLLS + 1, full] = _later(tables.first_off[boards[full] - FULL].T)
    return chances

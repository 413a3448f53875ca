"""The tables of the bear-off database: what each holds, its type and shape, and how they are built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.homes import BOARDS
from narde.bearoff_db.one_sided import FULL, LEVELS, MOST_FIRST_ROLLS, MOST_ROLLS, solve_one_sided
from narde.bearoff_db.turns import Floats
from narde.bearoff_db.two_sided import FEW_BOARDS, FEW_LEVELS, solve_two_sided
from narde.plays import ROLLS

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Tables:
    """What is known of every home board, by its rank.

    mean_rolls: (54264,): the expected number of rolls until all are off, under the play that makes it least.
    rolls: (54264, 31): the chances of 0, 1, ... 30 rolls until all are off, under the same play.
    best: (54264, 21): the rank of the board that this play leads to with each of `plays.ROLLS`.
    first_off: (15504, 11): for boards of fifteen, in their order, the chances of 0, 1, ... 10 rolls until the
        first is off, under the play that makes their expected number least: a mars is lost while none is off.
    win: (924, 924): the mover's chance of winning under best play, by the ranks of his and of the opponent's
        board, each of at most six checkers.
    """

    mean_rolls: Floats
    rolls: Floats
    best: npt.NDArray[np.uint16]
    first_off: Floats
    win: Floats


COLUMNS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "mean_rolls": ("<f8", (BOARDS,)),
    "rolls": ("<f8", (BOARDS, MOST_ROLLS + 1)),
    "best": ("<u2", (BOARDS, len(ROLLS))),
    "first_off": ("<f8", (BOARDS - FULL, MOST_FIRST_ROLLS + 1)),
    "win": ("<f8", (FEW_BOARDS, FEW_BOARDS)),
}
"""The type and shape of each table, in their order in a file."""


def build(threads: int = 1, progress: Progress | None = None) -> Tables:
    """Solve all tables; `progress` is called with (steps done, all steps), a step being a pip count."""
    done, steps = 0, LEVELS + FEW_LEVELS

    def tell() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, steps)

    return Tables(*solve_one_sided(threads, tell), solve_two_sided(tell))

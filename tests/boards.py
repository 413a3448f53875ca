"""Home boards as rows, for the tests of the bear-off database."""

import numpy as np
import numpy.typing as npt

from narde.bearoff_db.homes import OPPONENT_HOME, all_homes, boards_up_to, ranks_of

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int8]

GAMES = ("long", "short")


def race_rows(mover: npt.ArrayLike, opponent: npt.ArrayLike, game: str = "long") -> Rows:
    """Rows (N, 28) of home boards (N, 6) and (N, 6), or of either one (6,) against all of the other."""
    own, theirs = np.broadcast_arrays(np.atleast_2d(mover), np.atleast_2d(opponent))
    rows = np.zeros((len(own), 28), np.int8)
    rows[:, :6] = own
    rows[:, OPPONENT_HOME[game]] = -theirs
    rows[:, 26] = 15 - own.sum(axis=1)
    rows[:, 27] = theirs.sum(axis=1) - 15
    return rows


def race_row(mover: npt.ArrayLike, opponent: npt.ArrayLike = (1, 0, 0, 0, 0, 0), game: str = "long") -> Rows:
    """One row (28,) of two home boards."""
    return race_rows(mover, opponent, game)[0]


def rank(*home: int) -> int:
    """The rank of one board."""
    return int(ranks_of(np.array([home], np.int8))[0])


def random_homes(seed: int, n: int, fewest: int = 1, most: int = 15) -> Rows:
    """Boards with `fewest` to `most` checkers, every such board being as likely: int8 (n, 6)."""
    ranks = np.random.default_rng(seed).integers(boards_up_to(fewest - 1), boards_up_to(most), n)
    return all_homes()[ranks]

"""What a finished row is worth: oin, mars and koks in long nardy; single, gammon and backgammon in short.

A finished row is seen by the player who would roll next. After a winning play that is the loser: his opponent
has all 15 off (index 27 is -15) and the result is negative. A row whose mover has all off has a positive
result.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from narde._rows import fill_over
from narde._values import as_flags
from narde.board import BAR, CHECKERS, OFF, OPPONENT_BAR, OPPONENT_OFF, Rows, as_rows
from narde.rules import Rules
from narde.rules import rules as rules_of

Results = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]

RESULT_NAMES: Final = {
    "long": ("draw", "oin", "mars", "koks"),
    "short": ("draw", "single", "gammon", "backgammon"),
}
"""The name of each kind of result, 0 to 3, by `Rules.game`. A draw exists only under `last_roll`."""

CHANCE_NAMES: Final = ("winning", "winning mars", "winning koks", "losing mars", "losing koks")
"""What each of the five chances of a game is the chance of, in messages; mars or more, of either game."""

_LAST_QUARTER: Final = {
    "long": (slice(18, 24), slice(6, 12)),
    "short": (slice(18, 24), slice(0, 6)),
}
"""The indices of the mover's and of the opponent's own points 24..19, where a koks or backgammon is counted:
in long nardy the quarter of the head (nardeon l55), in short nardy the winner's home board (short l34)."""


def results(rows: npt.ArrayLike, rules: str | Rules = "long") -> Results:
    """The points that the mover has won (+) or lost (-), without a cube: int8 (N,), or one int8 for one row.

    1 for an oin or single, `Rules.mars` for a mars or gammon, `Rules.koks` for a koks or backgammon; 0 while
    both play on. Both all off is a draw, 0 too: `finished` tells the two apart. Raises `InvalidPositionError`
    for what is no array of rows.
    """
    rules = rules_of(rules)
    kinds = result_kinds(rows, rules)
    return np.asarray(np.sign(kinds) * points_by_kind(rules)[np.abs(kinds)], dtype=np.int8)[()]


def result_kinds(rows: npt.ArrayLike, rules: str | Rules = "long") -> Results:
    """The kind of result, an index into `RESULT_NAMES`, with the sign and shape of `results`.

    1: oin or single. 2, mars or gammon: the loser has borne off none (minsport l19, bkgm l27, nardeon l52,
    long l77, short l33). 3, koks or backgammon: he also has a checker on his own points 24..19 (nardeon l55)
    or, in short nardy, on the bar (short l34). A koks that the rules do not score is a mars.
    """
    rules = rules_of(rules)
    batch, single = as_rows(rows)
    kinds = np.zeros(len(batch), np.int8)
    decided = (batch[:, OFF] == CHECKERS) != (batch[:, OPPONENT_OFF] == -CHECKERS)
    over = batch[decided]
    lost = over[:, OPPONENT_OFF] == -CHECKERS
    none_off = np.where(lost, over[:, OFF], over[:, OPPONENT_OFF]) == 0
    kind = 1 + none_off + (none_off & _stayed_behind(over, lost, rules) if rules.koks else 0)
    kinds[decided] = np.where(lost, -kind, kind)
    return kinds[0] if single else kinds


def finished(rows: npt.ArrayLike) -> Flags:
    """Whether a side has all 15 off: bool (N,), or one for one row; see also `last_roll_due`."""
    batch, single = as_rows(rows)
    over, _ = are_over(batch)
    return over[0] if single else over


def are_over(batch: Rows) -> tuple[Flags, int]:
    """What `finished` gives for int8 rows (N, 28), and how many of them are over."""
    over = np.empty(len(batch), bool)
    return over, fill_over(np.ascontiguousarray(batch), over.view(np.uint8))


def last_roll_due(rows: npt.ArrayLike, rules: str | Rules, starter_on_roll: npt.ArrayLike) -> Flags:
    """Whether the mover still rolls though the opponent has all 15 off: bool (N,), or one for one row.

    Under `Rules.last_roll` the second player answers the starter's last play; when he too has all off, the
    game is drawn, and otherwise he has lost by the row after his answer. `starter_on_roll` (bool, broadcast
    against the rows) says whether the mover is he who started the game; a row alone can't tell. Raises
    `InvalidPositionError` for what is no array of rows, `InvalidArgumentError` for other flags.
    """
    batch, single = as_rows(rows)
    starting = as_flags(starter_on_roll, (len(batch),), "starter_on_roll")
    due: Flags = (batch[:, OPPONENT_OFF] == -CHECKERS) & (batch[:, OFF] < CHECKERS) & ~starting
    due &= rules_of(rules).last_roll
    return due[0] if single else due


def points_by_kind(rules: str | Rules) -> Results:
    """The points of each kind of result, 0 to 3: int8 (4,). An unscored koks counts as a mars."""
    rules = rules_of(rules)
    return np.array([0, 1, rules.mars, rules.koks or rules.mars], np.int8)


def _stayed_behind(over: Rows, lost: Flags, rules: Rules) -> Flags:
    """Whether the loser has a checker on his points 24..19 or on the bar; `lost` where that is the mover."""
    own, opponent = _LAST_QUARTER[rules.game]
    mover_behind = (over[:, own] > 0).any(axis=1) | (over[:, BAR] > 0)
    opponent_behind = (over[:, opponent] < 0).any(axis=1) | (over[:, OPPONENT_BAR] < 0)
    return np.where(lost, mover_behind, opponent_behind)

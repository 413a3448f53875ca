"""Where everything lives in a row, the starting rows, `flip`, and the one door for rows from outside,
`validate`.

A row is 28 int8 numbers seen by the player on roll, the mover: 0..23 are the mover's points 1..24 (+ his
checkers, - the opponent's), 24 and 25 the two bars, 26 and 27 the checkers borne off; the sign is the owner
everywhere.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde._values import holds_booleans, is_masked
from narde.errors import InvalidDiceError, InvalidPositionError
from narde.rules import Rules
from narde.rules import rules as rules_of

W: Final = 28
"""Numbers in a row."""

CHECKERS: Final = 15
"""Checkers of each side."""

BAR: Final = 24
"""Index of the mover's bar; `OPPONENT_BAR` is the opponent's."""
OPPONENT_BAR: Final = 25
OFF: Final = 26
"""Index of the mover's checkers borne off; `OPPONENT_OFF` is the opponent's."""
OPPONENT_OFF: Final = 27
HEAD: Final = 23
"""Index of point 24, the mover's head in long nardy; `OPPONENT_HEAD` is the opponent's, the mover's point
12."""
OPPONENT_HEAD: Final = 11

Rows = npt.NDArray[np.int8]
Dice = npt.NDArray[np.int8]

_TAIL: Final = (OPPONENT_BAR, BAR, OPPONENT_OFF, OFF)
_FLIP: Final = {
    "long": np.array([*((i + 12) % 24 for i in range(24)), *_TAIL]),
    "short": np.array([*(23 - i for i in range(24)), *_TAIL]),
}
_START: Final = {
    "long": {HEAD: 15, OPPONENT_HEAD: -15},
    "short": {23: 2, 12: 5, 7: 3, 5: 5, 0: -2, 11: -5, 16: -3, 18: -5},
}


def starting_row(rules: str | Rules = "long") -> Rows:
    """The row before the first turn: int8, shape (28,).

    Long nardy: 15 on each head (long l11-14). Short nardy: 2 on 24, 5 on 13, 3 on 8, 5 on 6 (short l3).
    """
    row = np.zeros(W, np.int8)
    for index, checkers in _START[rules_of(rules).game].items():
        row[index] = checkers
    return row


def flip(rows: npt.ArrayLike, rules: str | Rules = "long") -> Rows:
    """The rows with the other player's eyes: same shape, int8; flipping twice gives the rows back.

    Raises `InvalidPositionError` for what is no array of rows.
    """
    batch, single = _as_rows_to_negate(rows)
    flipped = np.ascontiguousarray(-batch[:, _FLIP[rules_of(rules).game]])
    return flipped[0] if single else flipped


def pips(rows: npt.ArrayLike, rules: str | Rules = "long") -> npt.NDArray[np.int64]:
    """Pip counts, shape (..., 2): the pips that the mover and the opponent still need; a checker on the
    bar has 25. Raises what `flip` raises."""
    batch, single = _as_rows_to_negate(rows)
    own, opponent = np.maximum(batch, 0), np.maximum(-batch[:, _FLIP[rules_of(rules).game]], 0)
    counts = np.stack([own[:, :25] @ np.arange(1, 26), opponent[:, :25] @ np.arange(1, 26)], axis=1)
    return counts[0] if single else counts


def as_rows(rows: npt.ArrayLike) -> tuple[Rows, bool]:
    """The rows as C-contiguous int8 (N, 28), copied only where needed, and whether a single row was given.

    Raises `InvalidPositionError` unless they are whole numbers that int8 holds, 28 in the last place.
    """
    if type(rows) is np.ndarray and rows.dtype == np.int8 and rows.ndim == 2 and rows.shape[1] == W:
        return np.ascontiguousarray(rows), False  # the usual way, without the questions below
    array = as_integers(rows, "rows", InvalidPositionError)
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, W)
    if array.ndim not in (1, 2) or array.shape[-1] != W:
        raise InvalidPositionError(f"rows have shape {array.shape}: pass one row (28,) or a batch (N, 28)")
    single = array.ndim == 1
    return np.ascontiguousarray(_to_int8(array.reshape(-1, W))), single


def as_dice(dice: npt.ArrayLike) -> tuple[Dice, bool]:
    """The dice as C-contiguous int8 (N, 2), always a copy that nobody else can change, and whether a single
    pair was given.

    Raises `InvalidDiceError` unless they are pairs of whole numbers from 1 to 6.
    """
    array = as_integers(dice, "dice", InvalidDiceError)
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 2)
    if array.ndim not in (1, 2) or array.shape[-1] != 2:
        raise InvalidDiceError(f"dice have shape {array.shape}: pass one pair (2,) or a batch (N, 2)")
    single = array.ndim == 1
    given = array.reshape(-1, 2)
    pairs = np.array(given.astype(np.int8, copy=False), order="C")
    if pairs.size and (pairs.min() < 1 or pairs.max() > 6 or _is_changed(given, pairs)):
        i = int(np.argmax(((given < 1) | (given > 6)).any(axis=1)))
        raise InvalidDiceError(f"dice {i} are {given[i].tolist()}: each die shows 1 to 6", index=i)
    return pairs, single


def validate(rows: npt.ArrayLike, rules: str | Rules = "long") -> None:
    """Return quietly if every row is a position of the game; rows that play cannot reach are positions too.

    Raises `InvalidPositionError` naming the first bad row and every reason: totals other than 15 and -15, a
    bar or an off count of the wrong sign, in long nardy a checker on the bar or checkers off while others are
    not home.
    """
    batch, _ = as_rows(rows)
    faults = _faults(batch, rules_of(rules))
    bad = np.flatnonzero(np.logical_or.reduce([at_fault for at_fault, _ in faults]))
    if bad.size:
        i = int(bad[0])
        reasons = tuple(reason(batch[i].astype(int)) for at_fault, reason in faults if at_fault[i])
        text = f"row {i} is no position: {'; '.join(reasons)}\n  row {i} = {batch[i].tolist()}"
        raise InvalidPositionError(text, index=i, reasons=reasons)


def _faults(batch: Rows, rules: Rules) -> list[tuple[npt.NDArray[np.bool_], Any]]:
    """Each way to be invalid: which rows are, and a function from such a row to the reason in words."""
    own = np.where(batch > 0, batch, 0).sum(axis=1, dtype=np.int64)
    opponent = np.where(batch < 0, batch, 0).sum(axis=1, dtype=np.int64)
    faults = [
        (own != CHECKERS, lambda r: f"the mover has {r[r > 0].sum()} checkers, expected 15"),
        (opponent != -CHECKERS, lambda r: f"the opponent has {-r[r < 0].sum()} checkers, expected 15"),
        (batch[:, BAR] < 0, lambda r: f"index 24, the mover's bar, is {r[BAR]}, expected 0 or more"),
        (
            batch[:, OPPONENT_BAR] > 0,
            lambda r: f"index 25, the opponent's bar, is {r[OPPONENT_BAR]}, expected 0 or less",
        ),
        (batch[:, OFF] < 0, lambda r: f"index 26, the mover's checkers off, is {r[OFF]}, expected 0 or more"),
        (
            batch[:, OPPONENT_OFF] > 0,
            lambda r: f"index 27, the opponent's off, is {r[OPPONENT_OFF]}, expected 0 or less",
        ),
    ]
    return faults + (_long_faults(batch) if rules.game == "long" else [])


def _long_faults(batch: Rows) -> list[tuple[npt.NDArray[np.bool_], Any]]:
    """What only long nardy forbids: a bar, and checkers off before all are home, since nothing sends them
    back."""
    own_outside = (batch[:, 6:24] > 0).any(axis=1)
    opponent_outside = (batch[:, :12] < 0).any(axis=1) | (batch[:, 18:24] < 0).any(axis=1)
    return [
        (
            (batch[:, BAR] != 0) | (batch[:, OPPONENT_BAR] != 0),
            lambda r: "there is no bar in long nardy, keep 24 and 25 at 0",
        ),
        (
            (batch[:, OFF] > 0) & own_outside,
            lambda r: f"the mover has {r[OFF]} off while others are not in his home, points 6 to 1",
        ),
        (
            (batch[:, OPPONENT_OFF] < 0) & opponent_outside,
            lambda r: f"the opponent has {-r[OPPONENT_OFF]} off while others are not in his home, 18 to 13",
        ),
    ]


def as_integers(values: npt.ArrayLike, what: str, error: type[ValueError]) -> npt.NDArray[Any]:
    """The values as an integer array of any width; floats, strings, booleans and ragged lists are refused,
    not rounded, and so are masked values, not taken as if they were no less valid."""
    if type(values) is np.ndarray and values.dtype.kind in "iu":
        return _native(values)
    if is_masked(values):
        raise error(f"{what} have masked values: pass {what}.filled(...) with the numbers that you mean")
    try:
        array = np.asarray(values)
    except MemoryError:
        raise
    except Exception as fault:  # whatever an object's own __array__ raises
        raise error(f"{what} are no array of whole numbers: {fault}") from None
    if array.dtype.kind in "iu":
        if holds_booleans(values):
            raise error(f"{what} have True or False among them: pass whole numbers")
        return _native(array)
    if array.size:
        raise error(f"{what} have dtype {array.dtype}: pass whole numbers, e.g. {what}.astype(np.int8)")
    return np.zeros(array.shape, np.int8)


def _native(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in the byte order of the machine: NumPy 2.0 crashes where unsigned numbers in the other one
    are compared with a negative number."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _to_int8(batch: npt.NDArray[Any]) -> Rows:
    """The rows as int8; a value that int8 cannot hold is an error, never wrapped round."""
    if batch.dtype == np.int8:
        return batch
    if batch.size and (batch.min() < -128 or batch.max() > 127):
        i = int(np.argmax(((batch < -128) | (batch > 127)).any(axis=1)))
        reason = "values beyond int8, -128 to 127"
        text = f"row {i} is no position: {reason}\n  row {i} = {batch[i].tolist()}"
        raise InvalidPositionError(text, index=i, reasons=(reason,))
    return batch.astype(np.int8)


def _is_changed(given: npt.NDArray[Any], pairs: Dice) -> bool:
    """Whether int8 could not hold all numbers."""
    return given.dtype != np.int8 and bool((given != pairs).any())


def _as_rows_to_negate(rows: npt.ArrayLike) -> tuple[Rows, bool]:
    """What `as_rows` gives, without the one number of int8 that has no opposite."""
    batch, single = as_rows(rows)
    if batch.size and batch.min() == -128:
        i = int(np.argmax((batch == -128).any(axis=1)))
        reason = "-128 has no opposite in int8, and a side has but 15 checkers"
        raise InvalidPositionError(f"row {i} is no position: {reason}", index=i, reasons=(reason,))
    return batch, single

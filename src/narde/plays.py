"""The public batch API: rows and dice in, all distinct afterstates out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from narde._moves import moves_of
from narde.board import Dice, Rows, W, as_dice, as_rows, validate
from narde.errors import InvalidArgumentError, InvalidDiceError, InvalidPositionError
from narde.kernels import (
    as_flag,
    as_item,
    as_threads,
    as_whole_number,
    check_stopped,
    core,
    in_chunks,
    packed,
)
from narde.rules import Rules
from narde.rules import rules as rules_of

ROLLS: Final = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)], np.int8)
"""The 21 rolls, int8 (21, 2), the higher die first."""

_CHUNK: Final = 16384  # chunks of 4096 cost two threads a twentieth of their speed
_MOVES_CHUNK: Final = 1024  # finding the moves takes ten times as long, and Ctrl-C waits for a chunk
_PERFT_ROWS: Final = 4096
MAX_DEPTH: Final = 100
"""Plies that `perft` takes at most."""


@dataclass(frozen=True, eq=False)
class Afterstates:
    """The distinct afterstates of a batch, those of row i at positions[offsets[i]:offsets[i + 1]], never
    empty.

    Their order is fixed: by the points that the moves start from, the highest first. For two different dice
    that is the point the higher die leaves, then the lower die's; for a double its points from high to low;
    the bar counts as 25. An afterstate that several plays reach stands where the first of them does. A row
    without a legal play has one afterstate, the pass: itself, flipped.

    positions: int8 (M, 28), each seen by the player who rolls next.
    offsets: int64 (N + 1,).
    moves: With moves=True, int8 (M, 4, 2): a shortest play that reaches each afterstate as its moves (from,
        to) in a playable order; 25 is the bar, 0 off, and -1 fills the moves that are not needed (all of them
        in a pass).
    """

    positions: Rows
    offsets: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int8] | None = None
    _memory: Rows = field(default_factory=lambda: np.empty((0, W), np.int8), repr=False)

    def __len__(self) -> int:
        """The number of rows, N."""
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> Rows:
        """The afterstates of row i: a view, int8 (m, 28). Raises `IndexError`, `InvalidArgumentError`."""
        i = as_item(i, len(self), "row", "those of rows a to b are positions[offsets[a]:offsets[b]]")
        return self.positions[self.offsets[i] : self.offsets[i + 1]]


def afterstates(
    rows: npt.ArrayLike,
    dice: npt.ArrayLike,
    rules: str | Rules = "long",
    *,
    threads: int = 1,
    out: Afterstates | None = None,
    moves: bool = False,
    check: bool = True,
) -> Afterstates:
    """All distinct afterstates of each row with its roll.

    rows: whole numbers (N, 28) or one row (28,); dice: (N, 2) or one pair (2,), 1 to 6. One row goes with
    many dice, and one pair with many rows. `threads` changes the time and nothing else. `out` takes an
    earlier result, whose memory is written over and, where it is large enough, used again: fresh memory costs
    more time than the work itself. `moves` adds a play for each afterstate. check=False trusts the rows to be
    positions of the game.

    Raises `InvalidPositionError`, `InvalidDiceError`, `InvalidArgumentError`.
    """
    rule = rules_of(rules)
    batch, rolls, n = _checked(rows, dice, rule)
    threads, moves = as_threads(threads), as_flag(moves, "moves")
    _check_out(out)
    offsets = np.zeros(n + 1, np.int64)
    _count(batch, rolls, rule, threads, offsets[1:], as_flag(check, "check"))
    np.cumsum(offsets, out=offsets)
    memory = _memory_for(int(offsets[-1]), out)
    if np.may_share_memory(batch, memory):
        batch = batch.copy()
    positions = memory[: offsets[-1]]

    def fill(start: int, stop: int) -> None:
        core.generate(batch, rolls, packed(rule), start, stop, offsets, positions)

    _run(n, threads, fill)
    played = _moves(batch, rolls, rule, threads, offsets) if moves else None
    return Afterstates(positions, offsets, played, memory)


def afterstates_of(batch: Rows, rolls: Dice, rules: Rules) -> Afterstates:
    """What `afterstates` gives for rows and rolls that are known to be right: C-contiguous int8 (N, 28) and
    (N, 2), some thousands at most. Checks, threads and chunks take a sixth of the time of a hundred rows."""
    check_stopped()
    n, asked = len(batch), packed(rules)
    offsets = np.zeros(n + 1, np.int64)
    core.count(batch, rolls, asked, 0, n, offsets[1:], False)
    np.cumsum(offsets, out=offsets)
    positions = np.empty((int(offsets[-1]), W), np.int8)
    core.generate(batch, rolls, asked, 0, n, offsets, positions)
    return Afterstates(positions, offsets)


def count_afterstates(
    rows: npt.ArrayLike,
    dice: npt.ArrayLike,
    rules: str | Rules = "long",
    *,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.int64]:
    """How many afterstates each row has with its roll, int64 (N,), without writing them; a pass counts one.

    Takes and raises what `afterstates` does.
    """
    rule = rules_of(rules)
    batch, rolls, n = _checked(rows, dice, rule)
    counts = np.empty(n, np.int64)
    _count(batch, rolls, rule, as_threads(threads), counts, as_flag(check, "check"))
    return counts


def perft(row: npt.ArrayLike, depth: int, rules: str | Rules = "long", *, threads: int = 1) -> int:
    """The distinct sequences of (roll, afterstate) from one row, over the 21 rolls a ply; a pass counts one.

    Raises `InvalidPositionError`, `InvalidArgumentError`.
    """
    rule = rules_of(rules)
    batch, _ = as_rows(row)
    if len(batch) != 1:
        raise InvalidArgumentError(f"perft takes one row, not {len(batch)}")
    validate(batch, rule)
    return _perft(batch, as_whole_number(depth, "depth", 0, MAX_DEPTH), rule, as_threads(threads))


def _perft(batch: Rows, depth: int, rules: Rules, threads: int) -> int:
    """Sequences of `depth` plies from all rows of the batch, in blocks that bound the memory."""
    if depth == 0:
        return len(batch)
    total = 0
    for start in range(0, len(batch), _PERFT_ROWS):
        rows = np.repeat(batch[start : start + _PERFT_ROWS], len(ROLLS), axis=0)
        dice = np.tile(ROLLS, (len(rows) // len(ROLLS), 1))
        if depth == 1:
            total += int(count_afterstates(rows, dice, rules, threads=threads, check=False).sum())
        else:
            total += _perft(
                afterstates(rows, dice, rules, threads=threads, check=False).positions,
                depth - 1,
                rules,
                threads,
            )
    return total


def _checked(rows: npt.ArrayLike, dice: npt.ArrayLike, rules: Rules) -> tuple[Rows, Dice, int]:
    """The rows and dice as the core takes them, and how many pairs of both there are; whether the rows are
    positions is asked when they are counted."""
    batch, single = as_rows(rows)
    rolls, one_roll = _checked_dice(dice, batch, single, rules)
    if not single and not one_roll and len(batch) != len(rolls):
        raise InvalidArgumentError(
            f"{len(batch)} rows and {len(rolls)} dice: pass as many of both, one row (28,) or one pair (2,)"
        )
    return batch, rolls, len(rolls) if single else len(batch)


def _checked_dice(dice: npt.ArrayLike, batch: Rows, single: bool, rules: Rules) -> tuple[Dice, bool]:
    """The dice as `as_dice` gives them; an error names the row that they were for."""
    try:
        return as_dice(dice)
    except InvalidDiceError as fault:
        i = 0 if single else fault.index
        if fault.index is None or i is None or i >= len(batch):
            raise
        from narde.ids import describe_row  # only a message needs it, and it takes long to load

        text = f"{fault}\n  row {i} = {describe_row(batch[i], rules)}"
        raise InvalidDiceError(text, index=fault.index) from None


def _refuse(batch: Rows, rolls: Dice, rules: Rules) -> None:
    """Raise the error of `validate` with the dice of the row, where one roll is known to be its own."""
    try:
        validate(batch, rules)
    except InvalidPositionError as fault:
        i = 0 if len(rolls) == 1 else fault.index
        if i is None or i >= len(rolls) or (len(batch) == 1 < len(rolls)):
            raise
        text = f"{fault}\n  dice {i} = {rolls[i, 0]}-{rolls[i, 1]}"
        raise InvalidPositionError(text, index=fault.index, reasons=fault.reasons) from None


def _count(
    batch: Rows, rolls: Dice, rules: Rules, threads: int, counts: npt.NDArray[np.int64], check: bool
) -> None:
    """Fill in the numbers of afterstates; with `check` an error names the first row that is no position."""

    def fill(start: int, stop: int) -> int:
        return int(core.count(batch, rolls, packed(rules), start, stop, counts, check))

    # Counting takes a fraction of the time of writing: its chunks are larger.
    found = max((found for _, _, found in in_chunks(len(counts), 2 * _CHUNK, threads, fill)), default=-1)
    if found >= 0 or (check and not len(counts)):
        _refuse(batch, rolls, rules)


def _moves(
    batch: Rows, rolls: Dice, rules: Rules, threads: int, offsets: npt.NDArray[np.int64]
) -> npt.NDArray[np.int8]:
    moves = np.full((int(offsets[-1]), 4, 2), -1, np.int8)

    def fill(start: int, stop: int) -> None:
        moves_of(batch, rolls, packed(rules), start, stop, offsets, moves)

    _run(len(offsets) - 1, threads, fill, _MOVES_CHUNK)
    return moves


def _run(n: int, threads: int, fill: Callable[[int, int], None], size: int | None = None) -> None:
    """Let `fill` do its work over all rows, so many at a time."""
    for _ in in_chunks(n, size or _CHUNK, threads, fill):
        pass


def _check_out(out: Afterstates | None) -> None:
    """Raise `InvalidArgumentError` unless the core can write into what it is given."""
    if out is None:
        return
    if not isinstance(out, Afterstates):
        raise InvalidArgumentError(
            f"out is a {type(out).__name__}: pass an earlier result of afterstates, or None"
        )
    memory = out._memory
    if not isinstance(memory, np.ndarray) or memory.dtype != np.int8 or memory.shape[1:] != (W,):
        raise InvalidArgumentError(
            "out has no memory for rows: pass a result as afterstates gave it, or None"
        )
    if not (memory.flags.c_contiguous and memory.flags.writeable):
        raise InvalidArgumentError("out cannot be written over, it is read-only or strided: pass None")


def _memory_for(size: int, out: Afterstates | None) -> Rows:
    """Memory for `size` rows: that of an earlier result, or new memory with some to spare if that was too
    small."""
    if out is None:
        return np.empty((size, W), np.int8)
    if len(out._memory) >= size:
        return out._memory
    return np.empty((size + size // 16, W), np.int8)

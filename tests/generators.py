"""The two generators behind one face, so that one test body holds for both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import narde
from narde import Rules, reference

Row = tuple[int, ...]
Dice = Sequence[int]
Move = tuple[int, int]


@dataclass(frozen=True)
class Generator:
    """What a generator answers for one row: rows are tuples of 28, afterstates seen by the next player."""

    name: str
    afterstates: Callable[[Sequence[int], Dice, str | Rules], list[Row]]
    plays: Callable[[Sequence[int], Dice, str | Rules], dict[Row, list[tuple[Move, ...]]]]
    """For each afterstate the sequences of moves that reach it: all from the reference, one from the core."""
    perft: Callable[[Sequence[int], int, str | Rules], int]


def core_afterstates(row: Sequence[int], dice: Dice, rules: str | Rules = "long") -> list[Row]:
    out = narde.afterstates(np.array(row, np.int8), dice, rules, check=False)
    return [tuple(afterstate) for afterstate in out.positions.tolist()]


def core_plays(
    row: Sequence[int], dice: Dice, rules: str | Rules = "long"
) -> dict[Row, list[tuple[Move, ...]]]:
    out = narde.afterstates(np.array(row, np.int8), dice, rules, check=False, moves=True)
    sequences = [tuple((start, end) for start, end in moves if start >= 0) for moves in out.moves.tolist()]
    return {tuple(row): [moves] for row, moves in zip(out.positions.tolist(), sequences, strict=True)}


def core_perft(row: Sequence[int], depth: int, rules: str | Rules = "long") -> int:
    return int(narde.perft(np.array(row, np.int8), depth, rules))


REFERENCE = Generator("reference", reference.afterstates, reference.plays, reference.perft)
CORE = Generator("core", core_afterstates, core_plays, core_perft)

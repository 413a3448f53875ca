"""Plays read: what a person typed becomes the one legal play that it means, or an error that helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate, pairwise
from typing import Final

import numpy.typing as npt

from narde.board import Rows
from narde.errors import AmbiguousPlayError, IllegalPlayError, NotationError
from narde.notation.grammar import Typed, read
from narde.notation.turn import BAR_POINT, Move, Readings, Turn, follow, point_name, prime, roll_name
from narde.notation.writing import (
    Moves,
    blots_of,
    in_question,
    legal_keys,
    legal_moves,
    one_roll,
    one_row,
    spell,
)
from narde.rules import Rules
from narde.rules import rules as rules_of

NEAREST: Final = 5
"""Legal plays that an error names at most."""


@dataclass(frozen=True, eq=False, slots=True)
class Play:
    """A play that was read: where it leads, how it got there, and how it is written.

    afterstate: The row after the play, seen by the next player: int8 (28,).
    moves: Its moves in an order in which they can be made: (from, to) by one die each, 25 the bar and 0 off.
    notation: Its one spelling, as `format_play` writes it.
    """

    afterstate: Rows
    moves: Moves
    notation: str

    def __str__(self) -> str:
        return self.notation


def parse_play(text: str, row: npt.ArrayLike, dice: npt.ArrayLike, rules: str | Rules = "long") -> Play:
    """The legal play that the text means for one row (28,) and one roll.

    Raises `NotationError` for text that is no play, naming the piece; `IllegalPlayError` with the reason and
    the legal plays nearest to it; `AmbiguousPlayError` if a point left out decides who is hit;
    `InvalidPositionError` and `InvalidDiceError`.
    """
    variant = rules_of(rules)
    position, roll = one_row(row), one_roll(dice)
    typed = read(text)
    if typed.roll and sorted(typed.roll) != sorted(roll):
        raise NotationError(f"{text!r} is for another roll: the dice are {roll_name(roll)}")
    case = _Case(text, typed, position, roll, variant, legal_keys(position, roll, variant))
    readings = follow(Turn.begin(position, roll, variant), case.dice, typed.paths)
    turn, moves = case.choose(case.legal_ends(readings))
    return Play(turn.afterstate(), moves, case.notation(moves))


@dataclass(frozen=True, slots=True)
class _Case:
    """One question of `parse_play`, with all that its answer or an error needs."""

    text: str
    typed: Typed
    row: Rows
    roll: tuple[int, int]
    rules: Rules
    legal: set[bytes]

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice to play: two, or the four of a double."""
        return self.roll * (2 if self.roll[0] == self.roll[1] else 1)

    def legal_ends(self, readings: Readings) -> list[tuple[Turn, Moves]]:
        """The ends of the readings that are legal afterstates; `IllegalPlayError` if there is none."""
        ends = [end for end in readings.ends.values() if end[0].afterstate().tobytes() in self.legal]
        if ends:
            return ends
        if readings.ends:
            raise self.illegal(self.neglect(*next(iter(readings.ends.values()))))
        raise self.illegal(readings.reason())

    def neglect(self, turn: Turn, moves: Moves) -> str:
        """Why moves that can be made are no legal play: a prime is left, or the dice are not all used."""
        most = max(map(len, self.legal_moves()))
        if not moves:
            return "a pass is allowed only when no die can be played"
        if reason := prime(turn):
            return reason
        if len(moves) < most:
            if self.roll[0] != self.roll[1]:
                return "it uses one die where both can be played"
            return f"it makes {len(moves)} of the {most} moves that can be made"
        return f"only one die can be played, and it must be the higher, {self.roll[0]}"

    def choose(self, ends: list[tuple[Turn, Moves]]) -> tuple[Turn, Moves]:
        """The end that is meant: it makes the marked hits and, since hits are not left unwritten, none on a
        point left out, if that can be."""
        marked = [end for end in ends if self.typed.marked <= end[0].hits]
        if not marked:
            missed = sorted(self.typed.marked - ends[0][0].hits, reverse=True)
            raise self.illegal(f"no opposing checker is hit on {', '.join(map(point_name, missed))}")
        named = {point for path in self.typed.paths for point in path[1:]}
        plain = [end for end in marked if end[0].hits <= named] or marked
        if len(plain) == 1:
            return plain[0]
        choices = " or ".join(self.notation(moves) for _, moves in plain)
        raise AmbiguousPlayError(f"{self.text!r} is ambiguous: {choices}? Name the point between\n  {self}")

    def illegal(self, reason: str) -> IllegalPlayError:
        """The error with the reason and the legal plays nearest to what was typed."""
        meant = [leg for path in self.typed.paths for leg in pairwise(path)]
        nearest = nsmallest(NEAREST, self.legal_moves(), key=lambda moves: _distance(meant, moves))
        count = len(self.legal)
        named = "the only legal play:" if count == 1 else f"the nearest of {count} legal plays:"
        plays = ", ".join(map(self.notation, nearest))
        return IllegalPlayError(f"{self.text!r} is illegal: {reason}\n  {self}\n  {named} {plays}")

    def legal_moves(self) -> Iterable[Moves]:
        return legal_moves(self.row, self.roll, self.rules).values()

    def notation(self, moves: Moves) -> str:
        return spell(moves, blots_of(self.row, self.rules))

    def __str__(self) -> str:
        return in_question(self.row, self.roll, self.rules)


def _distance(meant: list[Move], moves: Moves) -> tuple[int, int]:
    """How far a play is from what was typed: the typed moves that it lacks, then the pips between both."""
    shifts = [0] * (BAR_POINT + 1)
    for sign, some in ((1, meant), (-1, moves)):
        for start, end in some:
            shifts[start] -= sign
            shifts[end] += sign
    return (Counter(meant) - Counter(moves)).total(), sum(map(abs, accumulate(shifts)))

"""A turn as a person plays it: whole, by the number of a play, or move by move with what is left to play.

Each entry is followed by the same rules as a play in notation; one that is part of no legal play is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from narde.board import Rows, flip
from narde.errors import AmbiguousPlayError, IllegalPlayError, NardeError, NotationError
from narde.notation import format_play, parse_play
from narde.notation.grammar import Typed, read
from narde.notation.turn import OFF_POINT, Move, Turn, follow, roll_name
from narde.position import Plays

Dice = tuple[int, ...]
State = tuple[Turn, Dice]
"""The checkers after the moves made, and the dice not used for them."""

_SHOWN = 5
"""Plays that an error names at most."""


@dataclass(frozen=True, eq=False)
class PartialTurn:
    """A turn under way: the legal plays of the roll, and the entries made so far, each one or more moves.

    An entry gives the next `PartialTurn` and leaves this one as it was.

    states: Every way of giving the dice to the moves made; one, but where two dice bear off the same checker.
    """

    plays: Plays
    entries: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    states: tuple[State, ...] = ()

    @classmethod
    def begin(cls, plays: Plays) -> PartialTurn:
        """The turn before its first move."""
        dice = plays.dice * (2 if plays.dice[0] == plays.dice[1] else 1)
        turn = Turn.begin(plays.position.row, plays.dice, plays.position.rules)
        return cls(plays, states=((turn, dice),))

    @classmethod
    def of(cls, plays: Plays, entries: Iterable[str]) -> PartialTurn:
        """The turn after these entries. Raises as `enter` does."""
        partial = cls.begin(plays)
        for entry in entries:
            partial = partial.enter(entry)
        return partial

    # ---- how it stands -------------------------------------------------------------------------------------

    @property
    def row(self) -> Rows:
        """The row after the moves made, seen by the mover, int8 (28,)."""
        return flip(self.states[0][0].afterstate(), self.plays.position.rules)

    @property
    def notation(self) -> str:
        """The moves made so far as plays are written."""
        return format_play(self.plays.position.row, np.array(self.moves), self.plays.position.rules)

    @property
    def dice_left(self) -> str:
        """The dice not used yet, such as `5`, or `6 or 5` where either may have borne off."""
        names = (" ".join(map(str, dice)) for _, dice in self.states)
        return " or ".join(dict.fromkeys(names))

    @cached_property
    def chosen(self) -> int | None:
        """The play that the moves made are, an index into `plays`; None while moves are to come."""
        ends = (self._index.get(turn.afterstate().tobytes()) for turn, _ in self.states)
        return next((i for i in ends if i is not None), None)

    @cached_property
    def open(self) -> list[int]:
        """The plays that the moves made can still become, as indices into `plays`, in their order."""
        return sorted({i for state in self.states for i in self._ends(state)})

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {after.tobytes(): i for i, after in enumerate(self.plays.afterstates)}

    # ---- going on ------------------------------------------------------------------------------------------

    def enter(self, text: str) -> PartialTurn:
        """The turn after further moves, or after a whole play by its notation.

        Raises `NotationError` for text that is no move, and `IllegalPlayError`, with the reason and the
        nearest plays, for moves that no legal play has or that do not go on from those made.
        """
        typed = read(text)
        roll = self.plays.dice
        if typed.roll and sorted(typed.roll) != sorted(roll):
            raise NotationError(f"{text!r} is for another roll: the dice are {roll_name(roll)}")
        if not self.entries:
            try:
                return self._whole(text)
            except AmbiguousPlayError:
                raise
            except IllegalPlayError as fault:
                return self._part(text, typed, fault)
        return self._part(text, typed, None)

    def _whole(self, text: str) -> PartialTurn:
        """The turn after a play that is typed whole."""
        position = self.plays.position
        return self._after(text, parse_play(text, position.row, self.plays.dice, position.rules).moves)

    def _part(self, text: str, typed: Typed, fault: NardeError | None) -> PartialTurn:
        """The turn after some moves; `fault` is what is wrong with them as a whole play."""
        possible = self._possible(text, typed)
        if not possible:
            unmarked = typed._replace(marked=frozenset())
            if typed.marked and self._possible(text, unmarked):
                raise IllegalPlayError(f"{text!r} is illegal: no opposing checker is hit there")
            raise fault or self._illegal(text, typed)
        if len({after.states[0][0].afterstate().tobytes() for after in possible}) > 1:
            choices = " or ".join(after.notation for after in possible)
            raise AmbiguousPlayError(f"{text!r} is ambiguous: {choices}? Name the point between")
        return possible[0]

    def _possible(self, text: str, typed: Typed) -> list[PartialTurn]:
        """The turn after each way of making the moves that a legal play can go on from."""
        found = dict.fromkeys(moves for state in self.states for moves in self._readings(state, typed))
        return [after for moves in found if typed.paths and (after := self._after(text, moves)).open]

    def _readings(self, state: State, typed: Typed) -> Iterator[tuple[Move, ...]]:
        """The moves that the text can mean here: with the marked hits and, if it can be, no others."""
        turn, dice = state
        ends = [end for end in follow(turn, dice, typed.paths).ends.values() if typed.marked <= end[0].hits]
        named = {point for path in typed.paths for point in path[1:]}
        plain = [end for end in ends if end[0].hits - turn.hits <= named] or ends
        return (moves for _, moves in plain)

    def _after(self, text: str, moves: tuple[Move, ...]) -> PartialTurn:
        states: Iterable[State] = self.states
        for move in moves:
            states = [after for state in states for after in _moved(state, move)]
        return PartialTurn(self.plays, (*self.entries, text), (*self.moves, *moves), _viable(states, self))

    def _ends(self, state: State) -> set[int]:
        """The legal plays to which a state leads."""
        seen: set[tuple[object, Dice]] = set()
        ends, waiting = set(), [state]
        while waiting:
            turn, dice = waiting.pop()
            if (key := ((turn.own, turn.opponent), dice)) in seen:
                continue
            seen.add(key)
            if (i := self._index.get(turn.afterstate().tobytes())) is not None:
                ends.add(i)
            waiting += _onward((turn, dice))
        return ends

    def _illegal(self, text: str, typed: Typed) -> IllegalPlayError:
        """Why moves do not go on from those made, and the plays that do."""
        turn, dice = self.states[0]
        readings = follow(turn, dice, typed.paths)
        reason = readings.reason() if readings.faults and not readings.ends else "no legal play goes on so"
        named = ", ".join(self.plays[i].notation for i in self.open[:_SHOWN])
        more = f" and {len(self.open) - _SHOWN} more" if len(self.open) > _SHOWN else ""
        return IllegalPlayError(
            f"{text!r} is illegal after {self.notation}: {reason}\n  the plays that go on: {named}{more}"
        )


def _onward(state: State) -> Iterator[State]:
    """Every state that one more legal move leads to."""
    turn, dice = state
    for die in dict.fromkeys(dice):
        for start in range(25, OFF_POINT, -1):
            if turn.own[start] and not turn.fault(start, die):
                yield turn.move(start, max(start - die, OFF_POINT)), _without(dice, die)


def _moved(state: State, move: Move) -> Iterator[State]:
    """The states that a move leads to, one for each die that makes it."""
    turn, dice = state
    start, end = move
    for die in dict.fromkeys(dice):
        if max(start - die, OFF_POINT) == end and not turn.fault(start, die):
            yield turn.move(start, end), _without(dice, die)


def _without(dice: Dice, die: int) -> Dice:
    i = dice.index(die)
    return dice[:i] + dice[i + 1 :]


def _viable(states: Iterable[State], partial: PartialTurn) -> tuple[State, ...]:
    """Those that lead to a legal play, each once; the first of all where none does."""
    several = {((turn.own, turn.opponent), tuple(sorted(dice))): (turn, dice) for turn, dice in states}
    kept = tuple(state for state in several.values() if partial._ends(state))
    return kept or tuple(several.values())[:1]

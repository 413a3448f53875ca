"""A turn made move by move, each move that the rules refuse with its reason in words.

What is legal as a whole is for the generator to say; this module knows single moves, so that a typed play
can be followed, whatever its order, and a wrong one explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from narde.board import BAR, OFF, OPPONENT_BAR, OPPONENT_OFF, Rows, W, flip
from narde.rules import Rules

BAR_POINT: Final = 25
"""The bar as a point to move from; `OFF_POINT` is where a checker borne off has gone."""
OFF_POINT: Final = 0
HEAD_POINT: Final = 24

Move = tuple[int, int]
"""One checker by one die, (from, to)."""
Checkers = tuple[tuple[int, ...], tuple[int, ...]]
"""Where both sides' checkers are, the mover's first."""
Steps = tuple[tuple[int, int], ...]
"""Moves as (from, die)."""
Path = tuple[int, ...]
"""One checker's points in a turn as they were typed, those between left out or not."""


def point_name(point: int) -> str:
    """The point as plays write it: `bar`, `off` or its number."""
    return {BAR_POINT: "bar", OFF_POINT: "off"}.get(point, str(point))


def path_name(path: Path) -> str:
    """The points of a path as plays write them, such as 24/13."""
    return "/".join(map(point_name, path))


def roll_name(dice: tuple[int, ...]) -> str:
    """A roll, or what is left of one, such as 6-5; the four dice of a double are named as two."""
    return "-".join(map(str, dice[:2] if len(dice) == 4 else dice))


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn on its way: both sides' checkers by the mover's points, 0 (off) to 25 (the bar)."""

    rules: Rules
    own: tuple[int, ...]
    opponent: tuple[int, ...]
    head_limit: int
    head_left: int
    hits: frozenset[int] = frozenset()

    @classmethod
    def begin(cls, row: Rows, dice: tuple[int, int], rules: Rules) -> Turn:
        """The turn before its first move; `row` is int8 (28,) and valid."""
        points = [int(checkers) for checkers in row]
        own = (points[OFF], *(max(n, 0) for n in points[:24]), points[BAR])
        opponent = (-points[OPPONENT_OFF], *(max(-n, 0) for n in points[:24]), -points[OPPONENT_BAR])
        limit = _head_limit(own, dice, rules)
        return cls(rules, own, opponent, limit, limit)

    def fault(self, start: int, die: int) -> str | None:
        """Why the checker on `start` may not move by `die` now; None if it may."""
        end = max(start - die, OFF_POINT)
        reasons = (rule(self, start, end, die) for rule in _MOVE_RULES)
        return next((reason for reason in reasons if reason), None)

    def move(self, start: int, end: int) -> Turn:
        """The turn after a checker went from `start` to `end`; a lone opposing one there is hit."""
        own, opponent = list(self.own), list(self.opponent)
        own[start] -= 1
        own[end] += 1
        hit = end != OFF_POINT and opponent[end] > 0
        if hit:
            opponent[end] -= 1
            opponent[BAR_POINT] += 1
        head_left = self.head_left - (start == HEAD_POINT)
        hits = self.hits | {end} if hit else self.hits
        return Turn(self.rules, tuple(own), tuple(opponent), self.head_limit, head_left, hits)

    def afterstate(self) -> Rows:
        """The row as the next player sees it, int8 (28,)."""
        row = np.zeros(W, np.int8)
        row[:24] = np.subtract(self.own[1:25], self.opponent[1:25])
        row[BAR], row[OFF] = self.own[BAR_POINT], self.own[OFF_POINT]
        row[OPPONENT_BAR], row[OPPONENT_OFF] = -self.opponent[BAR_POINT], -self.opponent[OFF_POINT]
        return flip(row, self.rules)


# ---- what hinders a single move ----------------------------------------------------------------------------


def _head_limit(own: tuple[int, ...], dice: tuple[int, int], rules: Rules) -> int:
    """How many checkers may leave the head: one, but 6-6, 4-4 and 3-3 "release two" at first (long l24)."""
    excepted = {
        "none": False,
        "doubles_346": dice[0] == dice[1] in (3, 4, 6),
        "any_double": dice[0] == dice[1],
        "any_roll": True,
    }
    if own[HEAD_POINT] == 15 and excepted[rules.head_exception]:
        return 2
    return rules.head_per_turn or 15


def no_checker(turn: Turn, start: int, end: int, die: int) -> str | None:
    """Nothing stands where the move begins."""
    return None if turn.own[start] else f"no checker on {'the bar' if start == BAR_POINT else start}"


def not_entered(turn: Turn, start: int, end: int, die: int) -> str | None:
    """Checkers on the bar enter before any other moves (short l20)."""
    return "a checker on the bar must enter first" if turn.own[BAR_POINT] and start != BAR_POINT else None


def closed(turn: Turn, start: int, end: int, die: int) -> str | None:
    """One opposing checker closes a point (long l22), in short nardy two (short l13)."""
    allowed = 1 if turn.rules.hitting else 0
    return f"point {end} is closed" if end != OFF_POINT and turn.opponent[end] > allowed else None


def head_kept(turn: Turn, start: int, end: int, die: int) -> str | None:
    """The head has given what it may this turn (long l24)."""
    if start != HEAD_POINT or turn.head_left:
        return None
    checkers = "one checker" if turn.head_limit == 1 else f"{turn.head_limit} checkers"
    return f"only {checkers} may leave the head in this turn"


def not_home(turn: Turn, start: int, end: int, die: int) -> str | None:
    """Bearing off begins when all are home (long l41, short l22)."""
    outside = next((point for point in range(BAR_POINT, 6, -1) if turn.own[point]), None)
    if end != OFF_POINT or outside is None:
        return None
    where = "on the bar" if outside == BAR_POINT else f"on {outside}"
    return f"no checker may be borne off while one is {where}, not in the home board"


def not_highest(turn: Turn, start: int, end: int, die: int) -> str | None:
    """A number higher than the point takes a checker off the highest point alone (long l41, short l24)."""
    behind = next((point for point in range(6, start, -1) if turn.own[point]), None)
    if end != OFF_POINT or die == start or behind is None:
        return None
    return f"a {die} bears off from {start} only if no checker is behind it, and one is on {behind}"


def prime_in_turn(turn: Turn, start: int, end: int, die: int) -> str | None:
    """The ban "also applies within a move" (minsport l15)."""
    return prime(turn.move(start, end)) if turn.rules.prime_check == "every_step" else None


def prime(turn: Turn) -> str | None:
    """Which six points of the mover may not stand; they are in a row on the opponent's path (long l39)."""
    if turn.rules.prime_rule == "free":
        return None
    path = [*range(13, 25), *range(1, 13)]
    for lowest in range(19):
        wall = path[lowest : lowest + 6]
        if all(turn.own[point] for point in wall):
            return _prime_fault(turn, wall, path[:lowest])
    return None


def _prime_fault(turn: Turn, wall: list[int], ahead: list[int]) -> str | None:
    """The verdict on the lowest prime, the strictest: fewer points are ahead of it than of any other."""
    points = ", ".join(map(str, reversed(wall)))
    if turn.rules.prime_rule == "never":
        return f"six points in a row may not be held: {points}"
    if turn.opponent[OFF_POINT] or any(turn.opponent[point] for point in ahead):
        return None
    return f"six points in a row may not be held with no opposing checker ahead of them: {points}"


_MOVE_RULES: Final[tuple[Callable[[Turn, int, int, int], str | None], ...]] = (
    no_checker,
    not_entered,
    closed,
    head_kept,
    not_home,
    not_highest,
    prime_in_turn,
)


# ---- following typed paths ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Readings:
    """Every way to play the typed paths.

    `ends` holds where they come to, by the checkers of both sides, each with the most moves that led there;
    `faults` what hindered the others, as (steps that were left, negative; reason).
    """

    ends: dict[Checkers, tuple[Turn, tuple[Move, ...]]] = field(default_factory=dict)
    faults: list[tuple[int, str]] = field(default_factory=list)
    seen: set[tuple[Checkers, Steps]] = field(default_factory=set)

    def arrive(self, turn: Turn, made: tuple[Move, ...]) -> None:
        """Keep the end of a way; 2/off with 2-1 can be one move or two, and as many as can must be made."""
        kept = self.ends.get((turn.own, turn.opponent))
        if kept is None or len(made) > len(kept[1]):
            self.ends[turn.own, turn.opponent] = turn, made

    def is_new(self, turn: Turn, steps: Steps) -> bool:
        """Whether no other order of the same steps has come here."""
        place = ((turn.own, turn.opponent), tuple(sorted(steps)))
        if place in self.seen:
            return False
        self.seen.add(place)
        return True

    def reason(self) -> str:
        """Why none of the ways comes to its end: what hindered those that came furthest."""
        furthest = max(depth for depth, _ in self.faults)
        return "; ".join(list(dict.fromkeys(text for depth, text in self.faults if depth == furthest))[:3])


def follow(turn: Turn, dice: tuple[int, ...], paths: tuple[Path, ...]) -> Readings:
    """Play the paths with every die over every point between that they leave open, their moves in any order.

    A path names no single checker: 6/4 with 1-1 may be 5/4 by a checker that stands there, then 6/5.
    """
    legs = tuple(leg for path in paths for leg in pairwise(path))
    readings = Readings(faults=[(0, reason) for reason in _misfits(legs, dice)])
    if not readings.faults:
        for steps in dict.fromkeys(_steps(turn, legs, dice, 0, readings)):
            _search(turn, steps, (), readings)
    return readings


def _misfits(legs: tuple[Move, ...], dice: tuple[int, ...]) -> Iterator[str]:
    """What is wrong with the legs whatever the row: too many of them, or some that go backwards."""
    if len(legs) > len(dice):
        yield f"{len(legs)} moves are more than {roll_name(dice)} gives"
    for leg in legs:
        if leg[1] >= leg[0]:
            yield f"{path_name(leg)} goes backwards: checkers move from higher points to lower ones"


def _steps(
    turn: Turn, legs: tuple[Move, ...], dice: tuple[int, ...], placed: int, readings: Readings
) -> Iterator[Steps]:
    """Every way to make up the legs of single moves by the dice; a leg with no die left for it is a fault."""
    if placed == len(legs):
        yield ()
        return
    ways = list(_ways(*legs[placed], dice))
    if not ways:
        readings.faults.append((placed - len(legs), _no_die(turn, legs, dice, placed)))
    for steps, left in ways:
        for rest in _steps(turn, legs, left, placed + 1, readings):
            yield (*steps, *rest)


def _ways(start: int, end: int, dice: tuple[int, ...]) -> Iterator[tuple[Steps, tuple[int, ...]]]:
    """Every way to go from point to point by some of the dice, with the dice left."""
    if start == end:
        yield (), dice
        return
    for die in dict.fromkeys(dice):
        between = max(start - die, OFF_POINT)
        if between >= end:
            i = dice.index(die)
            for steps, left in _ways(between, end, dice[:i] + dice[i + 1 :]):
                yield ((start, die), *steps), left


def _search(turn: Turn, steps: Steps, made: tuple[Move, ...], readings: Readings) -> None:
    """Make any one of the steps that are left, until none is."""
    if not steps:
        readings.arrive(turn, made)
    for i, (start, die) in enumerate(steps if readings.is_new(turn, steps) else ()):
        if not turn.own[start] and any(start == other - by for other, by in steps):
            continue  # another step brings the checker
        if reason := turn.fault(start, die):
            readings.faults.append((-len(steps), reason))
        else:
            move = (start, max(start - die, OFF_POINT))
            _search(turn.move(*move), steps[:i] + steps[i + 1 :], (*made, move), readings)


def _no_die(turn: Turn, legs: tuple[Move, ...], dice: tuple[int, ...], placed: int) -> str:
    """Why a leg cannot be made: no checker is or comes there, or no die is left that makes its pips."""
    start, end = legs[placed]
    absent = no_checker(turn, start, end, 0)
    if absent and all(start != other for _, other in legs):
        return absent
    distance = f"{path_name((start, end))} is {start - end} pip{'s' if start - end > 1 else ''}"
    if not placed:
        return f"{distance}, which {roll_name(dice)} does not make"
    return f"{distance}, and {f'only {roll_name(dice)}' if dice else 'no die'} is left"

"""The rules in plain Python, one function a rule, in the order of the texts: slow, to be checked by reading.

It shares nothing with the fast generator, which must give the same answers. A row is 28 numbers seen by the
mover: 0..23 his points 1..24 (+ his checkers, - the opponent's), 24 and 25 the bars, 26 and 27 the checkers
borne off. A move is one checker by one die from a point to a point, where 25 is the bar and 0 is off; a play
is a whole turn. Sources are quoted as text and line: "long l24" is line 24 of the rule text `long`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Final, NamedTuple

from narde.errors import InvalidArgumentError, InvalidDiceError, InvalidPositionError, shown
from narde.rules import Rules
from narde.rules import rules as rules_of

Row = tuple[int, ...]
Sequences = dict[Row, list[tuple[tuple[int, int], ...]]]

BAR_POINT: Final = 25
"""The bar as a point of departure: a checker there has 25 pips to go."""
HEAD_POINT: Final = 24
OFF: Final = 0

BAR: Final = 24
"""Indices of a row beyond the points: the two bars, then the checkers borne off."""
OPPONENT_BAR: Final = 25
MOVER_OFF: Final = 26
OPPONENT_OFF: Final = 27

ROLLS: Final = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls."""


class Move(NamedTuple):
    """One checker moved by one die."""

    die: int
    start: int
    end: int


Play = tuple[Move, ...]
Ending = tuple[Play, Row]
"""A play and the row after it, still seen by the mover."""


# ---- the board ---------------------------------------------------------------------------------------------


def flip(row: Iterable[int], rules: str | Rules = "long") -> Row:
    """The row with the other player's eyes.

    "Both players run the same way round the board from diagonally opposite heads" (long l10, minsport l6):
    the opponent's point is 12 further round. In short nardy they go opposite ways: his point p is the mover's
    25 - p.
    """
    seen = whole_row(row)
    if rules_of(rules).game == "long":
        points = [seen[(i + 12) % 24] for i in range(24)]
    else:
        points = [seen[23 - i] for i in range(24)]
    tail = [seen[OPPONENT_BAR], seen[BAR], seen[OPPONENT_OFF], seen[MOVER_OFF]]
    return tuple(-checkers for checkers in points + tail)


def whole_row(row: Iterable[int]) -> Row:
    """The row as 28 plain integers from -15 to 15. Raises `InvalidPositionError` for anything else."""
    try:
        numbers = tuple(map(whole, row))
    except Exception as fault:  # whatever an object's own __index__ or __iter__ raises
        raise InvalidPositionError(f"a row holds whole numbers: {fault}") from None
    if len(numbers) != 28 or max(numbers) > 15 or min(numbers) < -15:
        raise InvalidPositionError(f"a row holds 28 numbers -15 to 15, here {len(numbers)}: {shown(numbers)}")
    return numbers


def whole(value: int) -> int:
    """The number as a plain integer. Raises `TypeError` for what is none, True and False among it."""
    if isinstance(value, bool):
        raise TypeError(f"{value} is none")
    return index(value)


def on_point(row: Row, point: int) -> int:
    """The checkers on a point: the mover's above 0, the opponent's below."""
    return row[point - 1]


# ---- the dice ----------------------------------------------------------------------------------------------


def numbers_to_play(dice: Iterable[int]) -> tuple[int, ...]:
    """The numbers of a roll: two, or "four moves of 4" for 4-4 (nardeon l19; minsport l10, short l15, long
    l20).

    Raises `InvalidDiceError` for anything but two numbers from 1 to 6.
    """
    try:
        numbers = tuple(map(whole, dice))
    except Exception as fault:
        raise InvalidDiceError(f"dice are whole numbers: {fault}") from None
    if len(numbers) != 2 or not all(1 <= die <= 6 for die in numbers):
        raise InvalidDiceError(f"dice are {numbers}: pass two numbers from 1 to 6")
    return numbers * 2 if numbers[0] == numbers[1] else numbers


# ---- where a checker may land ------------------------------------------------------------------------------


def may_land(row: Row, point: int, rules: Rules) -> bool:
    """Whether a point is open.

    "A single checker owns its point: the opponent may neither land on it nor pass through it as part of a
    combined move" (long l22; minsport l11, bkgm l19, nardeon l20). With hitting a point is closed from two
    checkers on: "тот, который не занят двумя или более шашками противника" (short l13).
    """
    opposing = -on_point(row, point)
    return opposing <= 1 if rules.hitting else opposing <= 0


# ---- the head ----------------------------------------------------------------------------------------------


def head_allowance(row: Row, numbers: Sequence[int], rules: Rules) -> int:
    """How many checkers may leave the head in a turn that begins with this row.

    "Only one checker may leave the head per turn. Your very first turn is the one exception: 6-6, 4-4 and 3-3
    release two" (long l24; minsport l13, bkgm l17, nardeon l25-27). A limit of 0 stands for none: all fifteen
    may.
    """
    if is_first_turn(row) and is_excepted(numbers, rules):
        return 2
    return rules.head_per_turn or 15


def is_first_turn(row: Row) -> bool:
    """Whether all fifteen checkers of the mover still stand on the head, "each player's first turn" (nardeon
    l27)."""
    return on_point(row, HEAD_POINT) == 15


def is_excepted(numbers: Sequence[int], rules: Rules) -> bool:
    """Whether this roll lets two leave the head on a first turn.

    "6-6, 4-4 or 3-3" (minsport l13), or any roll: "the first roll of the game in which players may move two
    checkers off their head" (bkgm l17). Any double, and none, are house rules.
    """
    is_double = len(numbers) == 4
    return {
        "none": False,
        "doubles_346": is_double and numbers[0] in (3, 4, 6),
        "any_double": is_double,
        "any_roll": True,
    }[rules.head_exception]


# ---- six in a row ------------------------------------------------------------------------------------------


def opponents_point(row: Row, point: int) -> int:
    """The checkers on the opponent's point of that number, in long nardy 12 further round; the mover's above
    0."""
    return on_point(row, point + 12 if point <= 12 else point - 12)


def primes(row: Row) -> list[int]:
    """The mover's primes, each by its lowest point on the opponent's path.

    "Six of your points in a row form a prime: it cannot be passed" (minsport l15). They block the opponent,
    so they are in a row on his path, which runs from his 24 to his 1 and is no ring.
    """
    return [
        lowest
        for lowest in range(1, 20)
        if all(opponents_point(row, point) > 0 for point in range(lowest, lowest + 6))
    ]


def may_hold(row: Row, lowest: int, rules: Rules) -> bool:
    """Whether the prime from this point of the opponent's on may stand.

    "Such a prime may be built only if at least one opposing checker is already ahead of it (along the
    opponent's path) or the opponent has already borne off at least one checker" (minsport l15; bkgm l21,
    nardeon l31, long l39).
    """
    is_ahead = any(opponents_point(row, point) < 0 for point in range(1, lowest))
    has_borne_off = row[OPPONENT_OFF] < 0
    return {"opponent_ahead": is_ahead or has_borne_off, "never": False, "free": True}[rules.prime_rule]


def primes_allow(row: Row, rules: Rules) -> bool:
    """Whether every prime of the row may stand; each is judged by itself."""
    return rules.prime_rule == "free" or all(may_hold(row, lowest, rules) for lowest in primes(row))


# ---- bearing off -------------------------------------------------------------------------------------------


def all_home(row: Row) -> bool:
    """Whether bearing off has begun.

    "Once all 15 of a player's checkers are in the home board, they may bear them off" (minsport l17; bkgm
    l23, nardeon l43, long l41, short l22). It begins the moment the last checker is home, within a turn too,
    and stops while one that was hit comes round again (short l26).
    """
    return row[BAR] == 0 and all(on_point(row, point) <= 0 for point in range(7, 25))


def may_bear_off(row: Row, point: int, die: int) -> bool:
    """Whether the die takes a checker off this point.

    "A number rolled bears off a checker from the point with that number. If the number rolled is higher than
    the highest point holding checkers, a checker is borne off from the highest occupied point" (minsport l17;
    bkgm l23-25, nardeon l45-47, long l41, short l22-24).
    """
    is_exact = die == point
    is_highest = all(on_point(row, higher) <= 0 for higher in range(point + 1, 25))
    return all_home(row) and (is_exact or (die > point and is_highest))


def has_won(row: Row) -> bool:
    """Whether the mover has none left on the board."""
    return row[BAR] == 0 and all(on_point(row, point) <= 0 for point in range(1, 25))


# ---- one move ----------------------------------------------------------------------------------------------


def starting_points(row: Row) -> list[int]:
    """The points from which the mover may play now.

    "Игрок с шашками на баре должен ввести их в дом противника, прежде чем делать любые другие ходы" (short
    l20).
    """
    if row[BAR] > 0:
        return [BAR_POINT]
    return [point for point in range(24, 0, -1) if on_point(row, point) > 0]


def moves(row: Row, die: int, head_left: int, rules: Rules) -> list[Move]:
    """Every move of one checker by one die, by its point from high to low, primes apart.

    "Checkers move the number of points shown on the dice" (minsport l10), "always forward" (long l20). The
    die may be played inside the home board or to bear off as the player likes: "Bearing off is never
    compulsory" (long l41).
    """
    found = []
    for start in starting_points(row):
        is_held = start == HEAD_POINT and head_left == 0
        is_open = may_land(row, start - die, rules) if start > die else may_bear_off(row, start, die)
        if is_open and not is_held:
            found.append(Move(die, start, max(start - die, OFF)))
    return found


def after_move(row: Row, move: Move) -> Row:
    """The row after one move, still seen by the mover.

    A lone opposing checker is hit: "эта шашка сбивается и помещается на бар" (short l18); where nobody is
    hit, no move lands on one.
    """
    after = list(row)
    after[BAR if move.start == BAR_POINT else move.start - 1] -= 1
    if move.end == OFF:
        after[MOVER_OFF] += 1
        return tuple(after)
    if after[move.end - 1] == -1:
        after[move.end - 1] = 0
        after[OPPONENT_BAR] -= 1
    after[move.end - 1] += 1
    return tuple(after)


# ---- a whole turn ------------------------------------------------------------------------------------------


def sequences(row: Row, numbers: tuple[int, ...], head_left: int, rules: Rules) -> Iterator[Ending]:
    """Every sequence of one or more moves with these numbers "in either order" (minsport l10), and the row
    after it.

    "The ban also applies within a move: you may not build the prime with one number and break it with the
    other" (minsport l15), so with `every_step` each single move must end without a forbidden prime.
    """
    for die in dict.fromkeys(numbers):
        left = list(numbers)
        left.remove(die)
        for move in moves(row, die, head_left, rules):
            after = after_move(row, move)
            if rules.prime_check == "every_step" and not primes_allow(after, rules):
                continue
            yield (move,), after
            still_left = head_left - (move.start == HEAD_POINT)
            for rest, end in sequences(after, tuple(left), still_left, rules):
                yield (move, *rest), end


def fullest(possible: list[Ending]) -> list[Ending]:
    """The plays that use the roll as fully as possible; none where the turn is lost.

    "If both numbers can be played, both must be played, in either order. If, in either order, only one number
    can be played, the higher one must be played. If neither can be played, the turn is lost" (minsport l10;
    bkgm l15 with "all four numbers in the case of doubles", nardeon l35-37, long l20, short l16).
    """
    most = max((len(play) for play, _ in possible), default=0)
    plays_of_most = [(play, after) for play, after in possible if len(play) == most]
    if most != 1:
        return plays_of_most
    higher = max(play[0].die for play, _ in plays_of_most)
    return [(play, after) for play, after in plays_of_most if play[0].die == higher]


def early_wins(possible: list[Ending], full: list[Ending]) -> list[Ending]:
    """Shorter plays that win as a full one does.

    "The first player to bear off all his checkers wins the game" (bkgm l27; nardeon l51, short l7), so no
    number remains to be played. To win without a hit that every full play makes is no way round using
    both numbers.
    """
    wins = [after for _, after in full if has_won(after)]
    return [(play, after) for play, after in possible if after in wins and (play, after) not in full]


def legal_plays(row: Row, numbers: tuple[int, ...], rules: Rules) -> list[Ending]:
    """Every legal play with the row after it; none where the turn is lost.

    What can be played takes the head and the primes into account. With `end_of_turn` a play must end
    without a forbidden prime and is free on the way.
    """
    every = sequences(row, numbers, head_allowance(row, numbers, rules), rules)
    possible = [(play, after) for play, after in every if primes_allow(after, rules)]
    full = fullest(possible)
    return full + early_wins(possible, full)


# ---- the answers -------------------------------------------------------------------------------------------


def points_left(play: Play) -> list[int]:
    """What plays are ordered by: the points their moves leave, those of the higher die first, then from high
    to low."""
    return [move.start for move in sorted(play, key=lambda move: (move.die, move.start), reverse=True)]


def plays(row: Iterable[int], dice: Iterable[int], rules: str | Rules = "long") -> Sequences:
    """Every distinct afterstate of the row, seen by the next player, with every sequence of moves that
    reaches it.

    A sequence is a tuple of (from, to) in the order of play, 25 being the bar and 0 off. The afterstates
    stand in the order of `afterstates`. A turn that is lost has one afterstate, the row flipped, reached by
    the empty sequence.

    Raises `InvalidPositionError` for a row that is not 28 numbers -15 to 15, `InvalidDiceError` for dice
    other than 1 to 6.
    """
    position, numbers, variant = whole_row(row), numbers_to_play(dice), rules_of(rules)
    found: Sequences = {}
    legal = legal_plays(position, numbers, variant) or [((), position)]
    for play, after in sorted(legal, key=lambda pair: points_left(pair[0]), reverse=True):
        sequence = tuple((move.start, move.end) for move in play)
        reaching = found.setdefault(after, [])
        if sequence not in reaching:
            reaching.append(sequence)
    return {flip(after, variant): reaching for after, reaching in found.items()}


def afterstates(row: Iterable[int], dice: Iterable[int], rules: str | Rules = "long") -> list[Row]:
    """The distinct afterstates of the row, each 28 integers seen by the next player.

    They stand in the order of their plays, by the points that the moves leave, from high to low: for two
    different dice by the point that the higher die leaves, then the lower die's; for a double by its points
    from high to low; the bar counts as 25. An afterstate that several plays reach stands where the first of
    them stands. A turn without a legal play has one afterstate, the row flipped.

    Raises `InvalidPositionError` for a row that is not 28 numbers -15 to 15, `InvalidDiceError` for dice
    other than 1 to 6.
    """
    return list(plays(row, dice, rules))


def perft(row: Iterable[int], depth: int, rules: str | Rules = "long") -> int:
    """The number of distinct (roll, afterstate) sequences of `depth` turns over the 21 rolls; a lost turn
    counts one.

    Raises `InvalidArgumentError` for a depth that is no whole number from 0 to 100.
    """
    try:
        turns = whole(depth)
    except Exception:
        turns = -1
    if not 0 <= turns <= 100:
        raise InvalidArgumentError(f"depth is {shown(depth)}: pass a whole number of turns, 0 to 100")
    if turns == 0:
        return 1
    position = whole_row(row)
    return sum(
        perft(after, turns - 1, rules) for roll in ROLLS for after in afterstates(position, roll, rules)
    )

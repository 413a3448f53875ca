"""Bearing off by plain recursion over whole rows, in fractions, with the reference generator: the tables'
slow twin."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import zip_longest

from narde import reference
from positions import Dice, Row, row_of

Expected = Callable[[Row, str], Fraction]
Chances = tuple[Fraction, ...]

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
HOME_OF_OPPONENT = {"long": range(13, 19), "short": range(24, 18, -1)}
"""The mover's numbers of the opponent's points 1, 2, ... 6."""


def weight(roll: Dice) -> Fraction:
    """The chance of a roll."""
    return Fraction(1 if roll[0] == roll[1] else 2, 36)


def race_row(mover: Iterable[int], opponent: Iterable[int], game: str = "long") -> Row:
    """The row of two home boards, each as the numbers of checkers on its points 1, 2, ... 6."""
    own = [point for point, checkers in enumerate(mover, 1) for _ in range(checkers)]
    return row_of(own, [HOME_OF_OPPONENT[game][i] for i, n in enumerate(opponent) for _ in range(n)])


@cache
def afterstates(row: Row, roll: Dice, game: str) -> tuple[Row, ...]:
    return tuple(reference.afterstates(row, roll, game))


@cache
def own_afterstates(row: Row, roll: Dice, game: str) -> tuple[Row, ...]:
    """The rows after each play, with the mover to roll again, as if he were alone."""
    return tuple(reference.flip(after, game) for after in afterstates(row, roll, game))


@cache
def expected_rolls(row: Row, game: str) -> Fraction:
    """The least expected number of rolls until the mover has all off."""
    return Fraction(0) if row[26] == 15 else least_rolls(row, game, expected_rolls)


@cache
def expected_first(row: Row, game: str) -> Fraction:
    """The least expected number of rolls until the mover has one off."""
    return Fraction(0) if row[26] else least_rolls(row, game, expected_first)


def least_rolls(row: Row, game: str, after: Expected) -> Fraction:
    return 1 + sum(
        weight(roll) * min(after(r, game) for r in own_afterstates(row, roll, game)) for roll in ROLLS
    )


@cache
def distributions(row: Row, game: str, expected: Expected) -> frozenset[Chances]:
    """The chances of 0, 1, ... rolls under each of the plays that make their expected number least."""
    if expected(row, game) == 0:
        return frozenset({(Fraction(1),)})
    found: set[Chances] = {()}
    for roll in ROLLS:
        after = own_afterstates(row, roll, game)
        least = min(expected(r, game) for r in after)
        tails = {
            tail for r in after if expected(r, game) == least for tail in distributions(r, game, expected)
        }
        found = {plus(sums, weight(roll), tail) for sums in found for tail in tails}
    return frozenset((Fraction(0), *sums) for sums in found)


def plus(sums: Chances, factor: Fraction, tail: Chances) -> Chances:
    """sums + factor * tail, the shorter one filled up with zeros."""
    return tuple(a + factor * b for a, b in zip_longest(sums, tail, fillvalue=Fraction(0)))


@cache
def win(row: Row, game: str) -> Fraction:
    """The mover's chance of winning when both play for it."""
    if row[27] == -15:
        return Fraction(0)
    if row[26] == 15:
        return Fraction(1)
    return sum(
        (
            weight(roll) * max(1 - win(after, game) for after in afterstates(row, roll, game))
            for roll in ROLLS
        ),
        Fraction(0),
    )

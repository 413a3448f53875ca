"""What follows from the rules: the property entries F05 to F09 and F16 to F19 of `cases.json`.

Entry F16 is tested as it can hold. Two checkers on 5 and 3 with 6-4 win by 5/off 3/off, and 5/1 3/off
uses both numbers and wins nothing (entry D12); so only a win that leaves a number over makes every other
play win.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import assume, given, settings

import brute
from cases import ENTRIES, row_of
from generators import CORE, Generator
from narde import Rules, flip, pips, reference, rules, starting_row
from positions import (
    HEAD,
    Dice,
    Row,
    made_rows,
    made_turns,
    played_turns,
    rolls,
    rows,
)

LONG = rules("long")
FREE = replace(LONG, prime_rule="free")
OPPONENT_OFF = 27
FULL_ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
EXCEPTED = [(3, 3), (4, 4), (6, 6)]

any_game = pytest.mark.parametrize("game", ["long", "short"])


def many(generator: Generator, few: int) -> int:
    """How many rows to take: so few from the reference, far more from the core."""
    return few * 20 if generator is CORE else few


def second_players_rows(generator: Generator, variant: Rules) -> set[Row]:
    """The row of the second player before his first turn, for every roll and play of the starter."""
    start = tuple(starting_row(variant).tolist())
    return {row for roll in FULL_ROLLS for row in generator.afterstates(start, roll, variant)}


def first_turns(generator: Generator, variant: Rules) -> Iterator[tuple[Dice, list[Row]]]:
    """Every first turn of either player: the roll and its afterstates."""
    for row in {tuple(starting_row(variant).tolist()), *second_players_rows(generator, variant)}:
        for roll in FULL_ROLLS:
            yield roll, generator.afterstates(row, roll, variant)


def head_after(afterstate: Row) -> int:
    """The checkers on the head of the player who has just moved."""
    return -afterstate[HEAD - 12 - 1]


# ---- F05: fifteen on the head is a first turn ------------------------------------------------------------


@pytest.mark.parametrize(("exception", "openings"), [("none", 10), ("doubles_346", 13)])
def test_f05_no_first_turn_is_lost(generator: Generator, exception: str, openings: int) -> None:
    variant = replace(LONG, head_exception=exception)
    turns = list(first_turns(generator, variant))
    assert len(turns) == 21 * (1 + openings)
    assert all(head_after(after) < 15 for _, afterstates in turns for after in afterstates)


@pytest.mark.parametrize("exception", ["any_double", "any_roll"])
def test_f05_a_first_turn_may_be_lost_if_more_rolls_release_two(generator: Generator, exception: str) -> None:
    variant = replace(LONG, head_exception=exception)
    assert any(
        head_after(after) == 15 for _, afterstates in first_turns(generator, variant) for after in afterstates
    )


# ---- F06: two off the head are no choice -----------------------------------------------------------------


def test_f06_two_leave_the_head_whenever_two_may(generator: Generator) -> None:
    heads = {roll: set() for roll in FULL_ROLLS}
    for roll, afterstates in first_turns(generator, LONG):
        heads[roll] |= set(map(head_after, afterstates))
    assert heads == {roll: {13} if roll in EXCEPTED else {14} for roll in FULL_ROLLS}


# ---- F07: the clause of the opponent's checkers off says nothing new -------------------------------------


def test_f07_with_one_off_an_opponent_is_ahead_anyway(generator: Generator) -> None:
    found = 0
    for row, dice in islice(played_turns(CORE.afterstates, LONG, seed=6), many(generator, 500)):
        if row[OPPONENT_OFF] < 0:
            afterstates = generator.afterstates(row, dice, LONG)
            assert afterstates == generator.afterstates(row, dice, FREE)
            walls = [brute.line(*brute.sides(reference.flip(after), "long"))[:24] for after in afterstates]
            assert not [wall for wall in walls if brute.NOBODY_AHEAD.search(wall)]
            found += 1
    assert found > many(generator, 5)


# ---- F08: a legal prime stays legal ----------------------------------------------------------------------


def holds_forbidden_prime(row: Row) -> bool:
    return brute.is_forbidden(*brute.sides(row, "long"), LONG)


def test_f08_no_turn_of_a_game_begins_with_a_forbidden_prime() -> None:
    primes = 0
    for row, _ in islice(played_turns(CORE.afterstates, LONG, seed=8), 5000):
        assert not holds_forbidden_prime(row)
        primes += "xxxxxx" in brute.line(*brute.sides(row, "long"))
    assert primes > 50


@settings(max_examples=150, deadline=None)
@given(row=rows("long"), dice=rolls)
def test_f08_no_play_of_the_opponent_makes_a_prime_forbidden(row: Row, dice: Dice) -> None:
    assume(not holds_forbidden_prime(reference.flip(row)))
    assert not [after for after in CORE.afterstates(row, dice, FREE) if holds_forbidden_prime(after)]


# ---- F09: the lowest six are enough ----------------------------------------------------------------------


def test_f09_the_lowest_prime_decides() -> None:
    verdicts = set()
    for row in islice(made_rows("long", seed=9), 3000):
        lows = reference.primes(row)
        by_lowest = not lows or reference.may_hold(row, min(lows), LONG)
        assert reference.primes_allow(row, LONG) == by_lowest != holds_forbidden_prime(row)
        verdicts.add((len(lows) > 1, by_lowest))
    assert len(verdicts) == 4


# ---- F16: winning with numbers left over changes nothing -------------------------------------------------


@any_game
def test_f16_an_early_win_is_a_win_of_every_full_play(generator: Generator, game: str) -> None:
    turns = (
        turn for turn in made_turns(game, seed=16) if turn[0][26] >= 11 and wins_early(*turn, rules(game))
    )
    for row, dice in islice(turns, 60):
        assert all(after[OPPONENT_OFF] == -15 for after in generator.afterstates(row, dice, game))


def wins_early(row: Row, dice: Dice, variant: Rules) -> bool:
    """Whether a sequence of moves wins with a number left over."""
    numbers = reference.numbers_to_play(dice)
    plays = reference.sequences(row, numbers, reference.head_allowance(row, numbers, variant), variant)
    return any(len(play) < len(numbers) and reference.has_won(after) for play, after in plays)


# ---- F17: what makes afterstates distinct ----------------------------------------------------------------


@any_game
def test_f17_in_long_nardy_the_movers_checkers_tell_afterstates_apart(
    generator: Generator, game: str
) -> None:
    told_by_opponent = 0
    for row, dice in islice(made_turns(game, seed=17), many(generator, 40)):
        afterstates = generator.afterstates(row, dice, game)
        movers = {tuple(min(checkers, 0) for checkers in after) for after in afterstates}
        assert len(set(afterstates)) == len(afterstates)
        told_by_opponent += len(movers) < len(afterstates)
    assert (told_by_opponent > 0) == (game == "short")


# ---- F18: the other side's numbers -----------------------------------------------------------------------


def test_f18_the_opponent_counts_a_point_twelve_further() -> None:
    for point in range(1, 25):
        row = [0] * 28
        row[point - 1] = 1
        assert flip(row, "long").tolist().index(-1) + 1 == (point + 12 if point <= 12 else point - 12)
        assert flip(row, "short").tolist().index(-1) + 1 == 25 - point


# ---- F19: pip counts of the diagrams ---------------------------------------------------------------------


def test_f19_pip_counts_of_the_text() -> None:
    assert pips(starting_row()).tolist() == [360, 360]
    ((opening,),) = [CORE.afterstates(starting_row(), (6, 5), "long")]
    assert pips(opening).tolist() == [360, 349]
    (diagram,) = [row_of(entry["position"]) for entry in ENTRIES if entry["id"] == "D01"]
    assert pips(diagram).tolist() == [36, 48]
    after = [pips(row).tolist() for row in CORE.afterstates(diagram, (6, 5), "long")]
    assert after == [[48, 25], [48, 25]]

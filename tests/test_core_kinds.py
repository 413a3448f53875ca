"""The core against slow generators in turns of every kind: those that hardly occur are compared as often as
others."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

import brute
from comparing import differences
from generators import core_afterstates, core_plays
from narde import Rules, rules
from positions import HEAD, Dice, Row, made_rows, row_of

LONG, SHORT = rules("long"), rules("short")
AT_END = replace(LONG, prime_check="end_of_turn")


def kind(row: Row, dice: Dice, variant: Rules) -> tuple:
    """What decides this turn, as the core sees it."""
    plays = core_plays(row, dice, variant)
    sequences = [moves for (moves,) in plays.values()]
    return (
        dice[0] == dice[1],
        len(sequences[0]),
        len(plays) > 3,
        any(end == 0 for moves in sequences for _, end in moves),
        min(sum(checkers for checkers in row[6:24] if checkers > 0), 4),
        min(row[24], 3),
        *decided_by_primes(row, dice, variant, list(plays)),
    )


def decided_by_primes(row: Row, dice: Dice, variant: Rules, found: list[Row]) -> list[bool]:
    """Whether without the ban on primes, or with all of them banned, the afterstates would be others."""
    if variant.hitting:
        return []
    options = ({"prime_rule": "free", "prime_check": "every_step"}, {"prime_rule": "never"})
    return [core_afterstates(row, dice, replace(variant, **option)) != found for option in options]


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "kinds"), [(LONG, 90), (AT_END, 90), (SHORT, 120)], ids=["long", "end_of_turn", "short"]
)
def test_turns_of_every_kind(variant: Rules, kinds: int) -> None:
    """Made rows, half of them with a double: of each kind the first two."""
    rng, seen = Random(29), Counter()
    for row in islice(made_rows(variant.game, seed=29), 4000):
        die = rng.randint(1, 6)
        dice = (die, die if rng.random() < 0.5 else rng.randint(1, 6))
        found = kind(row, dice, variant)
        seen[found] += 1
        if seen[found] <= 2:
            assert differences(row, dice, variant, brute.plays) == []
    assert len(seen) > kinds


OPPONENT = [10] * 15
"""Out of the way of a six from the head."""


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
@pytest.mark.parametrize("on_head", [1, 2, 3, 4])
@pytest.mark.parametrize("dice", [(6, 6), (5, 5), (4, 4)])
def test_who_stays_on_the_head_is_not_home(limit: int, on_head: int, dice: Dice) -> None:
    """One that has left the head gets home in three sixes; the fourth bears off if nobody is on the head."""
    variant = replace(LONG, head_per_turn=limit, head_exception="none")
    row = row_of([HEAD] * on_head + [6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1][: 15 - on_head], OPPONENT)
    assert differences(row, dice, variant, brute.plays) == []

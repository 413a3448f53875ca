"""The shared test positions hold what they are there for: valid rows, and enough of every kind of trouble."""

from collections import Counter
from itertools import islice, pairwise
from random import Random

import pytest

from generators import CORE
from narde import Rules, reference, rules, validate
from positions import FAMILIES, HEAD, HOUSE_RULES, Row, made_rows, made_turns, played_turns

COUNT = 2000
TURNS = {game: list(islice(made_turns(game, seed=2), COUNT)) for game in FAMILIES}
MADE = {game: list(islice(made_rows(game, seed=1), COUNT)) for game in FAMILIES}

any_game = pytest.mark.parametrize("game", list(FAMILIES))


def share(game: str, kind: object) -> float:
    """The share of the made rows of which `kind` holds."""
    return sum(map(kind, MADE[game])) / COUNT


def outside(row: Row) -> int:
    """The mover's checkers outside his home board, the bar included."""
    return sum(checkers for checkers in (*row[6:24], row[24]) if checkers > 0)


def prime_kinds(row: Row) -> set[str]:
    """Whether the mover holds primes that may stand, and such that may not."""
    variant = rules("long")
    return {"legal" if reference.may_hold(row, low, variant) else "illegal" for low in reference.primes(row)}


@any_game
def test_made_rows_are_valid(game: str) -> None:
    validate(MADE[game], game)


@any_game
def test_a_seed_gives_the_same_turns(game: str) -> None:
    first, again, other = (list(islice(made_turns(game, seed), 50)) for seed in (7, 7, 8))
    assert first == again != other


@any_game
def test_every_number_outside_home_occurs(game: str) -> None:
    counts = Counter(map(outside, MADE[game]))
    assert all(counts[number] > COUNT / 100 for number in range(5))
    assert set(counts) == set(range(16))


@any_game
def test_checkers_are_off_on_either_side(game: str) -> None:
    assert share(game, lambda row: row[26] > 0) > 0.1
    assert share(game, lambda row: row[27] < 0) > 0.05
    assert all(any(row[i] == sign * 15 for row in MADE[game]) for i, sign in ((26, 1), (27, -1)))


def test_every_number_on_the_head_occurs() -> None:
    counts = Counter(row[HEAD - 1] for row in MADE["long"])
    assert all(counts[number] > 1 for number in range(16))
    assert counts[15] > COUNT / 100 < counts[14]


def test_primes_of_both_kinds_stand() -> None:
    kinds = [prime_kinds(row) for row in MADE["long"]]
    assert sum("legal" in kind for kind in kinds) > COUNT / 50
    assert sum("illegal" in kind for kind in kinds) > COUNT / 50
    assert sum(len(kind) == 2 for kind in kinds) > 3


def test_primes_stand_everywhere_on_the_opponents_path() -> None:
    assert {low for row in MADE["long"] for low in reference.primes(row)} == set(range(1, 20))


def test_the_prime_rule_and_its_moment_decide_often() -> None:
    ahead = [CORE.afterstates(*turn, "long") for turn in TURNS["long"]]
    for share_of_turns, option in (
        (0.1, {"prime_rule": "free"}),
        (0.05, {"prime_rule": "never"}),
        (0.03, {"prime_check": "end_of_turn"}),
    ):
        other = [CORE.afterstates(*turn, Rules(**option)) for turn in TURNS["long"]]
        assert sum(a != b for a, b in zip(ahead, other, strict=True)) > share_of_turns * COUNT


def test_short_rows_are_rich_in_blots_and_bars() -> None:
    assert share("short", lambda row: row[24] > 0) > 0.2
    assert share("short", lambda row: row[25] < 0) > 0.1
    assert share("short", lambda row: row[:24].count(-1) >= 4) > 0.2
    assert share("short", lambda row: row[24] and all(checkers < -1 for checkers in row[18:24])) > 0.002


@any_game
def test_turns_are_lost_in_whole_and_in_part(game: str) -> None:
    lengths = Counter()
    for row, dice in TURNS[game]:
        (sequence, *_), *_ = CORE.plays(row, dice, game).values()
        lengths[len(sequence), dice[0] == dice[1]] += 1
    for kind in [(0, False), (1, False), (2, False), (0, True), (1, True), (2, True), (3, True), (4, True)]:
        assert lengths[kind] > 5, kind


@pytest.mark.parametrize("variant", ["long", "short"])
def test_played_turns_are_whole_games(variant: str) -> None:
    """Rows follow each other as afterstates, from the start to the last checker off, and then again."""
    turns = list(islice(played_turns(CORE.afterstates, variant, seed=1), 250))
    starts = [i for i, (row, _) in enumerate(turns) if reference.flip(row, variant) == row and not row[26]]
    assert starts[0] == 0
    assert len(starts) > 1
    for (row, dice), (following, _) in islice(pairwise(turns), starts[1] - 1):
        assert following in CORE.afterstates(row, dice, variant)


def test_house_rules_are_all_that_are_allowed() -> None:
    assert len(HOUSE_RULES) == len(set(HOUSE_RULES)) == 8 * 5


@any_game
def test_families_differ(game: str) -> None:
    assert len({family(Random(1)) for family in FAMILIES[game]}) == len(set(FAMILIES[game]))

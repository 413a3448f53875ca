"""Reading against its slow twin: whatever legal moves may be typed as is read, and nothing else is."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import numpy as np
import pytest

import narde
from narde import IllegalPlayError, NardeError, Rules, format_plays, parse_play, reference
from narde.board import BAR
from narde.notation.writing import blots_of
from positions import HOUSE_RULES, SHORT, Dice, Row, made_turns
from spellings import Path, Paths, meanings, spellings, text_of

LONG = narde.rules("long")


def turns(rules: Rules, seed: int, number: int) -> Iterator[tuple[Row, Dice]]:
    return islice(made_turns(rules.game, seed), number)


def read(paths: Paths, row: Row, dice: Dice, rules: Rules) -> Row | None:
    """The afterstate that these paths are read as; None if they are refused."""
    try:
        play = parse_play(text_of(paths), row, dice, rules)
    except NardeError as error:
        assert isinstance(error, IllegalPlayError), error
        return None
    assert play.notation == format_plays(row, dice, [play.afterstate], rules)[0]
    return tuple(play.afterstate.tolist())


# ---- what is legal -----------------------------------------------------------------------------------------


def check_round_trips(row: Row, dice: Dice, rules: Rules) -> None:
    """Every afterstate's notation is read back to it, with moves that the reference knows."""
    plays = reference.plays(row, dice, rules)
    for (afterstate, sequences), text in zip(
        plays.items(), format_plays(row, dice, list(plays), rules), strict=True
    ):
        play = parse_play(text, row, dice, rules)
        assert play.notation == text
        assert tuple(play.afterstate.tolist()) == afterstate, (row, dice, text)
        assert play.moves in sequences, (row, dice, text)


def check_typings(rng: Random, row: Row, dice: Dice, rules: Rules) -> None:
    """A few of the ways to type each play are read as it, unless they leave out where somebody is hit."""
    plays = reference.plays(row, dice, rules)
    meant = meanings(plays)
    for paths in rng.sample(sorted(meant), min(len(meant), 40)):
        typed = rng.sample(paths, len(paths))
        found = read(tuple(typed), row, dice, rules)
        assert found in meant[paths] or len(meant[paths]) > 1, (row, dice, typed)
        if len(meant[paths]) > 1:
            assert found in {None, *without_unnamed_hits(row, paths, meant[paths], rules)}, (row, dice, typed)


def without_unnamed_hits(row: Row, paths: Paths, afterstates: set[Row], rules: Rules) -> set[Row]:
    """Those of the afterstates in which nobody is hit on a point that the paths do not name."""
    named = {point for path in paths for point in path[1:]}
    unnamed = blots_of(np.array(row), rules) - named
    finals = {afterstate: reference.flip(afterstate, rules) for afterstate in afterstates}
    return {after for after, final in finals.items() if all(final[point - 1] < 0 for point in unnamed)}


@pytest.mark.parametrize("rules", [LONG, SHORT], ids=lambda rules: rules.name)
def test_every_notation_is_read_back(rules: Rules) -> None:
    for row, dice in turns(rules, 21, 25):
        check_round_trips(row, dice, rules)


@pytest.mark.parametrize("rules", [LONG, SHORT], ids=lambda rules: rules.name)
def test_every_way_to_type_a_play_is_read(rules: Rules) -> None:
    rng = Random(22)
    for row, dice in turns(rules, 23, 20):
        check_typings(rng, row, dice, rules)


# ---- what is not -------------------------------------------------------------------------------------------


def random_paths(rng: Random, row: Row, dice: Dice) -> Paths:
    """A play that a person might try: some checkers by some of the dice, on or off the rules."""
    numbers = list(dice) * (2 if dice[0] == dice[1] else 1)
    moves = []
    starts = [point for point in range(1, 25) if row[point - 1] > 0] + [25] * (row[BAR] > 0)
    for die in rng.sample(numbers, rng.choice([len(numbers), len(numbers), rng.randint(1, len(numbers))])):
        start = rng.choice([*starts, *(end for _, end in moves if end), rng.randint(1, 24)])
        moves.append((start, max(start - die, 0)))
    return rng.choice(sorted(spellings(moves)))


def check_refusals(rng: Random, row: Row, dice: Dice, rules: Rules) -> int:
    """Random tries are read if and only if they are a way to type a legal play; how many were legal."""
    plays = reference.plays(row, dice, rules)
    meant = meanings(plays)
    legal = 0
    for paths in {random_paths(rng, row, dice) for _ in range(30)}:
        found = read(paths, row, dice, rules)
        assert (found is not None) == (paths in meant) or len(meant.get(paths, ())) > 1, (row, dice, paths)
        assert found is None or found in meant[paths]
        legal += paths in meant
    return legal


@pytest.mark.parametrize("rules", [LONG, SHORT], ids=lambda rules: rules.name)
def test_random_tries_are_read_only_if_they_are_legal(rules: Rules) -> None:
    rng = Random(31)
    legal = [check_refusals(rng, row, dice, rules) for row, dice in turns(rules, 32, 20)]
    assert sum(legal) > 40


@pytest.mark.long
def test_reading_equals_its_twin_under_any_rules() -> None:
    rng = Random(41)
    for seed, rules in enumerate([*HOUSE_RULES, *[SHORT] * 10]):
        for row, dice in turns(rules, 4100 + seed, 12):
            check_round_trips(row, dice, rules)
            check_typings(rng, row, dice, rules)
            check_refusals(rng, row, dice, rules)


def test_the_twin_knows_all_ways_to_type_two_moves() -> None:
    one_checker: set[Path] = {(24, 13), (24, 18, 13)}
    assert spellings([(24, 18), (18, 13)]) == {((18, 13), (24, 18)), *((path,) for path in one_checker)}
    assert spellings([(8, 5), (6, 5)]) == {((6, 5), (8, 5))}

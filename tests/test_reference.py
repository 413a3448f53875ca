"""The reference against a second generator written apart from it, and against what must always hold."""

from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings

import brute
from narde import (
    InvalidArgumentError,
    InvalidDiceError,
    InvalidPositionError,
    Rules,
    reference,
    rules,
    starting_row,
    validate,
)
from narde import flip as board_flip
from positions import (
    BOARD,
    HOUSE_RULES,
    OPPONENT_HEAD,
    SHORT,
    Dice,
    Row,
    free,
    made_rows,
    made_turns,
    played_turns,
    row_of,
    turns,
)

MADE = {"long": 40, "short": 100}
PLAYED = 50
LARGER = 60
"""The long run compares so many times more."""

any_game = pytest.mark.parametrize("game", ["long", "short"])


def assert_same(row: Row, dice: Dice, variant: Rules) -> None:
    """Both give the same afterstates in the same order, reached by the same sequences of moves."""
    expected, found = brute.plays(row, dice, variant), reference.plays(row, dice, variant)
    assert list(found) == list(expected)
    assert {afterstate: set(sequences) for afterstate, sequences in found.items()} == expected
    assert all(len(sequences) == len(set(sequences)) for sequences in found.values())


def variants_of(game: str) -> tuple[Rules, ...]:
    return HOUSE_RULES if game == "long" else (SHORT,)


def compare_made(game: str, count: int, seed: int) -> None:
    variants = variants_of(game)
    for i, (row, dice) in enumerate(islice(made_turns(game, seed), count)):
        assert_same(row, dice, variants[i % len(variants)])


def compare_played(game: str, count: int, seed: int) -> None:
    variants = variants_of(game)
    for i in range(count // PLAYED):
        variant = variants[(i - 1) % len(variants)]
        for row, dice in islice(played_turns(reference.afterstates, variant, seed + i), PLAYED):
            assert_same(row, dice, variant)


@given(turns())
@settings(max_examples=40, deadline=None)
def test_equals_the_second_generator(turn: tuple[Row, Dice, Rules]) -> None:
    assert_same(*turn)


@any_game
def test_equals_the_second_generator_on_made_rows(game: str) -> None:
    compare_made(game, MADE[game], seed=1)


@any_game
def test_equals_the_second_generator_in_games(game: str) -> None:
    compare_played(game, PLAYED, seed=1)


@pytest.mark.long
@any_game
def test_equals_the_second_generator_on_many_made_rows(game: str) -> None:
    compare_made(game, MADE[game] * LARGER, seed=2)


@pytest.mark.long
@any_game
def test_equals_the_second_generator_in_many_games(game: str) -> None:
    compare_played(game, PLAYED * LARGER, seed=2)


@pytest.mark.parametrize("rule", ["opponent_ahead", "never", "free"])
@pytest.mark.parametrize("length", [5, 6, 7, 12])
def test_every_run_is_judged_alike(length: int, rule: str) -> None:
    """Runs from every point of the ring, with all opponents on any one point, or one of them there."""
    variant = Rules(prime_rule=rule)
    for first, away in product(BOARD, BOARD):
        run = [(first - 1 + i) % 24 + 1 for i in range(length)]
        for home in free([OPPONENT_HEAD, 13, away], run):
            own = run + [run[0]] * (15 - length)
            row = row_of(own, [home] * 14 + free([away], run))
            expected = not brute.is_forbidden(*brute.sides(row, "long"), variant)
            assert reference.primes_allow(row, variant) == expected, row


@any_game
def test_afterstates_are_valid_and_distinct(game: str) -> None:
    for row, dice in islice(made_turns(game, seed=3), 20):
        found = reference.afterstates(row, dice, game)
        assert found
        assert len(set(found)) == len(found)
        validate(found, game)


@any_game
def test_flip_is_an_involution_and_agrees_with_the_board(game: str) -> None:
    for row in islice(made_rows(game, seed=4), 100):
        flipped = reference.flip(row, game)
        assert flipped == tuple(board_flip(row, game).tolist())
        assert reference.flip(flipped, game) == row


def test_a_pass_is_the_row_flipped_reached_by_the_empty_sequence() -> None:
    row = [0] * 28
    row[5], row[17:12:-1], row[26] = 1, [-3] * 5, 14
    row[:5], row[13:18] = [-3] * 5, [0] * 5
    assert reference.plays(row, (4, 2)) == {reference.flip(row): [()]}


def test_a_finished_mover_passes() -> None:
    row = [0] * 28
    row[26], row[12], row[27] = 15, -14, -1
    assert reference.afterstates(row, (6, 6)) == [reference.flip(row)]


def test_a_win_by_way_of_a_hit_leaves_no_choice_to_win_without_it() -> None:
    row = [0] * 28
    row[4], row[0], row[26], row[18] = 1, -1, 14, -14
    ((afterstate, sequences),) = reference.plays(row, (6, 4), "short").items()
    assert afterstate[24] == 1
    assert sequences == [((5, 1), (1, 0))]


def test_a_win_may_leave_a_number_over() -> None:
    row = [0] * 28
    row[2], row[26], row[11] = 1, 14, -15
    (sequences,) = reference.plays(row, (3, 1)).values()
    assert set(sequences) == {((3, 0),), ((3, 2), (2, 0))}


@pytest.mark.parametrize("kind", [tuple, list, np.array, lambda row: np.array(row, np.int64)])
def test_any_sequence_of_28_integers_is_a_row(kind: type) -> None:
    row = starting_row("short")
    found = reference.afterstates(kind(row.tolist()), np.array([3, 1], np.int8), rules("short"))
    assert len(found) == 16
    assert {type(checkers) for afterstate in found for checkers in afterstate} == {int}


@pytest.mark.parametrize("row", [[0] * 27, [0] * 29, [0.5] * 28, ["1"] * 28, [2**70] * 28, [0] * 27 + [-16]])
def test_what_is_no_row_is_refused(row: list[object]) -> None:
    with pytest.raises(InvalidPositionError, match="a row holds"):
        reference.afterstates(row, (2, 1))


@pytest.mark.parametrize("dice", [(), (1,), (1, 2, 3), (0, 1), (7, 1), (-1, 2), (1.0, 2), "21"])
def test_what_is_no_roll_is_refused(dice: tuple[object, ...]) -> None:
    with pytest.raises(InvalidDiceError, match="dice are"):
        reference.afterstates(starting_row(), dice)


def test_perft_from_the_start() -> None:
    assert reference.perft(starting_row("short"), 0, "short") == 1
    assert reference.perft(starting_row("short"), 1, "short") == 447
    assert [reference.perft(starting_row("bkgm"), 1, name) for name in ("long", "bkgm")] == [22, 43]
    with pytest.raises(InvalidArgumentError, match="depth is -1"):
        reference.perft(starting_row(), -1)

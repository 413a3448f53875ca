"""The bear-off database beside GNU Backgammon's, which gnubg-nn brings along; its probabilities begin with
one roll."""

from functools import cache

import numpy as np
import pytest

import narde
from boards import race_rows, random_homes
from narde import reference
from narde.bearoff_db.homes import BOARDS, all_homes, boards_up_to
from narde.bearoff_db.store import open_tables
from narde.bearoff_db.turns import WAYS, by_pips, first_lowest, turns_of

gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg-nn comes with the bench extra")

HOMES = all_homes()
UNIT = 1 / 65535
"""GNU Backgammon stores probabilities in 16 bits, and each is made of stored ones, so that errors add up."""


@cache
def stored_rolls() -> np.ndarray:
    """All of GNU Backgammon's one-sided distributions: (54264, 31)."""
    rolls = np.zeros((BOARDS, 31))
    rolls[0, 0] = 1
    for board in range(1, BOARDS):
        chances = gnubg_nn.bearoff_probabilities(tuple(HOMES[board].tolist()))
        rolls[board, 1 : len(chances) + 1] = chances
    return rolls


def evaluated(mover: np.ndarray, opponent: np.ndarray) -> np.ndarray:
    """GNU Backgammon's five chances for the mover, who is the second side of its boards."""
    board = [[0] * 25, [0] * 25]
    board[1][:6], board[0][:6] = mover.tolist(), opponent.tolist()
    return np.array(gnubg_nn.probabilities(board, 0))


def test_boards_of_up_to_eight_checkers_agree_to_the_stored_precision() -> None:
    """3,002 positions."""
    few = slice(1, boards_up_to(8))
    assert abs(stored_rolls()[few] - open_tables()[0].rolls[few]).max() < 2.5 * UNIT


def test_every_board_is_made_of_the_boards_after_it_as_we_make_it() -> None:
    """One step of our solver from its stored distributions gives the stored distribution of every board: to 3
    units, but for some thirty boards where two plays are as good to 16 bits."""
    stored = stored_rolls()
    mean = stored @ np.arange(31)
    apart = np.zeros(BOARDS)
    for boards in by_pips(HOMES):
        turns = turns_of(HOMES[boards])
        best = turns.ranks[first_lowest(mean[turns.ranks], turns.offsets)].reshape(-1, 21)
        made = sum(ways * stored[chosen] for ways, chosen in zip(WAYS, best.T, strict=True)) / 36
        apart[boards] = abs(made[:, :-1] - stored[boards, 1:]).max(axis=1)
    assert (apart > 3 * UNIT).sum() < 50
    assert apart.max() < 1e-3


def test_all_boards_agree_but_where_rounding_chose_another_play() -> None:
    tables = open_tables()[0]
    apart = abs(stored_rolls() - tables.rolls).max(axis=1)
    assert (apart < 5e-5).mean() > 0.985
    assert apart.max() < 3e-3
    assert abs(stored_rolls() @ np.arange(31) - tables.mean_rolls).max() < 2.5e-4


def test_exact_chances_agree_with_its_two_sided_table() -> None:
    """2,000 positions of at most six checkers a side."""
    mover, opponent = random_homes(90, 2000, most=6), random_homes(91, 2000, most=6)
    theirs = np.array([evaluated(m, o)[0] for m, o in zip(mover, opponent, strict=True)])
    assert abs(theirs - narde.bearoff("short").win(race_rows(mover, opponent, "short"))).max() < 6e-5


def test_estimated_chances_agree_with_its_estimates() -> None:
    mover, opponent = random_homes(92, 1500, 7, 14), random_homes(93, 1500, 7, 14)
    theirs = np.array([evaluated(m, o)[0] for m, o in zip(mover, opponent, strict=True)])
    apart = abs(theirs - narde.bearoff("short").win(race_rows(mover, opponent, "short")))
    assert apart.mean() < 1e-5 and apart.max() < 5e-4


def test_chances_of_a_gammon_agree_but_where_it_overlooks_a_roll() -> None:
    """All 15,504 boards of fifteen against one checker on the first point. GNU Backgammon finds no gammon on
    twelve boards, those with four or more checkers on the third point and the rest on the first: there 2-2
    moves four from 3 to 1 and bears off none."""
    full, one = HOMES[boards_up_to(14) :], np.array([1, 0, 0, 0, 0, 0])
    theirs = np.array([evaluated(mover, one)[3] for mover in full])
    ours = narde.bearoff("short").chances(race_rows(full, one, "short"))[:, 3]
    apart = full[abs(ours - theirs) > 1e-6]
    assert sorted(apart.tolist()) == [[ones, 0, 15 - ones, 0, 0, 0] for ones in range(12)]
    rows = race_rows(apart, one, "short")
    assert narde.bearoff("short").chances(rows)[:, 3] == pytest.approx(1 / 36)
    for row in rows.tolist():
        (after,) = reference.afterstates(row, (2, 2), "short")
        assert after[27] == 0

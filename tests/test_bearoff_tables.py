"""The tables against plain recursion in fractions, against themselves, and against published figures."""

import hashlib
from itertools import pairwise

import numpy as np
import pytest

import bearoff_slow as slow
import narde
from boards import GAMES, race_row, race_rows, rank
from narde.bearoff_db.chances import is_exact, outcome_chances
from narde.bearoff_db.homes import BOARDS, all_homes, boards_up_to
from narde.bearoff_db.one_sided import FULL
from narde.bearoff_db.store import open_tables
from narde.bearoff_db.tables import COLUMNS, Tables, build
from narde.bearoff_db.turns import TIE, WAYS, by_pips, turns_of
from narde.bearoff_db.two_sided import FEW_BOARDS

HOMES = all_homes()
PIPS = HOMES @ np.arange(1, 7)
EXACT = 1e-14
"""Rounding of a few hundred additions of float64."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()[0]


# ---- against recursion -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "most"), [("long", 3), ("short", 2)])
def test_rolls_by_recursion(tables: Tables, game: str, most: int) -> None:
    """All boards of up to three checkers. Plays of equal expectation never differ in their chances."""
    for board in range(1, boards_up_to(most)):
        row = slow.race_row(HOMES[board], [1, 0, 0, 0, 0, 0], game)
        (chances,) = slow.distributions(row, game, slow.expected_rolls)
        expected = np.zeros(31)
        expected[: len(chances)] = [float(chance) for chance in chances]
        assert tables.rolls[board] == pytest.approx(expected, abs=EXACT)
        assert tables.mean_rolls[board] == pytest.approx(float(slow.expected_rolls(row, game)), abs=EXACT)


@pytest.mark.parametrize(
    "home",
    [(4, 0, 11, 0, 0, 0), (12, 0, 0, 3, 0, 0), (14, 0, 0, 0, 0, 1), (5, 5, 5, 0, 0, 0)],
)
def test_first_off_by_recursion(tables: Tables, home: tuple[int, ...]) -> None:
    row = slow.race_row(home, [1, 0, 0, 0, 0, 0])
    (chances,) = slow.distributions(row, "long", slow.expected_first)
    found = tables.first_off[rank(*home) - FULL]
    assert found[: len(chances)] == pytest.approx([float(chance) for chance in chances], abs=EXACT)
    assert not found[len(chances) :].any()


@pytest.mark.parametrize("game", GAMES)
def test_winning_by_recursion(tables: Tables, game: str) -> None:
    """Whole rows of both sides, flipped from turn to turn: up to two checkers on the points 1 to 4 each, and
    some of three."""
    boards = [board for board in range(1, boards_up_to(2)) if not HOMES[board][4:].any()]
    pairs = [(m, o) for m in boards for o in boards]
    pairs += [
        (rank(0, 1, 0, 1, 1, 0), rank(1, 1, 0, 0, 0, 0)),
        (rank(0, 0, 0, 0, 0, 1), rank(1, 0, 2, 0, 0, 0)),
    ]
    for mover, opponent in pairs:
        row = slow.race_row(HOMES[mover], HOMES[opponent], game)
        assert tables.win[mover, opponent] == pytest.approx(float(slow.win(row, game)), abs=EXACT)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_winning_by_recursion_with_two_checkers_anywhere(tables: Tables, game: str) -> None:
    boards = range(1, boards_up_to(2))
    for mover, opponent in ((m, o) for m in boards for o in boards):
        row = slow.race_row(HOMES[mover], HOMES[opponent], game)
        assert tables.win[mover, opponent] == pytest.approx(float(slow.win(row, game)), abs=EXACT)


# ---- against themselves ------------------------------------------------------------------------------------


def test_chances_are_chances(tables: Tables) -> None:
    """That they sum to one shows, too, that no board needs more rolls than the table has columns."""
    for chances in (tables.rolls, tables.first_off):
        assert chances.min() >= 0
        assert abs(chances.sum(axis=1) - 1).max() < EXACT
        assert chances[:, -1].max() > 0
    assert abs(tables.rolls @ np.arange(31) - tables.mean_rolls).max() < 1e-13
    assert tables.mean_rolls[0] == 0 and tables.rolls[0, 0] == 1
    assert not tables.rolls[1:, 0].any() and not tables.first_off[:, 0].any()


def test_each_best_play_leads_to_what_the_board_promises(tables: Tables) -> None:
    boards = np.arange(1, BOARDS, 17)
    expected = np.einsum("r,brn->bn", WAYS / 36, tables.rolls[tables.best[boards]])
    assert abs(tables.rolls[boards, 1:] - expected[:, :-1]).max() < EXACT


def test_no_play_leaves_fewer_expected_rolls_than_the_best(tables: Tables) -> None:
    boards = np.arange(7, BOARDS, 23)
    turns = turns_of(HOMES[boards])
    least = np.minimum.reduceat(tables.mean_rolls[turns.ranks], turns.offsets[:-1])
    assert abs(tables.mean_rolls[tables.best[boards]].ravel() - least).max() <= TIE


@pytest.mark.long
def test_equal_plays_have_equal_chances(tables: Tables) -> None:
    """So the rule for equal plays changes no table. All boards, all rolls."""
    ties = 0
    for boards in by_pips(HOMES):
        turns = turns_of(HOMES[boards])
        best = np.repeat(tables.best[boards].ravel(), np.diff(turns.offsets))
        equal = np.flatnonzero(
            (abs(tables.mean_rolls[turns.ranks] - tables.mean_rolls[best]) < 1e-9) & (turns.ranks != best)
        )
        ties += len(equal)
        found = tables.rolls[turns.ranks[equal]]
        assert np.allclose(found, tables.rolls[best[equal]], rtol=0, atol=1e-13)
    assert ties > 1000


def test_the_sides_of_a_race_share_the_chance(tables: Tables) -> None:
    """Who is on roll is the better off for it, and both finished is nobody's win."""
    win = tables.win
    assert (win[1:, 0] == 0).all() and (win[0, 1:] == 1).all() and win[0, 0] == 0
    assert (win[1:, 1:] >= 1 - win[1:, 1:].T - EXACT).all()
    assert win.min() >= 0 and win.max() <= 1


def test_the_estimate_is_near_the_exact_chance_and_never_the_better_play(tables: Tables) -> None:
    """The figures of docs/bearoff.md."""
    pairs = np.random.default_rng(5).integers(1, FEW_BOARDS, (2, 20_000))
    exact = outcome_chances(tables, *pairs)[:, 0]
    assert is_exact(*pairs).all() and np.array_equal(exact, tables.win[pairs[0], pairs[1]])
    later = 1 - np.cumsum(tables.rolls, axis=1)
    estimate = (tables.rolls[pairs[0], 1:] * later[pairs[1], :-1]).sum(axis=1)
    assert abs(estimate - exact).max() < 0.014
    assert abs(estimate - exact).mean() < 0.001


@pytest.mark.long
def test_threads_and_progress_change_nothing(tables: Tables) -> None:
    told: list[tuple[int, int]] = []
    again = build(threads=2, progress=lambda done, steps: told.append((done, steps)))
    for name in COLUMNS:
        assert np.array_equal(getattr(again, name), getattr(tables, name)), name
    assert told == [(done, 126) for done in range(1, 127)]


def test_the_tables_are_the_same_bytes_on_every_machine(tables: Tables) -> None:
    """Sums and products of float64 in a fixed order: rounded alike wherever IEEE 754 holds."""
    digest = hashlib.sha256()
    for name, (kind, shape) in COLUMNS.items():
        column = getattr(tables, name)
        assert column.shape == shape
        digest.update(np.ascontiguousarray(column, kind))
    assert digest.hexdigest() == "6c52227c47571789f60469edc0197106881d69332ea5efab3d9fa812fa5fe112"


# ---- against what has been published -----------------------------------------------------------------------


def test_stacks_on_the_first_point(tables: Tables) -> None:
    """Walter Trice, "Effective Pip Count", Flint Area BackgammoNews, November 2000 (bkgm.com): seven checkers
    take 3.5509259259 rolls, an EPC of 28.999; thirteen one of 50.000004; n rolls are about 7n + 1."""
    assert tables.mean_rolls[rank(7, 0, 0, 0, 0, 0)] == pytest.approx(3.5509259259, abs=1e-10)
    assert tables.rolls[rank(7, 0, 0, 0, 0, 0)][2:5] == pytest.approx(
        [1 / 36, 85 / 216, 125 / 216], abs=EXACT
    )
    db = narde.bearoff()
    assert db.epc(race_row([7, 0, 0, 0, 0, 0])) == pytest.approx(28.999, abs=5e-4)
    assert db.epc(race_row([13, 0, 0, 0, 0, 0])) == pytest.approx(50.000004, abs=5e-7)
    stacks = db.epc(race_rows([[n, 0, 0, 0, 0, 0] for n in range(3, 16, 2)], [1, 0, 0, 0, 0, 0]))
    assert stacks == pytest.approx([7 * n + 1 for n in range(2, 9)], abs=0.2)


def test_the_boards_of_least_waste(tables: Tables) -> None:
    """Stig Eide on rec.games.backgammon, 30 April 1996: of all boards of a pip count the best one, by its
    checkers on the points 1 to 6, and the pips that it wastes (EPC less pips)."""
    for pips, (board, waste) in LEAST_WASTE.items():
        ranks = np.flatnonzero(pips == PIPS)
        mean = tables.mean_rolls[rank(*map(int, board))]
        assert mean == pytest.approx(tables.mean_rolls[ranks].min(), abs=TIE)
        assert mean * 49 / 6 - pips == pytest.approx(waste, abs=0.01)


LEAST_WASTE = {
    1: ("100000", 7.17), 2: ("200000", 6.17), 3: ("110000", 5.17), 4: ("101000", 4.62), 5: ("000010", 4.30),
    6: ("000001", 4.21), 7: ("010010", 5.05), 8: ("001010", 5.26), 9: ("001001", 5.32), 10: ("000101", 5.11),
    11: ("000011", 5.01), 12: ("000002", 5.23), 15: ("000111", 5.31), 18: ("001111", 5.67),
    21: ("000112", 5.53), 24: ("001112", 6.06), 29: ("001122", 6.21), 33: ("000114", 6.33),
    36: ("000223", 6.38), 39: ("000034", 6.55), 40: ("001133", 6.56), 41: ("000233", 6.53),
}  # fmt: skip


def test_eight_on_the_sixth_point_waste_more(tables: Tables) -> None:
    """From the same post: 1.49 pips more than the best board of 48 pips; 123432 from the sixth point down is
    the best of fifteen checkers."""
    more = tables.mean_rolls[rank(0, 0, 0, 0, 0, 8)] - tables.mean_rolls[rank(0, 0, 0, 1, 4, 4)]
    assert more * 49 / 6 == pytest.approx(1.49, abs=0.0051)
    ranks = np.flatnonzero((PIPS == 48) & (HOMES.sum(axis=1) == 15))
    assert HOMES[ranks[np.argmin(tables.mean_rolls[ranks])]].tolist() == [2, 3, 4, 3, 2, 1]


def test_stacks_against_stacks() -> None:
    """Howard Peelle, "Backgammon Tools in J", Vector 24 (2): eight on the first point against six win
    0.301055, and his table of odd stacks. There is no choice in them, so the estimate is exact."""
    db = narde.bearoff()
    assert db.win(race_row([8, 0, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0])) == pytest.approx(0.301055, abs=5e-7)
    odd = {(3, 1): 0.17, (3, 3): 0.86, (5, 3): 0.25, (5, 5): 0.79, (5, 7): 0.98, (7, 5): 0.30, (7, 7): 0.75}
    for (mover, opponent), chance in odd.items():
        row = race_row([mover, 0, 0, 0, 0, 0], [opponent, 0, 0, 0, 0, 0])
        assert db.win(row) == pytest.approx(chance, abs=0.0051)


def test_more_pips_on_one_point_never_help(tables: Tables) -> None:
    """A stack further back needs more rolls."""
    for n in (1, 5, 15):
        means = [tables.mean_rolls[rank(*(n * (i == point) for i in range(6)))] for point in range(6)]
        assert all(near <= far for near, far in pairwise(means))

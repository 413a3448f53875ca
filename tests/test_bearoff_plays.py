"""`best_plays`: the player who bears off perfectly."""

import numpy as np
import pytest

import narde
from boards import GAMES, race_row, race_rows, random_homes
from narde.bearoff_db.turns import WAYS
from narde.errors import InvalidArgumentError, InvalidDiceError, NotCoveredError
from narde.plays import ROLLS


def all_rolls(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row with each of the 21 rolls."""
    return np.repeat(rows, 21, axis=0), np.tile(ROLLS, (len(rows), 1))


def over_rolls(values: np.ndarray) -> np.ndarray:
    """The mean of values (21 n,) over the rolls of each row."""
    return values.reshape(-1, 21) @ WAYS / 36


def exact_rows(seed: int, n: int, game: str) -> np.ndarray:
    return race_rows(random_homes(seed, n, most=6), random_homes(seed + 1, n, most=6), game)


def lonely_rows(seed: int, n: int, game: str) -> np.ndarray:
    """Seven to fourteen checkers each: not exact, no mars."""
    return race_rows(random_homes(seed, n, 7, 14), random_homes(seed + 1, n, 7, 14), game)


def full_rows(seed: int, n: int, game: str) -> np.ndarray:
    """A mover with none off, who may lose a mars."""
    return race_rows(random_homes(seed, n, 15), random_homes(seed + 1, n, 1, 8), game)


@pytest.mark.parametrize("game", GAMES)
def test_the_best_play_is_one_of_the_afterstates_and_the_first_of_the_best(game: str) -> None:
    """By `win` or `equity` of every afterstate where those count, by `epc` elsewhere."""
    db = narde.bearoff(game)

    def opponents_equity(after: np.ndarray) -> np.ndarray:
        return db.equity(after)

    def movers_epc(after: np.ndarray) -> np.ndarray:
        return db.epc(narde.flip(after, game))

    kinds = ((exact_rows, db.win), (full_rows, opponents_equity), (lonely_rows, movers_epc))
    for seed, (rows_of_kind, left) in enumerate(kinds):
        rows, dice = all_rolls(rows_of_kind(20 + 3 * seed, 12, game))
        best = db.best_plays(rows, dice)
        after = narde.afterstates(rows, dice, game)
        for i in range(len(rows)):
            values = left(after[i])
            first = np.flatnonzero(values <= values.min() + 1e-9)[0]
            assert np.array_equal(best[i], after[i][first]), (rows[i].tolist(), dice[i].tolist())


@pytest.mark.parametrize("game", GAMES)
def test_perfect_play_wins_what_the_table_promises(game: str) -> None:
    db = narde.bearoff(game)
    rows = exact_rows(30, 300, game)
    assert db.exact(rows).all()
    best = db.best_plays(*all_rolls(rows))
    assert over_rolls(1 - db.win(best)) == pytest.approx(db.win(rows), abs=1e-14)


def test_playing_for_the_fewest_rolls_needs_as_many_as_promised() -> None:
    db = narde.bearoff()
    rows = lonely_rows(40, 300, "long")
    assert not db.exact(rows).any()
    left = db.epc(narde.flip(db.best_plays(*all_rolls(rows))))
    assert 49 / 6 + over_rolls(left) == pytest.approx(db.epc(rows), abs=1e-12)


def test_to_win_is_not_to_need_the_fewest_rolls() -> None:
    """Far behind, the perfect player takes risks that cost rolls: so exact plays differ from one-sided
    ones."""
    db = narde.bearoff()
    rows, dice = all_rolls(exact_rows(50, 400, "long"))
    perfect = db.best_plays(rows, dice)
    alone = rows.copy()
    alone[:, 12:18] = alone[:, 27] = 0
    alone[:, 18] = -15
    fewest = narde.flip(db.best_plays(alone, dice))
    same = (narde.flip(perfect)[:, :6] == fewest[:, :6]).all(axis=1)
    assert 0.9 < same.mean() < 1
    other = perfect.copy()
    other[:, 12:18] = -fewest[:, :6]
    other[:, 27] = fewest[:, :6].sum(axis=1) - 15
    gain = db.win(other) - db.win(perfect)
    assert gain.min() >= -1e-12 and gain.max() > 0.001


def test_a_mars_is_saved_though_it_costs_rolls() -> None:
    """Somewhere among the rows that may lose a mars the play of the fewest rolls is not chosen."""
    db = narde.bearoff()
    rows, dice = all_rolls(full_rows(60, 60, "long"))
    weighed = db.best_plays(rows, dice)
    alone = rows.copy()
    alone[:, 12:18] = alone[:, 27] = 0
    alone[:, 18] = -15
    fewest = db.best_plays(alone, dice)
    other = weighed.copy()
    other[:, 12:18], other[:, 27] = fewest[:, 12:18], narde.flip(fewest)[:, :6].sum(axis=1) - 15
    gain = db.equity(other) - db.equity(weighed)
    assert gain.min() >= -1e-12 and gain.max() > 0


def test_while_the_opponent_is_not_home_the_mover_plays_for_the_fewest_rolls() -> None:
    db = narde.bearoff()
    near = race_rows(random_homes(70, 200), [0, 0, 0, 0, 0, 15])
    away = near.copy()
    away[:, 17], away[:, 20] = -14, -1
    assert not db.covers(away).any()
    rows, dice = all_rolls(away)
    best = db.best_plays(rows, dice)
    assert 49 / 6 + over_rolls(db.epc(narde.flip(best))) == pytest.approx(db.epc(away), abs=1e-12)
    assert (best[:, 5] == 14).all() and (best[:, 8] == 1).all()


def test_an_opposing_checker_that_has_passed_the_movers_stays_where_it_is() -> None:
    """In short nardy it may still stand in his home board, behind all of his."""
    db = narde.bearoff("short")
    row = race_row([4, 4, 4, 0, 0, 0], [3, 3, 3, 3, 0, 0], "short")
    row[4], row[27] = -2, -1
    assert not db.covers(row)
    best = db.best_plays(row, ROLLS)
    narde.validate(best, "short")
    after = narde.afterstates(row, ROLLS, "short")
    for i in range(len(ROLLS)):
        left = db.epc(narde.flip(after[i], "short"))
        assert np.array_equal(best[i], after[i][np.flatnonzero(left <= left.min() + 1e-9)[0]])


@pytest.mark.parametrize("rows_of_kind", [exact_rows, lonely_rows, full_rows])
def test_any_batch_and_any_threads_give_the_same(rows_of_kind) -> None:  # type: ignore[no-untyped-def]
    db = narde.bearoff()
    rows, dice = all_rolls(rows_of_kind(80, 250, "long"))
    best = db.best_plays(rows, dice)
    assert best.dtype == np.int8 and best.shape == rows.shape
    assert np.array_equal(db.best_plays(rows, dice, threads=3), best)
    assert np.array_equal(db.best_plays(rows, dice[:, ::-1]), best)
    assert np.array_equal(db.best_plays(rows[17], dice[17]), best[17])
    assert np.array_equal(db.best_plays(rows[21], ROLLS), best[21:42])
    assert np.array_equal(db.best_plays(rows[:210:21], (6, 5)), best[dice.tolist().index([6, 5]) : 210 : 21])
    assert db.best_plays(rows[:0], dice[:0]).shape == (0, 28)
    narde.validate(best)


def test_a_known_play() -> None:
    """6-1 with checkers on 6, 1 and 1: two are off, whatever the order; 2-1 from 2 and 1 ends the game."""
    db = narde.bearoff()
    after = narde.flip(db.best_plays(race_row([2, 0, 0, 0, 0, 1]), (6, 1)))
    assert after[:6].tolist() == [1, 0, 0, 0, 0, 0]
    assert narde.finished(db.best_plays(race_row([1, 1, 0, 0, 0, 0]), (2, 1)))


def test_what_is_refused() -> None:
    db = narde.bearoff()
    good = race_row([2, 0, 0, 0, 0, 1])
    with pytest.raises(NotCoveredError, match="row 0: 15 of the mover's checkers are not in his home board"):
        db.best_plays(narde.starting_row(), (6, 1))
    with pytest.raises(InvalidDiceError):
        db.best_plays(good, (0, 1))
    with pytest.raises(InvalidArgumentError, match="2 rows and 3 dice"):
        db.best_plays([good, good], [(1, 2)] * 3)
    with pytest.raises(InvalidArgumentError, match="threads"):
        db.best_plays(good, (1, 2), threads=0)

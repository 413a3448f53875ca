"""`narde.bearoff`: which rows it covers, what it says of them, and how it refuses others."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
import positions
from boards import GAMES, race_row, race_rows, random_homes
from narde.bearoff_db.database import BearoffDatabase
from narde.board import W
from narde.errors import InvalidPositionError, InvalidRulesError, NotCoveredError

METHODS = ("dist", "epc", "win", "mars", "chances", "equity")
OF_BOTH = ("win", "mars", "chances", "equity")
OF_ONE = ("dist", "epc")


def db(game: str = "long") -> BearoffDatabase:
    return narde.bearoff(game)


def row(mover: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    """A row by the mover's point numbers; who is not on the board is off."""
    own = [point for point, checkers in mover.items() for _ in range(checkers)]
    theirs = [point for point, checkers in opponent.items() for _ in range(checkers)]
    return np.array(positions.row_of(own, theirs), np.int8)


# ---- what is covered ---------------------------------------------------------------------------------------


def reference_covers(seen: tuple[int, ...], game: str) -> tuple[bool, bool]:
    """Whether a row is a race, and whether the mover is home with nobody in his way: point by point."""
    own = [point for point in range(1, 25) if seen[point - 1] > 0] + [25] * (seen[24] > 0)
    theirs = [point for point in range(1, 25) if seen[point - 1] < 0]
    on_bar = seen[25] < 0
    home = all(point <= 6 for point in own)
    their_home = all(point in positions.OPPONENT_HOME[game] for point in theirs) and not on_bar
    if game == "long":
        met = any(point <= 12 for point in theirs)
    else:
        met = on_bar or any(theirs_at < own_at for theirs_at in theirs for own_at in own)
    return home and their_home and bool(own or theirs), home and not (met and own)


@settings(deadline=None)
@given(st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions.rows(game))))
def test_rows_are_covered_or_refused_with_a_reason(case: tuple[str, tuple[int, ...]]) -> None:
    game, seen = case
    batch = np.array([seen], np.int8)
    race, alone = reference_covers(seen, game)
    assert db(game).covers(batch).tolist() == [race]
    assert db(game).exact(batch).tolist() == [race and sum(seen[:6]) <= 6 and 15 + seen[27] <= 6]
    for names, covered in ((OF_BOTH, race), (OF_ONE, alone)):
        for name in names:
            if covered:
                assert np.isfinite(getattr(db(game), name)(batch)).all()
                continue
            with pytest.raises(NotCoveredError) as caught:
                getattr(db(game), name)(batch)
            assert caught.value.index == 0 and caught.value.reasons


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_names_the_row_its_id_and_all_reasons(game: str) -> None:
    good = race_row([0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 2], game)
    bad = narde.starting_row(game)
    with pytest.raises(NotCoveredError) as caught:
        db(game).win([good, bad])
    assert caught.value.index == 1
    text = str(caught.value)
    assert "does not cover row 1: " in text
    assert narde.Setup(bad, game).id("narde") in text
    count = 15 if game == "long" else 10
    assert caught.value.reasons == (
        f"{count} of the mover's checkers are not in his home board",
        f"{count} of the opponent's checkers are not in his home board",
    )


def test_who_is_in_the_way() -> None:
    """Long nardy: opposing checkers on the mover's 12 to 1 have yet to pass his home. Short nardy: those
    below his highest checker, and on the bar; that they are home themselves is asked of `win` alone."""
    own = {2: 2, 4: 3}
    far = {16: 3, 22: 2}
    for opponent in ({12: 1, **far}, {7: 1, **far}, {3: 1, **far}, {1: 1, **far}):
        with pytest.raises(NotCoveredError, match="still to pass the mover's home board"):
            db().dist(row(own, opponent) + unborne(opponent))
    for opponent in ({3: 1, **far}, {1: 1, **far}, {25: 1, **far}):
        with pytest.raises(NotCoveredError, match="still to pass the mover's home board"):
            db("short").epc(row(own, opponent))
    assert db("short").epc(row(own, {5: 1, **far})) == db("short").epc(row(own, {24: 1}))
    assert db("short").epc(row(own, {12: 1, **far})) == db("short").epc(row(own, {24: 1}))
    with pytest.raises(NotCoveredError, match=r"^.*row 0: 4 of the opponent's checkers are not in his home"):
        db("short").win(row(own, {5: 1, **far}))


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_in_the_way_of_who_has_all_off(game: str) -> None:
    seen = row({}, {3: 5, 9: 5, 20: 5})
    assert db(game).epc(seen) == 0 and db(game).dist(seen)[0] == 1
    with pytest.raises(NotCoveredError, match="the opponent's checkers are not in his home board"):
        db(game).win(seen)


def unborne(opponent: dict[int, int]) -> np.ndarray:
    """What brings the opponent's borne-off checkers back, to point 24: in long nardy none is off while others
    are outside."""
    change = np.zeros(W, np.int8)
    missing = 15 - sum(opponent.values())
    change[23], change[27] = -missing, missing
    return change


def test_rows_that_are_no_positions_are_named() -> None:
    rows = race_rows([[1, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]], [1, 0, 0, 0, 0, 0])
    rows[1, 0] = 3
    for name in (*METHODS, "exact", "covers"):
        with pytest.raises(InvalidPositionError, match="row 1 is no position: the mover has 16 checkers"):
            getattr(db(), name)(rows)
    with pytest.raises(InvalidPositionError, match="shape"):
        db().win(np.zeros((2, 27), np.int8))
    both_off = np.zeros(W, np.int8)
    both_off[26:] = 15, -15
    with pytest.raises(NotCoveredError, match="both sides have all checkers off"):
        db().win(both_off)


@pytest.mark.parametrize("change", [{"prime_rule": "never"}, {"last_roll": True}])
def test_rules_under_which_bearing_off_is_another_game(change: dict[str, object]) -> None:
    house = replace(narde.rules("long"), **change)
    with pytest.raises(InvalidRulesError, match=rf"no bear-off database.*{next(iter(change))}=.*replace"):
        narde.bearoff(house)
    with pytest.raises(InvalidRulesError, match="unknown variant"):
        narde.bearoff("checkers")


# ---- what it says ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_one_row_and_many_and_none(game: str) -> None:
    rows = race_rows(random_homes(7, 50), random_homes(8, 50), game)
    shapes = {"dist": (31,), "chances": (5,)}
    for name in (*METHODS, "covers", "exact"):
        method = getattr(db(game), name)
        found = method(rows)
        kind = np.bool_ if name in ("covers", "exact") else np.float64
        assert found.shape == (50, *shapes.get(name, ())) and found.dtype == kind
        assert np.array_equal(method(rows[3]), found[3])
        assert method([]).shape == (0, *shapes.get(name, ()))
        assert np.array_equal(method(rows.tolist()), found)


def test_rows_in_any_number_are_answered_one_by_one() -> None:
    """More than are estimated together."""
    rows = race_rows(random_homes(9, 5000), random_homes(10, 5000))
    found = db().chances(rows)
    some = [0, 1, 2047, 2048, 2049, 4095, 4096, 4999]
    assert np.array_equal(found[some], [db().chances(rows[i]) for i in some])


def test_both_games_say_the_same() -> None:
    homes, others = random_homes(11, 300), random_homes(12, 300)
    for name in METHODS:
        long, short = (getattr(db(game), name) for game in GAMES)
        assert np.array_equal(long(race_rows(homes, others)), short(race_rows(homes, others, "short")))


def test_chances_agree_with_each_other() -> None:
    rows = race_rows(random_homes(13, 2000), random_homes(14, 2000))
    chances = db().chances(rows)
    assert np.array_equal(chances[:, 0], db().win(rows)) and np.array_equal(chances[:, 1], db().mars(rows))
    assert not chances[:, [2, 4]].any()
    assert chances.min() >= 0 and chances.max() <= 1
    assert (chances[:, 1] <= chances[:, 0] + 1e-15).all()
    assert (chances[:, 3] <= 1 - chances[:, 0] + 1e-15).all()
    dist = db().dist(rows)
    assert dist @ np.arange(31) * 49 / 6 == pytest.approx(db().epc(rows), abs=1e-12)


def test_a_mars_needs_an_opponent_who_has_borne_off_none() -> None:
    homes = random_homes(15, 500, fewest=15)
    against_full = race_rows([1, 0, 0, 0, 0, 0], homes)
    assert db().mars(against_full) == pytest.approx(1.0)
    assert (db().chances(against_full)[:, 3] == 0).all()
    fewer = race_rows([1, 0, 0, 0, 0, 0], random_homes(16, 500, most=14))
    assert not db().mars(fewer).any()
    back = narde.flip(against_full)
    some = db().chances(back)
    assert some[:, 0] == pytest.approx(0) and (some[:, 3] > 0).any() and (some[:, 3] <= 0.5278).all()


def test_a_mars_by_hand() -> None:
    """The mover has fifteen on his sixth point, the opponent needs one roll: he loses a mars unless his roll
    bears one off at once, which 17 of 36 do (6-1 to 6-6, 5-1, 4-2, 3-3, 2-2). The other way round he wins it
    for sure."""
    seen = race_row([0, 0, 0, 0, 0, 15], [2, 0, 0, 0, 0, 0])
    assert db().chances(seen) == pytest.approx([0, 0, 0, 19 / 36, 0], abs=1e-15)
    assert db().chances(narde.flip(seen)).tolist() == [1, 1, 0, 0, 0]
    assert db().equity(seen) == pytest.approx(-1 - 19 / 36)
    assert narde.bearoff(replace(narde.rules("long"), mars=1)).equity(seen) == -1


def test_finished_rows_are_decided() -> None:
    off = [0] * 6
    assert db().chances(race_row(off, [3, 0, 0, 0, 0, 0])).tolist() == [1, 0, 0, 0, 0]
    assert db().chances(race_row(off, [0, 0, 0, 0, 9, 6])).tolist() == [1, 1, 0, 0, 0]
    assert db().chances(race_row([3, 0, 0, 0, 0, 0], off)).tolist() == [0, 0, 0, 0, 0]
    assert db().chances(race_row([0, 0, 0, 0, 9, 6], off)).tolist() == [0, 0, 0, 1, 0]
    assert db().dist(race_row(off)).tolist() == [1, *[0] * 30] and db().epc(race_row(off)) == 0
    rows = np.stack([race_row(off, [0, 0, 0, 0, 9, 6]), race_row([0, 0, 0, 0, 9, 6], off)])
    assert db().equity(rows).tolist() == narde.results(rows).tolist() == [2, -2]


def test_well_known_chances() -> None:
    """Two checkers on the sixth point: 4 of 36 rolls bear both off. Doubles win two rolls against one."""
    two = race_row([0, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0])
    assert db().win(two) == db().dist(two)[1] == pytest.approx(4 / 36)
    assert db().win(race_row([3, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])) == pytest.approx(6 / 36)
    assert db().win(race_row([0, 0, 0, 0, 1, 1], [1, 0, 0, 0, 0, 0])) == pytest.approx(6 / 36)


def test_the_mover_is_asked_and_flip_asks_the_other() -> None:
    seen = race_row([1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 4, 4])
    assert db().epc(narde.flip(seen)) == db().epc(race_row([0, 0, 0, 0, 4, 4]))
    assert db().win(seen) == 1 and db().win(narde.flip(seen)) == 0


def test_answers_are_the_callers_own() -> None:
    """They may be written to; the tables may not."""
    rows = race_rows(random_homes(17, 4), random_homes(18, 4))
    for name in METHODS:
        found = getattr(db(), name)(rows)
        before = found.copy()
        found += 1
        assert np.array_equal(getattr(db(), name)(rows), before)

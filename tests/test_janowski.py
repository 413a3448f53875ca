"""The cube by Janowski's model: his formulas, a walk with a cube played out, known facts of matches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import cube_decision, cubeful_equity
from narde.cube import Cube, MoneyOptions, Score
from narde.errors import InvalidArgumentError
from narde.evaluators import equity
from narde.janowski import MoneyWindow, agreeing
from narde.met import GameOdds, compute_met, published_met
from narde.met.window import at
from narde.rollouts.cubes import CubeAt

PLAIN = [0.7, 0, 0, 0, 0]
OWNED = Cube(2, "mover")
PUBLISHED = published_met()


def chances(win: float, mars: float = 0.0, koks: float = 0.0, lost_mars: float = 0.0) -> np.ndarray:
    """Chances by the shares of mars and koks among the wins, and of mars among the losses."""
    return np.array([win, win * mars, win * koks, (1 - win) * lost_mars, 0.0])


# ---- money: Janowski's formulas ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("life", "redouble", "passes"),
    [(0, 0.5, 0.75), (1, 0.8, 0.8), (2 / 3, 5 / 7, 11 / 14)],
    ids=["dead", "live", "two thirds"],
)
def test_the_points_without_mars_are_the_published_ones(life: float, redouble: float, passes: float) -> None:
    """A dead cube is taken from 25 %, a live one from 20 %; between them from 21 %, redoubled from 71 %."""
    found = cube_decision(PLAIN, "short", cube=OWNED, cube_life=life)
    assert found.pass_point == pytest.approx(passes)
    assert found.double_point == pytest.approx(redouble)


shares = st.floats(0, 0.6)


@settings(deadline=None)
@given(st.floats(0.01, 0.99), shares, shares, st.floats(0, 1))
def test_take_and_redouble_points_are_those_of_the_formulas(
    win: float, mars: float, lost_mars: float, life: float
) -> None:
    """With W and L, the average wins and losses: pass from (L + 1/2 + x/2), redouble from (L + x), each over
    (W + L + x/2)."""
    wins, losses = 1 + mars, 1 + lost_mars
    found = cube_decision(chances(win, mars, 0, lost_mars), "short", cube=OWNED, cube_life=life)
    whole = wins + losses + life / 2
    assert found.pass_point == pytest.approx((losses + (1 + life) / 2) / whole)
    assert found.double_point == pytest.approx((losses + life) / whole, abs=1e-9)


@settings(deadline=None)
@given(st.floats(0.01, 0.99), shares, shares)
def test_a_dead_cube_leaves_the_cubeless_equity(win: float, mars: float, lost_mars: float) -> None:
    told = chances(win, mars, mars / 3, lost_mars)
    for cube in (Cube(), OWNED, Cube(4, "opponent")):
        found = cubeful_equity(told, "short", cube=cube, cube_life=0)
        assert found == pytest.approx(equity(told, "short"), abs=1e-9)


@pytest.mark.parametrize("life", [0, 0.5, 1])
def test_the_double_point_is_where_a_double_costs_nothing(life: float) -> None:
    for cube in (Cube(), OWNED):
        found = cube_decision(chances(0.5, 0.25, 0, 0.2), "short", cube=cube, cube_life=life)
        at_point = cube_decision(
            chances(found.double_point, 0.25, 0, 0.2), "short", cube=cube, cube_life=life
        )
        assert min(at_point.double_take, 1) == pytest.approx(at_point.no_double, abs=1e-9)
        below = cube_decision(
            chances(found.double_point - 0.01, 0.25, 0, 0.2), "short", cube=cube, cube_life=life
        )
        assert not below.doubles


def played_out(wins: float, losses: float, steps: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A fair walk of the chance to win in `steps` steps from 0 to 1, each side turning its cube whenever that
    is best: what it is worth with the cube owned, in the middle, and the opponent's; by value iteration."""
    line = np.linspace(-losses, wins, steps + 1)
    owned, centred, theirs = line.copy(), line.copy(), line.copy()
    for _ in range(3 * steps**2):
        cash = np.minimum(2 * theirs, 1)  # what the mover's double brings
        cashed = np.maximum(2 * owned, -1)  # what the opponent's brings the mover
        for curve, mine, his in ((owned, True, False), (centred, True, True), (theirs, False, True)):
            curve[1:-1] = (curve[:-2] + curve[2:]) / 2
            if mine:
                np.maximum(curve[1:-1], cash[1:-1], out=curve[1:-1])
            if his:
                np.minimum(curve[1:-1], cashed[1:-1], out=curve[1:-1])
    return owned, centred, theirs


@pytest.mark.parametrize(("wins", "losses"), [(1.0, 1.0), (1.2, 1.1)])
def test_a_live_cube_is_what_two_perfect_players_make_of_it(wins: float, losses: float) -> None:
    window = MoneyWindow(wins, losses)
    owners = [(True, False), (True, True), (False, True)]
    for walked, who in zip(played_out(wins, losses), owners, strict=True):
        curve = window.curve(1, who, 1.0)
        told = [at(curve, p) for p in np.linspace(0, 1, len(walked))]
        assert np.abs(walked - told).max() < 0.05


# ---- money: decisions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("win", "action"),
    [(0.5, "no double, take"), (0.75, "double, take"), (0.85, "double, pass")],
)
def test_the_window_of_money(win: float, action: str) -> None:
    found = cube_decision(chances(win), "short")
    assert found.action == action
    assert found.equity == max(found.no_double, min(found.double_take, found.double_pass))


def test_with_many_mars_a_position_is_too_good_but_by_jacoby_is_cashed() -> None:
    told = chances(0.9, 0.5)
    found = cube_decision(told, "short")
    assert found.action == "too good, pass"
    assert found.equity == found.no_double > 1
    jacoby = cube_decision(told, "short", money=MoneyOptions(jacoby=True))
    assert jacoby.action == "double, pass"
    assert jacoby.no_double < 1
    owned = cube_decision(told, "short", cube=OWNED, money=MoneyOptions(jacoby=True))
    assert owned.action == "too good, pass"


def test_a_bad_double_is_beavered() -> None:
    beavers = MoneyOptions(beavers=True)
    plain = cube_decision(chances(0.4), "short")
    found = cube_decision(chances(0.4), "short", money=beavers)
    assert (plain.action, found.action) == ("no double, take", "no double, beaver")
    assert found.double_take == 2 * plain.double_take < 0
    assert cube_decision(chances(0.6), "short", money=beavers).action == "no double, take"


def test_equities_are_those_of_a_cube_at_one() -> None:
    low, high = (cube_decision(PLAIN, "short", cube=Cube(value, "mover")) for value in (1, 8))
    assert (low.no_double, low.double_take) == pytest.approx((high.no_double, high.double_take))
    assert cubeful_equity(PLAIN, "short", cube=Cube(8, "opponent")) < low.no_double


def test_long_nardy_has_a_cube_by_minsport() -> None:
    found = cube_decision(chances(0.7, 0.2), "minsport")
    same = cube_decision(chances(0.7, 0.2), "short")
    assert (found.no_double, found.double_take) == (same.no_double, same.double_take)


# ---- matches -----------------------------------------------------------------------------------------------


def test_two_away_each_the_cube_is_turned_at_once_and_taken_by_the_table() -> None:
    found = cube_decision(chances(0.55), "short", score=Score((5, 5), 7))
    assert found.action == "double, take"
    assert found.pass_point == pytest.approx(1 - PUBLISHED.equity(2, 1))
    assert found.match_chances == pytest.approx((found.match_chances[0], 0.55, PUBLISHED.equity(1, 2)))


@pytest.mark.parametrize("away", [(3, 4), (5, 2), (7, 7)])
def test_take_points_are_those_of_the_table(away: tuple[int, int]) -> None:
    found = cube_decision(
        chances(0.6, 0.2, 0, 0.1), "short", score=Score((9 - away[0], 9 - away[1]), 9), cube_life=0.7
    )
    expected = PUBLISHED.cash_point(*away, mars=0.2, opponent_mars=0.1, cube_life=0.7)
    assert found.pass_point == pytest.approx(expected)


def test_match_equities_are_on_the_scale_of_money() -> None:
    score = Score((4, 6), 9)
    found = cube_decision(chances(0.6, 0.2), "short", score=score)
    assert found.double_pass == pytest.approx(1)
    assert found.match_chances is not None
    for worth, chance in zip((found.no_double, found.double_take), found.match_chances, strict=False):
        assert worth == pytest.approx(PUBLISHED.money_equity(chance, 5, 3))
    assert cubeful_equity(chances(0.6, 0.2), "short", score=score) == found.no_double


def test_far_from_the_end_a_match_is_like_money() -> None:
    money = cube_decision(chances(0.7, 0.2, 0, 0.2), "short")
    match = cube_decision(chances(0.7, 0.2, 0, 0.2), "short", score=Score((0, 0), 25))
    assert match.double_point == pytest.approx(money.double_point, abs=0.02)
    assert match.pass_point == pytest.approx(money.pass_point, abs=0.02)


def test_at_double_match_point_the_cube_means_nothing() -> None:
    found = cube_decision(chances(0.6, 0.5), "short", score=Score((4, 4), 5))
    assert found.no_double == found.double_take == pytest.approx(0.2)
    assert not found.doubles


def test_after_the_crawford_game_the_trailer_doubles_at_once() -> None:
    found = cube_decision(chances(0.5), "short", score=Score((3, 6), 7))
    assert found.action == "double, take"


def test_the_last_points_of_a_match_need_no_cube() -> None:
    """Who wins the match with the cube as it stands gains nothing by turning it."""
    found = cube_decision(chances(0.7), "short", cube=OWNED, score=Score((5, 3), 7))
    assert not found.doubles


def test_a_table_of_long_nardy_is_to_be_passed() -> None:
    with pytest.raises(InvalidArgumentError, match="pass table="):
        cube_decision(PLAIN, "minsport", score=Score((0, 0), 5))
    table = compute_met(5, GameOdds.from_rates(starter_wins=0.53, mars=0.17), "minsport")
    found = cube_decision(PLAIN, "minsport", score=Score((0, 0), 5), table=table)
    assert found.pass_point == pytest.approx(table.cash_point(5, 5, cube_life=0.68))


# ---- arguments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"rules": "long"}, "have no cube"),
        ({"cube": Cube(2, "opponent")}, "may not double: the cube is the opponent's$"),
        ({"cube": Cube(2, "opponent"), "score": Score((0, 0), 7)}, "double: the cube is the opponent's$"),
        ({"cube": Cube(2, "mover", "double")}, "may not double: a double is on offer$"),
        ({"score": Score((0, 4), 5, crawford=True)}, "may not double: at 0-4 to 5, Crawford, nobody may$"),
        ({"cube": Cube(2**31), "score": Score((0, 0), 7)}, "the value of the cube is 2147483648: pass"),
        (
            {"cube": Cube(2**2000)},
            "the value of the cube is 1148.*: pass a whole number from 1 to 1073741824",
        ),
        ({"score": Score((5, 0), 5)}, "match is over"),
        ({"score": Score((0, 0), 1000)}, "beyond"),
        ({"cube_life": 2}, "cube_life is 2"),
        ({"cube_life": "x"}, "cube_life is 'x'"),
        ({"cube": None}, "cube is None: pass a Cube"),
        ({"score": (0, 4)}, r"score is \(0, 4\): pass a Score"),
        ({"table": 25}, "table is 25: pass a MatchEquityTable"),
        ({"money": "jacoby"}, "money is 'jacoby': pass a MoneyOptions"),
        ({"chances": [0.5, 0.1]}, "pass five numbers"),
        ({"chances": [float("nan")] * 5}, "pass five numbers"),
        ({"chances": "no"}, "pass five numbers"),
        ({"chances": [10**400] * 5}, "pass five numbers"),
        (
            {"chances": [55.5, 10, 0, 5, 0]},
            "the chance of winning is 55.5: pass chances from 0 to 1, no percent",
        ),
        ({"chances": [0.5, 0.1, 0, -0.2, 0]}, "the chance of losing mars is -0.2"),
        ({"chances": [0.5, 0.1, 1.2, 0, 0]}, "the chance of winning koks is 1.2"),
        (
            {"chances": [0.7, 0.8, 0, 0, 0]},
            "the chance of winning mars is 0.8, that of winning but 0.7: pass",
        ),
        (
            {"chances": [0.7, 0.1, 0.3, 0, 0]},
            "the chance of winning koks is 0.3, that of winning mars but 0.1",
        ),
        ({"chances": [0.7, 0, 0, 0.45, 0]}, "the chance of losing mars is 0.45, that of losing but 0.3"),
        (
            {"chances": [0.5, 0, 0, 0.1, 0.25]},
            "the chance of losing koks is 0.25, that of losing mars but 0.1",
        ),
    ],
)
def test_bad_arguments_are_refused(options: dict, complaint: str) -> None:
    given = {"chances": PLAIN, "rules": "short", **options}
    if "chances" in options:
        with pytest.raises(InvalidArgumentError, match=complaint):
            cubeful_equity(options["chances"], "short")
    with pytest.raises(InvalidArgumentError, match=complaint):
        cube_decision(given.pop("chances"), given.pop("rules"), **given)


@pytest.mark.parametrize("score", [None, Score((0, 0), 7)])
def test_the_highest_cube(score: Score | None) -> None:
    assert np.isfinite(cube_decision(PLAIN, "short", cube=Cube(2**30, "mover"), score=score).equity)
    with pytest.raises(InvalidArgumentError, match="cube is 2147483648: pass a whole number"):
        PUBLISHED.take_point(5, 5, 2**31)


def test_chances_a_little_beyond_are_cut() -> None:
    told = [1.002, 0.5, 0.59, -0.001, 0.001]
    assert cube_decision(told, "short") == cube_decision([1, 0.5, 0.5, 0, 0], "short")


def test_a_rollout_of_a_single_trial_has_a_decision() -> None:
    """Its chances may lie far beyond 0 and 1, and contradict each other."""
    start, rules = narde.starting_row("short"), narde.rules("short")
    found = CubeAt.of(start, rules).decision(np.array([1.75, 0.5, -0.25, -0.5, 0.0]))
    assert found == cube_decision([1, 0.5, 0, 0, 0], rules)
    found = CubeAt.of(start, rules).decision(np.array([0.25, 0.75, 1.5, 1.25, 1.0]))
    assert found == cube_decision([0.25, 0.25, 0.25, 0.75, 0.75], rules)


def test_a_decision_is_told_as_text_and_data() -> None:
    found = cube_decision(PLAIN, "short", score=Score((0, 0), 7))
    assert str(found).splitlines()[-1] == f"right: {found.action}"
    assert "%" in str(found).splitlines()[0]
    assert found.data()["double_take"] == found.double_take


# ---- analyses ----------------------------------------------------------------------------------------------


def test_an_analysis_decides_about_the_cube() -> None:
    network = narde.Network.random(16, game="short", seed=1)
    start = narde.Position.start("short")
    found = narde.analyze(start, None, network)
    assert found.plays == ()
    assert found.chances == pytest.approx(network(start.row[None])[0])
    assert found.cube == cube_decision(agreeing(found.chances), "short")
    plain = narde.analyze(narde.Position.start("long"), None, narde.Network.random(16))
    assert (plain.cube, plain.no_cube) == (None, "")


def test_an_analysis_knows_what_a_setup_tells() -> None:
    network = narde.Network.random(16, game="short", seed=1)
    row = narde.starting_row("short")

    def cube_of(**facts: object) -> object:
        setup = narde.Setup(row, "short", **facts)
        return narde.analyze(setup.id(), (3, 1), network).cube

    told = agreeing(network(row[None])[0].astype(np.float64))
    match = {"score": Score((2, 1), 5), "cube": OWNED}
    assert cube_of(length=5, score=(2, 1), cube_value=2, cube_owner="mover") == cube_decision(
        told, "short", **match
    )
    for facts, reason in (
        ({"cube_value": 2, "cube_owner": "opponent"}, "the cube is the opponent's"),
        ({"length": 5, "score": (4, 1), "crawford": True}, "at 4-1 to 5, Crawford, nobody may"),
    ):
        found = narde.analyze(narde.Setup(row, "short", **facts), None, network)
        assert (found.cube, found.no_cube) == (None, f"the mover may not double: {reason}")
        assert str(found).endswith(f"\n\n{found.no_cube}")
    jacoby = cube_decision(told, "short", money=MoneyOptions(jacoby=True))
    setup = narde.Setup(row, "short", jacoby=True)
    assert narde.analyze(setup, (3, 1), network).cube == jacoby
    minsport = replace(narde.rules("long"), cube=True)
    match = narde.Setup(narde.starting_row("long"), minsport, length=3)
    found = narde.analyze(match, None, narde.Network.random(16))
    assert found.cube is None
    assert found.no_cube == "no cube decision: no match equity table of long nardy is published"

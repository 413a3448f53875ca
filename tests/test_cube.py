"""The cube and the score: who may do what, dead cubes, Crawford, Jacoby, beavers, a state machine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from narde.cube import Cube, MoneyOptions, Score
from narde.errors import IllegalActionError, InvalidArgumentError
from narde.rules import rules


def test_a_centred_cube_is_doubled_and_taken():
    """short l28-30: offered before the roll, taken by the opponent, who alone may double next."""
    cube = Cube()
    assert cube.actions() == ("double",) and cube.answerer is None
    offered = cube.double()
    assert offered.actions() == ("take", "drop") and offered.answerer == "opponent"
    taken = offered.take()
    assert taken == Cube(2, "opponent")
    assert taken.actions() == ()
    assert taken.flip() == Cube(2, "mover") and taken.flip().actions() == ("double",)


def test_a_drop_loses_the_value_before_the_double():
    """short l30."""
    assert Cube().double().drop() == 1
    assert Cube(8, "mover").double().drop() == 8


def test_a_beaver_doubles_again_and_keeps_the_cube():
    offered = Cube(2, "mover").double()
    assert offered.actions(beavers=True) == ("take", "drop", "beaver")
    beavered = offered.beaver()
    assert beavered == Cube(4, "opponent", "beaver") and beavered.answerer == "mover"
    assert beavered.actions(beavers=True) == ("take", "drop")
    assert beavered.take() == Cube(8, "opponent") and beavered.drop() == 4


def test_values_have_no_cap():
    cube = Cube()
    for power in range(1, 200):
        cube = cube.double().take().flip()
        assert cube.value == 2**power


@pytest.mark.parametrize(
    ("cube", "action"),
    [
        (Cube(2, "opponent"), "double"),
        (Cube(), "take"),
        (Cube(), "drop"),
        (Cube(), "beaver"),
        (Cube().double(), "double"),
        (Cube(2, "opponent", "beaver"), "beaver"),
    ],
)
def test_illegal_actions_name_the_legal_ones(cube, action):
    with pytest.raises(IllegalActionError, match=" or ".join(cube.actions()) or "nothing"):
        getattr(cube, action)()


def test_an_open_offer_cannot_be_flipped_away():
    with pytest.raises(IllegalActionError, match="take or drop"):
        Cube().double().flip()


@pytest.mark.parametrize(
    "bad",
    [
        (0,),
        (3,),
        (-2,),
        (2.0,),
        (True,),
        (1, "me"),
        (1, None, "take"),
        (2, "opponent", "double"),
        (4, "mover", "beaver"),
        (1, "opponent", "beaver"),
    ],
)
def test_cubes_that_cannot_be(bad):
    with pytest.raises(InvalidArgumentError):
        Cube(*bad)


@pytest.mark.parametrize(
    ("cube", "away", "dead"),
    [
        (Cube(), None, False),
        (Cube(2**40, "mover"), None, False),
        (Cube(), (1, 1), True),
        (Cube(), (1, 2), False),
        (Cube(), (2, 2), False),
        (Cube(2, "opponent"), (3, 2), True),
        (Cube(2, "opponent"), (2, 3), False),
        (Cube(2, "mover"), (2, 3), True),
        (Cube(2, "mover"), (3, 2), False),
        (Cube(4, "mover"), (4, 9), True),
    ],
)
def test_dead_cubes(cube, away, dead):
    """A cube is dead when its holder wins the match with its value."""
    assert cube.is_dead(away) is dead


@pytest.mark.parametrize(("kind", "points"), [(1, 4), (2, 8), (3, 12)])
def test_points_times_the_cube(kind, points):
    """F11 minsport l19, F12 short l32-34."""
    assert Cube(4, "mover").points(kind, "short") == points
    assert Cube(4, "mover").points(kind, "minsport") == min(points, 8)


def test_jacoby_counts_gammons_only_with_a_turned_cube():
    assert [Cube().points(kind, "short", jacoby=True) for kind in (1, 2, 3)] == [1, 1, 1]
    assert Cube(2).points(2, "short", jacoby=True) == 2, "an automatic double is no turned cube"
    assert [Cube(2, "mover").points(kind, "short", jacoby=True) for kind in (1, 2, 3)] == [2, 4, 6]
    assert Cube().points(2, "short") == 2


def test_money_options_are_off_by_default_and_checked():
    assert MoneyOptions() == MoneyOptions(jacoby=False, beavers=False, automatic_doubles=0)
    for bad in [{"jacoby": 1}, {"beavers": None}, {"automatic_doubles": -1}, {"automatic_doubles": True}]:
        with pytest.raises(InvalidArgumentError):
            MoneyOptions(**bad)


def test_scores():
    score = Score((3, 1), 5)
    assert score.away == (2, 4) and score.seen_by(1).away == (4, 2) and score.seen_by(0) is score
    assert score.winner is None and not score.post_crawford and str(score) == "3-1 to 5"
    assert Score((7, 2)).away is None and Score((7, 2)).winner is None and str(Score((7, 2))) == "7-2, money"
    assert Score((2, 5), 5).winner == 1 and Score((5, 4), 5).winner == 0


@pytest.mark.parametrize(
    "bad",
    [
        ((0, 0), 0),
        ((0, 0), 2.5),
        ((0, -1), 5),
        ((0,), 5),
        ([0, 0], 5),
        ((0, 0), 5, True),
        ((4, 5), None, True),
    ],
)
def test_scores_that_cannot_be(bad):
    with pytest.raises(InvalidArgumentError):
        Score(*bad)


def test_the_crawford_game_comes_once_when_a_player_first_needs_one_point():
    """minsport l19: "the Crawford rule [is] as in Backgammon"."""
    score = Score(length=5).after(0, 4, crawford=True)
    assert score == Score((4, 0), 5, crawford=True) and not score.post_crawford
    assert score.after(None, 0, crawford=True) == score, "a drawn Crawford game is played again"
    after = score.after(1, 2, crawford=True)
    assert after == Score((4, 2), 5) and after.post_crawford
    assert after.after(1, 2, crawford=True) == Score((4, 4), 5), "only the first time"
    assert score.after(1, 4, crawford=True) == Score((4, 4), 5)


def test_no_crawford_game_without_the_rule_at_the_end_or_in_a_match_to_one():
    assert not Score(length=5).after(0, 4, crawford=False).crawford
    assert Score((4, 4), 5).after(1, 8, crawford=True) == Score((4, 5), 5)
    assert Score((0, 3), 5).after(1, 2, crawford=True) == Score((0, 5), 5)
    assert not Score(length=1).post_crawford
    assert Score().after(1, 6, crawford=True).after(0, 1, crawford=True) == Score((1, 6))


@given(
    st.integers(1, 25),
    st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(1, 20)), max_size=30),
    st.booleans(),
)
def test_scores_of_whole_matches(length, games, crawford):
    score, crawfords = Score(length=length), 0
    for winner, points in games:
        if score.winner is not None:
            break
        before, score = score, score.after(winner, points, crawford=crawford)
        mirrored = before.seen_by(1).after(1 - winner, points, crawford=crawford)
        assert mirrored == score.seen_by(1)
        crawfords += score.crawford
        assert score.points[winner] == min(length, before.points[winner] + points)
        assert score.points[1 - winner] == before.points[1 - winner]
    assert crawfords <= crawford


class CubeMachine(RuleBasedStateMachine):
    """A cube beside two plain facts of the game: who may double (0, 1 or both), and the stake."""

    @initialize(beavers=st.booleans())
    def start(self, beavers):
        self.beavers = beavers
        self.cube, self.mover, self.stake, self.may_double, self.answering = Cube(), 0, 1, {0, 1}, None

    @precondition(
        lambda self: self.answering is None and self.mover in self.may_double and self.stake < 2**20
    )
    @rule()
    def double(self):
        self.cube = self.cube.double()
        self.answering = 1 - self.mover

    @precondition(lambda self: self.answering is not None)
    @rule()
    def take(self):
        self.cube = self.cube.take()
        self.stake *= 2
        self.may_double = {1 - self.mover}
        self.answering = None

    @precondition(lambda self: self.beavers and self.answering == 1 - self.mover)
    @rule()
    def beaver(self):
        self.cube = self.cube.beaver()
        self.stake *= 2
        self.answering = self.mover

    @precondition(lambda self: self.answering is not None)
    @rule()
    def drop(self):
        assert self.cube.drop() == self.stake
        self.start(self.beavers)

    @precondition(lambda self: self.answering is None)
    @rule()
    def turn_passes(self):
        self.cube = self.cube.flip()
        self.mover = 1 - self.mover

    @invariant()
    def agree(self):
        if not hasattr(self, "cube"):
            return
        assert self.cube.value == self.stake
        sides = {None: None, "mover": self.mover, "opponent": 1 - self.mover}
        assert sides[self.cube.answerer] == self.answering
        actions = self.cube.actions(beavers=self.beavers)
        if self.answering is None:
            assert ("double" in actions) == (self.mover in self.may_double)
            assert ({0, 1} if self.cube.owner is None else {sides[self.cube.owner]}) == self.may_double
        else:
            assert set(actions) - {"beaver"} == {"take", "drop"}
            assert ("beaver" in actions) == (self.beavers and self.answering != self.mover)
        for action in {"double", "take", "drop", "beaver"} - set(self.cube.actions(beavers=True)):
            with pytest.raises(IllegalActionError):
                getattr(self.cube, action)()


TestCubeMachine = CubeMachine.TestCase
TestCubeMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


def test_cube_and_options_are_values():
    assert hash(Cube(2, "mover")) == hash(Cube(2, "mover"))
    assert replace(MoneyOptions(), jacoby=True) != MoneyOptions()
    assert rules("minsport").crawford and rules("short").crawford

"""`Game`: opening, turns, passes, results, last roll, cube and resigning, by the texts and by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import repeat

import numpy as np
import pytest

from narde.board import flip, starting_row
from narde.cube import Cube, MoneyOptions, Score
from narde.dice import AskedDice, ListedDice, SeededDice
from narde.errors import (
    IllegalActionError,
    IllegalPlayError,
    InvalidArgumentError,
    InvalidDiceError,
    InvalidPositionError,
    NotationError,
)
from narde.game import Game, Result
from playing import HOUSES, long_end

KEEP = ["minsport", "long", "short"]
REROLL = ["bkgm", "nardeon"]


def at(row, house="long", *, starter=0, mover=0, **begin):
    """A game that stands at a row, before the mover's roll."""
    game = Game.begin(house, starter=starter, **begin)
    return replace(game, row=np.array(row, np.int8), mover=mover)


# ---- the opening -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEEP)
def test_a_kept_opening_plays_the_two_dice_of_the_contest(name):
    """F01, F03; minsport l8 and l13, long l18, short l9."""
    seen = Counter()
    for seed in range(300):
        game = Game.begin(name).open(SeededDice(seed))
        assert game.dice[0] != game.dice[1] and game.actions == ("play", "resign")
        assert game.dice[game.starter] > game.dice[1 - game.starter]
        assert game.mover == game.starter == game.actor
        seen[tuple(sorted(game.dice)), game.starter] += 1
    assert len(seen) == 30, "15 rolls, either player starting"


@pytest.mark.parametrize("name", REROLL)
def test_a_starter_who_rolls_again_may_throw_any_roll(name):
    """F02; bkgm l7, nardeon l13."""
    seen = Counter()
    for seed in range(400):
        dice = SeededDice(seed)
        game = Game.begin(name).open(dice)
        assert game.dice is None and game.actions == ("roll", "resign")
        thrown = game.events[-1].dice
        assert thrown[game.starter] > thrown[1 - game.starter]
        seen[tuple(sorted(game.roll(dice).dice))] += 1
    assert len(seen) == 21
    assert abs(sum(n for (a, b), n in seen.items() if a == b) / 400 - 6 / 36) < 0.06


@pytest.mark.parametrize("name", HOUSES)
def test_a_tie_is_rolled_again(name):
    """minsport l8 "If the dice are equal, both roll again", nardeon l13, long l18."""
    game = Game.begin(HOUSES[name])
    tied = game.contest("33").contest((1, 1))
    assert tied.starter is None and tied.actions == ("contest",) and tied.actor is None
    assert tied.contest("25").starter == 1
    assert Game.begin(HOUSES[name]).open(ListedDice(["33", "66", "51"])).starter == 0


def test_dice_that_tie_for_ever_are_at_fault():
    with pytest.raises(InvalidDiceError, match="1000 ties"):
        Game.begin("long").open(ListedDice(repeat((4, 4))))


def test_a_given_starter_needs_no_contest():
    game = Game.begin("bkgm", starter=1)
    assert (game.mover, game.starter, game.actions) == (1, 1, ("roll", "resign"))
    with pytest.raises(IllegalActionError, match="player 1 may roll or resign"):
        game.contest("65")
    assert game.open(ListedDice([])) is game


# ---- turns -------------------------------------------------------------------------------------------------


def test_the_opening_of_the_text():
    """long l31-37: 6-5 has the one play 24/13."""
    game = Game.begin("long").contest("65")
    assert game.notations == ("24/13",) and len(game.legal) == 1
    for choice in ("24/13", 0, np.int64(0), game.legal[0], game.legal[0].tolist()):
        after = game.play(choice)
        assert after.mover == 1 and after.actions == ("roll", "resign")
        assert after.row.tolist() == game.legal[0].tolist()
    assert after.turns[0].notation == "24/13" and after.turns[0].player == 0
    assert game.row.tolist() == starting_row("long").tolist(), "the game before is unchanged"


def test_illegal_plays_name_the_legal_ones():
    game = Game.begin("long").contest("65")
    for choice in ("24/18", 1, -1, True, game.row, game.row.tolist(), game.legal):
        with pytest.raises(IllegalPlayError, match="24/13"):
            game.play(choice)
    with pytest.raises(NotationError):
        game.play("hello")
    with pytest.raises(InvalidPositionError):
        game.play([1, 2, 3])


def test_out_of_turn():
    game = Game.begin("minsport", starter=0)
    for action in ("play", "take", "drop", "beaver", "accept", "refuse", "contest"):
        arguments = {"play": (0,), "contest": ("65",)}.get(action, ())
        with pytest.raises(
            IllegalActionError, match=f"no {action} now: player 0 may roll or double or resign"
        ):
            getattr(game, action)(*arguments)
    for reading in ("legal", "notations"):
        with pytest.raises(IllegalActionError, match="no play now"):
            getattr(game, reading)
    assert not game.must_pass
    with pytest.raises(IllegalActionError, match="player 0 may play or resign"):
        game.roll("65").double()
    with pytest.raises(InvalidDiceError):
        game.roll("77")


def test_a_forced_pass_is_a_play_of_its_own():
    """minsport l10 "If neither can be played, the turn is lost"."""
    blocked = np.zeros(28, np.int8)
    blocked[23] = 15
    blocked[17:23] = -1
    blocked[0] = -9
    game = at(blocked, mover=1).roll((6, 1))
    assert game.must_pass and game.notations == ("pass",)
    after = game.play("pass")
    assert after.mover == 0 and after.row.tolist() == flip(blocked).tolist()
    assert after == game.play(0)
    assert not Game.begin("long").contest("65").must_pass


def test_dice_come_from_a_hand():
    answers = iter([(2, 2), "41", "3-3"])
    hand = AskedDice(lambda what: next(answers))
    game = Game.begin("nardeon").open(hand).roll(hand)
    assert game.starter == 0 and game.dice == (3, 3)


# ---- results -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "opponent", "kind", "points", "name"),
    [
        ("long", {6: 14}, 1, 1, "oin"),
        ("long", {6: 15}, 2, 2, "mars"),
        ("long", {6: 14, 24: 1}, 2, 2, "mars"),
        ("koks", {6: 14, 24: 1}, 3, 3, "koks"),
        ("koks", {6: 14, 18: 1}, 2, 2, "mars"),
    ],
)
def test_results_of_long_nardy(house, opponent, kind, points, name):
    """F10, F13."""
    game = at(long_end({1: 1}, opponent), HOUSES[house], mover=1).roll("65").play("1/off")
    assert game.result == Result(1, kind, points, "played")
    assert game.result.name(game.rules) == name
    assert game.actions == () and game.actor is None
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.roll("65")


def test_results_of_short_nardy_with_the_cube():
    """F12: a backgammon with the cube at 4 wins 12."""
    row = np.zeros(28, np.int8)
    row[0], row[26] = 1, 14
    row[2], row[11] = -1, -14
    game = replace(at(row, "short"), cube=Cube(4, "mover")).roll("65").play("1/off")
    assert game.result == Result(0, 3, 12) and game.result.name("short") == "backgammon"
    on_bar = row.copy()
    on_bar[2], on_bar[25] = 0, -1
    assert at(on_bar, "short").roll("65").play(0).result.kind == 3
    assert replace(at(row, "minsport"), row=long_end({1: 1}, {6: 15}), cube=Cube(8, "mover")).roll("65").play(
        0
    ).result == Result(0, 2, 16), "F11"


LAST_ROLL = HOUSES["last roll"]


def test_the_second_player_answers_the_starters_last_play():
    """F14: both off is a draw."""
    game = at(long_end({1: 1}, {1: 2}), LAST_ROLL, starter=0, mover=0).roll("65").play(0)
    assert game.result is None and game.mover == 1 and game.actions == ("roll", "resign")
    drawn = game.roll("21").play(0)
    assert drawn.result == Result(None, 0, 0) and drawn.result.name("long") == "draw"


def test_the_answer_counts_for_the_kind_of_the_win():
    game = at(long_end({1: 1}, {2: 15}), LAST_ROLL).roll("65").play(0).roll("65")
    answered = game.play(0)
    assert answered.result == Result(0, 1, 1), "two off in the answer save the mars"
    game = at(long_end({1: 1}, {24: 1, 2: 14}), LAST_ROLL).roll("65").play(0).roll("65").play(0)
    assert game.result == Result(0, 2, 2)


def test_the_second_players_last_play_is_not_answered():
    game = at(long_end({1: 1}, {1: 1}), LAST_ROLL, starter=0, mover=1).roll("65").play(0)
    assert game.result == Result(1, 1, 1)
    game = at(long_end({1: 1}, {1: 1}), "long", starter=0, mover=0).roll("65").play(0)
    assert game.result == Result(0, 1, 1), "nor is the starter's in any text"


def test_nobody_doubles_before_the_last_answer():
    game = at(long_end({1: 1}, {1: 3}), HOUSES["cube"]).roll("65").play(0)
    assert game.actions == ("roll", "resign")


# ---- the cube ----------------------------------------------------------------------------------------------


def test_doubling_before_the_roll():
    """short l28-30."""
    game = Game.begin("short").contest("31").play("8/5 6/5")
    assert game.actions == ("roll", "double", "resign")
    offered = game.double()
    assert offered.actor == 0 and offered.actions == ("take", "drop")
    taken = offered.take()
    assert taken.cube == Cube(2, "opponent") and taken.actor == 1 and taken.actions == ("roll", "resign")
    after = taken.roll("61").play(0)
    assert after.cube == Cube(2, "mover") and after.actions == ("roll", "double", "resign")
    assert after.double().drop().result == Result(0, 1, 2, "dropped")
    assert offered.drop().result == Result(1, 1, 1, "dropped")


def test_the_starter_has_no_double_before_a_kept_opening():
    assert Game.begin("short").contest("31").actions == ("play", "resign")
    assert Game.begin(HOUSES["plain"]).contest("31").actions == ("roll", "double", "resign")


@pytest.mark.parametrize("name", ["long", "bkgm", "nardeon"])
def test_no_cube_where_the_text_has_none(name):
    """nardeon l55 and long l77 "There is no cube"; bkgm is silent."""
    game = Game.begin(name, starter=0)
    assert "double" not in game.actions
    with pytest.raises(IllegalActionError, match="may roll or resign"):
        game.double()


def test_nobody_doubles_in_the_crawford_game():
    """F11; minsport l19."""
    crawford = Game.begin("minsport", starter=0, score=Score((4, 2), 5, crawford=True))
    assert crawford.actions == ("roll", "resign")
    assert "double" in Game.begin("minsport", starter=1, score=Score((4, 2), 5)).actions


def test_beavers():
    game = Game.begin("short", money=MoneyOptions(beavers=True), starter=0)
    beavered = game.double().beaver()
    assert beavered.actor == 0 and beavered.actions == ("take", "drop")
    assert beavered.drop().result == Result(1, 1, 2, "dropped")
    taken = beavered.take()
    assert taken.cube == Cube(4, "opponent") and taken.actor == 0
    with pytest.raises(IllegalActionError, match="take or drop"):
        Game.begin("short", starter=0).double().beaver()


def test_automatic_doubles():
    game = (
        Game.begin("short", money=MoneyOptions(automatic_doubles=2)).contest("11").contest("22").contest("33")
    )
    assert game.cube == Cube(4, None), "two ties double, the third does not"
    assert game.contest("31").cube.owner is None
    assert Game.begin("short").contest("11").cube == Cube()


def test_jacoby():
    row = long_end({1: 1}, {6: 15})
    centred = at(row, "minsport", money=MoneyOptions(jacoby=True)).roll("65").play(0)
    assert centred.result == Result(0, 2, 1)
    turned = replace(at(row, "minsport", money=MoneyOptions(jacoby=True)), cube=Cube(2, "opponent"))
    assert turned.roll("65").play(0).result == Result(0, 2, 4)


# ---- resigning ---------------------------------------------------------------------------------------------


def test_resigning():
    game = Game.begin("short", starter=0)
    offer = game.resign(2)
    assert offer.actor == 1 and offer.actions == ("accept", "refuse")
    assert offer.accept().result == Result(1, 2, 2, "resigned")
    refused = offer.refuse()
    assert refused.actor == 0 and refused.actions == game.actions
    rolled = refused.roll("43").resign()
    assert rolled.refuse().legal.tolist() == rolled.refuse().legal.tolist()
    assert rolled.accept().result == Result(1, 1, 1, "resigned")
    assert replace(game, cube=Cube(4, "mover")).resign(3).accept().result.points == 12


@pytest.mark.parametrize(("name", "most"), [("long", 2), ("short", 3), ("koks", 3)])
def test_values_that_can_be_resigned(name, most):
    game = Game.begin(HOUSES[name], starter=0)
    for kind in range(1, most + 1):
        assert game.resign(kind).resigned == kind
    for kind in (0, most + 1, True, "2"):
        with pytest.raises(InvalidArgumentError, match="use one of 1 "):
            game.resign(kind)


# ---- what cannot begin -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "begin",
    [
        {"starter": 2},
        {"starter": True},
        {"starter": 1.0},
        {"score": Score((5, 2), 5)},
        {"score": Score(length=5), "money": MoneyOptions(jacoby=True)},
        {"rules": "long", "money": MoneyOptions(beavers=True)},
    ],
)
def test_games_that_cannot_begin(begin):
    with pytest.raises(InvalidArgumentError):
        Game.begin(**{"rules": "short", **begin})

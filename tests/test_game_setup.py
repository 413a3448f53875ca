"""`Game.setup`: where a game stands as a `Setup`, and so as an ID."""

from __future__ import annotations

import pytest

import narde
from narde.cube import MoneyOptions
from narde.game import Game
from narde.ids import Setup
from narde.match import Match
from playing import HOUSES, random_match


def states(match: Match) -> list[Game]:
    """Every moment of every game."""
    found = []
    for game in match.games:
        state = Game.begin(game.rules, score=game.score, money=game.money, starter=game.first_starter)
        for event in game.events:
            state = state.replay([event])
            found.append(state)
    return found


@pytest.mark.parametrize("name", HOUSES)
def test_every_moment_of_a_match(name: str) -> None:
    """The ID gives the row, dice, cube and score again, seen by the mover."""
    for game in states(random_match(3, HOUSES[name], seed=4))[::5]:
        setup = narde.parse(game.setup().id())
        mover = game.mover or 0
        assert setup.row == tuple(game.row.tolist())
        assert setup.dice == (None if game.dice is None else tuple(sorted(game.dice, reverse=True)))
        assert (setup.length, setup.crawford) == (3, game.score.crawford)
        assert setup.score == (game.score.points[mover], game.score.points[1 - mover])
        assert (setup.cube_value, setup.cube_owner) == (game.cube.value, game.cube.owner)
        assert (setup.offer, setup.resign) == (game.cube.offer, game.resigned or 0)
        assert game.setup().player == mover + 1


def test_before_anybody_has_thrown() -> None:
    start = Game.begin("long").setup()
    assert start == Setup(narde.starting_row("long"), "long")
    assert start.id() == "nal22225zzw22225zzw7"


def test_offers_and_options_of_a_money_game() -> None:
    money = MoneyOptions(jacoby=True, beavers=True)
    game = Match.begin(None, "short", money=money).start_game().contest("31").play("8/5 6/5").game
    assert game is not None
    told = {"jacoby": True, "beavers": True, "player": 2}
    row = game.row
    assert game.setup() == Setup(row, "short", **told)
    assert game.double().setup() == Setup(row, "short", offer="double", **told)
    assert game.double().beaver().setup() == Setup(row, "short", offer="beaver", **told)
    beavered = game.double().beaver().take()
    assert beavered.setup() == Setup(row, "short", cube_value=4, cube_owner="opponent", **told)
    assert game.resign(2).setup().resign == 2


def test_a_cube_beyond_what_an_id_holds() -> None:
    game = Game.begin("short", starter=0)
    for _ in range(31):
        game = game.double().take().roll("21").play(0).roll("21").play(0)
        game = game if "double" in game.actions else game.roll("21").play(0)
    with pytest.raises(narde.InvalidArgumentError, match="cube_value=2147483648"):
        game.setup()

"""Where a game stands, for others: as a `Setup` and so as an ID, as a board, as a line."""

from __future__ import annotations

from dataclasses import replace

import pytest

import narde
from narde import draw
from narde.cube import MoneyOptions
from narde.game import Game, Result
from narde.ids import Setup
from narde.match import Match
from pictures import read_svg
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


# ---- what is shown -----------------------------------------------------------------------------------------


def test_a_game_is_shown_from_the_side_of_player_0() -> None:
    """His are the light checkers, the numbers are the mover's, whoever is on roll."""
    game = Game.begin("short").contest("13").play("8/5 6/5").double()
    assert game.mover == 0
    shown = game.text(("Anna", "Boris"), colour=False, ascii=False, width=80)
    assert shown == draw.text(
        game.row,
        "short",
        title="0-0, money",
        cube=game.cube,
        names=("Anna", "Boris"),
        mover="light",
        bottom="light",
        colour=False,
        ascii=False,
        width=80,
    )
    turned = game.take().roll("65").text(("Anna", "Boris"), title="T", colour=False, width=80)
    assert turned.splitlines()[0] == "T" and turned.splitlines()[-1].startswith("○ Anna")
    other = game.take().roll("65").play(0)
    assert str(other).splitlines()[1] == "● player 1 · 163 pips · cube 2 · on roll"
    assert "\x1b" not in str(other)
    assert read_svg(other.svg(), draw.theme_of("wood").dark) == other.row.tolist()
    assert other._repr_svg_() == other.svg()


@pytest.mark.parametrize("names", [None, 5, "AB", ("Anna",), {"a": 1}])
def test_names_that_are_not_two(names: object) -> None:
    with pytest.raises(narde.InvalidArgumentError, match="name player 0 and player 1"):
        Game.begin("long").text(names)


def test_games_matches_and_records_are_a_line_in_the_interpreter() -> None:
    game = Game.begin("long")
    assert repr(game) == "<narde.Game 'long', 0-0, money, 0 turns: both players may contest>"
    over = game.contest("65").play(0).resign(2).accept()
    assert repr(over) == "<narde.Game 'long', 0-0, money, 1 turn: player 0 has won 2, mars>"
    match = Match.begin(1, "short", players=("Anna", "Boris"))
    assert repr(match) == "<narde.Match 'short', Anna - Boris, 0-0 to 1, 0 games: start_game>"
    assert (str(match), match._repr_svg_()) == ("Anna - Boris: 0-0 to 1", None)
    match = match.start_game().contest("31")
    assert str(match).startswith("Anna - Boris: 0-0 to 1\n● Boris") and "<svg" in match._repr_svg_()
    won = match.resign().accept()
    assert repr(won) == "<narde.Match 'short', Anna - Boris, 0-1 to 1, 1 game: Boris has won>"
    record = narde.MatchRecord.of_match(won)
    assert repr(record) == "<narde.MatchRecord 'short', Anna - Boris, match to 1, games: 1, turns: 1>"


def test_a_drawn_game_in_a_line() -> None:
    game = Game.begin("short", starter=0)
    drawn = replace(game, result=Result(None, 0, 0, "played"))
    assert repr(drawn).endswith(": a draw>")

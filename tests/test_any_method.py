"""The grid of bad values again, for methods and for functions that others of the package call."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from narde import draw, met, players, stats, streams
from narde.dice import AskedDice, SeededDice
from narde.evaluators import Lookahead, OnnxEvaluator, race
from narde.game import Result
from narde.records import GameRecord, MatchRecord, Turn
from narde.scoring import last_roll_due
from spoiling import Call, assert_answered_or_refused, call, each_of

LONG, SHORT = narde.starting_row("long"), narde.starting_row("short")
START = narde.Position.start("long")
RULES = narde.rules("long")
ROWS, DICE = np.stack([LONG, LONG]), np.array([[2, 1], [3, 3]], np.int8)
WORDS = streams.words(1, streams.CHOICES, [0, 1], [0, 0])
AFTER = narde.afterstates(LONG, (2, 1))
TABLE = met.published_met()
BEGUN = narde.Game.begin("short")
OPENED = BEGUN.contest((2, 1))
PLAYED = OPENED.play(0)
MATCH = narde.Match.begin(3, "short")
TURN = MATCH.start_game().contest((2, 1))
SHARES: dict[str, Any] = {"mars": 0.1, "opponent_mars": 0.1, "cube_life": 0.5, "post_crawford": False}
TEXT: dict[str, Any] = {"names": ("a", "b"), "mover": "light", "bottom": "mover", "numbers": "mover"}


def asked(ask: Any) -> tuple[int, int]:
    return AskedDice(ask).roll()


def of_player(player: narde.players.Player) -> list[Call]:
    """All that a player is asked for."""
    calls = [call(player.choose, ROWS, DICE, RULES, WORDS), call(player.weigh, ROWS, DICE, RULES, WORDS)]
    return [*calls, call(player.values_of, ROWS, RULES), call(player.check_rules, RULES)]


CALLS: list[Call] = [
    call(streams.dice_of, WORDS, False),
    call(streams.dice_of, WORDS, [True, False]),
    call(streams.below, WORDS, [3, 4]),
    call(streams.shares, WORDS),
    call(streams.threshold_of, 0.5),
    call(last_roll_due, LONG, "long", True),
    call(last_roll_due, ROWS, "long", [True, False]),
    *of_player(narde.player("random")),
    *of_player(narde.player("pips")),
    *of_player(players.GreedyPlayer(narde.evaluators.default("long"), "net", 0, 0.0, 0.5)),
    *of_player(players.BearoffPlayer(narde.player("pips"))),
    call(narde.Game.from_json, PLAYED.to_json()),
    call(narde.Match.from_json, TURN.to_json()),
    call(BEGUN.replay, []),
    call(MATCH.replay, [[]]),
    call(BEGUN.contest, (2, 1)),
    call(BEGUN.open, SeededDice(1)),
    call(PLAYED.roll, (2, 1)),
    call(OPENED.play, 0),
    call(PLAYED.resign, 1),
    call(PLAYED.text, ("a", "b"), title=""),
    call(PLAYED.svg, ("a", "b")),
    call(MATCH.start_game, SeededDice(1)),
    call(TURN.play, 0),
    call(MatchRecord.of_match, TURN, event=""),
    call(MatchRecord.of_game, PLAYED, event=""),
    call(MatchRecord.from_json, MatchRecord.of_match(TURN).to_json()),
    call(GameRecord, contests=(), turns=(), result=None, date="", comment=""),
    call(Turn, 0, before=(), dice=(2, 1), after=(), play="pass", comment=""),
    call(Result(0, 1, 1, "played").name, "long"),
    call(narde.Cube().actions, beavers=False),
    call(narde.Cube().is_dead, (2, 3)),
    call(narde.Cube().points, 1, "short", jacoby=False),
    call(narde.Score((0, 0), 5).seen_by, 1),
    call(narde.Score((0, 0), 5).after, 0, 1, crawford=True),
    call(narde.Network.from_floats, "long", np.zeros((196, 1)), np.zeros(1), np.zeros((1, 5)), np.zeros(5)),
    call(START.plays((2, 1)).index, 0),
    call(START.plays((2, 1)).__contains__, 0),
    call(START.plays, 2, 1),
    call(START.play, 0, (2, 1)),
    call(START.id, "narde", cube_value=1),
    call(START.text, **TEXT, colour=None, ascii=None, width=None, stream=None),
    call(START.svg, **TEXT, theme="wood", moves=[(24, 22)]),
    call(draw.png, LONG, "long", width=40, fonts=()),
    call(narde.Setup, LONG, "short", max_cube=1, length=3, score=(0, 0), crawford=False, resign=0, player=1),
    call(narde.Setup(LONG, "long").id, "narde"),
    call(TABLE.equity, 1, 2, post_crawford=False, starts=None),
    call(TABLE.equity_at, narde.Score((0, 0), 5), 0, starts=None),
    call(TABLE.after, 2, 3, post_crawford=False),
    call(TABLE.take_point, 2, 3, 1, **SHARES),
    call(TABLE.cash_point, 2, 3, 1, **SHARES),
    call(TABLE.mars_value, 2, 3, 1, post_crawford=False),
    call(TABLE.money_equity, 0.5, 2, 3, 1, post_crawford=False),
    call(met.MatchEquityTable, TABLE.equities, TABLE.post_crawford, "", "", None, None),
    call(stats.Estimate(1.0, 0.0, 2.0).scaled, 2.0),
    call(asked, lambda _: "21"),
    call(SeededDice(1).new_game, 0),
    call(OnnxEvaluator.load, "nowhere.onnx", threads=1),
    call(Lookahead, race("long"), "long"),
]


@each_of(CALLS)
def test_a_bad_argument_is_answered_or_refused(
    entry: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_answered_or_refused(entry)


@pytest.mark.parametrize("wrong", [2, -1, True, 0.5, "0"])
def test_a_score_is_seen_by_one_of_two(wrong: Any) -> None:
    """All of them stood for player 1."""
    with pytest.raises(narde.InvalidArgumentError, match=r"player is .+: use 0 or 1"):
        narde.Score((1, 2)).seen_by(wrong)


@pytest.mark.parametrize("wrong", [4, -1, True, 0.5, "1"])
def test_no_points_of_a_kind_that_is_none(wrong: Any) -> None:
    """-1 stood for a backgammon."""
    with pytest.raises(narde.InvalidArgumentError, match=r"kind=.+, jacoby=False: use a whole number from 0"):
        narde.Cube().points(wrong, "short")


def test_no_money_equity_where_nothing_is_at_stake() -> None:
    table = met.MatchEquityTable(np.full((3, 3), 0.5), np.full(3, 0.5))
    with pytest.raises(narde.InvalidArgumentError, match="at 3-away, 2-away a win is worth no more"):
        table.money_equity(0.5, 3, 2)


@pytest.mark.parametrize("name", ["random", "pips", "greedy"])
def test_a_player_wants_as_many_rows_dice_and_words(name: str) -> None:
    player = narde.player(name).under(RULES)
    assert player.choose(ROWS, DICE, RULES, WORDS).shape == (2, 28)
    for rows, dice, words in [(ROWS[:1], DICE, WORDS), (ROWS, DICE[:1], WORDS), (ROWS, DICE, WORDS[:1])]:
        with pytest.raises(narde.InvalidArgumentError, match="a player chooses for arrays of rows"):
            player.choose(rows, dice, RULES, words)

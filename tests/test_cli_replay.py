"""`narde replay`: records shown whole and stepped through."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from narde.draw import text
from narde.game import Game
from narde.match import Match
from narde.records import GameRecord, MatchRecord, Turn, encode_record, write_record
from narde.rules import rules
from narde.terminal.console import Console
from narde.terminal.recorded import pictures_of
from narde.terminal.stepper import Stepper
from playing import HOUSES, random_match
from shell import Shell
from talking import spoken, table_of


def short_match() -> Match:
    """Two games of a match to 3: a double dropped, then a gammon resigned at 2."""
    match = Match.begin(3, "short", players=("Anna", "Boris")).start_game().contest("31").play("8/5 6/5")
    match = match.double().drop().start_game().contest("44").contest("62").play("24/18 13/11")
    match = match.double().take().roll("55").play("13/3(2)").roll("21").resign(2).refuse()
    return match.play("13/11 6/5").roll("66").resign(2).accept()


WORDS = """\
players: Anna - Boris, match to 3, rules short
event: Café
date: 2026-05-01
first remark
second remark

Game 1, 0-0 to 3
  1  Anna throws 3, Boris 1: Anna starts
  1  Anna plays 3-1: 8/5 6/5
  2  Boris doubles to 2
  2  Anna drops
  2  Boris wins 1 point: by a drop
  2  Match to 3: Boris leads Anna 1-0

Game 2, 0-1 to 3
  1  Anna throws 4, Boris 4: a tie
  1  Anna throws 6, Boris 2: Anna starts
  1  Anna plays 6-2: 24/18 13/11
  2  Boris doubles to 2
  2  Anna takes
  2  Boris plays 5-5: 13/3(2)
  3  Anna offers to lose a gammon
  3  Boris refuses
  3  Anna plays 2-1: 13/11 6/5
  4  Boris offers to lose a gammon
  4  Anna accepts
  4  Anna wins 4 points: gammon, resigned, cube at 2
  4  Anna wins the match to 3 by 3-1
"""


@pytest.fixture
def record(shell: Shell) -> MatchRecord:
    """The record of `short_match`, in short.narde."""
    facts = {"event": "Café", "date": "2026-05-01", "comment": "first remark\nsecond remark"}
    record = MatchRecord.of_match(short_match(), **facts)
    write_record(record, "short.narde")
    return record


def test_a_record_in_words(shell: Shell, record: MatchRecord) -> None:
    assert shell("replay", "short.narde", "--no-boards") == (0, WORDS, "")
    assert shell("replay", "short.narde", "--no-boards", "--game", "2").out == "\n".join(
        [*WORDS.splitlines()[:5], "", *WORDS.splitlines()[14:], ""]
    )


def test_a_record_with_its_boards(shell: Shell, record: MatchRecord) -> None:
    out = shell("replay", "short.narde").out
    assert "\x1b" not in out and out == shell("replay", "short.narde", "--all", "--no-color").out
    pictures = out.split("\n\n")[1:]
    assert len(pictures) == len(list(pictures_of(record))) == 14
    first = short_match().games[0]
    board = text(
        Game.begin("short").row,
        "short",
        title="Game 1, turn 1, 0-0 to 3",
        dice=(3, 1),
        cube=1,
        names=("Anna", "Boris"),
        bottom="light",
        colour=False,
        width=80,
    )
    assert pictures[0] == f"{board}\nAnna throws 3, Boris 1: Anna starts\nAnna plays 3-1: 8/5 6/5"
    assert pictures[3].endswith("Boris wins 1 point: by a drop\nMatch to 3: Boris leads Anna 1-0")
    assert first.result is not None and "● Boris · 167 pips · on roll" in pictures[1]


@pytest.mark.parametrize("name", HOUSES)
def test_every_turn_of_a_match_is_told_once(name: str) -> None:
    """Each play of random matches stands in one picture, above it the row before it."""
    match = random_match(1 if name == "nardeon" else 2, HOUSES[name], seed=4)
    pictures = list(pictures_of(MatchRecord.of_match(match)))
    for number, game in enumerate(match.games, 1):
        told = [p for p in pictures if p.number == number and any(_is_play(line) for line in p.lines)]
        assert [p.game.row.tolist() for p in told] == [turn.row.tolist() for turn in game.turns]
        assert [p.turn for p in told] == list(range(1, len(game.turns) + 1))
        for picture, turn in zip(told, game.turns, strict=True):
            assert turn.notation == "pass" or any(
                line.endswith(f": {turn.notation}") for line in picture.lines
            )


def _is_play(line: str) -> bool:
    return " plays " in line or line.endswith(": no legal play")


def test_comments_are_shown_where_they_belong(shell: Shell) -> None:
    turns = (
        Turn(0, dice=(6, 5), play="24/13", comment="forced\nalways"),
        Turn(1, dice=(3, 3), play="24/18(2)", comment="\u202eodd"),
    )
    game = GameRecord(((6, 5),), turns, comment="a short game")
    write_record(MatchRecord(rules=rules("long"), games=(game,)), "commented.narde")
    lines = shell("replay", "commented.narde", "--no-boards").out.splitlines()
    assert lines[3:] == [
        "  1  a short game",
        "  1  player 0 throws 6, player 1 5: player 0 starts",
        "  1  player 0 plays 6-5: 24/13",
        "  1  forced",
        "  1  always",
        "  2  player 1 plays 3-3: 24/18(2)",
        "  2  odd",
        "  2  The game is not over here",
    ]


def test_json(shell: Shell, record: MatchRecord) -> None:
    data = shell("replay", "short.narde", "--json").data
    assert MatchRecord.from_json(data["record"]) == record and data["fault"] is None
    steps = list(record.steps())
    assert [step["position"] for step in data["steps"]] == [step.before.setup().id() for step in steps]
    assert data["steps"][1] == {
        "game": 1,
        "turn": 1,
        "player": 0,
        "action": "play",
        "text": "8/5 6/5",
        "position": steps[1].before.setup().id(),
        "comment": "",
    }


def test_a_match_kept_by_play(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("31\n8/5 6/5\n66\n1\nq\n"))
    shell("play", "person", "--variant", "short", "--dice", "hand", "--names", "Anna", "Boris")
    out = shell("replay", "narde-play.json", "--no-boards").out
    assert "  1  Anna plays 3-1: 8/5 6/5\n" in out and out.endswith("  2  The game is not over here\n")
    values = json.loads(Path("narde-play.json").read_text())
    Path("bad.json").write_text(json.dumps(values | {"seed": -1}))
    assert shell("replay", "bad.json").err.startswith("narde: error: bad.json: seed=-1")


def test_the_record_that_play_writes(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "31\n8/5 6/5\nresign\naccept\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    words = ("play", "person", "--variant", "short", "--dice", "hand", "--length", "1", "--names", "A", "B")
    assert shell(*words, "--record", "match.mat", "--no-save").code == 0
    assert "  1  A plays 3-1: 8/5 6/5\n" in shell("replay", "match.mat", "--no-boards").out
    assert "--record match.mat: it exists" in shell(*words, "--record", "match.mat").err
    refused = shell("play", "--record", "long.mat")
    assert refused.code == 2 and "short nardy" in refused.err and not Path("long.mat").exists()


# ---- where a record goes wrong -----------------------------------------------------------------------------


def test_a_faulty_record_is_shown_as_far_as_it_is_sound(shell: Shell, record: MatchRecord) -> None:
    Path("bad.narde").write_bytes(encode_record(record).replace(b"13/3(2)", b"13/4(2)"))
    result = shell("replay", "bad.narde", "--no-boards")
    assert result.code == 2
    assert result.err.startswith("narde: error: bad.narde: line ") and "'13/4(2)' is illegal" in result.err
    sound = WORDS.splitlines()
    *before, last = result.out.splitlines()
    assert before[-4:] == [*sound[-11:-8], "  2  The game is not over here"]
    assert last.startswith(
        "  2  Here the record goes wrong: bad.narde: line 20, game 2, turn 2: '13/4(2)' is"
    )
    data = json.loads(shell("replay", "bad.narde", "--json").out)
    assert "'13/4(2)' is illegal" in data["fault"] and data["steps"][-1]["action"] in ("take", "roll")


@pytest.mark.parametrize(
    ("words", "reason", "code"),
    [
        ([], "the following arguments are required: FILE", 2),
        (["none.narde"], "cannot read none.narde: No such file", 1),
        (["none.json"], "cannot read none.json: No such file", 1),
        (["none"], "cannot read none: No such file", 1),
        (["noise.xyz"], "no form of records ends in '.xyz'", 2),
        (["short.narde", "--from", "chess"], "no form of records 'chess'", 2),
        (["-"], "standard input: name the form of the record", 2),
        (["short.narde", "--game", "3"], "no game '3': the record has the games 1 to 2", 2),
        (["empty.narde"], "empty.narde: the record has no turns", 2),
        (["noise.json"], "noise.json is no JSON", 2),
    ],
)
def test_what_cannot_be_shown(
    shell: Shell, record: MatchRecord, words: list[str], reason: str, code: int
) -> None:
    write_record(replace(record, games=()), "empty.narde")
    for noise in ("noise.json", "noise.xyz"):
        Path(noise).write_text("{")
    result = shell("replay", *words)
    assert result.code == code and reason in result.err
    assert result.err.startswith("narde: error: ") and result.err.count("\n") == 1


# ---- step by step ------------------------------------------------------------------------------------------


def stepped(record: MatchRecord, *typed: str, game: int | None = None) -> list[str]:
    """What is shown before and after each line typed."""
    out = io.StringIO()
    console = Console(stdin=io.StringIO("".join(f"{line}\n" for line in typed)), stdout=out)
    Stepper(list(pictures_of(record)), record.players, console).run(game)
    return out.getvalue().split("q> ")


def test_forward_back_and_to_any_place(record: MatchRecord) -> None:
    shown = stepped(record, "", "n", "p", "g 2", "3", "last", "first", "p", "last", "n", "q")
    titles = [next((line for line in part.splitlines() if line.startswith("Game ")), "") for part in shown]
    assert titles == [
        "Game 1, turn 1, 0-0 to 3",
        "Game 1, turn 2, 0-0 to 3",
        "Game 1, turn 2, 0-0 to 3",
        "Game 1, turn 2, 0-0 to 3",
        "Game 2, turn 1, 0-1 to 3",
        "Game 2, turn 3, 0-1 to 3",
        "Game 2, turn 4, 0-1 to 3",
        "Game 1, turn 1, 0-0 to 3",
        "",
        "Game 2, turn 4, 0-1 to 3",
        "",
        "",
    ]
    assert "Boris doubles to 2" in shown[1] and "Anna drops" in shown[2] and "Boris doubles" in shown[3]
    assert "this is the beginning of the record" in shown[8] and "this is the end of the record" in shown[10]


def test_it_begins_at_a_game_and_ends_with_the_input(record: MatchRecord) -> None:
    shown = stepped(record, "?", "id", "9", "g 7", "g", "what", game=2)
    assert shown[0].startswith("\nGame 2, turn 1") and "5 of 14: n, p, turn, g game, ? or " in shown[0]
    assert "  g 2          game 2" in shown[1]
    assert shown[2].splitlines()[1] == list(pictures_of(record))[4].game.setup().id()
    assert "no turn 9: game 2 has the turns 1 to 4" in shown[3]
    assert "no game '7': the record has the games 1 to 2" in shown[4] and "no game ''" in shown[5]
    assert "'what' is no place: n, p, the number of a turn, g 2, ? or q" in shown[6]


def test_a_picture_of_a_session_shows_what_the_session_showed(record: MatchRecord) -> None:
    """The board above a prompt of `narde play` is that of the record's picture, but for its title."""
    _, played = spoken(table_of("short", dice="hand"), "31", "q")
    board = stepped(record, "q")[0].splitlines()[2:18]
    assert "\n".join(board[:15]) in played

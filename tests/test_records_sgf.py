"""`.sgf` files in and out; that in tests/data/sgf is in the manner of GNU Backgammon, with its analysis."""

from __future__ import annotations

from dataclasses import replace

import pytest

import narde
from narde import RecordError
from narde.cube import MoneyOptions, Score
from narde.errors import InvalidArgumentError
from narde.game import Result
from narde.records import MatchRecord, Turn, decode_record, encode_record
from playing import HOUSES
from recorded import DATA, FACTS, played, with_comments, without_refusals

FOLDER = DATA.parent / "sgf"

ROOT = "(;GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"
ONE = f"{ROOT}\n;W[31hefe]\n;B[61lrqr]\n;W[double]\n;B[take]\n;W[66]\n)"
"""6-6 is no pass: 13/7 is open. To be changed."""


def test_a_file_in_the_manner_of_gnu_backgammon():
    assert narde.read_record(FOLDER / "gnubg.sgf") == narde.read_record(FOLDER / "gnubg.narde")


@pytest.mark.parametrize(("seed", "length"), [(1, 5), (7, None)])
def test_matches_come_back(seed, length):
    """What the form can hold comes back; of a time the day, of tags those with a property."""
    money = MoneyOptions(beavers=True) if length is None else None
    record = MatchRecord.of_match(played("short", seed, length, money), **FACTS)
    record = with_comments(without_refusals(record))
    again = decode_record(encode_record(record, "sgf"), "sgf")
    kept = {"date": "2026-05-01", "tags": (("WR", "1800"),), "comment": "The first line;\n\nan indented one."}
    if again.money != record.money:
        kept["money"] = again.money
        assert "beaver" not in str(record)
    expected = replace(record, **kept)
    dates = [replace(game, date="" if game.date == "2026-05-01" else game.date) for game in expected.games]
    assert again == replace(expected, games=tuple(dates))
    text = encode_record(again, "sgf")
    assert encode_record(decode_record(text, "sgf"), "sgf") == text


def test_automatic_doubles_and_beavers():
    """The file tells that a contest was tied, not with which dice: 1-1 stands for it."""
    money = MoneyOptions(jacoby=True, beavers=True, automatic_doubles=1)
    game = narde.Game.begin("short", money=money).contest("44").contest("31").play("8/5 6/5")
    game = game.double().beaver().take().roll("61")
    record = MatchRecord.of_game(game, players=("Ann", "Bob"))
    text = encode_record(record, "sgf").decode()
    assert "CV[2]" in text and ";B[double]\n;W[double]\n;B[take]\n;PL[B]DI[61]" in text
    again = decode_record(text, "sgf")
    assert again.money == money
    assert again.games == (replace(record.games[0], contests=((1, 1), (3, 1))),)
    untold = decode_record(text.replace(";B[take]\n", ""), "sgf")
    assert untold.games[0].turns[1].before == ("double", "beaver", "take")


ENDS = {
    "RE[W+2R]": (0, 1, 2),
    "RE[W+4R]": (0, 2, 4),
    "RE[W+5]": (0, 3, 6),
    "RE[B+2R]": (1, 1, 2),
}


@pytest.mark.parametrize("end", ENDS)
def test_games_that_were_given_up(end):
    winner, kind, points = ENDS[end]
    text = ONE.replace("RU[", end + "RU[").replace(";W[66]", ";W[66mgmgmgmg]")
    record = decode_record(text, "sgf")
    assert record.games[0].result == Result(winner, kind, points, "resigned")
    assert decode_record(encode_record(record, "sgf"), "sgf").games == record.games


def test_a_roll_alone_and_a_roll_told_twice():
    text = ONE.replace(";W[66]", ";PL[W]DI[66]")
    assert decode_record(text, "sgf").games[0].turns[-1] == Turn(0, ("double", "take"), (6, 6))
    twice = ONE.replace(";W[66]", ";PL[W]DI[66]\n;W[66mgmgmgmg]")
    assert decode_record(twice, "sgf").games[0].turns[-1].play == "13/7(4)"


FAULTS = {
    "illegal play": (ONE, 6, 3, "a pass is allowed only when no die can be played"),
    "wrong player": (ONE.replace(";B[61", ";W[61"), 3, 2, "'Bob' is on roll"),
    "no move": (ONE.replace("66", "6"), 6, 3, "'6' is no move"),
    "take of nothing": (ONE.replace("double", "take"), 4, 3, "may roll or double or resign"),
    "take by the doubler": (ONE.replace(";B[take]", ";W[take]"), 5, 3, "take by 'Ann'"),
    "set up": (ONE.replace(";W[66]", ";AE[a:y]AW[f]"), 6, 3, "AW sets up a position"),
    "cube set": (ONE.replace(";W[66]", ";CV[4]"), 6, 3, "CV sets up"),
    "another game": (ONE.replace("GM[6]", "GM[1]"), 1, None, "backgammon is GM[6]"),
    "broken off": (ONE.split(";W[66]")[0], 6, 3, "closing parenthesis is missing"),
    "bracket": (ONE.replace("66]", "66"), 6, 3, "no closing bracket"),
    "junk": (ONE.replace(";W[66]", "!"), 6, 3, "'!\\n)' is no part of a game tree"),
    "no tree": ("hello", 1, None, "begins with an opening parenthesis"),
    "no start": (ONE.replace("ws:0", "ws:9"), 1, None, "over before it begins"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_by_their_place(name):
    text, line, turn, says = FAULTS[name]
    with pytest.raises(RecordError) as caught:
        decode_record(text, "sgf")
    fault = caught.value
    assert says in str(fault)
    assert (fault.line, fault.turn) == (line, turn)
    if turn is not None:
        told = [turn.play for turn in fault.record.games[0].turns if turn.play]
        assert told == ["8/5 6/5", "13/7 8/7"][: turn - 1]
        assert decode_record(encode_record(fault.record)) == fault.record


def test_scores_and_results_must_be_those_of_the_rules():
    one = f"{ROOT}RE[B+1R];W[31hefe];B[61lrqr])"
    second = ROOT.replace("bs:0", "bs:1") + ")"
    assert len(decode_record(one + second, "sgf").games) == 2
    with pytest.raises(RecordError, match=r"game 2, turn 1: the score is \(0, 0\), says the file"):
        decode_record(f"{one}{ROOT})", "sgf")
    with pytest.raises(RecordError, match="no result, and another game begins"):
        decode_record(f"{ROOT}){ROOT})", "sgf")
    with pytest.raises(RecordError, match=r"7 points for a game that was given up"):
        decode_record(one.replace("B+1R", "B+7R"), "sgf")


def test_heads():
    record = decode_record("(;GM[6]PW[A]PB[B]RU[NoCube])", "sgf")
    assert record.length is None and not record.rules.cube
    text = "(;GM[6]MI[length:5][ws:4][bs:1]PW[A]PB[B]RU[Crawford:CrawfordGame])"
    assert decode_record(text, "sgf").start == Score((4, 1), 5, crawford=True)
    assert decode_record(encode_record(decode_record(text, "sgf"), "sgf"), "sgf") == decode_record(
        text, "sgf"
    )


def test_what_the_form_cannot_hold_is_refused():
    for house in HOUSES:
        if house != "short":
            with pytest.raises(InvalidArgumentError, match=r"write a \.narde file"):
                encode_record(MatchRecord(rules=HOUSES[house]), "sgf")

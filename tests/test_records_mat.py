"""`.mat` files in and out, in the manners of several programs: tests/data/mat has small ones of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

import narde
from narde import RecordError
from narde.cube import MoneyOptions, Score
from narde.errors import InvalidArgumentError
from narde.records import MatchRecord, decode_record, encode_record
from playing import HOUSES
from recorded import DATA, FACTS, played, with_comments, without_refusals

FILES = sorted((DATA.parent / "mat").glob("*.mat"))

ONE = """; [Event "Open"]

 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 61: 13/7 8/7
  2) 43: 24/20 13/10             51: 24/23 6/1*
  3) 61: bar/24* 13/7            Doubles => 2
  4)  Takes                      64: bar/21 13/7
"""
"""A game in progress, to be changed."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_in_the_manner_of_other_programs(path):
    """gnubg: a move a die, 25 and 0. xg: CRLF, Bar, Off, Cannot Move, no last line feed. site: points up to
    what is needed, wide columns. studio: tabs, Windows-1252, a box, hidden plays. money: Jacoby rule and
    beavers that no tag tells of."""
    assert narde.read_record(path) == narde.read_record(path.with_suffix(".narde"))


def test_there_are_files():
    assert {path.stem for path in FILES} == {"gnubg", "xg", "site", "studio", "money"}


@pytest.mark.parametrize(("seed", "length"), [(1, 5), (7, None)])
def test_matches_come_back(seed, length):
    """What the form can hold comes back: facts, dice, plays, cube, results, rows, scores."""
    money = MoneyOptions(beavers=True) if length is None else None
    record = MatchRecord.of_match(played("short", seed, length, money), **FACTS)
    again = decode_record(encode_record(record, "mat"), "mat")
    assert again == replace(without_refusals(record), comment=again.comment)
    assert again.comment.split() == record.comment.split()
    assert encode_record(decode_record(encode_record(again, "mat"), "mat"), "mat") == encode_record(
        again, "mat"
    )
    assert [game.result for game in again.to_games()] == [game.result for game in record.games]


def test_comments_come_back():
    record = with_comments(without_refusals(MatchRecord.of_match(played("short", 1, 5))))
    again = decode_record(encode_record(record, "mat"), "mat")
    told = [turn.comment for game in record.games for turn in game.turns]
    assert [turn.comment for game in again.games for turn in game.turns] == told
    assert [game.comment for game in again.games] == [f"game {n + 1}\nmore" for n in range(len(record.games))]


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        ONE.replace("\n", "\r\n"),
        ONE.rstrip("\n"),
        ONE.replace("bar", "25"),
        ONE.replace(" Game 1", "\n\n\nGame 1"),
        f"{ONE}  5)                                   \n",
    ],
)
def test_spellings(text):
    assert decode_record(text, "mat") == decode_record(ONE, "mat")
    assert decode_record(text, "mat").games[0].turns[5].before == ("double", "take")


SAME = {
    "Doubles => 2": ["Doubles ==> 2", "doubles => 2", "Double", "Redoubles => 2"],
    "Takes": ["Accepts", "take"],
    "6/1*": ["6/1"],
    "24/20 13/10": ["24/20* 13/10", "13/10 24/20", "24/20 0/0 13/10"],
    "5 point match": ["5 Point Match", "5 point match  "],
    "Ann : 0 ": ["Ann: 0 "],
    " Game 1": ["Game 1", "  game 1  "],
}


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, some in SAME.items() for new in some])
def test_other_words_for_the_same(old, new):
    assert decode_record(ONE.replace(old, new), "mat") == decode_record(ONE, "mat")


def test_words_for_dropping():
    for word in ("Drops", "Passes", "Rejects"):
        record = decode_record(ONE.replace(" Takes                      64: bar/21 13/7", f" {word}"), "mat")
        assert record.games[0].result == narde.game.Result(1, 1, 1, "dropped")


ENDS = {
    # what stands behind ONE: the turns' last actions, who wins, kind, points
    "                                  Wins 2 points": (("resign 1", "accept"), 1, 1, 2),
    "                                  Wins 4 points": (("resign 2", "accept"), 1, 2, 4),
    "                                  Wins 5 points and the match": (("resign 3", "accept"), 1, 3, 6),
    "  5)                            Wins 2 points": (("resign 1", "accept"), 1, 1, 2),
    "  5) Resigns                     Wins 2 points": (("resign 1", "accept"), 1, 1, 2),
    "  5) 21: ????\n                                  Wins 2 points": (("resign 1", "accept"), 1, 1, 2),
    "  5) 21: \n                                  Wins 2 points": (("resign 1", "accept"), 1, 1, 2),
    "  5) 00: ????\n                                  Wins 2 points": (("resign 1", "accept"), 1, 1, 2),
    "      Wins 2 points": (None, 0, 1, 2),
}


@pytest.mark.parametrize("end", ENDS)
def test_games_that_were_given_up(end):
    """By the player on roll it is a resignation; by the other one it is conceded, and has no action."""
    actions, winner, kind, points = ENDS[end]
    game = decode_record(ONE + end, "mat").games[0]
    assert game.result == narde.game.Result(winner, kind, points, "resigned")
    last = game.turns[-1]
    assert (last.after or last.before) == (actions or ("double", "take"))
    assert ("21:" in end) == (last.dice == (2, 1))
    assert decode_record(encode_record(decode_record(ONE + end, "mat"), "mat"), "mat").games[0] == game


def test_given_up_before_the_first_roll():
    game = decode_record(
        " 3 point match\n Game 1\n A : 0      B : 0\n  1)\n      Wins 1 point\n", "mat"
    ).games[0]
    assert game == narde.records.GameRecord(result=narde.game.Result(0, 1, 1, "resigned"))


FAULTS = {
    "illegal play": ("24/20 13/10", "24/19 13/10", 8, 3, "24/19 is 5 pips"),
    "illegal play marked": ("24/20 13/10", "Illegal play (x)", 8, 3, "legal: "),
    "other die": ("43: 24", "42: 24", 8, 3, "'24/20 13/10' is illegal"),
    "wrong turn": (
        "  2) 43: 24/20 13/10             51",
        "  2)                              51",
        8,
        3,
        "on roll",
    ),
    "opening double": ("31: 8/5 6/5", "33: 8/5 6/3", 7, 1, "the opening roll 3-3 is a double"),
    "wrong cube": ("Doubles => 2", "Doubles => 4", 9, 6, "it would come to 2"),
    "take by the doubler": (
        " Takes                      64: bar/21 13/7",
        "                           Takes",
        10,
        6,
        "take by",
    ),
    "no cell": ("  2) 43:", "  2) rolls 43:", 8, 3, "is no roll, no cube action and no result"),
    "a second game": ("  4)  Takes", " Game 2\n Ann : 0          Bob : 0\n  1)  Takes", 11, 6, "no result"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_by_their_place(name):
    old, new, line, turn, says = FAULTS[name]
    assert old in ONE
    with pytest.raises(RecordError) as caught:
        decode_record(ONE.replace(old, new, 1), "mat")
    fault = caught.value
    assert says in str(fault)
    assert (fault.game, fault.turn, fault.line) == (1, turn, line)
    sound, whole = fault.record.games[0].turns, decode_record(ONE, "mat").games[0].turns
    assert sound[: turn - 1] == whole[: turn - 1]
    assert decode_record(encode_record(fault.record)) == fault.record


HEADS = {
    "": (1, "no game"),
    " 5 point match\n": (2, "no game"),
    " Game 1\n A : 0    B : 0\n": (2, "no match length"),
    " 5 point match\n Game 1\n hello\n": (3, "no line of names and scores"),
    " 5 point match\n Game 1\n A : 7    B : 0\n": (3, "over before it begins"),
}


@pytest.mark.parametrize("text", HEADS)
def test_faults_of_the_head(text):
    line, says = HEADS[text]
    with pytest.raises(RecordError, match=says) as caught:
        decode_record(text, "mat")
    assert caught.value.line == line


def test_scores_and_points_must_be_those_of_the_rules():
    over = (
        ONE
        + "  5) 21: ????\n                                  Wins {} points\n\n Game 2\n Ann : 0   Bob : {}\n"
    )
    assert decode_record(over.format(2, 2), "mat").games[0].result.points == 2
    with pytest.raises(RecordError, match="line 15, game 2, turn 1: the score is 0-3, says the file"):
        decode_record(over.format(2, 3), "mat")
    with pytest.raises(RecordError, match=r"line 12, .*3 points for a game that was given up"):
        decode_record(over.format(3, 3), "mat")
    dropped = (
        ONE.replace(" Takes                      64: bar/21 13/7", " Drops")
        + "                     Wins 2 points\n"
    )
    with pytest.raises(RecordError, match=r"'Bob' wins 2, says the file; by the rules 'Bob' wins 1"):
        decode_record(dropped, "mat")


def test_a_file_that_begins_in_the_middle_of_a_match():
    text = ONE.replace("Ann : 0 ", "Ann : 4 ").split("  3)")[0]
    record = decode_record(text, "mat")
    assert record.start == Score((4, 0), 5, crawford=True)
    assert decode_record(encode_record(record, "mat"), "mat") == record


def test_tags():
    text = '; [Crawford "Off"]\n; [Place "Riga"]\n; [A: b "c "d" e"]\n; remark\n' + ONE
    record = decode_record(text, "mat")
    assert record.rules == replace(narde.rules("short"), crawford=False)
    assert (record.place, record.event, record.comment) == ("Riga", "Open", "remark")
    assert record.tags == (("A  b", 'c "d" e'),)


def test_other_variations_are_refused():
    with pytest.raises(RecordError, match="line 1: variation 'NackGammon': only backgammon is read"):
        decode_record('; [Variation "NackGammon"]\n' + ONE, "mat")


def test_what_the_form_cannot_hold_is_refused():
    for house in HOUSES:
        if house != "short":
            with pytest.raises(InvalidArgumentError, match=r"write a \.narde file"):
                encode_record(MatchRecord(rules=HOUSES[house]), "mat")
    automatic = MoneyOptions(automatic_doubles=1)
    with pytest.raises(InvalidArgumentError, match="automatic doubles"):
        encode_record(MatchRecord(rules=narde.rules("short"), money=automatic), "mat")

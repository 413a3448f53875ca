"""The record as text: whole matches come back byte for byte, with every row, score and cube."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

import narde
import playing
from narde.cube import Score
from narde.dice import SeededDice
from narde.records import FORMS, MatchRecord, decode_record, encode_record
from playing import HOUSES
from recorded import DATA, FACTS, MONEY, played, states, with_comments

VECTORS = sorted(DATA.glob("*.narde"))


LENGTHS = {"minsport": 5, "short": 3, "cube": 3}
"""Points of the matches played; by rules without a cube each game is a long one, and one is enough here."""


@pytest.mark.parametrize("house", HOUSES)
def test_whole_matches_come_back_byte_for_byte(house):
    check_round_trip(played(house, 1, LENGTHS.get(house, 1)))


@pytest.mark.long
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seed", range(10, 20))
def test_long_matches_come_back_byte_for_byte(house, seed):
    check_round_trip(played(house, seed, 7))


def check_round_trip(match):
    """The record gives the same bytes again, and the replay every row, dice, cube, score and result."""
    record = MatchRecord.of_match(match, **FACTS)
    text = encode_record(record)
    again = decode_record(text)
    assert again == record
    assert encode_record(again) == text
    assert again.to_match() == match
    assert states(again.to_games()) == states(match.games)


@pytest.mark.parametrize("house", ["minsport", "short", "cube"])
def test_money_sessions_come_back(house):
    match = played(house, 3, None, MONEY)
    record = MatchRecord.of_match(match)
    again = decode_record(encode_record(record))
    assert again == record and again.money == MONEY and again.length is None
    assert states(again.to_games()) == states(match.games)


@pytest.mark.parametrize("house", ["long", "short", "cube"])
def test_comments_and_dates_come_back(house):
    record = with_comments(MatchRecord.of_match(played(house), **FACTS))
    text = encode_record(record)
    assert decode_record(text) == record
    assert encode_record(decode_record(text)) == text


@pytest.mark.parametrize("house", ["minsport", "cube", "plain"])
def test_a_match_goes_on_where_it_was_saved(house, monkeypatch):
    """At any moment: in a contest, before and behind a roll, while an offer waits."""
    monkeypatch.setattr(playing, "RARE", playing.RARE | {"double": 0.9, "resign": 0.3, "drop": 0.1})
    match = narde.Match.begin(25, HOUSES[house])
    random, dice, saved = Random(5), SeededDice(5), set()
    for _ in range(30):
        again = decode_record(encode_record(MatchRecord.of_match(match))).to_match()
        assert again == match and again.actions == match.actions
        saved.add(match.actions)
        match = playing.random_step(match, random, dice)
    assert len(saved) >= 5


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vectors(path):
    """The text of each vector is the canonical text of the record whose JSON form stands beside it."""
    data = path.read_bytes()
    record = decode_record(data)
    assert json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) == record.to_json()
    assert encode_record(record) == data


def test_there_are_vectors():
    assert {path.stem for path in VECTORS} >= {"long", "minsport", "short-money", "house", "middle"}


def test_the_text_is_read_with_freedom():
    """Windows lines, a mark of byte order, blank lines, spaces, and the opening left out where it is told."""
    text = encode_record(MatchRecord.of_match(played("long"))).decode()
    free = "\ufeff" + text.replace("\n", " \r\n\r\n").replace(": ", " :   ")
    assert decode_record(free) == decode_record(text)
    untold = "\n".join(line for line in text.split("\n") if not line.startswith("opening"))
    assert [game.turns for game in decode_record(untold).games] == [
        game.turns for game in decode_record(text).games
    ]


def test_a_draw_comes_back(monkeypatch):
    """Under the last roll both may bear off all: nobody wins, and a contest begins the next game."""
    monkeypatch.setitem(playing.RARE, "resign", 0)
    match = playing.random_match(1, HOUSES["last roll"], 20)
    record = MatchRecord.of_match(match)
    drawn = [game.result.winner is None for game in record.games]
    assert drawn == [True, False]
    assert "result: draw\n\ngame 2: 0-0\nopening: " in str(record)
    assert decode_record(encode_record(record)) == record


def test_plays_are_read_in_any_spelling():
    text = encode_record(MatchRecord.of_game(narde.Game.begin("long").contest("65").play("24/13"))).decode()
    for play in ("24/18/13", "24/19 19/13", "24-13"):
        assert decode_record(text.replace("24/13", play)) == decode_record(text)


def test_a_record_in_the_middle_of_a_match():
    game = narde.Game.begin("minsport", score=Score((4, 2), 5, crawford=True)).contest("65").play("24/13")
    record = MatchRecord.of_game(game, players=("A", "B"))
    again = decode_record(encode_record(record))
    assert again == record and again.start == Score((4, 2), 5, True)
    assert again.to_games()[0] == game
    with pytest.raises(narde.NardeError, match="begins at 4-2"):
        again.to_match()


def test_house_rules_are_carried_fully():
    for rules in (
        replace(narde.rules("long"), koks=3, head_per_turn=2, head_exception="none", prime_rule="never"),
        replace(
            narde.rules("nardeon"),
            name="Наши",
            match_lengths=(2, 4),
            prime_check="end_of_turn",
            last_roll=True,
        ),
        replace(narde.rules("short"), name="", mars=1, koks=0, match_lengths=()),
        replace(narde.rules("bkgm"), name="minsport"),
        replace(narde.rules("short"), name="long"),
    ):
        record = MatchRecord(rules=rules)
        assert decode_record(encode_record(record)).rules == rules


def test_str_is_the_text():
    record = MatchRecord.of_match(played("short"), **FACTS)
    assert str(record).encode() == encode_record(record)


@pytest.mark.parametrize("house", HOUSES)
def test_json_comes_back(house):
    record = with_comments(MatchRecord.of_match(played(house, 2), **FACTS))
    values = json.loads(json.dumps(record.to_json()))
    assert MatchRecord.from_json(values) == record
    assert decode_record(encode_record(record, "json"), "json") == record


def test_every_form_is_in_the_documents():
    page = (DATA.parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
    for form in FORMS.values():
        assert all(f"`{ending}`" in page for ending in form.endings)

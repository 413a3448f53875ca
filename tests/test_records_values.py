"""`MatchRecord`, `GameRecord`, `Turn` as values; files by their endings; stepping through with `replay`."""

from __future__ import annotations

import pickle
import sys
from dataclasses import FrozenInstanceError, replace

import pytest

import narde
from narde.cube import MoneyOptions, Score
from narde.errors import InvalidArgumentError, MissingExtraError, StorageError
from narde.game import Result
from narde.records import FORMS, GameRecord, MatchRecord, Turn, decode_record, encode_record, files
from recorded import FACTS, played, with_comments

LONG = narde.rules("long")

RECORDS = {
    "name of two lines": {"players": ("a\nb", "c")},
    "space at the end": {"players": ("a ", "c")},
    "one player": {"players": ("a",)},
    "a list": {"players": ["a", "b"]},
    "no text": {"event": 5},
    "control character": {"place": "\x07"},
    "surrogate": {"place": "\ud800"},
    "no such day": {"date": "2026-02-30"},
    "not ISO": {"date": "1.5.2026"},
    "no such time": {"date": "2026-05-01T25:00"},
    "time without minutes": {"date": "2026-05-01T18"},
    "tag with a colon": {"tags": (("a:b", "c"),)},
    "tag without a name": {"tags": (("", "c"),)},
    "tags as a dict": {"tags": {"a": "b"}},
    "comment": {"comment": "\r\n"},
    "no games": {"games": [GameRecord()]},
    "no game": {"games": (1,)},
    "no rules": {"rules": "long"},
    "name of the rules": {"rules": replace(LONG, name=" a b")},
    "no score": {"start": (0, 0)},
    "no money": {"money": None},
    "over before it begins": {"start": Score((3, 0), 3)},
    "no such length": {"rules": narde.rules("nardeon"), "start": Score(length=2)},
    "money without a cube": {"money": MoneyOptions(jacoby=True)},
}


@pytest.mark.parametrize("name", RECORDS)
def test_what_no_record_can_hold_is_refused(name):
    with pytest.raises(InvalidArgumentError):
        MatchRecord(**{"rules": LONG, **RECORDS[name]})


TURNS = {
    "player": {"player": 2},
    "flag for a player": {"player": True},
    "dice": {"dice": (0, 6)},
    "list of dice": {"dice": [1, 6]},
    "three dice": {"dice": (1, 2, 3)},
    "no action": {"before": ("roll",)},
    "list of actions": {"before": ["double"]},
    "play without a roll": {"play": "24/13"},
    "offer behind no roll": {"after": ("resign 1",)},
    "long play": {"dice": (6, 5), "play": "24/13 " * 20},
    "no text": {"dice": (6, 5), "play": 5},
    "comment": {"comment": None},
}


@pytest.mark.parametrize("name", TURNS)
def test_what_no_turn_can_be_is_refused(name):
    with pytest.raises(InvalidArgumentError):
        Turn(**{"player": 0, **TURNS[name]})


@pytest.mark.parametrize(
    "facts",
    [
        {"contests": [(6, 5)]},
        {"contests": (None,)},
        {"turns": [Turn(0, ("double",))]},
        {"turns": (None,)},
        {"result": "won"},
        {"result": Result(2, 1, 1)},
        {"result": Result(0, 4, 1)},
        {"result": Result(0, 1, -1)},
        {"result": Result(0, 1, 1, "by luck")},
        {"date": "soon"},
        {"comment": "\x00"},
    ],
)
def test_what_no_game_can_be_is_refused(facts):
    with pytest.raises(InvalidArgumentError):
        GameRecord(**facts)


@pytest.mark.parametrize(
    "date", ["2026", "2026-05", "2026-05-01", "2026-05-01T18:30", "2026-05-01T18:30:05Z"]
)
def test_dates(date):
    record = MatchRecord(rules=LONG, date=date)
    assert decode_record(encode_record(record)).date == date


def test_records_are_values():
    record = with_comments(MatchRecord.of_match(played("short"), **FACTS))
    assert pickle.loads(pickle.dumps(record)) == record
    assert hash(record) == hash(replace(record)) and record != replace(record, event="")
    with pytest.raises(FrozenInstanceError):
        record.event = ""


@pytest.mark.parametrize("ending", [".narde", ".json", ".mat", ".txt", ".sgf", ".NARDE"])
def test_files_by_their_ending(tmp_path, ending):
    record = MatchRecord.of_match(played("short", 2, 3))
    path = tmp_path / f"match{ending}"
    narde.write_record(record, path)
    assert [game.result for game in narde.read_record(path).games] == [game.result for game in record.games]
    assert narde.read_record(str(path)).players == record.players


def test_files_by_a_named_form(tmp_path):
    record = MatchRecord.of_match(played("long"))
    with pytest.raises(StorageError, match="saved: No such file"):
        narde.read_record(tmp_path / "saved")
    narde.write_record(record, tmp_path / "saved", format="narde")
    assert narde.read_record(tmp_path / "saved", format="narde") == record
    for use in (narde.read_record, lambda path: narde.write_record(record, path)):
        with pytest.raises(InvalidArgumentError, match=r"no form of records ends in '': the forms are narde"):
            use(tmp_path / "saved")
    with pytest.raises(InvalidArgumentError, match="no form of records 'pgn'"):
        narde.read_record(tmp_path / "saved", format="pgn")
    for form in ("xg", "bgf"):
        with pytest.raises(InvalidArgumentError, match="can only be read"):
            narde.write_record(record, tmp_path / f"saved.{form}")


def test_files_that_the_system_refuses(tmp_path):
    with pytest.raises(StorageError, match="cannot read"):
        narde.read_record(tmp_path / "none.narde")
    with pytest.raises(StorageError, match="cannot read"):
        narde.read_record(tmp_path, format="narde")
    with pytest.raises(StorageError, match="cannot write"):
        narde.write_record(MatchRecord(rules=LONG), tmp_path / "none" / "a.narde")


def test_an_unsound_record_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "a.narde"
    path.write_text("kept")
    record = MatchRecord(rules=LONG, games=(GameRecord(((6, 5),), (Turn(0, dice=(6, 5), play="24/1"),)),))
    with pytest.raises(narde.RecordError):
        narde.write_record(record, path)
    assert path.read_text() == "kept" and list(tmp_path.iterdir()) == [path]


def test_files_too_long_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    path = tmp_path / "a.narde"
    path.write_bytes(b"x" * 101)
    for use in (narde.read_record, lambda path: decode_record(path.read_bytes())):
        with pytest.raises(narde.RecordError, match="at most 100"):
            use(path)


@pytest.mark.parametrize("form", ["ogxm", "xg", "bgf"])
def test_a_missing_extra_names_the_command(form, monkeypatch):
    monkeypatch.setitem(sys.modules, "gvformat", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'narde\[formats\]'"):
        decode_record(b"", form)


@pytest.mark.parametrize("wrong", [None, 5, [1], {"a": 1}])
def test_wrong_kinds_of_things_are_refused(wrong):
    with pytest.raises(InvalidArgumentError, match="holds no record"):
        decode_record(wrong)
    with pytest.raises(InvalidArgumentError, match="no form of records"):
        decode_record("", wrong)
    for use in (encode_record, narde.replay):
        with pytest.raises(InvalidArgumentError, match="is no record"):
            use(wrong)
    with pytest.raises(InvalidArgumentError, match="is no match"):
        MatchRecord.of_match(wrong)
    with pytest.raises(InvalidArgumentError, match="is no game"):
        MatchRecord.of_game(wrong)


def test_every_form_has_its_name():
    assert [name for name, form in FORMS.items() if form.name != name] == []


def test_replay_gives_every_decision():
    match = played("minsport", 1, 5)
    record = with_comments(MatchRecord.of_match(match))
    steps = list(narde.replay(record))
    events = [event for game in match.games for event in game.events]
    assert [step.event for step in steps] == events
    for step in steps:
        assert step.after == step.before.replay((step.event,))
        assert step.player == step.event.player
        if step.event.action == "play":
            assert step.before.play(step.text).row.tolist() == step.after.row.tolist()
    ends = {step.game: step.after for step in steps}
    assert [ends[number] for number in sorted(ends)] == list(match.games)
    comments = [turn.comment for game in record.games for turn in game.turns if turn.comment]
    assert [step.comment for step in steps if step.comment] == comments
    assert list(map(repr, record.steps())) == list(map(repr, steps))


def test_replay_ends_with_what_was_conceded():
    turns = (Turn(0, dice=(3, 1), play="8/5 6/5"), Turn(1, ("double",)))
    game = GameRecord(((3, 1),), turns, Result(1, 2, 2, "resigned"))
    record = MatchRecord(rules=narde.rules("short"), games=(game,))
    last = list(narde.replay(record))[-1]
    assert (last.text, last.player, last.after.result) == ("concede 2", 0, game.result)
    assert decode_record(encode_record(record)) == record
    with pytest.raises(InvalidArgumentError, match="given up out of turn"):
        record.to_match()


def test_the_score_goes_on_behind_a_game_that_was_conceded():
    game = GameRecord(result=Result(1, 2, 2, "resigned"))
    record = MatchRecord(rules=LONG, start=Score(length=3), games=(game, GameRecord(((6, 5),))))
    assert [each.score.points for each in decode_record(encode_record(record)).to_games()] == [(0, 0), (0, 2)]

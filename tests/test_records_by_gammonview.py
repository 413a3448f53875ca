"""The forms that `gammonview` carries, and `gammonview` and `ogxm` as second opinions on what we write."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import narde
from narde import RecordError
from narde.cube import MoneyOptions
from narde.errors import InvalidArgumentError
from narde.records import MatchRecord, decode_record, encode_record
from narde.records.document import read_document
from narde.records.document_writer import write_document
from recorded import check_replay, played, sorted_dice, without_refusals
from xg_files import xg_file

gvformat = pytest.importorskip("gvformat")

FACTS = {"event": "Riga Open", "place": "Riga", "date": "2026-05-01"}
BEAVERS = MoneyOptions(beavers=True)


def short_record(seed: int, length: int | None) -> MatchRecord:
    """A match without what these forms leave out."""
    match = played("short", seed, length, None if length else BEAVERS)
    return sorted_dice(without_refusals(MatchRecord.of_match(match, **FACTS)))


CASES = [(1, 5), (7, None)]
WITHOUT_BEAVERS = [(1, 5), (15, None)]


@pytest.mark.parametrize(("seed", "length"), CASES)
def test_ogxm_comes_back(seed, length):
    record = short_record(seed, length)
    again = decode_record(encode_record(record, "ogxm"), "ogxm")
    assert sorted_dice(again) == replace(record, money=again.money)
    assert sorted_dice(read_document(write_document(record))) == record


@pytest.mark.parametrize("length", [1, 3, None])
@pytest.mark.parametrize("form", ["ogxm", "gva"])
def test_a_replay_gives_every_row_roll_and_cube(length, form):
    check_replay(form, 2, length)


def test_a_gva_file_is_a_whole_document_and_may_be_called_ogxm():
    record = short_record(2, 3)
    data = encode_record(record, "gva")
    document = json.loads(data)
    assert gvformat.write_gvab(document) == encode_record(record, "ogxm")
    assert {"ogid_before", "ogid_after"} <= set(document["games"][0]["plies"][0])
    assert decode_record(data, "ogxm") == decode_record(data, "gva")


@pytest.mark.parametrize(("seed", "length"), CASES)
def test_the_codec_of_ogxm_replays_what_we_write(seed, length):
    ogxm = pytest.importorskip("ogxm")
    record = short_record(seed, length)
    document = ogxm.binary_to_json(encode_record(record, "ogxm"))
    assert document["replay_complete"] and ogxm.v2_problem(document) is None
    assert [game["winner"] for game in document["games"]] == [
        255 if game.result is None else game.result.winner for game in record.games
    ]
    assert document["event"] == "Riga Open"


@pytest.mark.parametrize(("seed", "length"), WITHOUT_BEAVERS)
def test_xg_files(seed, length):
    """An `.xg` file as the program writes it, by `tests/xg_files.py`."""
    record = short_record(seed, length)
    assert "beaver," not in str(record), "tests/xg_files.py writes none"
    again = decode_record(xg_file(record), "xg")
    assert again.players == record.players and again.event == record.event and again.place == record.place
    assert again.date == "2026-05-01" and again.start == record.start
    assert [plays(game) for game in again.games] == [plays(game) for game in record.games]
    assert [game.result for game in again.games] == [game.result for game in record.games]


def plays(game):
    return [(turn.player, turn.play) for turn in game.turns if turn.play]


@pytest.mark.parametrize(("seed", "length"), WITHOUT_BEAVERS)
def test_gammonview_reads_our_mat_files_as_we_do(seed, length):
    record = short_record(seed, length)
    document = gvformat.mat_to_ogxm(encode_record(record, "mat").decode())
    again = read_document(document)
    assert set(again.players) == set(record.players)
    assert [[turn.play for turn in game.turns if turn.play] for game in again.games] == [
        [turn.play for turn in game.turns if turn.play] for game in record.games
    ]
    assert [game.result and game.result.points for game in again.games] == [
        game.result and game.result.points for game in record.games
    ]


def test_gva_and_bgf_are_read_by_their_documents(tmp_path, monkeypatch):
    record = short_record(2, 3)
    document = write_document(record)
    path = tmp_path / "match.gva"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert sorted_dice(narde.read_record(path)) == record
    monkeypatch.setattr(gvformat, "convert_bgf", {b"a .bgf file": document}.__getitem__)
    assert sorted_dice(decode_record(b"a .bgf file", "bgf")) == record


FAULTS = {
    "variant": ({"variant": 1}, None, "only the usual one is read"),
    "illegal play": (
        {"action_id": 31, "d1": 3, "d2": 1},
        3,
        "an illegal play was made and stood; legal: 24/23 24/21",
    ),
    "set up": ({"action_id": 31}, 3, "set by hand"),
    "wrong side": ({"color": 0}, 3, "is on roll"),
    "no play": ({"moves": [{"from": 1, "pips": 6}]}, 3, "is illegal"),
    "damaged": ({"moves": 5}, 3, "the document is damaged: TypeError"),
    "no dice": ({"d1": 7}, 3, "each die shows"),
    "no action": ({"action_id": "x"}, 3, "the document is damaged: TypeError"),
    "take": ({"action_id": 22}, 3, "may roll"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_by_their_place(name):
    change, turn, says = FAULTS[name]
    game = narde.Game.begin("short").contest("31").play("8/5 6/5")
    game = game.roll("61").play("13/7 8/7").roll("31").play("24/20")
    document = write_document(MatchRecord.of_game(game, players=("Ann", "Bob")))
    target = document if turn is None else document["games"][0]["plies"][2]
    target.update(change)
    if name == "set up":
        del target["d1"]
    with pytest.raises(RecordError, match=says) as caught:
        read_document(document)
    assert caught.value.turn == turn
    if turn is not None:
        assert [t.play for t in caught.value.record.games[0].turns][:2] == ["8/5 6/5", "13/7 8/7"]


@pytest.mark.parametrize("form", ["ogxm", "xg", "bgf", "gva"])
@pytest.mark.parametrize("data", [b"", b"OGXM", b"RGMH" + bytes(40), b"{}\n", b"[]", b"\xff" * 100])
def test_damaged_files_are_refused(form, data):
    with pytest.raises(RecordError):
        decode_record(data, form)


def test_a_cut_or_changed_file_is_refused_or_sound():
    data = encode_record(short_record(2, 3), "ogxm")
    for place in range(0, len(data), 40):
        for damaged in (data[:place], data[:place] + bytes([data[place] ^ 8]) + data[place + 1 :]):
            try:
                record = decode_record(damaged, "ogxm")
            except RecordError:
                continue
            assert decode_record(encode_record(record)) == record


def test_what_a_document_cannot_hold_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"write a \.narde file"):
        encode_record(MatchRecord(rules=narde.rules("long")), "ogxm")
    game = narde.Game.begin("short", money=BEAVERS).contest("31").play("8/5 6/5").double().beaver().drop()
    with pytest.raises(InvalidArgumentError, match="dropped beaver"):
        encode_record(MatchRecord.of_game(game), "ogxm")

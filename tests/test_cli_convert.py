"""`narde convert`: records from form to form, IDs from form to form, and what it refuses."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from narde.board import starting_row
from narde.ids import Setup, parse
from narde.records import FORMS, MatchRecord, decode_record, encode_record, read_record, write_record
from playing import random_match
from shell import Shell, program

XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:52:2:3:0:7:10"
START = Setup(starting_row("long")).id()


@pytest.fixture
def record(shell: Shell) -> MatchRecord:
    """The record of a random match of short nardy, in match.narde."""
    record = MatchRecord.of_match(random_match(3, "short", seed=6))
    write_record(record, "match.narde")
    return record


# ---- records -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["json", "mat", "sgf", "narde"])
def test_from_file_to_file_and_back(shell: Shell, record: MatchRecord, ending: str) -> None:
    assert shell("convert", "match.narde", f"out.{ending}") == (0, "", "")
    assert Path(f"out.{ending}").read_bytes() == encode_record(record, ending)
    assert shell("convert", f"out.{ending}", "back.narde") == (0, "", "")
    assert read_record("back.narde").to_games() == record.to_games()


def test_forms_that_are_named(shell: Shell, record: MatchRecord) -> None:
    assert shell("convert", "match.narde", "match", "--to", "mat").code == 0
    assert shell("convert", "match", "again.txt", "--from", "mat", "--to", "narde").code == 0
    assert decode_record(Path("again.txt").read_bytes()).to_games() == record.to_games()


def test_to_a_pipe(shell: Shell, record: MatchRecord) -> None:
    result = shell("convert", "match.narde", "--to", "mat")
    assert (result.code, result.err) == (0, "")
    assert result.out.encode() == encode_record(record, "mat")
    assert shell("convert", "match.narde", "-", "--to", "mat").out == result.out


def test_through_a_pipe(record: MatchRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    text = encode_record(record, "mat").decode()
    result = program("convert", "-", "--from", "mat", "--to", "narde", input=text)
    assert (result.code, result.err) == (0, "")
    assert decode_record(result.out).to_games() == record.to_games()


def test_json_tells_what_was_written(shell: Shell, record: MatchRecord) -> None:
    data = shell("convert", "match.narde", "out.mat", "--json").data
    turns = sum(len(game.turns) for game in record.games)
    assert data == {
        "file": "out.mat",
        "variant": "short",
        "players": ["player 0", "player 1"],
        "games": len(record.games),
        "turns": turns,
        "fault": None,
    }


def test_a_match_kept_by_play_becomes_a_record(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n"))
    shell("play", "--seed", "8")
    assert shell("convert", "narde-play.json", "game.narde").code == 0
    assert len(read_record("game.narde").games[0].turns) > 2


def test_nothing_is_written_over_unless_forced(shell: Shell, record: MatchRecord) -> None:
    Path("out.mat").write_text("mine")
    result = shell("convert", "match.narde", "out.mat")
    assert (result.code, result.out) == (2, "") and "out.mat exists: name another file, or use" in result.err
    assert Path("out.mat").read_text() == "mine"
    assert shell("convert", "match.narde", "out.mat", "--force").code == 0
    assert Path("out.mat").read_bytes() == encode_record(record, "mat")


def test_a_faulty_record_is_refused_or_its_sound_part_kept(shell: Shell, record: MatchRecord) -> None:
    lines = encode_record(record).decode().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("  3 "))
    lines[first] = lines[first][: lines[first].index(":")] + ": 1/24"
    Path("bad.narde").write_text("\n".join(lines))
    result = shell("convert", "bad.narde", "out.mat")
    assert (result.code, result.out) == (2, "") and not Path("out.mat").exists()
    assert f"bad.narde: line {first + 1}, game 1, turn 3: " in result.err and result.err.count("\n") == 1
    kept = shell("convert", "bad.narde", "out.mat", "--sound-part")
    assert kept.code == 0 and kept.err.startswith("narde: only the sound part was kept: bad.narde: line ")
    turns = read_record("out.mat").games[0].turns
    assert [turn.play for turn in turns[:2]] == [turn.play for turn in record.games[0].turns[:2]]
    assert all(turn.play is None for turn in turns[2:])
    data = json.loads(shell("convert", "bad.narde", "new.mat", "--sound-part", "--json").out)
    assert "game 1, turn 3" in data["fault"]


# ---- IDs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["narde", "gnubg", "xgid", "ogid"])
def test_an_id_into_every_form(shell: Shell, form: str) -> None:
    assert shell("convert", XGID, "--to", form) == (0, parse(XGID).id(form) + "\n", "")
    back = parse(XGID).id(form)
    assert shell("convert", back, "--to", "narde").out == parse(back).id() + "\n"


def test_an_id_into_all_forms(shell: Shell) -> None:
    assert shell("convert", XGID).out == shell("show", XGID, "--ids").out
    assert shell("convert", START).out == f"narde {START}\n"
    data = shell("convert", XGID, "--json").data
    assert data == {"ids": {form: parse(XGID).id(form) for form in ("narde", "gnubg", "xgid", "ogid")}}


def test_the_start_and_a_row(shell: Shell) -> None:
    ids = shell("convert", "start", "--variant", "short", "--to", "gnubg")
    assert ids.out == "4HPwATDgc/ABMA:cAkAAAAAAAAE\n"
    row = [str(n) for n in starting_row("short")]
    assert shell("convert", *row, "--variant", "short", "--to", "gnubg") == ids
    assert shell("convert", "start", "65", "--to", "narde").out == "nal22225zzw22225zzwdmy\n"


# ---- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "reason", "code"),
    [
        ([], "the following arguments are required: IN [OUT]", 2),
        (["nal22225zzw22225zzw7", "out.mat"], "is a position and no record: leave 'out.mat' out", 2),
        (["none.mat", "out.mat"], "'none.mat' is no file here, and no position ID either", 2),
        (["none", "out.mat"], "'none' is no file here, and no position ID either", 2),
        (["none.mat", "out.mat", "--from", "mat"], "cannot read none.mat: No such file", 1),
        (["nonsense"], "'nonsense' is no ID in any known form", 2),
        ([XGID, "--to", "mat"], "--to mat: an ID has one of the forms narde, gnubg, xgid, ogid", 2),
        ([START, "--to", "xgid"], "XGIDs are for short nardy alone", 2),
        (["match.narde"], "no file to write: name one, or a form for the output, as in --to narde", 2),
        (["match.narde", "out.xyz"], "no form of records ends in '.xyz'", 2),
        (["match.narde", "out.mat", "--to", "chess"], "no form of records 'chess'", 2),
        (["match.narde", "out.xg"], "the form 'xg' can only be read", 2),
        (["match.narde", "a.mat", "b.mat"], "3 files: name one to read and one to write", 2),
        (["match.narde", "out.mat", "--variant", "long"], "--variant: a record has its rules with it", 2),
        (["match.narde", "--to", "mat", "--json"], "--json: the output is the record itself", 2),
        (["-", "out.mat"], "standard input: name the form", 2),
        (["match.narde", "match.narde"], "match.narde exists", 2),
        (["."], "no file to write", 2),
        ([".", "out.mat"], "cannot read .: Is a directory", 1),
    ],
)
def test_what_cannot_be_converted(
    shell: Shell, record: MatchRecord, words: list[str], reason: str, code: int
) -> None:
    before = Path("match.narde").read_bytes()
    result = shell("convert", *words)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("narde: error: ") and reason in result.err and result.err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == {"match.narde": before}


def test_long_nardy_has_forms_of_its_own(shell: Shell) -> None:
    record = MatchRecord.of_match(random_match(1, "long", seed=2))
    write_record(record, "long.narde")
    result = shell("convert", "long.narde", "long.mat")
    assert result.code == 2 and "short nardy" in result.err and not Path("long.mat").exists()
    assert shell("convert", "long.narde", "long.json").code == 0
    assert read_record("long.json") == record and {"narde", "json"} <= {*FORMS}

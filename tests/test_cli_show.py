"""`narde show`: boards, IDs, plays and pictures of positions in every form."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import narde
from narde.board import starting_row
from narde.draw import text
from narde.ids import Setup, parse
from narde.match import Match
from narde.records import MatchRecord, write_record
from narde.rules import rules, variants
from shell import Shell

LONG, SHORT = (starting_row(game) for game in ("long", "short"))
NUMBERS = " ".join(map(str, SHORT))
XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:52:2:3:0:7:10"


@pytest.mark.parametrize("variant", variants())
def test_the_start_of_every_variant(shell: Shell, variant: str) -> None:
    result = shell("show", "start", "--variant", variant)
    assert (result.code, result.err) == (0, "")
    board, below = result.out.split("\n\n")
    cube = 1 if rules(variant).cube else None
    assert board == text(starting_row(variant), variant, cube=cube, colour=False, width=80)
    lines = below.splitlines()
    assert (
        lines[0] == f"rules   {variant}"
        and lines[1].startswith("pips    ")
        and lines[1].endswith(", contact")
    )
    assert lines[2] == f"narde   {Setup(starting_row(variant), variant).id()}"
    assert len(lines) == (6 if variant == "short" else 3)


@pytest.mark.parametrize(
    "words",
    [
        ["start", "--dice", "6", "5"],
        ["start", "--dice", "65"],
        ["start", "--dice", "6-5"],
        ["--dice", "6", "5", "start"],
        ["--dice", "65", "start"],
        ["start", "65"],
        ["start", "6", "5"],
        ["nal22225zzw22225zzwdmy"],
        [" ".join(map(str, LONG)), "--dice", "65"],
        [*map(str, LONG), "6", "5"],
        [",".join(map(str, LONG)), "65"],
    ],
)
def test_the_roll_in_every_form(shell: Shell, words: list[str]) -> None:
    assert shell("show", *words).out == shell("show", "start", "--dice", "6", "5").out
    assert shell("show", *words).out.endswith("\n\n1 play for 6-5:\n1  24/13\n")


def test_the_roll_of_an_id_gives_way_to_another(shell: Shell) -> None:
    assert "to play 5-2" in shell("show", XGID).out
    assert "to play 6-6" in shell("show", XGID, "--dice", "66").out


def test_an_id_with_its_cube_and_score(shell: Shell) -> None:
    out = shell("show", XGID).out
    assert out.startswith("3-2 to 7\n● opponent · 167 pips\n")
    assert "○ mover · 167 pips · cube 2 · to play 5-2\n" in out
    shown = dict(re.findall(r"^(narde|gnubg|xgid|ogid) +(\S+)$", out, re.M))
    assert list(shown) == ["narde", "gnubg", "xgid", "ogid"] and shown["xgid"] == XGID
    assert shown == {form: parse(XGID).id(form) for form in shown}


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ({"offer": "double"}, "mover · 167 pips · doubles to 2\n"),
        ({"offer": "beaver", "beavers": True}, "opponent · 167 pips · cube 2 · beavers to 4\n"),
        ({"offer": "raccoon", "beavers": True}, "mover · 167 pips · cube 4 · doubles to 8\n"),
        ({"resign": -2}, "the opponent offers to lose: gammon\n"),
        ({"length": 3, "score": (2, 0), "crawford": True}, "2-0 to 3, Crawford\n"),
        ({"score": (4, 7)}, "4-7, money\n"),
    ],
)
def test_offers_and_scores(shell: Shell, facts: dict, shown: str) -> None:
    assert shown in shell("show", Setup(SHORT, "short", **facts).id()).out


def test_only_the_ids_or_the_plays(shell: Shell) -> None:
    plays = narde.Position.start("short").plays(3, 1).notation
    ids = shell("show", "start", "--variant", "short", "--dice", "31", "--ids").out.splitlines()
    assert [line.split()[0] for line in ids] == ["narde", "gnubg", "xgid", "ogid"]
    assert all(parse(line.split(maxsplit=1)[1]).dice == (3, 1) for line in ids)
    assert shell("show", "start", "--variant", "short", "--dice", "31", "--plays").out.splitlines() == plays
    both = shell("show", "start", "--variant", "short", "31", "--plays", "--ids").out.splitlines()
    assert both == [*ids, *plays]


def test_the_state_of_a_position(shell: Shell) -> None:
    over = [0] * 12 + [-1] + [0] * 13 + [15, -14]
    assert "pips    0-1, oin\n" in shell("show", *map(str, over)).out
    race = [15] + [0] * 11 + [-15] + [0] * 15
    assert "pips    15-15, race\n" in shell("show", *map(str, race)).out
    wall = [0] * 11 + [-15] + [2] * 6 + [3] + [0] * 9
    assert (
        "note    a side holds six points in a row against the prime rule\n"
        in shell("show", *map(str, wall)).out
    )


def test_json(shell: Shell) -> None:
    data = shell("show", XGID, "--json").data
    assert data["ids"]["xgid"] == XGID and set(data["ids"]) == {"narde", "gnubg", "xgid", "ogid"}
    assert data["row"] == list(parse(XGID).row) and data["dice"] == [5, 2]
    assert (data["length"], data["score"], data["cube_value"], data["cube_owner"]) == (7, [3, 2], 2, "mover")
    plays = shell("moves", XGID, "--json").data["plays"]
    assert data["plays"] == plays and data["pips"] == [167, 167] and data["result"] is None
    assert "plays" not in shell("show", "start", "--json").data


def test_pictures(shell: Shell) -> None:
    result = shell("show", "start", "65", "--svg", "new/board.svg")
    assert result.out.endswith("\nsaved as new/board.svg\n")
    assert ElementTree.parse("new/board.svg").getroot().tag.endswith("svg")
    assert Path("new/board.svg").read_text(encoding="utf-8") == narde.draw.svg(LONG, dice=(6, 5))


def test_the_ending_of_the_other_picture_is_refused(shell: Shell) -> None:
    result = shell("show", "start", "--svg", "board.svg", "--png", "other.SVG")
    assert result.code == 2 and "other.SVG ends in .SVG: that of --png is .png" in result.err
    assert not list(Path().iterdir())


def test_plays_are_no_wider_than_the_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("narde.draw._terminal._is_terminal", lambda stream: True)
    for columns in (50, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        plays = shell("show", "start", "31", "--variant", "short", "--no-color").out.split("16 plays")[1]
        assert 40 < max(map(len, plays.splitlines())) <= min(columns, 80)


def test_a_png_needs_its_extra(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = shell("show", "start", "--png", "board.png")
    assert (result.code, result.out) == (1, "") and "pip install 'narde[png]'" in result.err
    assert list(Path().iterdir()) == []


def test_a_picture_where_no_folder_can_be(shell: Shell) -> None:
    Path("closed").touch()
    result = shell("show", "start", "--svg", "closed/board.svg")
    assert (result.code, result.out) == (1, "") and "closed is not a folder" in result.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "no position: give 'start'"),
        (["start", "67"], "no roll in 'start 67': give two dice"),
        (["start", "--dice", "7", "1"], "--dice 7 1: give two dice from 1 to 6"),
        (["start", "--dice", "6"], "--dice 6: give two dice"),
        (["start", "--plays"], "--plays: no roll, give two dice as in --dice 6 5"),
        (["start", "--variant", "chess"], "unknown variant 'chess'"),
        (["0,0,15"], "a row has 28 numbers, not 3"),
        (["nonsense"], "'nonsense' is no ID in any known form"),
        ([XGID, "--variant", "long"], "is a position of short nardy, variant long is long nardy"),
        ([NUMBERS.replace("-2", "-1"), "--variant", "short"], "the opponent has 14 checkers"),
        ([Setup(SHORT, "short", offer="double").id(), "--dice", "65"], "a double is offered before the roll"),
        (["start", "--svg", "."], "it is a folder"),
    ],
)
def test_bad_input_is_one_line(shell: Shell, words: list[str], reason: str) -> None:
    result = shell("show", *words)
    assert (result.code, result.out) == (1 if "--svg" in words else 2, "")
    assert result.err.startswith("narde: error: ") and reason in result.err and result.err.count("\n") == 1


@pytest.mark.parametrize("ending", ["json", "narde", "mat"])
def test_where_the_match_in_a_file_stands(shell: Shell, tmp_path: Path, ending: str) -> None:
    match = (
        Match.begin(5, "short", players=("Ann", "Bob")).start_game().contest("13").play("8/5 6/5").double()
    )
    assert match.game is not None
    path = tmp_path / f"match.{ending}"
    write_record(MatchRecord.of_match(match), path)
    setup = match.game.setup()
    result = shell("show", str(path))
    assert result.out == shell("show", setup.id()).out
    assert shell("show", str(path), "--ids").out.splitlines()[2] == f"xgid  {setup.id('xgid')}"


def test_a_file_has_its_own_rules_and_dice(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "match.narde"
    write_record(MatchRecord.of_match(Match.begin(5, "long")), path)
    for options in (["--dice", "65"], ["--variant", "long"]):
        assert "is a file: leave out --variant and --dice" in shell("show", str(path), *options).err
    assert shell("show", str(path)) == (2, "", f"narde: error: {path}: no game has begun there\n")
    path.write_text("narde record 1\nrules: chess\n")
    assert f"narde: error: {path}: line 2" in shell("show", str(path)).err


def test_a_word_too_long_for_a_file(shell: Shell) -> None:
    for command in ("show", "convert"):
        assert "no ID in any known form" in shell(command, "a" * 300).err

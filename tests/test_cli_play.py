"""`narde play` in a pipe: what is typed and shown, saved and resumed, and what a shell sees of it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from narde.match import Match
from narde.records import MatchRecord, write_record
from narde.terminal.table import load_table
from shell import NARDE, Result, Shell, environment, program
from transcripts import FOLDER, answers_in, played_again


@pytest.fixture
def typing(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    """Runs `narde play` with lines typed into a pipe."""

    def run(lines: str, *words: str) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines.replace("|", "\n") + "\n"))
        return shell("play", *words)

    return run


BY_HAND = ("person", "--variant", "short", "--dice", "hand")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_transcript(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    transcript = path.read_text(encoding="utf-8")
    assert len(answers_in(transcript)) > 8
    assert played_again(transcript) == transcript
    assert list(tmp_path.iterdir()) == []


def test_the_end_of_input_keeps_the_match_and_is_no_error(typing) -> None:
    result = typing("24/13")
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("\nkept; go on with: narde play --resume narde-play.json\n")
    assert "\x1b" not in result.out
    assert [path.name for path in Path().iterdir()] == ["narde-play.json"]


def test_it_goes_on_where_it_stopped(typing) -> None:
    first = typing("31|8/5", *BY_HAND, "--names", "Anna", "Boris", "--save", "my match.json")
    assert first.out.endswith("kept; go on with: narde play --resume 'my match.json'\n")
    again = typing("6/5||66", "--resume", "my match.json")
    assert (
        "Anna, 3-1: 8/5, left 1> 6/5\n" in again.out and "Boris: the dice, double or resign> 66" in again.out
    )
    third = typing("1", "--resume", "my match.json", "--dice", "hand")
    assert "Boris, 6-6> 1\nBoris plays 6-6: " in third.out
    table = load_table("my match.json")
    assert [turn.dice for turn in table.game.turns] == [(3, 1), (6, 6)]
    assert table.match.players == ("Anna", "Boris")


def test_each_new_match_has_a_file_of_its_own(typing) -> None:
    for number in ("", "-2", "-3"):
        assert f"--resume narde-play{number}.json" in typing("q").out
    taken = typing("q", "--save", "narde-play.json")
    assert (taken.code, taken.out) == (2, "")
    assert taken.err == (
        "narde: error: --save narde-play.json: it exists, use --resume narde-play.json or name another file\n"
    )


def test_a_resumed_match_may_have_another_file_and_other_dice(typing) -> None:
    typing("q", "--seed", "1")
    result = typing("q", "--resume", "narde-play.json", "--save", "copy.json", "--seed", "99")
    assert result.out.endswith("--resume copy.json\n")
    assert (load_table("narde-play.json").seed, load_table("copy.json").seed) == (1, 99)
    Path("dice.txt").write_text("12 34")
    result = typing("q", "--resume", "copy.json", "--dice", "dice.txt", "--no-save")
    assert result.code == 0 and "kept" not in result.out


@pytest.mark.parametrize("ending", ["narde", "json", "mat"])
def test_a_record_is_gone_on_with_in_a_file_of_its_own(typing, ending: str) -> None:
    """In the middle of a turn too; the dice of the hand as ever."""
    path = Path(f"begun.{ending}")
    match = Match.begin(3, "short", players=("Ann", "Bob")).start_game().contest("31").play("8/5 6/5")
    write_record(MatchRecord.of_match(match.double().take().roll("66"), date="2026-05-01"), path)
    before = path.read_bytes()
    result = typing("24/18(2) 13/7(2)|21|q", "person", "--resume", str(path), "--dice", "hand")
    assert result.code == 0 and "Bob plays 6-6: 24/18(2) 13/7(2)\n" in result.out
    assert result.out.endswith("go on with: narde play --resume narde-play.json\n")
    table = load_table("narde-play.json")
    assert (table.begun, table.seats, table.game.dice) == ("2026-05-01", ("person", "person"), (2, 1))
    assert path.read_bytes() == before
    for words in (["--names", "A", "B"], ["--variant", "long"], ["--length", "3"]):
        refused = typing("q", "--resume", str(path), *words)
        assert refused.code == 2 and f"{words[0]}: a resumed match has its own" in refused.err
    refused = typing("q", "--resume", str(path), "--record", str(path))
    assert refused.code == 2 and "it exists, name another file" in refused.err


def test_a_kept_match_by_the_name_of_a_record(typing) -> None:
    typing("31|8/5|q", *BY_HAND, "--save", "kept.narde")
    result = typing("6/5||q", "--resume", "kept.narde")
    assert "player 1 plays 3-1: 8/5 6/5\n" in result.out and result.out.endswith("--resume kept.narde\n")


def test_save_keeps_a_copy_under_another_name(typing) -> None:
    result = typing("31|8/5|save|save a.json|save a.json|q", *BY_HAND, "--no-save")
    assert "the match is not kept; for a copy name a file: save FILE\n" in result.out
    assert "saved as a.json\n" in result.out and "a.json exists: name another file\n" in result.out
    assert load_table("a.json").entries == ("8/5",)


def test_the_same_seed_gives_the_same_game(typing) -> None:
    runs = [typing("1|1|1|1", "--seed", "5", "--no-save").out for _ in range(2)]
    assert runs[0] == runs[1] != typing("1|1|1|1", "--seed", "6", "--no-save").out


def test_json_is_on_stdout_and_the_dialogue_on_stderr(typing) -> None:
    result = typing("31|resign|accept|q", *BY_HAND, "--names", "A", "B", "--json", "--seed", "3")
    data = json.loads(result.out)
    assert result.code == 0 and "B wins 1 point: single, resigned\n" in result.err
    assert data == {
        "variant": "short",
        "players": ["A", "B"],
        "length": None,
        "score": [0, 1],
        "winner": None,
        "games": [{"turns": 0, "result": {"winner": 1, "kind": 1, "points": 1, "how": "resigned"}}],
        "seed": 3,
        "file": "narde-play.json",
    }


def test_a_finished_match_is_shown_as_it_ended(typing) -> None:
    typing("31|resign|accept", *BY_HAND, "--length", "1", "--names", "A", "B")
    result = typing("", "--resume", "narde-play.json")
    assert (result.code, result.out, result.err) == (0, "B wins the match to 1 by 1-0\n", "")


def test_dice_that_end_are_an_error_and_the_match_is_kept(typing) -> None:
    Path("dice.txt").write_text("65\n2 1 # and no more")
    result = typing("1|1|1", "--dice", "dice.txt")
    assert result.code == 2 and "dice.txt end after 2 rolls: add more" in result.err
    assert result.out.endswith("kept; go on with: narde play --resume narde-play.json\n")
    Path("dice.txt").write_text("65\n2 1\n54")
    assert ", 5-4> q\n" in typing("q", "--resume", "narde-play.json").out


def test_a_disk_that_is_full_is_said_and_fails_at_the_end(typing, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    result = typing("31|8/5|q", *BY_HAND, "--save", "full.json")
    assert result.code == 1
    assert "not saved: cannot write full.json: No space left on device\n" in result.out
    assert result.err == "narde: error: cannot write full.json: No space left on device\n"
    assert "go on with" not in result.out and list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["gnubg"], "no player 'gnubg': name random, pips, greedy, greedy:FILE, bearoff"),
        (["random", "random"], "random and random: one of the two must be a person, who types"),
        (["person", "random", "random"], "3 players: two play, such as person random"),
        (["--names", "A", "A"], "--names 'A' 'A': give two that differ"),
        (["--names", "A", " "], "argument --names: the value is empty"),
        (["--variant", "nardeon", "--length", "2"], "use one of 1, 3, 5, 7"),
        (["--jacoby"], "--jacoby: for money, with a cube: leave out --length"),
        (["--variant", "short", "--length", "3", "--beavers"], "--beavers: for money"),
        (["--seed", "-1"], "seed=-1"),
        (["--save", "a.json", "--no-save"], "--save and --no-save: use one of them"),
        (["--dice", "none.txt"], "no file of dice at"),
        (["--resume", "none.json"], "cannot read none.json: No such file"),
        (["--resume", "none", "random"], "cannot read none: No such file"),
    ],
)
def test_what_cannot_be_played_is_one_line(typing, words: list[str], reason: str) -> None:
    result = typing("1", *words)
    of_the_machine = "none.txt" in words or "--resume" in words
    assert (result.code, result.out) == (1 if of_the_machine else 2, "")
    assert result.err.startswith("narde: error: ") and reason in result.err and result.err.count("\n") == 1
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["random"], "players"),
        (["--variant", "long"], "--variant"),
        (["--automatic-doubles", "1"], "--automatic-doubles"),
    ],
)
def test_a_match_that_is_resumed_has_its_own(typing, words: list[str], named: str) -> None:
    typing("31|8/5", *BY_HAND)
    result = typing("1", "--resume", "narde-play.json", *words)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"narde: error: {named}: a resumed match has its own, leave it out\n"


SAVED = {"seats": ["person", "greedy"], "seed": 4, "dice": "seed", "entries": [], "begun": "2026-11-30"}
BROKEN = {
    "": "is no JSON",
    "{": "is no JSON",
    "\x80": "is no JSON",
    "[" * 100_000: "is no JSON",
    "[]": "no game of `narde play`",
    '{"kind": "narde record"}': "broken.json: ",
    '{"kind": "narde book"}': "no game of `narde play`",
    '{"kind": "narde play", "version": 2}': "saved by version 2 of the form: this program reads 1",
    '{"kind": "narde play", "version": 1}': "KeyError 'seats'",
    json.dumps({"kind": "narde play", "version": 1, **SAVED}): "KeyError 'match'",
}


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: repr(text[:40]))
def test_a_file_that_is_no_saved_match(typing, text: str) -> None:
    Path("broken.json").write_bytes(text.encode("latin-1"))
    result = typing("1", "--resume", "broken.json")
    assert (result.code, result.out) == (2, "")
    assert "broken.json" in result.err and BROKEN[text] in result.err and result.err.count("\n") == 1
    assert Path("broken.json").read_bytes() == text.encode("latin-1")


CHANGES = [
    ("seats", 0, "gnubg", "no player 'gnubg'"),
    ("seats", 0, None, "no player 'None'"),
    ("seed", None, -4, "seed=-4"),
    ("seed", None, "x", "seed='x'"),
    ("dice", None, "thrown", "TypeError"),
    ("dice", None, {"file": "f", "taken": -1}, "taken=-1"),
    ("entries", None, ["24/22"], "'24/22' is illegal"),
    ("entries", None, 7, "TypeError"),
    ("match", None, {}, "no match: KeyError"),
    ("match", "rules", "chess", "unknown variant 'chess'"),
    ("match", "games", [[{"action": "roll", "player": 0, "dice": [6, 5]}]], "game 0"),
]


@pytest.mark.parametrize(("key", "within", "value", "reason"), CHANGES)
def test_a_saved_match_that_was_changed(typing, key: str, within, value: object, reason: str) -> None:
    typing("31|8/5", *BY_HAND)
    values = json.loads(Path("narde-play.json").read_text())
    (values if within is None else values[key])[key if within is None else within] = value
    Path("changed.json").write_text(json.dumps(values))
    result = typing("1", "--resume", "changed.json")
    assert (result.code, result.out) == (2, "")
    assert "changed.json: " in result.err and reason in result.err


def test_as_a_program_in_a_pipe(tmp_path: Path) -> None:
    words = ("play", "person", "--variant", "short", "--dice", "hand", "--names", "Zoë", "B", "--length", "1")
    typed = b"31\n8/5 6/5\n\xff\x1b[2J\n6 1\n1\nresign\naccept\n"
    done = subprocess.run([*NARDE, *words], cwd=tmp_path, input=typed, capture_output=True, env=environment())
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Zoë plays 3-1: 8/5 6/5\n" in done.stdout.decode()
    assert b"\x1b" not in done.stdout
    saved = json.loads((tmp_path / "narde-play.json").read_text())
    assert Match.from_json(saved["match"]).winner is not None


def test_without_any_input(tmp_path: Path) -> None:
    result = program("play", cwd=tmp_path, stdin=None, input="")
    assert result.code == 0 and "go on with: narde play --resume narde-play.json\n" in result.out

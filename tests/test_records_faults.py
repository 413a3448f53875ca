"""What is wrong with a record is said with game, turn and line, and all that is sound before it is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

import narde
from narde import NardeError, RecordError
from narde.game import Result
from narde.records import GameRecord, MatchRecord, Turn, decode_record, encode_record
from recorded import DATA, FACTS, played, states, with_comments

TEXT = (DATA / "minsport.narde").read_text(encoding="utf-8")
"""Three games, the second the Crawford game, the third in progress."""


def line_of(text: str, part: str) -> int:
    """The number of the first line that holds a part."""
    return 1 + next(i for i, line in enumerate(text.split("\n")) if part in line)


def fault_of(text: str, form: str = "narde") -> RecordError:
    with pytest.raises(RecordError) as caught:
        decode_record(text, form)
    return caught.value


FAULTS = {
    # old: new, (line behind the first with `at`), game, turn, what the message says
    "illegal play": ("1 A 52: 24/17", "1 A 52: 24/19 24/22", 1, 1, "only legal play: 24/17"),
    "no play": ("1 A 52: 24/17", "1 A 52: twenty", 1, 1, "legal: 24/17"),
    "other dice": ("1 A 52: 24/17", "1 A 53: 24/17", 1, 1, "contest showed (5, 2)"),
    "other player": ("1 A 52: 24/17", "1 B 52: 24/17", 1, 1, "'A' is on roll, not 'B'"),
    "turn left out": ("  2 B double, take, 41: 24/19\n", "", 1, 2, "turn 3 stands where turn 2 is expected"),
    "take of nothing": ("2 B double, take, 41", "2 B take, 41", 1, 2, "may roll or double or resign"),
    "double unanswered": ("2 B double, take, 41", "2 B double, 41", 1, 2, "may take or drop"),
    "beaver in a match": ("double, take", "double, beaver, take", 1, 2, "may take or drop"),
    "no action": ("double, take", "double, tale", 1, 2, "'tale' is no action"),
    "double in the Crawford game": ("2 B 64:", "2 B double, take, 64:", 2, 2, "may roll or resign"),
    "play behind the end": ("3 A resign 1, accept", "3 A resign 1, accept, 11: 24/22", 1, 3, "game is over"),
    "resigned too much": ("3 A resign 1, accept", "3 A resign 3, accept", 1, 3, "1 oin, 2 mars"),
    "no such resignation": ("3 A resign 1, accept", "3 A resign 4, accept", 1, 3, "'resign 4' is no action"),
    "another result": (
        "B wins 2, oin, resigned",
        "B wins 1, oin, resigned",
        1,
        3,
        "should be 'B wins 2, oin",
    ),
    "another winner": (
        "B wins 2, oin, resigned",
        "A wins 2, oin, resigned",
        1,
        3,
        "should be 'B wins 2, oin",
    ),
    "a result too early": ("1 A 43: 24/17", "1 A 43: 24/17\nresult: A wins 1, oin", 3, 2, "not over"),
    "conceded at a kind that is none": (
        "2 B 11: 24/20",
        "2 B 11: 24/20\nresult: A wins 3, koks, conceded",
        3,
        3,
        "no game of kind 3 to give up",
    ),
    "another score": ("game 2: 0-2, Crawford", "game 2: 0-1", 2, 1, "should be 'game 2: 0-2, Crawford'"),
    "another number": ("game 2:", "game 3:", 2, 1, "should be 'game 2: 0-2, Crawford'"),
    "a game too early": ("result: B wins 2, oin, resigned\n\ngame 2", "\ngame 2", 2, 1, None),
    "a third die": ("opening: 43", "opening: 4 3", 3, 1, "is no roll"),
    "two contests": ("opening: 43", "opening: 43 21", 3, 1, "no contest now"),
    "unknown fact of a game": ("opening: 43", "weather: fine", 3, 1, "unknown fact 'weather'"),
    "text behind the end": ("end\n", "end\nmore\n", 3, 3, "'more' stands behind"),
    "no date": ("opening: 43", "date: tomorrow", 3, 1, "use ISO 8601"),
    "a control character": ("opening: 43", "; bell \a", 3, 1, "control characters"),
    "junk": ("opening: 43", "hello world", 3, 1, "'hello world' is no line of a record"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_by_their_place(name):
    old, new, game, turn, says = FAULTS[name]
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    if says is None:  # the game is over without a line of its result, which may be left out
        assert decode_record(text) == decode_record(TEXT)
        return
    fault = fault_of(text)
    assert (fault.game, fault.turn) == (game, turn)
    changed = next(
        i for i, (a, b) in enumerate(zip(text.split("\n"), TEXT.split("\n"), strict=False)) if a != b
    )
    assert changed + 1 <= fault.line <= changed + 2
    assert str(fault).startswith(f"line {fault.line}, game {game}, turn {turn}: ")
    assert says in str(fault)
    check_sound(fault, decode_record(TEXT))


def check_sound(fault: RecordError, whole: MatchRecord) -> None:
    """The record of an error can be replayed and saved, and is the beginning of the whole."""
    sound = fault.record
    assert sound is not None
    assert decode_record(encode_record(sound)) == sound
    found, expected = states(sound.to_games()), states(whole.to_games())
    events = [state for state in found if state is not None]
    assert events == [state for state in expected if state is not None][: len(events)]


HEADS = {
    "empty": ("", 1, "breaks off before its first game"),
    "another file": ("; [Event]\n 5 point match\n", 1, "is not the first line"),
    "another version": ("narde record 2\n", 1, "this program reads version 1"),
    "no rules": ("narde record 1\nlength: 3\nplayer A: a\nplayer B: b\nend\n", 5, "lacks rules"),
    "no players": ("narde record 1\nrules: long\nlength: 3\n\ngame 1: 0-0\n", 5, "lacks player A, player B"),
    "unknown rules": ("narde record 1\nrules: tall\n", 2, "unknown variant 'tall'"),
    "unknown field": ("narde record 1\nrules: long, speed=9\n", 2, "'speed=9' is no change of rules"),
    "field twice": ("narde record 1\nrules: long, koks=3, koks=3\n", 2, "is no change of rules"),
    "no number": ("narde record 1\nrules: long, koks=three\n", 2, "'three' is no whole number"),
    "no flag": ("narde record 1\nrules: long, cube=maybe\n", 2, "neither True nor False"),
    "impossible rules": ("narde record 1\nrules: long, koks=3, mars=3\n", 2, "are impossible"),
    "no length": ("narde record 1\nlength: long\n", 2, "'long' is no whole number"),
    "length of no match": (
        "narde record 1\nrules: nardeon\nlength: 2\nplayer A: a\nplayer B: b\nend\n",
        6,
        "use one of 1, 3, 5, 7",
    ),
    "no score": ("narde record 1\nstart: two-all\n", 2, "'two-all' is no score"),
    "no Crawford game": (
        "narde record 1\nrules: long\nlength: 5\nstart: 2-1, Crawford\nplayer A: a\nplayer B: b\nend\n",
        7,
        "nobody needs just one point",
    ),
    "no money option": ("narde record 1\nmoney: joker\n", 2, "none of jacoby"),
    "a fact twice": ("narde record 1\nround: 1\nround: 2\n", 3, "second time"),
    "unknown fact": ("narde record 1\nweather: fine\n", 2, "unknown fact 'weather'"),
    "no such date": ("narde record 1\ndate: 2026-02-30\n", 2, "use ISO 8601"),
    "no line": ("narde record 1\nhello\n", 2, "'hello' is no line"),
}


@pytest.mark.parametrize("name", HEADS)
def test_faults_of_the_head(name):
    text, line, says = HEADS[name]
    fault = fault_of(text)
    assert (fault.line, fault.game, fault.turn) == (line, None, None)
    assert says in str(fault)


@pytest.mark.parametrize("name", ["minsport", "short-money", "house"])
def test_a_text_cut_at_any_line_gives_what_is_sound(name):
    text = (DATA / f"{name}.narde").read_text(encoding="utf-8")
    whole = decode_record(text)
    lines = text.split("\n")
    begun = line_of(text, "game 1:")
    for number in range(len(lines) - 2):
        fault = fault_of("\n".join(lines[:number]))
        assert "breaks off" in str(fault) or number == 0
        assert (fault.record is not None) == (number >= line_of(text, "player B"))
        if number >= begun:
            check_sound(fault, whole)
            kept = sum(len(game.turns) for game in fault.record.games)
            told = sum(line[3:6] in (" A ", " B ") for line in lines[begun:number])
            assert kept in (told, told + 1), "a kept opening has given the first turn its dice"


def test_a_text_cut_within_a_line_gives_what_is_sound():
    whole = decode_record(TEXT)
    begun = TEXT.index("game 1")
    for place in range(begun, len(TEXT) - 5, 7):
        check_sound(fault_of(TEXT[:place]), whole)


def test_a_flipped_character_is_noticed_or_harmless():
    """Whatever one character becomes, the text is refused or read as a record that the rules allow."""
    text = (DATA / "short-money.narde").read_text(encoding="utf-8")
    whole = decode_record(text)
    noticed = 0
    for place in range(0, len(text), 9):
        for flip in (1, 4):
            changed = text[:place] + chr(ord(text[place]) ^ flip) + text[place + 1 :]
            try:
                record = decode_record(changed)
            except RecordError as fault:
                noticed += 1
                assert fault.line is not None
                assert fault.record is None or decode_record(encode_record(fault.record)) == fault.record
            else:
                assert decode_record(encode_record(record)) == record
                noticed += record == whole
    assert noticed > 0.13 * len(text)


def test_a_record_made_by_hand_is_checked():
    """What is made in Python meets the same rules: by replaying, writing, and both ways to games."""
    turns = (Turn(0, dice=(6, 5), play="24/13"), Turn(1, dice=(3, 3), play="24/12"))
    record = MatchRecord(rules=narde.rules("long"), games=(GameRecord(((6, 5),), turns),))
    for use in (MatchRecord.to_games, MatchRecord.to_match, narde.replay, encode_record):
        with pytest.raises(RecordError, match="24/18") as caught:
            use(record)
        assert (caught.value.game, caught.value.turn, caught.value.line) == (1, 2, None)
        assert caught.value.record.games[0].turns[0] == turns[0]
    with pytest.raises(RecordError, match="nothing happens"):
        encode_record(replace(record, games=(GameRecord(((6, 5),), (turns[0], Turn(1))),)))
    with pytest.raises(RecordError, match="result is open"):
        encode_record(replace(record, games=(GameRecord(((6, 5),), turns[:1], Result(0, 1, 1)),)))
    with pytest.raises(RecordError, match="another game begins"):
        encode_record(replace(record, games=(GameRecord(((6, 5),), turns[:1]), GameRecord())))


def test_bytes_that_are_not_utf8_are_noticed():
    """They are not taken for another encoding, which would change names without a word."""
    data = TEXT.encode()
    with pytest.raises(RecordError, match=r"line 19, game 2, turn 1: the line is not in UTF-8") as caught:
        decode_record(data.replace(b"1 A 21", b"1 A\xff21"))
    check_sound(caught.value, decode_record(data))
    with pytest.raises(RecordError, match="line 1: the line is not in UTF-8, as 'narde record 1', the first"):
        decode_record(b"\xffnarde weights\n")
    with pytest.raises(RecordError, match="line 2: the line is not in UTF-8: "):
        decode_record(data.replace(b"final", b"fin\xe4l"))
    with pytest.raises(RecordError, match="no JSON"):
        decode_record(b'{"kind": "\xe4"}', "json")


def test_errors_are_of_the_family():
    fault = fault_of("")
    assert isinstance(fault, NardeError) and isinstance(fault, ValueError)


def test_the_sound_part_keeps_facts_and_comments():
    record = with_comments(MatchRecord.of_match(played("minsport", 1, 5), **FACTS))
    text = encode_record(record).decode()
    cut = text.rindex("\ngame ")
    sound = fault_of(text[:cut]).record
    assert sound.games == record.games[:-1]
    assert {name: getattr(sound, name) for name in FACTS} == FACTS

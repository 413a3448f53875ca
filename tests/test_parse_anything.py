"""Whatever text `parse` is given, it gives a setup or a `NardeError`, soon and without keeping memory."""

import dataclasses
import gc
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import narde
from narde import InvalidPositionError, NardeError, NotationError
from narde.ids import Setup, parse
from narde.ids.alphabet import ALPHABET, VALUE, with_check
from narde.ids.forms import FORMS
from narde.ids.narde_id import LONGEST
from setups import setups

START = narde.starting_row("short")
SAMPLES = [
    Setup(narde.starting_row("long")).id(),
    "Position ID: 4HPwATDgc/ABMA Match ID: QYkqASAAIAAA",
    *(Setup(START, "short", dice=(6, 5), cube_value=4, length=7, score=(3, 5)).id(form) for form in FORMS),  # type: ignore[arg-type]
]
CHARACTERS = "".join(sorted({*ALPHABET, *"".join(SAMPLES), *"DBRXGIOPN?-+/=: \n\0é²\u212a"}))


def check(text: str) -> None:
    """A setup comes back that its own ID gives again, or a `NardeError` of bounded length."""
    try:
        setup = parse(text)
    except (NotationError, InvalidPositionError) as fault:
        assert len(str(fault)) < 3 * LONGEST
        return
    assert parse(setup.id()) == dataclasses.replace(setup, player=1)


@given(st.one_of(st.text(), st.text(CHARACTERS, max_size=80)))
@example("")
@example("\0")
@example("XGID=")
@example("OGID=")
@example("narde:")
@example("gnubg id")
@example("\ud800")
@example("²" * 14)
@example("\u212a" * 20)
def test_any_text(text: str) -> None:
    check(text)


@given(st.sampled_from(SAMPLES), st.data())
def test_an_id_with_errors(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 3, len(text))))
        text = text[:start] + data.draw(st.text(CHARACTERS, max_size=3)) + text[end:]
    check(text)


@given(st.text(ALPHABET, max_size=60))
def test_any_body_with_a_sound_check_character(body: str) -> None:
    check(with_check("na" + body))


@given(
    st.lists(st.text("-0123456789ABCDabcdNWOq", max_size=26), max_size=12),
    st.sampled_from(["XGID=", "OGID=", ""]),
)
def test_any_fields(fields: list[str], label: str) -> None:
    check(label + ":".join(fields))


@pytest.mark.parametrize(
    "piece", [" ", "n", "-", "1:", "A", "Position ID ", "\t,;:", "=", "ab\0", "narde ID: "]
)
def test_long_texts(piece: str) -> None:
    check((piece * LONGEST)[:LONGEST])
    with pytest.raises(NotationError, match="no ID has"):
        parse(piece * 1_000_000)


@pytest.mark.parametrize("no_text", [None, 5, b"nal22225zzw22225zzw7", ["a"]])
def test_what_is_no_text(no_text: object) -> None:
    with pytest.raises(NotationError, match="an ID is text"):
        parse(no_text)  # type: ignore[arg-type]


def test_parsing_keeps_no_memory() -> None:
    def parse_all() -> None:
        for text in SAMPLES:
            for cut in range(len(text)):
                with pytest.raises(NardeError):
                    parse(text[:cut] + "!" + text[cut:])
                parse(text)

    parse_all()
    gc.collect()
    tracemalloc.start()
    parse_all()
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 50_000


@pytest.mark.parametrize("around", ["{}", " {}\n", "'{}'", '"{}"', "`{}`", "<{}>", "\ufeff{}", "({})"])
def test_blanks_quotes_and_brackets_around_an_id(around: str) -> None:
    for text in SAMPLES:
        assert parse(around.format(text)) == parse(text)


@settings(max_examples=20)
@given(setups())
def test_labels_and_case_of_a_narde_id(setup: Setup) -> None:
    text = setup.id()
    for label in ("narde:", "narde ID: ", "NARDE ID=", "nardeid:"):
        assert parse(label + text.upper()) == setup


def test_labels_of_the_others() -> None:
    ogid, xgid, gnubg = (parse(SAMPLES[1]).id(form) for form in ("ogid", "xgid", "gnubg"))  # type: ignore[arg-type]
    setup = parse(gnubg)
    labelled = [f"OGID={ogid}", f"ogid: {ogid}", xgid, xgid[5:], f"XGID: {xgid[5:]}"]
    position, match = gnubg.split(":")
    labelled += [f"GNUBGID {gnubg}", f"GNUBG ID: {gnubg}", f"gnuid={gnubg}", f"{position} {match}"]
    labelled += [
        f"Position ID: {position}, Match ID: {match}",
        f"GNUbg ID: Position ID: {position} Match ID: {match}",
    ]
    for text in labelled:
        assert parse(text) == setup, text


def test_a_lone_match_id_is_no_position() -> None:
    with pytest.raises(NotationError, match="no ID in any known form"):
        parse("QYkqASAAIAAA")


def test_alphabet_has_no_lookalikes() -> None:
    assert len(ALPHABET) == len(VALUE) == 32
    assert sorted(ALPHABET) == list(ALPHABET)
    assert set("01io") & set(ALPHABET) == set()

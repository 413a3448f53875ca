"""Any text and any bytes given to a reader give a record or a `NardeError`; nothing else, and no hang.

`tests/fuzz/fuzz_records.py` goes on where this ends.
"""

from __future__ import annotations

import gc
import json
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narde import NardeError
from narde.records import decode_record, encode_record
from recorded import DATA

TEXT_FORMS = ("narde", "json", "mat", "sgf")
SAMPLES = {
    "narde": (DATA / "short-money.narde").read_bytes(),
    "json": json.dumps(json.loads((DATA / "minsport.json").read_text(encoding="utf-8"))).encode(),
    "mat": (DATA.parent / "mat" / "site.mat").read_bytes(),
    "sgf": encode_record(decode_record((DATA.parent / "sgf" / "gnubg.narde").read_bytes()), "sgf"),
}
WORDS = {
    "narde": "narde record 1|game 1: 0-0|end|result: |opening: 31|; |A wins 1|double, |65: |\n|rules: ",
    "json": '{|}|[|]|"games"|"turns"|null|-1|1e9|[[|"dice": [1, 2]|"player": 1|true|"\\ud800"',
    "mat": " Game 1|\n| A : 0   B : 0\n| 5 point match\n|  1) |31: 8/5|Doubles => 2|Takes|Wins 2|????|; [",
    "sgf": "(|)|;|[|]|\\|B[31|W[double]|CV[4]|RE[W+2R]|DI[11]|MI[length:5]|(;GM[6]|AW[a]|PL[W]",
}
CHECKED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(data: bytes, form: str) -> None:
    """The bytes are refused, or give a record that comes back from its own text; so does a sound part."""
    try:
        record = decode_record(data, form)
    except NardeError as refused:
        record = getattr(refused, "record", None)
    if record is not None:
        assert decode_record(encode_record(record)) == record


@CHECKED
@given(
    form=st.sampled_from([*TEXT_FORMS, "gva"]),
    data=st.one_of(st.binary(max_size=200), st.text().map(str.encode)),
)
def test_any_bytes(form, data):
    check(data, form)


@st.composite
def mutated(draw):
    """A sample with pieces cut out, doubled, put elsewhere, or replaced by words of its form."""
    form = draw(st.sampled_from(TEXT_FORMS))
    data = SAMPLES[form]
    words = [word.encode("utf-8", "surrogatepass") for word in WORDS[form].split("|")]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        new = draw(st.one_of(st.sampled_from(words), st.binary(max_size=4), st.just(data[start:end] * 2)))
        data = data[:start] + new + data[end:]
    return form, data


@CHECKED
@given(mutated())
def test_samples_with_slips(case):
    form, data = case
    check(data, form)


@CHECKED
@given(form=st.sampled_from(TEXT_FORMS), data=st.data())
def test_words_in_any_order(form, data):
    words = data.draw(st.lists(st.sampled_from(WORDS[form].split("|")), max_size=40))
    check("".join(words).encode("utf-8", "surrogatepass"), form)


LONG = {
    "parentheses": b"(" * 200_000,
    "trees": b"(;)" * 30_000,
    "brackets": b"[" * 200_000,
    "spaces": b" " * 200_000,
    "a line of spaces": b"narde record 1\n" + b"a" + b" " * 200_000 + b"b",
    "colons": b" 5 point match\n Game 1\n" + b": " * 100_000,
    "quotes": b"; [" + b'"' * 200_000,
    "comments": SAMPLES["narde"].split(b"game 1")[0] + b";\n" * 60_000,
    "digits": b"narde record 1\nlength: " + b"9" * 200_000,
    "number": b'{"kind": "narde record", "version": ' + b"9" * 200_000 + b"}",
    "deep": b'{"a":' * 50_000,
    "offers": SAMPLES["narde"].split(b"  2 B")[0] + b"  2 B " + b"resign 1, refuse, " * 5_100 + b"21: 13/10",
    "doubles": b"(;GM[6]PW[A]PB[B];W[31hefe]" + b";B[double];W[double];B[take]" * 6_000,
    "cube": b"(;GM[6]PW[A]PB[B]CV[" + b"9" * 5_000 + b"];W[31hefe])",
    "automatic doubles": b"(;GM[6]PW[A]PB[B]CV[536870912];W[31hefe])",
    "cells": b" 5 point match\n Game 1\n A : 0    B : 0\n  1) " + b"31: " * 50_000,
    "properties": b"(;" + b"A" * 100_000 + b"[x])",
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("form", TEXT_FORMS)
def test_long_inputs_of_every_kind(name, form):
    """Each takes a time that grows with its length alone: a hang would be noticed here."""
    check(LONG[name], form)


def test_reading_keeps_no_memory():
    """Neither of what is sound nor of what is not."""

    def read_all():
        for form in TEXT_FORMS:
            for cut in (0, 100, 300):
                with suppress(NardeError):
                    decode_record(SAMPLES[form][:cut] + b"!" * bool(cut) + SAMPLES[form][cut:500], form)

    read_all()
    gc.collect()
    tracemalloc.start()
    read_all()
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 200_000

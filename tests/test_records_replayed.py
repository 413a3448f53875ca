"""Whole matches in every form that holds them: the replay gives every row, roll, cube, score and result."""

from __future__ import annotations

import pytest

from narde.records import FORMS, MatchRecord, decode_record, encode_record
from playing import HOUSES
from recorded import check_replay, played, states

OWN = ("narde", "json")
OTHERS = ("mat", "sgf")
"""With `ogxm` and `gva`, which `test_records_by_gammonview.py` checks."""


def test_every_form_that_is_written_is_tried():
    assert {name for name, form in FORMS.items() if form.write} == {*OWN, *OTHERS, "ogxm", "gva"}


@pytest.mark.parametrize("house", HOUSES)
def test_json(house):
    """The text of `test_records_text.py`, and what is said of it there, for the other form of ours."""
    match = played(house, 1)
    data = encode_record(MatchRecord.of_match(match), "json")
    again = decode_record(data, "json")
    assert encode_record(again, "json") == data
    assert states(again.to_games()) == states(match.games)


@pytest.mark.parametrize("length", [1, 3, None])
@pytest.mark.parametrize("form", OTHERS)
def test_forms_of_other_programs(length, form):
    check_replay(form, 2, length)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 16))
@pytest.mark.parametrize("form", OTHERS)
def test_long_matches_in_forms_of_other_programs(seed, form):
    check_replay(form, seed, [7, None][seed % 2])

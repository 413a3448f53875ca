"""OGID checked against its reference codec, libogxm, which the package `ogxm` brings along.

The package does not call this part of its library, so the test declares the two functions itself; it knows
their form in one release only.
"""

import ctypes
import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde.ids import Setup, parse
from setups import setups

ogxm = pytest.importorskip("ogxm", reason="pip install ogxm==2.3.2")
if ogxm.library_version() != "2.3.2":
    pytest.skip("the form of the functions is known for libogxm 2.3.2", allow_module_level=True)

from ogxm._lib import load_library  # noqa: E402

SHORT = narde.rules("short")


class Board(ctypes.Structure):
    """The checkers, packed; passed by value."""

    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


class Info(ctypes.Structure):
    """The fields of an OGID behind the checkers, with room to spare."""

    _fields_ = [
        ("owner", ctypes.c_char),
        ("exponent", ctypes.c_int),
        ("action", ctypes.c_char),
        ("dice", ctypes.c_int * 2),
        ("white_acted", ctypes.c_int),
        ("rest", ctypes.c_char * 232),
    ]


LIBRARY = load_library()
LIBRARY.ogid_parse_full.argtypes = [ctypes.c_char_p, ctypes.POINTER(Board), ctypes.POINTER(Info)]
LIBRARY.ogid_format_full.argtypes = [Board, ctypes.POINTER(Info), ctypes.c_char_p]


def by_reference(text: str) -> str:
    """The text as the reference codec reads and writes it."""
    board, info, out = Board(), Info(), ctypes.create_string_buffer(512)
    assert LIBRARY.ogid_parse_full(text.encode("ascii"), board, info) == 0
    LIBRARY.ogid_format_full(board, info, out)
    return out.value.decode("ascii")


@settings(max_examples=50)
@given(setups(st.just(SHORT)), st.sampled_from([1, 2]), st.sampled_from([None, "double"]))
def test_the_reference_codec_spells_our_ogid_so(setup: Setup, player: int, offer: Any) -> None:
    facts = {"cube_value": min(setup.cube_value, 1 << 9), "player": player, "offer": offer, "resign": 0}
    facts |= {"dice": None if offer else setup.dice, "length": setup.length % 1000}
    facts |= {"crawford": bool(setup.crawford and facts["length"]), "jacoby": False, "beavers": False}
    setup = dataclasses.replace(setup, **facts)
    assert by_reference(setup.id("ogid")) == setup.id("ogid")


START = "11jjjjjhhhccccc:ooddddd88866666"


@pytest.mark.parametrize(
    "tail", ["N0N", "N0N:", "N0N::W", "N0N:31", "N0N:31:W", "N0N::B:R", "W2N:31:B:R:3:5:7C:9"]
)
def test_missing_fields_read_as_the_reference_codec_reads_them(tail: str) -> None:
    text = f"{START}:{tail}"
    assert parse(by_reference(text)) == parse(text)


@pytest.mark.parametrize("text", ["11jjjjjhhhccccq:ooddddd88866666:W1N", "1:6:N0N", "o0:p1:N0N::W:R"])
def test_borne_off_checkers_and_the_order_of_the_checkers(text: str) -> None:
    assert parse(by_reference(text)) == parse(text)

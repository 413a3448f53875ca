"""Text boards: every checker once, at most 80 columns, readable without colour and without Unicode."""

import io
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import draw
from narde.draw._words import columns
from pictures import ESCAPES, opposite, read_text, row_of
from setups import rows

GAMES = ("long", "short")
MIDDLE = row_of({24: 1, 13: 3, 8: 3, 6: 4, 5: 2}, {1: 2, 12: 4, 17: 3, 19: 3, 18: 1}, bar=(2, 2))
BEARING_OFF = row_of({1: 2, 2: 1, 3: 3, 6: 1}, {13: 7, 14: 1, 15: 1}, off=(8, 6))
PLAIN: dict[str, Any] = {"colour": False, "ascii": False, "width": 80}

BOARDS: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "long-start": (narde.starting_row("long"), "long", {}),
    "long-bearing-off": (BEARING_OFF, "minsport", {"dice": (6, 1), "cube": 64, "title": "Who is ahead?"}),
    "long-bearing-off-from-the-other-side": (
        BEARING_OFF,
        "long",
        {"bottom": "opponent", "numbers": "opponent"},
    ),
    "long-all-off": (row_of({}, {13: 7, 14: 8}, off=(15, 0)), "long", {"mover": "dark"}),
    "long-narrow": (BEARING_OFF, "long", {"width": 43, "dice": (3, 3)}),
    "short-start": (narde.starting_row("short"), "short", {"dice": (3, 1), "cube": 1}),
    "short-both-on-the-bar": (
        MIDDLE,
        "short",
        {
            "cube": narde.Cube(2, "mover"),
            "names": ("Anna", "Boris"),
            "dice": (3, 3),
            "title": "Both on the bar",
        },
    ),
    "short-ascii": (MIDDLE, "short", {"ascii": True, "names": ("Анна", "Boris"), "title": "A title…"}),
    "short-narrow": (MIDDLE, "short", {"width": 43, "cube": narde.Cube(4, "opponent")}),
}
FOLDER = Path(__file__).parent / "boards"


class Terminal(io.StringIO):
    """A stream that says what a terminal would."""

    def __init__(self, encoding: str | None = "utf-8", tty: bool = True) -> None:
        super().__init__()
        self._encoding, self._tty = encoding, tty

    @property
    def encoding(self) -> Any:
        return self._encoding

    def isatty(self) -> bool:
        return self._tty


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize("name", BOARDS)
def test_boards_look_as_in_the_files(name: str) -> None:
    row, rules, options = BOARDS[name]
    assert draw.text(row, rules, **PLAIN | options) + "\n" == (FOLDER / f"{name}.txt").read_text(
        encoding="utf-8"
    )


def test_every_board_file_is_drawn() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(BOARDS)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("options", [{}, {"width": 43}, {"ascii": True}, {"ascii": True, "width": 43}])
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_every_checker_is_drawn_once(game: str, options: dict[str, Any], data: st.DataObject) -> None:
    row = data.draw(rows(game))
    shown = read_text(draw.text(row, game, **PLAIN | options), game == "long")
    assert shown == list(row)


@pytest.mark.parametrize("game", GAMES)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_the_other_side_of_the_board_shows_the_flipped_row(game: str, data: st.DataObject) -> None:
    row = data.draw(rows(game))
    options: Any = {"bottom": "opponent", "mover": "dark", "numbers": "light", **PLAIN}
    assert read_text(draw.text(row, game, **options), game == "long") == opposite(row, game)


@pytest.mark.parametrize("game", GAMES)
def test_either_players_numbers_are_written(game: str) -> None:
    mine, his = (draw.text(narde.starting_row(game), game, numbers=n, **PLAIN) for n in ("mover", "opponent"))
    upper, lower = (" ".join(map(str, r)) for r in (range(13, 25), range(12, 0, -1)))
    assert _number_rows(mine) == [upper, lower]
    swapped = {"long": [" ".join(map(str, range(1, 13))), " ".join(map(str, range(24, 12, -1)))]}
    assert _number_rows(his) == swapped.get(game, [lower, upper])


def _number_rows(text: str) -> list[str]:
    return [
        " ".join(line.split()) for line in text.splitlines() if line.split()[:1] and line.split()[0].isdigit()
    ]


@settings(deadline=None, max_examples=100)
@given(
    title=st.text(max_size=120),
    names=st.tuples(st.text(max_size=60), st.text(max_size=60)),
    game=st.sampled_from(GAMES),
    width=st.integers(43, 80),
    cube=st.integers(0, 40).map(lambda n: narde.Cube(2**n, "mover")),
    ascii=st.booleans(),
)
def test_no_line_is_wider_than_asked(
    title: str, names: tuple[str, str], game: str, width: int, cube: narde.Cube, ascii: bool
) -> None:
    row = narde.starting_row(game)
    options: Any = {"title": title, "names": names, "cube": cube, "dice": (6, 6), "ascii": ascii}
    text = draw.text(row, game, width=width, colour=False, **options)
    assert max(map(columns, text.splitlines())) <= width
    assert {unicodedata.category(c) for c in set(text) - {"\n"}}.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    assert len(text.splitlines()) == len(text.split("\n")) >= 17
    assert not ascii or text.isascii()


def test_wide_characters_count_twice() -> None:
    text = draw.text(narde.starting_row(), title="长" * 60, colour=False, width=80)
    assert text.splitlines()[0].strip() == "长" * 35 + "…"


@pytest.mark.parametrize(
    ("environment", "tty", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ],
)
def test_colour_follows_the_terminal(
    environment: dict[str, str], tty: bool, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    text = draw.text(narde.starting_row(), stream=Terminal(tty=tty))
    assert ("\x1b[" in text) == coloured


def test_colour_as_told_beats_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" in draw.text(narde.starting_row(), colour=True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" not in draw.text(narde.starting_row(), colour=False, stream=Terminal())


@pytest.mark.parametrize("name", BOARDS)
def test_colours_only_add_to_the_plain_board(name: str) -> None:
    row, rules, options = BOARDS[name]
    coloured = draw.text(row, rules, **PLAIN | options | {"colour": True})
    bare = [line.rstrip() for line in ESCAPES.sub("", coloured).splitlines()]
    assert bare == draw.text(row, rules, **PLAIN | options).splitlines()
    assert all(line.count("\x1b[") % 2 == 0 for line in coloured.splitlines())


@pytest.mark.parametrize(
    ("encoding", "ascii"),
    [
        ("utf-8", False),
        ("cp1251", True),
        ("latin-1", True),
        ("ascii", True),
        ("no-such", True),
        (None, False),
    ],
)
def test_ascii_where_the_encoding_carries_no_more(encoding: str | None, ascii: bool) -> None:
    text = draw.text(narde.starting_row(), title="Нарды", stream=Terminal(encoding, tty=False))
    assert ("+---" in text) == ascii
    if encoding in ("utf-8", "cp1251"):
        assert "Нарды" in text
        text.encode(encoding)


def test_a_narrow_terminal_gets_the_narrow_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    narrow = draw.text(BEARING_OFF, stream=Terminal(), colour=False)
    assert narrow == draw.text(BEARING_OFF, width=50, colour=False, ascii=False)
    assert "off 8" in narrow.splitlines()[-1]
    monkeypatch.setenv("COLUMNS", "20")
    assert max(map(len, draw.text(BEARING_OFF, stream=Terminal(), colour=False).splitlines())) <= 43
    monkeypatch.setenv("COLUMNS", "300")
    assert max(map(len, draw.text(BEARING_OFF, stream=Terminal(), colour=False).splitlines())) <= 80
    assert draw.text(BEARING_OFF, stream=Terminal(tty=False)) == draw.text(BEARING_OFF, **PLAIN)


def test_a_closed_stream_is_no_terminal() -> None:
    with Path(__file__).open(encoding="utf-8") as stream:
        pass
    assert "\x1b[" not in draw.text(narde.starting_row(), stream=stream)


@pytest.mark.parametrize(
    ("cube", "above", "below"),
    [
        (narde.Cube(2, "mover"), "opponent · 167 pips", "mover · 167 pips · cube 2 · on roll"),
        (narde.Cube(8, "opponent"), "opponent · 167 pips · cube 8", "mover · 167 pips · on roll"),
        (
            narde.Cube(2, "mover", "double"),
            "opponent · 167 pips · to answer",
            "mover · 167 pips · cube 2 · doubles to 4",
        ),
        (
            narde.Cube(2, "opponent", "beaver"),
            "opponent · 167 pips · cube 2 · beavers to 4",
            "mover · 167 pips · to answer",
        ),
    ],
)
def test_the_cube_and_its_offers_are_told(cube: narde.Cube, above: str, below: str) -> None:
    lines = draw.text(narde.starting_row("short"), "short", cube=cube, **PLAIN).splitlines()
    assert (lines[0][2:], lines[-1][2:]) == (above, below)


def test_who_is_all_off_is_told_and_nobody_rolls() -> None:
    text = draw.text(row_of({}, {13: 15}, off=(15, 0)), **PLAIN)
    assert "mover · 0 pips · all off" in text
    assert "on roll" not in text
    assert "to play 6-5" in draw.text(row_of({1: 15}, {}, off=(0, 15)), dice=(6, 5), **PLAIN)  # a last roll


BAD: list[dict[str, Any]] = [
    {"row": np.zeros(28, int)},
    {"row": [1, 2, 3]},
    {"row": "abc"},
    {"row": None},
    {"row": narde.starting_row()[None].repeat(2, 0)},
    {"row": narde.starting_row("short")[:27]},
    {"rules": "chess"},
    {"rules": 7},
    {"dice": (0, 7)},
    {"dice": (1, 2, 3)},
    {"dice": [(1, 2), (3, 4)]},
    {"dice": "65"},
    {"cube": 3},
    {"cube": 0},
    {"cube": True},
    {"cube": "2"},
    {"title": None},
    {"title": b"x"},
    {"names": ("one",)},
    {"names": "ab"},
    {"names": (1, 2)},
    {"mover": "white"},
    {"bottom": "left"},
    {"bottom": None},
    {"numbers": ["mover"]},
    {"colour": "yes"},
    {"ascii": 1},
    {"width": 20},
    {"width": 79.5},
    {"width": True},
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: str(*bad.items())[:40])
def test_bad_input_is_told(bad: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"row": narde.starting_row(), "rules": "long"} | bad
    with pytest.raises(narde.NardeError) as told:
        draw.text(**arguments)
    assert len(str(told.value)) < 400

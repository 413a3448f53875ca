"""SVG boards: every checker once, numbers, homes, valid and safe XML, no two ids alike on a page."""

import re
import runpy
import subprocess
import sys
import unicodedata
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import draw
from pictures import SVG, numbers, opposite, parse, part, read_svg, row_of, stacks
from setups import rows

GAMES = ("long", "short")
LIGHT = draw.theme_of("wood").light


@pytest.mark.parametrize("game", GAMES)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_every_checker_is_drawn_once(game: str, data: st.DataObject) -> None:
    row = data.draw(rows(game))
    assert read_svg(draw.svg(row, game), LIGHT) == list(row)
    for theme in draw.themes():
        paint = draw.theme_of(theme)
        turned = draw.svg(row, game, bottom="light", numbers="dark", mover="dark", theme=theme)
        assert read_svg(turned, paint.dark) == list(row)


@pytest.mark.parametrize("game", GAMES)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_stacks_carry_what_they_are(game: str, data: st.DataObject) -> None:
    row = np.array(data.draw(rows(game)))
    told = {}
    for group, _, count in stacks(parse(draw.svg(row, game, numbers="opponent"))):
        assert int(group.attrib["data-count"]) == count
        told[group.attrib["data-point"], group.attrib["data-side"]] = count
    seen = opposite(row, game)
    expected = {(str(i + 1), "mover" if n < 0 else "opponent"): abs(n) for i, n in enumerate(seen[:24]) if n}
    expected |= {(w, s): abs(n) for w, s, n in zip(*_TAIL, seen[24:], strict=True) if n}
    assert told == expected


_TAIL = (("bar", "bar", "off", "off"), ("opponent", "mover", "opponent", "mover"))


@pytest.mark.parametrize("game", GAMES)
def test_nothing_overlaps_or_leaves_the_picture(game: str) -> None:
    full = row_of({24: 5, 23: 5, 22: 5}, {12: 15})
    for row in (narde.starting_row(game), full, row_of({}, {}, off=(15, 15))):
        root = parse(draw.svg(row, game, title="T"))
        width, height = map(float, root.attrib["viewBox"].split()[2:])
        centres = []
        for _, checkers, _ in stacks(root):
            for c in checkers:
                if "cx" in c.attrib:
                    x, y, r = (float(c.attrib[k]) for k in ("cx", "cy", "r"))
                    assert r < x < width - r
                    assert r < y < height - r
                    assert all((x - a) ** 2 + (y - b) ** 2 >= (2 * r) ** 2 for a, b in centres)
                    centres.append((x, y))
                else:
                    x, y, w, h = (float(c.attrib[k]) for k in ("x", "y", "width", "height"))
                    assert 0 < x < x + w < width
                    assert 0 < y < y + h < height


@pytest.mark.parametrize("game", GAMES)
def test_points_stand_where_players_know_them(game: str) -> None:
    """The mover's 24 top right, 13 top left, 12 bottom left, 1 bottom right (long l11-14, nardeon l9)."""
    at = numbers(parse(draw.svg(narde.starting_row(game), game)))
    upper, lower = (list(map(str, r)) for r in (range(13, 25), range(12, 0, -1)))
    for line in (upper, lower):
        assert all(at[a][0] < at[b][0] for a, b in pairwise(line))
        assert len({at[n][1] for n in line}) == 1
    assert all(at[a][0] == at[b][0] for a, b in zip(upper, lower, strict=True))
    assert at["24"][1] < at["1"][1]


@pytest.mark.parametrize(("game", "left"), [("long", True), ("short", False)])
def test_trays_lie_beside_the_homes(game: str, left: bool) -> None:
    root = parse(draw.svg(row_of({1: 8}, {18 if game == "long" else 24: 9}, off=(7, 6)), game))
    middle = float(root.attrib["viewBox"].split()[2]) / 2
    trays = {g.attrib["data-side"]: c for g, c, _ in stacks(root) if g.attrib["data-point"] == "off"}
    places = {side: (float(c[0].attrib["x"]), float(c[0].attrib["y"])) for side, c in trays.items()}
    assert places["mover"][0] > middle
    assert (places["opponent"][0] < middle) == left
    assert places["opponent"][1] < places["mover"][1]


def test_dice_lie_in_the_movers_half_and_show_their_faces() -> None:
    for bottom, right in (("mover", True), ("opponent", False)):
        root = parse(draw.svg(narde.starting_row(), dice=(6, 1), bottom=bottom))  # type: ignore[arg-type]
        dice = part(root, "dice")
        assert [d.attrib["data-die"] for d in dice] == ["6", "1"]
        assert [len(d.findall(f".//{SVG}circle")) for d in dice] == [6, 1]
        middle = float(root.attrib["viewBox"].split()[2]) / 2
        assert all((float(r.attrib["x"]) > middle) == right for r in dice.iter(f"{SVG}rect"))
    assert "data-die" not in draw.svg(narde.starting_row())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("owner", [None, "mover", "opponent"])
def test_the_cube_lies_with_its_owner_and_off_the_trays(game: str, owner: Any) -> None:
    row = row_of({}, {}, off=(15, 15))
    root = parse(draw.svg(row, game, cube=narde.Cube(1024, owner)))
    cube = part(root, "cube")
    assert [t.text for t in cube.findall(f"{SVG}text")] == ["1024"]
    (box,) = cube.findall(f"{SVG}rect")
    x, y, size = (float(box.attrib[k]) for k in ("x", "y", "width"))
    height = float(root.attrib["viewBox"].split()[3])
    assert (y < height / 3, y > height / 2) == {
        None: (False, False),
        "mover": (False, True),
        "opponent": (True, False),
    }[owner]
    for _, checkers, _ in stacks(root):
        for c in checkers:
            a, b = float(c.attrib["x"]), float(c.attrib["y"])
            assert not (x - 40 < a < x + size and y - 10 < b < y + size)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mover", ["light", "dark"])
def test_homes_heads_and_ways_have_the_colours_of_their_sides(game: str, mover: Any) -> None:
    root = parse(draw.svg(narde.starting_row(game), game, mover=mover))
    paint, at, long = draw.theme_of("wood"), numbers(root), game == "long"
    colours = [paint.light, paint.dark][:: 1 if mover == "light" else -1]
    first, last = ("18", "13") if long else ("24", "19")
    for home, colour, ends in zip(part(root, "homes"), colours, (("6", "1"), (first, last)), strict=True):
        left, width = (float(home.attrib[k]) for k in ("x", "width"))
        assert home.attrib["fill"] == colour
        assert all(left < at[n][0] < left + width for n in ends)
        assert width == 6 * 40
    heads = root.findall(f".//{SVG}g[@data-part='heads']/*")
    assert [(h.attrib["fill"], float(h.attrib["x"]) + 14) for h in heads] == (
        [(c, at[n][0]) for c, n in zip(colours, ("24", "12"), strict=True)] if long else []
    )
    ways = list(part(root, "ways"))[1::2]
    middle = float(root.attrib["viewBox"].split()[2]) / 2
    assert [way.attrib["stroke"] for way in ways] == colours
    assert [(x < middle, down) for x, down in map(_way, ways)] == [(True, True), (not long, False)]


def _way(path: Element) -> tuple[float, bool]:
    """Where a way turns, and whether it goes down there."""
    x, start = map(float, re.findall(r"^M([\d.]+) ([\d.]+)", path.attrib["d"])[0])
    end = float(re.findall(r"T[\d.]+ ([\d.]+)", path.attrib["d"])[0])
    return x, end > start


def test_stacks_tell_the_mover_whatever_his_colour() -> None:
    root = parse(draw.svg(row_of({24: 15}, {12: 14, 3: 1}), mover="dark", bottom="light"))
    assert {(g.attrib["data-point"], g.attrib["data-side"]) for g, _, _ in stacks(root)} == {
        ("24", "mover"),
        ("12", "opponent"),
        ("3", "opponent"),
    }


def test_long_nardy_has_heads_and_no_bar_short_nardy_the_reverse() -> None:
    words = {
        game: re.findall(r">([a-z]+)</text>", draw.svg(narde.starting_row(game), game)) for game in GAMES
    }
    assert (words["long"].count("head"), words["short"].count("head")) == (2, 0)
    assert (words["long"].count("home"), words["short"].count("home")) == (2, 2)
    widths = [float(parse(draw.svg(narde.starting_row(g), g)).attrib["width"]) for g in GAMES]
    assert widths[0] < widths[1]


@settings(deadline=None, max_examples=150)
@given(title=st.text(max_size=200), names=st.tuples(st.text(max_size=50), st.text(max_size=50)))
def test_any_words_make_valid_xml(title: str, names: tuple[str, str]) -> None:
    root = ElementTree.fromstring(draw.svg(narde.starting_row(), title=title, names=names))
    assert {e.tag.removeprefix(SVG) for e in root.iter()} == TAGS | {"title", "desc"}
    seen = "".join(root.itertext())
    assert {unicodedata.category(c) for c in seen}.isdisjoint({"Cc", "Cs"})


TAGS = {"svg", "g", "rect", "circle", "polygon", "path", "text"}


def test_markup_in_words_stays_words() -> None:
    evil = """</title><script>alert('x')</script> & "quoted" <b onload='x'>"""
    svg = draw.svg(narde.starting_row(), title=evil, names=(evil, "]]> <!--"))
    root = parse(svg)
    assert root.findtext(f"{SVG}title") == evil
    assert "<script" not in svg
    assert any(t.text == "]]> <!--" for t in root.iter(f"{SVG}text"))


@pytest.mark.parametrize(
    "words", ["a\ud800b", "a\ufffeb", "a\U0001ffffb", "a\x00\x1b[31mb", "a\u202eb\u2028c\ufeff"]
)
def test_what_xml_or_a_terminal_cannot_take_is_replaced(words: str) -> None:
    root = ElementTree.fromstring(draw.svg(narde.starting_row(), title=words).encode("utf-8"))
    assert (root.findtext(f"{SVG}title") or "")[0] == "a"
    line = draw.text(narde.starting_row(), title=words, colour=False, ascii=False).splitlines()[0].strip()
    assert line == root.findtext(f"{SVG}title")
    assert line.isprintable()


def test_long_titles_are_cut_in_the_picture_and_whole_in_speech() -> None:
    title = "A very long title " * 20
    root = parse(draw.svg(narde.starting_row(), title=title))
    (shown,) = [t.text or "" for t in root.iter(f"{SVG}text") if (t.text or "").startswith("A very")]
    assert shown.endswith("…")
    assert 40 < len(shown) < 100
    assert root.findtext(f"{SVG}title") == title.strip()


def test_the_picture_is_described() -> None:
    root = parse(
        draw.svg(
            row_of({24: 13, 18: 2}, {12: 13, 1: 1, 17: 1}),
            dice=(6, 6),
            names=("Anna", "Boris"),
            moves=[(24, 18), (18, 12)],
        )
    )
    assert root.attrib["role"] == "img"
    named = [e.text for e in root if e.attrib.get("id") in root.attrib["aria-labelledby"].split()]
    assert named == [
        "Long nardy: Anna to play 6-6",
        "Long nardy board, points as numbered in the picture. "
        "Anna (light checkers, 348 pips, to play 6-6): 13 on 24, 2 on 18. "
        "Boris (dark checkers, 330 pips): 13 on 12, 1 on 1, 1 on 17. "
        "Arrows show the play 24/18 18/12.",
    ]
    short = parse(draw.svg(row_of({6: 13}, {19: 14}, bar=(2, 1)), "short", cube=narde.Cube(2, "opponent")))
    assert "opponent (dark checkers, 109 pips, owns the cube at 2): 14 on 19, 1 on the bar." in short[1].text


def test_pictures_on_one_page_share_no_id() -> None:
    row = narde.starting_row()
    pictures = [
        draw.svg(row),
        draw.svg(row, "minsport", dice=(1, 2)),
        draw.svg(row, theme="plain"),
        draw.svg(row, width=300),
        draw.svg(row, title="x"),
        draw.svg(narde.starting_row("short"), "short"),
        draw.svg(row, theme=replace(draw.theme_of("wood"), font="Arial")),
    ]
    ids = [i for svg in pictures for i in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(ids) == len(set(ids)) == 2 * len(pictures)
    assert draw.svg(row) == draw.svg(row.tolist(), narde.rules("long"))


def test_size_scales_and_keeps_its_shape() -> None:
    plain, small = (parse(draw.svg(narde.starting_row(), width=w)) for w in (None, 200))
    assert plain.attrib["viewBox"] == small.attrib["viewBox"]
    assert small.attrib["width"] == "200"
    shapes = [float(r.attrib["width"]) / float(r.attrib["height"]) for r in (plain, small)]
    assert shapes[0] == pytest.approx(shapes[1], rel=1e-3)


def test_themes_are_data() -> None:
    own = replace(draw.theme_of("plain"), field="#123456", font="Georgia, serif")
    svg = draw.svg(narde.starting_row(), theme=own)
    assert "#123456" in svg
    assert 'font-family="Georgia, serif"' in svg
    assert (
        len({draw.svg(narde.starting_row(), theme=name) for name in draw.themes()}) == len(draw.themes()) >= 3
    )
    assert draw.theme_of(own) is own


@pytest.mark.parametrize(
    "bad",
    [
        {"row": np.zeros(28, int)},
        {"rules": "chess"},
        {"theme": "neon"},
        {"theme": None},
        {"width": 0},
        {"width": "100%"},
        {"title": 3},
        {"cube": 6},
        {"dice": (6,)},
        {"bottom": "white"},
    ],
    ids=str,
)
def test_bad_input_is_told(bad: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"row": narde.starting_row(), "rules": "long"} | bad
    with pytest.raises(narde.NardeError):
        draw.svg(**arguments)


@pytest.mark.parametrize("bad", [{"field": ""}, {"ink": "a\nb"}, {"dark": 0}])
def test_a_theme_refuses_what_is_no_colour(bad: dict[str, Any]) -> None:
    with pytest.raises(narde.NardeError):
        replace(draw.theme_of("wood"), **bad)


def test_png_without_the_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    draw._png._shows.cache_clear()
    with pytest.raises(narde.MissingExtraError, match=r"pip install 'narde\[png\]'"):
        draw.png(narde.starting_row())


def test_the_board_of_the_readme_is_what_its_script_prints(capsys: pytest.CaptureFixture[str]) -> None:
    docs = Path(__file__).parents[1] / "docs"
    runpy.run_path(str(docs / "board.py"))
    assert capsys.readouterr().out == (docs / "board.svg").read_text(encoding="utf-8")


def test_draw_is_loaded_when_asked_for_and_needs_no_extra() -> None:
    code = (
        "import sys, narde; assert 'narde.draw' not in sys.modules\n"
        "narde.draw.svg(narde.starting_row()); narde.draw.text(narde.starting_row())\n"
        "assert not {'resvg_py', 'rich', 'wcwidth'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert not hasattr(narde, "drawing")

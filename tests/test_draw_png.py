"""PNG boards, where the `png` extra is installed."""

import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import narde
from narde import draw

resvg_py = pytest.importorskip("resvg_py")

NO_FONT = replace(draw.theme_of("wood"), font="'No Such Font'")


def rendered(svg: str, width: int) -> bytes:
    png: bytes = resvg_py.svg_to_bytes(svg_string=svg, width=width)
    return png


def has_fonts() -> bool:
    """Whether this machine has a font of the default theme."""
    return draw._png._shows(draw.theme_of("wood").font, ())


def size(png: bytes) -> tuple[int, int]:
    """Width and height from the header of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("theme", draw.themes())
def test_a_board_with_numbers_or_a_word_on_fonts(theme: str) -> None:
    row, options = narde.starting_row("short"), {"dice": (6, 1), "title": "Opening", "theme": theme}
    if not has_fonts():
        with pytest.raises(narde.NardeError, match="none of the fonts"):
            draw.png(row, "short", **options)
        return
    png = draw.png(row, "short", width=500, **options)
    svg = draw.svg(row, "short", **options)  # type: ignore[arg-type]
    _, _, w, h = map(float, re.findall(r'viewBox="([^"]+)"', svg)[0].split())
    assert size(png)[0] == 500
    assert size(png)[1] == pytest.approx(500 * h / w, abs=1)
    numberless = re.sub(r"(<text[^>]*>)\d+</text>", r"\1</text>", svg)
    assert png == rendered(svg, 500) != rendered(numberless, 500)


def test_no_font_is_an_error_not_a_board_without_numbers() -> None:
    with pytest.raises(narde.NardeError, match="No Such Font"):
        draw.png(narde.starting_row(), theme=NO_FONT)


@pytest.mark.parametrize(
    "bad",
    [{"width": 0}, {"width": None, "theme": "neon"}, {"fonts": ["no/such.ttf"]}, {"fonts": [3]}, {"dice": 1}],
)
def test_bad_input_is_told(bad: dict[str, Any]) -> None:
    with pytest.raises(narde.NardeError):
        draw.png(narde.starting_row(), **bad)


def test_a_file_that_is_no_font_is_no_help(tmp_path: Path) -> None:
    path = tmp_path / "font.ttf"
    path.write_bytes(b"not a font")
    with pytest.raises(narde.NardeError, match="No Such Font"):
        draw.png(narde.starting_row(), theme=NO_FONT, fonts=[path])

"""SVG boards as PNG, by `resvg-py` (MIT) from the `png` extra."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from narde.draw._words import quoted
from narde.draw._xml import Attributes, tag
from narde.errors import InvalidArgumentError, NardeError, extra, shown

Fonts = Sequence[str | PathLike[str]]


def render(svg: str, *, width: int, font: str, fonts: Fonts) -> bytes:
    """The picture `width` pixels wide. Raises `NardeError` where no font would show its numbers."""
    if isinstance(fonts, str) or not isinstance(fonts, Sequence):
        raise InvalidArgumentError(f"fonts is {shown(fonts)}: pass a list of .ttf or .otf files")
    files = tuple(map(_font_file, fonts))
    if not _shows(font, files):
        raise NardeError(
            f"none of the fonts {font} is installed, the picture would have no numbers: install one "
            "(Debian: fonts-dejavu-core), or pass fonts=['file.ttf'] and a theme whose font is that family"
        )
    png: bytes = _resvg().svg_to_bytes(svg_string=svg, width=width, font_files=list(files))
    return png


def _resvg() -> Any:
    return extra("resvg_py", "PNG boards need resvg-py: pip install 'narde[png]'")


def _font_file(path: str | PathLike[str]) -> str:
    if not isinstance(path, str | PathLike) or not Path(path).is_file():
        raise InvalidArgumentError(f"fonts: {quoted(path)} is no file: pass paths of .ttf or .otf files")
    return str(fspath(path))


_PROBE: Final[Attributes] = {
    "xmlns": "http://www.w3.org/2000/svg",
    "viewBox": "0 0 20 20",
    "width": 20,
    "height": 20,
}


@lru_cache(maxsize=32)
def _shows(font: str, files: tuple[str, ...]) -> bool:
    """Whether a digit leaves a mark: without a font the renderer leaves text out and says nothing."""
    digit = tag("svg", tag("text", "8", x=4, y=16, font_size=16, font_family=font), **_PROBE)
    blank = tag("svg", tag("g"), **_PROBE)
    draw = _resvg().svg_to_bytes
    return bool(draw(svg_string=digit, font_files=list(files)) != draw(svg_string=blank))

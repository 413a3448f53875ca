"""Colours and fonts of SVG boards, as data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from narde.draw._words import clean, quoted
from narde.errors import InvalidArgumentError, is_one_of

_FONT: Final = "'DejaVu Sans', 'Liberation Sans', 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
"""A list by name: some renderers know no generic family."""


@dataclass(frozen=True, kw_only=True)
class Theme:
    """What an SVG board is painted with; every field is an SVG colour, but for the last, a CSS font list.

    A theme of one's own is `dataclasses.replace(draw.theme_of("wood"), field="#245")`. Colours are fixed, so
    a board looks the same on a light and on a dark page.

    page: Behind everything.
    ink: Title, names, pips.
    faint: What is less important on the page.
    number: Point numbers, on the frame.
    light_ink: Counts on light checkers, spots on light dice.
    halo: Around arrows, to part them from what lies under them.
    """

    page: str
    ink: str
    faint: str
    frame: str
    frame_line: str
    number: str
    field: str
    point_a: str
    point_b: str
    point_line: str
    tray: str
    light: str
    light_line: str
    light_ink: str
    dark: str
    dark_line: str
    dark_ink: str
    cube: str
    cube_ink: str
    arrow: str
    halo: str
    font: str = _FONT

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value or clean(field.name, value) != value:
                raise InvalidArgumentError(
                    f"theme {field.name}={quoted(value)} is no colour or font: pass e.g. '#804020'"
                )


_THEMES: Final = {
    "wood": Theme(
        page="#fbf6ec",
        ink="#33231a",
        faint="#7a6552",
        frame="#5b3a26",
        frame_line="#3b2416",
        number="#f3e3c8",
        field="#e6cda2",
        point_a="#b5793f",
        point_b="#f3e4c6",
        point_line="#8a5a2e",
        tray="#472c1b",
        light="#fffaf0",
        light_line="#8c7a5e",
        light_ink="#3a2c1c",
        dark="#2f2a2b",
        dark_line="#0c0a0a",
        dark_ink="#f6efe2",
        cube="#fffdf7",
        cube_ink="#8a1c1c",
        arrow="#0b6e4f",
        halo="#ffffff",
    ),
    "plain": Theme(
        page="#ffffff",
        ink="#1f2933",
        faint="#616e7c",
        frame="#3e4c59",
        frame_line="#1f2933",
        number="#f5f7fa",
        field="#e4e7eb",
        point_a="#9fb3c8",
        point_b="#f7f9fb",
        point_line="#829ab1",
        tray="#323f4b",
        light="#ffffff",
        light_line="#627d98",
        light_ink="#102a43",
        dark="#243b53",
        dark_line="#0b1a29",
        dark_ink="#ffffff",
        cube="#ffffff",
        cube_ink="#102a43",
        arrow="#c2410c",
        halo="#ffffff",
    ),
    "print": Theme(
        page="#ffffff",
        ink="#000000",
        faint="#000000",
        frame="#ffffff",
        frame_line="#000000",
        number="#000000",
        field="#ffffff",
        point_a="#d0d0d0",
        point_b="#ffffff",
        point_line="#000000",
        tray="#ffffff",
        light="#ffffff",
        light_line="#000000",
        light_ink="#000000",
        dark="#000000",
        dark_line="#000000",
        dark_ink="#ffffff",
        cube="#ffffff",
        cube_ink="#000000",
        arrow="#000000",
        halo="#ffffff",
    ),
}


def themes() -> tuple[str, ...]:
    """The names of the themes that come with the package, each an argument for `theme_of`."""
    return tuple(_THEMES)


def theme_of(name: str | Theme) -> Theme:
    """A theme by its name; a `Theme` is returned as it is. Raises `InvalidArgumentError` for another name."""
    if isinstance(name, Theme):
        return name
    if is_one_of(name, _THEMES):
        return _THEMES[name]
    raise InvalidArgumentError(
        f"theme={quoted(name)} is none of {', '.join(_THEMES)}: pass a name or a draw.Theme"
    )

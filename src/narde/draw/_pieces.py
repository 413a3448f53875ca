"""What lies on the board: checkers, dice, the cube."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from narde.draw._geometry import PITCH, RADIUS, SHOWN, SLAB, TRAY, XY, Geometry
from narde.draw._theme import Theme
from narde.draw._view import Player, View
from narde.draw._xml import Attributes, group, tag

_DIE: Final = 34
_SPOTS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Spots on the faces of a die, in steps from its middle."""


def stacks(view: View, theme: Theme, place: Geometry) -> str:
    """Every checker: on the points, on the bar, in the trays."""
    drawn = []
    for point in range(1, 25):
        count = view.points[point - 1]
        player = view.bottom if count > 0 else view.top
        if count:
            centres = (place.checker(point, slot) for slot in range(SHOWN))
            drawn.append(_stack(player, abs(count), centres, str(view.numbers[point - 1]), view, theme))
    for player, below in ((view.bottom, True), (view.top, False)):
        if player.bar:
            centres = (place.on_bar(below, slot) for slot in range(SHOWN))
            drawn.append(_stack(player, player.bar, centres, "bar", view, theme))
        if player.off:
            drawn.append(_tray(player, below, view, theme, place))
    return group(*drawn, text_anchor="middle")


def paints(light: bool, theme: Theme) -> tuple[str, str, str]:
    """Fill, line and ink of a side."""
    if light:
        return theme.light, theme.light_line, theme.light_ink
    return theme.dark, theme.dark_line, theme.dark_ink


def _stack(player: Player, count: int, centres: Iterator[XY], where: str, view: View, theme: Theme) -> str:
    """Up to five checkers; on the last the count, where there are more."""
    fill, line, ink = paints(player.light, theme)
    shown = list(centres)[: min(count, SHOWN)]
    discs = [tag("circle", cx=x, cy=y, r=RADIUS - 0.75) for x, y in shown]
    rings = [
        tag("circle", cx=x, cy=y, r=RADIUS - 6) for x, y in shown[: SHOWN - 1 if count > SHOWN else SHOWN]
    ]
    x, y = shown[-1]
    label = (
        tag("text", str(count), x=x, y=y + 6, fill=ink, font_size=17, font_weight="bold")
        if count > SHOWN
        else ""
    )
    return group(
        group(*discs, fill=fill, stroke=line, stroke_width=1.5, data_part="checkers"),
        group(*rings, fill="none", stroke=ink, stroke_width=1, stroke_opacity=0.28),
        label,
        **_data(player, count, where, view),
    )


def _data(player: Player, count: int, where: str, view: View) -> Attributes:
    """What a page's own script may want to know of a stack."""
    side = "mover" if player is view.mover else "opponent"
    return {"data_side": side, "data_point": where, "data_count": count}


def _tray(player: Player, below: bool, view: View, theme: Theme, place: Geometry) -> str:
    """Checkers borne off, on edge, and how many."""
    fill, _, ink = paints(player.light, theme)
    centres = [place.in_tray(below, slot) for slot in range(player.off)]
    slabs = (
        tag("rect", x=x - TRAY / 2 + 4, y=y - SLAB / 2 + 0.5, width=TRAY - 8, height=SLAB - 1, rx=3)
        for x, y in centres
    )
    x, y = place.in_tray(below, player.off)
    y += 5 + (6 if not below else -6)
    return group(
        group(*slabs, fill=fill, stroke=ink, stroke_width=1, stroke_opacity=0.5, data_part="checkers"),
        tag("text", str(player.off), x=x, y=y, fill=theme.number, font_size=14, font_weight="bold"),
        **_data(player, player.off, "off", view),
    )


def dice(view: View, theme: Theme, place: Geometry) -> str:
    """The roll, in the colour of the player on roll and in the half of the board at his right hand."""
    if view.dice is None:
        return ""
    x = (place.right if view.mover_below else place.left) + 3 * PITCH
    faces = (
        _die(face, x + shift, view, theme, place) for face, shift in zip(view.dice, (-24, 24), strict=True)
    )
    return group(*faces, data_part="dice")


def _die(face: int, x: float, view: View, theme: Theme, place: Geometry) -> str:
    fill, line, ink = paints(view.mover.light, theme)
    half, y = _DIE / 2, place.middle
    spots = (tag("circle", cx=x + 9 * dx, cy=y + 9 * dy, r=3.2) for dx, dy in _SPOTS[face])
    body = tag(
        "rect",
        x=x - half,
        y=y - half,
        width=_DIE,
        height=_DIE,
        rx=7,
        fill=fill,
        stroke=line,
        stroke_width=1.5,
    )
    return group(body, group(*spots, fill=ink), data_die=face)


def cube(view: View, theme: Theme, place: Geometry) -> str:
    """The cube, in the middle at the left or on its owner's side."""
    owners = {None: view.cube, True: view.bottom.cube, False: view.top.cube}
    for owner, value in owners.items():
        if value:
            (x, y), half = place.cube(owner), 19
            body = tag(
                "rect",
                x=x - half,
                y=y - half,
                width=2 * half,
                height=2 * half,
                rx=6,
                fill=theme.cube,
                stroke=theme.cube_ink,
                stroke_width=2,
            )
            size = min(20, 54 / len(value))
            ink = tag(
                "text", value, x=x, y=y + size * 0.36, fill=theme.cube_ink, font_size=size, font_weight="bold"
            )
            return group(body, ink, text_anchor="middle", data_part="cube")
    return ""

"""What lies on the board: checkers, dice, the cube."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Stack:
    """The checkers of one place: whose, where, how many, and the centres of those drawn."""

    player: Player
    where: str
    count: int
    centres: tuple[XY, ...]


def stacks_of(view: View, place: Geometry) -> Iterator[Stack]:
    """Every stack: on the points, on the bar, in the trays."""
    slots = range(SHOWN)
    for point, number in enumerate(view.numbers, start=1):
        count = view.points[point - 1]
        player, shown = view.bottom if count > 0 else view.top, slots[: abs(count)]
        if count:
            yield Stack(player, str(number), abs(count), tuple(place.checker(point, slot) for slot in shown))
    for player, below in ((view.bottom, True), (view.top, False)):
        if player.bar:
            centres = tuple(place.on_bar(below, slot) for slot in slots[: player.bar])
            yield Stack(player, "bar", player.bar, centres)
        if player.off:
            centres = tuple(place.in_tray(below, slot) for slot in range(player.off))
            yield Stack(player, "off", player.off, centres)


def paints(light: bool, theme: Theme) -> tuple[str, str, str]:
    """Fill, line and ink of a side."""
    if light:
        return theme.light, theme.light_line, theme.light_ink
    return theme.dark, theme.dark_line, theme.dark_ink


def checkers(view: View, theme: Theme, place: Geometry) -> str:
    """All checkers, stack by stack, each with what a page's own script may want to know of it."""
    drawn = []
    for stack in stacks_of(view, place):
        side = "mover" if stack.player is view.mover else "opponent"
        data: Attributes = {"data_side": side, "data_point": stack.where, "data_count": stack.count}
        drawn.append(group((_slabs if stack.where == "off" else _discs)(stack, theme), **data))
    return group(*drawn)


def _discs(stack: Stack, theme: Theme) -> str:
    """Up to five checkers lying on the board, those without a count on them turned in rings."""
    fill, line, ink = paints(stack.player.light, theme)
    discs = (tag("circle", cx=x, cy=y, r=RADIUS - 0.75) for x, y in stack.centres)
    ringed = stack.centres[: SHOWN - (stack.count > SHOWN)]
    rings = (tag("circle", cx=x, cy=y, r=RADIUS - 6) for x, y in ringed)
    return group(*discs, fill=fill, stroke=line, stroke_width=1.5, data_part="checkers") + group(
        *rings, fill="none", stroke=ink, stroke_width=1, stroke_opacity=0.28
    )


def _slabs(stack: Stack, theme: Theme) -> str:
    """Checkers standing on edge in a tray."""
    fill, _, ink = paints(stack.player.light, theme)
    width, height = TRAY - 8, SLAB - 1
    slabs = (
        tag("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=3)
        for x, y in stack.centres
    )
    return group(*slabs, fill=fill, stroke=ink, stroke_width=1, stroke_opacity=0.5, data_part="checkers")


def counts(view: View, theme: Theme, place: Geometry) -> str:
    """How many there are, in trays and on the last of full stacks; on top, so that no arrow hides it."""
    labels = []
    for stack in stacks_of(view, place):
        x, y = stack.centres[-1]
        if stack.where == "off":
            y += 17 if y < place.middle else -17
            labels.append(_count(stack, x, y, 14, theme.number, theme.tray))
        elif stack.count > SHOWN:
            fill, _, ink = paints(stack.player.light, theme)
            labels.append(_count(stack, x, y, 17, ink, fill))
    return group(*labels, font_weight="bold", text_anchor="middle", paint_order="stroke", data_part="counts")


def _count(stack: Stack, x: float, y: float, size: float, ink: str, ground: str) -> str:
    """A number with its middle at (x, y)."""
    return tag(
        "text",
        str(stack.count),
        x=x,
        y=y + 0.36 * size,
        font_size=size,
        fill=ink,
        stroke=ground,
        stroke_width=4,
        stroke_linejoin="round",
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

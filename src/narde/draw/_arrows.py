"""Arrows for a play: each from the checker that moves to the place where it lands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import Final

from narde.draw._geometry import RADIUS, SHOWN, XY, Geometry
from narde.draw._theme import Theme
from narde.draw._view import BAR_POINT, OFF_POINT, View
from narde.draw._xml import group, number, tag
from narde.errors import InvalidArgumentError

_APART: Final = 13
"""Between arrows that start or end at the same checker."""
_HEAD: Final = (15, 7.5)
"""Length and half the width of an arrowhead."""


@dataclass(frozen=True)
class Arrow:
    """One move in the picture: its points as numbered there, the centre of the checker before and after."""

    source: str
    target: str
    start: XY
    end: XY


def arrows(view: View, theme: Theme, place: Geometry) -> str:
    """Every move of the play, over everything else."""
    return group(
        *(_drawn(arrow, theme, place) for arrow in arrows_of(view, place)), fill="none", data_part="play"
    )


def arrows_of(view: View, place: Geometry) -> list[Arrow]:
    """The arrows of a play, move by move, so that a checker goes on from where it landed.

    Raises `InvalidArgumentError` where no checker of the mover stands to be moved.
    """
    counts = _counts(view)
    landed: dict[int, list[XY]] = {}
    drawn = []
    for source, target in view.moves:
        names = _name(view, source), _name(view, target)
        if counts[source] < 1:
            raise InvalidArgumentError(f"move {'/'.join(names)}: the mover has no checker on {names[0]}")
        counts[source] -= 1
        slot = view.mover.bar - 1 - counts[source] if source == BAR_POINT else counts[source]
        start = (
            landed[source].pop() if landed.get(source) else _centre(view, place, source, min(slot, SHOWN - 1))
        )
        end = _centre(view, place, target, counts[target])
        counts[target] += 2 if target == OFF_POINT else 1  # a checker on edge is thinner than an arrowhead
        landed.setdefault(target, []).append(end)
        drawn.append(Arrow(*names, start, end))
    return _parted(drawn)


def _counts(view: View) -> dict[int, int]:
    """The mover's checkers by point, bar and tray."""
    sign = 1 if view.mover_below else -1
    counts = {point: max(sign * view.points[point - 1], 0) for point in range(1, 25)}
    return {**counts, BAR_POINT: view.mover.bar, OFF_POINT: view.mover.off}


def _centre(view: View, place: Geometry, point: int, slot: int) -> XY:
    """The centre of a checker of the mover."""
    if point == BAR_POINT:
        return place.on_bar(view.mover_below, slot)
    if point == OFF_POINT:
        return place.in_tray(view.mover_below, slot + 2)  # past the count of those off
    return place.checker(point, slot)


def _name(view: View, point: int) -> str:
    return {BAR_POINT: "bar", OFF_POINT: "off"}.get(point) or str(view.numbers[point - 1])


def _parted(drawn: list[Arrow]) -> list[Arrow]:
    """The same arrows, those from one place or to one place set side by side."""
    starts, ends = [arrow.start for arrow in drawn], [arrow.end for arrow in drawn]
    return [replace(arrow, start=_beside(starts, i), end=_beside(ends, i)) for i, arrow in enumerate(drawn)]


def _beside(places: list[XY], i: int) -> XY:
    """Place i moved sideways by its turn among those that equal it."""
    x, y = places[i]
    turn = places[:i].count((x, y)) - (places.count((x, y)) - 1) / 2
    return x + turn * _APART, y


def _drawn(arrow: Arrow, theme: Theme, place: Geometry) -> str:
    """A curve with a head, on a halo that parts it from what it crosses."""
    bend = _bend(arrow, place)
    x, y = _towards(arrow.start, bend, RADIUS + 2)
    neck = _towards(arrow.end, bend, _HEAD[0] - 3)
    curve = f"M{_xy(x, y)}Q{_xy(*bend)} {_xy(*neck)}"
    head = f"M{_xy(*arrow.end)}L{_wing(arrow.end, bend, 1)}L{_wing(arrow.end, bend, -1)}Z"
    return group(
        tag("path", d=curve, stroke=theme.halo, stroke_width=8.5, stroke_linecap="round"),
        tag("path", d=head, fill=theme.halo, stroke=theme.halo, stroke_width=4, stroke_linejoin="round"),
        tag("path", d=curve, stroke=theme.arrow, stroke_width=4.5, stroke_linecap="round"),
        tag("path", d=head, fill=theme.arrow),
        data_from=arrow.source,
        data_to=arrow.target,
    )


def _bend(arrow: Arrow, place: Geometry) -> XY:
    """The control point of the curve: towards the middle of the board, aside where the arrow crosses that."""
    (x1, y1), (x2, y2) = arrow.start, arrow.end
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if (y1 < place.middle) == (y2 < place.middle):
        way = 1 if y < place.middle else -1
        return x, y + way * min(8 + 0.35 * abs(x2 - x1), 76)
    return x + 0.1 * (y2 - y1), y - 0.1 * (x2 - x1)


def _towards(start: XY, end: XY, step: float) -> XY:
    """The place `step` from start on the way to end."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    return start[0] + (end[0] - start[0]) * step / length, start[1] + (end[1] - start[1]) * step / length


def _wing(end: XY, bend: XY, side: int) -> str:
    """One rear corner of the arrowhead."""
    x, y = _towards(end, bend, _HEAD[0])
    dx, dy = (x - end[0]) / _HEAD[0], (y - end[1]) / _HEAD[0]
    return _xy(x - side * dy * _HEAD[1], y + side * dx * _HEAD[1])


def _xy(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"

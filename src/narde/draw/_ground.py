"""The board itself: frame, points, their numbers, homes and heads, and the way the players go."""

from __future__ import annotations

from narde.draw._geometry import BAND, HALF, MARGIN, PITCH, POINT, RIM, TRAY, WALL, Geometry
from narde.draw._theme import Theme
from narde.draw._view import View
from narde.draw._xml import Attributes, group, number, tag


def frame(theme: Theme, place: Geometry) -> str:
    """The wood around: the frame, the two halves of the field, the hinge or bar between, the trays."""
    line: Attributes = {"stroke": theme.frame_line, "stroke_width": 1.5}
    field: Attributes = {
        "y": place.top,
        "width": 6 * PITCH,
        "height": 2 * HALF + BAND,
        "fill": theme.field,
        **line,
    }
    tray: Attributes = {"width": TRAY, "rx": 4, "fill": theme.tray, "stroke": theme.frame_line}
    return group(
        tag(
            "rect",
            x=MARGIN,
            y=place.frame_top,
            width=place.width - 2 * MARGIN,
            height=2 * (HALF + RIM) + BAND,
            rx=8,
            fill=theme.frame,
            **line,
        ),
        tag("rect", x=place.left, **field),
        tag("rect", x=place.right, **field),
        *(
            tag("rect", x=x, y=y, height=HALF, **tray)
            for x in (place.left - WALL - TRAY, place.width - place.left + WALL)
            for y in (place.top, place.bottom - HALF)
        ),
        _hinges(theme, place) if place.long else "",
    )


def _hinges(theme: Theme, place: Geometry) -> str:
    """The middle of a board for long nardy: two leaves that fold, no bar."""
    x, top, height = place.centre, place.frame_top, 2 * (HALF + RIM) + BAND
    plates = (
        tag("rect", x=x - 6, y=y - 22, width=12, height=44, rx=3, fill=theme.number, stroke=theme.frame_line)
        for y in (place.top + HALF / 2, place.bottom - HALF / 2)
    )
    return tag("path", d=_line(x, top, x, top + height), stroke=theme.frame_line, stroke_width=1.5) + "".join(
        plates
    )


def points(theme: Theme, place: Geometry) -> str:
    """The 24 points, dark and light in turn."""
    return group(
        *(_point(point, theme, place) for point in range(1, 25)), stroke=theme.point_line, stroke_width=0.75
    )


def _point(point: int, theme: Theme, place: Geometry) -> str:
    edge, way = place.edge(point <= 12)
    x, half = place.column(point), PITCH / 2 - 1
    corners = (f"{number(x - half)},{number(edge)}", f"{number(x + half)},{number(edge)}")
    return tag(
        "polygon",
        points=f"{' '.join(corners)} {number(x)},{number(edge + way * POINT)}",
        fill=theme.point_a if point % 2 == 0 else theme.point_b,
    )


def rim(view: View, theme: Theme, place: Geometry) -> str:
    """The numbers of the points, and in a side's colour a line along its home and a plate at its head."""
    return group(
        group(*(_home(view, below, theme, place) for below in (True, False)), data_part="homes"),
        group(
            *(_head(view, below, theme, place) for below in (True, False) if place.long), data_part="heads"
        ),
        *(_captions(view, below, theme, place) for below in (True, False)),
        group(
            *(_number(view, point, theme, place) for point in range(1, 25)),
            font_size=13,
            text_anchor="middle",
            data_part="numbers",
        ),
    )


def head_of(below: bool) -> int:
    """The head of a side in long nardy, in the bottom player's numbering (long l11-12)."""
    return 24 if below else 12


def _number(view: View, point: int, theme: Theme, place: Geometry) -> str:
    x, y = _rim_place(point, place)
    ink = theme.number
    if place.long and point in (head_of(True), head_of(False)):
        light = (view.bottom if point == head_of(True) else view.top).light
        ink = theme.light_ink if light else theme.dark_ink
    return tag("text", str(view.numbers[point - 1]), x=x, y=y + 4.5, fill=ink)


def _rim_place(point: int, place: Geometry) -> tuple[float, float]:
    """The middle of the frame at a point."""
    edge, way = place.edge(point <= 12)
    return place.column(point), edge - way * (RIM / 2 + 1)


def _home(view: View, below: bool, theme: Theme, place: Geometry) -> str:
    player = view.bottom if below else view.top
    fill, line = (theme.light, theme.light_line) if player.light else (theme.dark, theme.dark_ink)
    edge, way = place.edge(below)
    left = place.left if place.long and not below else place.right
    return tag(
        "rect",
        x=left,
        y=edge - 2 - way * 2,
        width=6 * PITCH,
        height=4,
        fill=fill,
        stroke=line,
        stroke_width=0.75,
    )


def _captions(view: View, below: bool, theme: Theme, place: Geometry) -> str:
    """The words for home and head, between the tips of the points and the middle of the board."""
    half = place.left if place.long and not below else place.right
    words = [("home", half + 3 * PITCH, below)]
    if place.long:
        words.append(("head", place.column(head_of(below)), not below))
    return group(
        *(
            tag("text", word, x=x, y=place.middle + (BAND / 2 + 6.5) * (1 if low else -1) + 3.5)
            for word, x, low in words
        ),
        fill=theme.point_line,
        font_size=11,
        text_anchor="middle",
    )


def _head(view: View, below: bool, theme: Theme, place: Geometry) -> str:
    player = view.bottom if below else view.top
    fill, line = (theme.light, theme.light_line) if player.light else (theme.dark, theme.dark_ink)
    x, y = _rim_place(head_of(below), place)
    return tag(
        "rect", x=x - 14, y=y - 9, width=28, height=18, rx=9, fill=fill, stroke=line, stroke_width=0.75
    )


def ways(view: View, theme: Theme, place: Geometry) -> str:
    """How the players go round: an arrow of each side's colour where its path turns from half to half.

    The bottom player turns at the left. In long nardy the top player goes the same way round and turns at the
    right (long l16), in short nardy he comes towards the other and turns at the left too.
    """
    left, right = place.left + 8, place.width - place.left - 8
    if place.long:
        turns = (_turn(left, 1, 16, 1, place), _turn(right, -1, 16, -1, place))
    else:
        turns = (_turn(left, 1, 18, 1, place), _turn(left + 9, 1, 8, -1, place))
    sides = zip(turns, (view.bottom.light, view.top.light), strict=True)
    return group(
        *(_painted(path, light, theme) for path, light in sides),
        fill="none",
        stroke_linejoin="round",
        stroke_linecap="round",
        data_part="ways",
    )


def _turn(x: float, side: int, reach: float, way: int, place: Geometry) -> str:
    """An arrow round the turn at x: it opens to the right (`side` 1) or left, goes down (`way` 1) or up."""
    y, tip = place.middle, x + side * (46 - reach)
    start, end = y - way * reach, y + way * reach
    round_ = x + side * reach * 0.8
    path = f"M{number(tip - side * 8)} {number(start)}H{number(round_)}"
    path += f"Q{number(x)} {number(start)} {number(x)} {number(y)}T{number(round_)} {number(end)}"
    return path + f"H{number(tip)}m{-side * 6} -4.5l{side * 6} 4.5l{-side * 6} 4.5"


def _painted(path: str, light: bool, theme: Theme) -> str:
    """An arrow in the colour of a side, with an edge of its line."""
    fill, line = (theme.light, theme.light_line) if light else (theme.dark, theme.dark_line)
    return tag("path", d=path, stroke=line, stroke_width=4.5) + tag(
        "path", d=path, stroke=fill, stroke_width=2.5
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"

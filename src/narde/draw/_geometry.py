"""Where everything lies on an SVG board, in its own units: a checker is 36 across."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from narde.draw._view import View

XY = tuple[float, float]

PITCH: Final = 40
"""From point to point."""
RADIUS: Final = 18
STACK: Final = 36
"""From checker to checker on a point."""
SHOWN: Final = 5
"""Checkers drawn on a point; the last one carries the count where there are more."""
HALF: Final = 204
"""Height of the upper and of the lower half, from the edge to the band between them."""
BAND: Final = 56
POINT: Final = 188
"""Length of a point."""
SLAB: Final = 11
"""From checker to checker in a tray, where they stand on edge."""
TRAY: Final = 46
MARGIN: Final = 14
RIM: Final = 26
"""Height of the frame above and below the field, where the numbers stand."""
WALL: Final = 10
STRIP: Final = 30
"""Height of a player's line above or below the board."""
TITLE: Final = 34
_HINGE: Final = {"long": 20, "short": 48}


@dataclass(frozen=True)
class Geometry:
    """The places of one picture."""

    long: bool
    titled: bool

    @property
    def hinge(self) -> float:
        """Width of the hinge of long nardy, of the bar of short nardy."""
        return _HINGE["long" if self.long else "short"]

    @property
    def width(self) -> float:
        return 2 * self.left + 12 * PITCH + self.hinge

    @property
    def height(self) -> float:
        return self.frame_top + 2 * RIM + 2 * HALF + BAND + STRIP + MARGIN

    @property
    def left(self) -> float:
        """Left edge of the field."""
        return MARGIN + WALL + TRAY + WALL

    @property
    def right(self) -> float:
        """Left edge of the right half of the field."""
        return self.left + 6 * PITCH + self.hinge

    @property
    def centre(self) -> float:
        return self.width / 2

    @property
    def frame_top(self) -> float:
        return MARGIN + STRIP + (TITLE if self.titled else 0)

    @property
    def top(self) -> float:
        """Upper edge of the field."""
        return self.frame_top + RIM

    @property
    def middle(self) -> float:
        return self.top + HALF + BAND / 2

    @property
    def bottom(self) -> float:
        """Lower edge of the field."""
        return self.top + 2 * HALF + BAND

    def edge(self, below: bool) -> tuple[float, int]:
        """The edge that the checkers of a half stack from, and which way they grow."""
        return (self.bottom, -1) if below else (self.top, 1)

    def column(self, point: int) -> float:
        """The middle of a point."""
        place = 12 - point if point <= 12 else point - 13
        return (self.left if place < 6 else self.right) + (place % 6 + 0.5) * PITCH

    def checker(self, point: int, slot: int) -> XY:
        """The centre of a checker; slot 0 lies at the edge, slot 5 is the free place after a full stack."""
        edge, way = self.edge(point <= 12)
        return self.column(point), edge + way * (RADIUS + 1 + STACK * min(slot, SHOWN))

    def on_bar(self, below: bool, slot: int) -> XY:
        """The centre of a checker on the bar: each side's in its own half, from the middle outwards."""
        way = 1 if below else -1
        return self.centre, self.middle + way * (RADIUS + 10 + STACK * min(slot, SHOWN))

    def tray(self, below: bool) -> float:
        """Left edge of a side's tray, which lies beside its home board."""
        at_left = self.long and not below
        return self.left - WALL - TRAY if at_left else self.width - self.left + WALL

    def in_tray(self, below: bool, slot: int) -> XY:
        """The centre of a checker borne off."""
        edge, way = self.edge(below)
        return self.tray(below) + TRAY / 2, edge + way * SLAB * (slot + 0.5)

    def cube(self, owner: bool | None) -> XY:
        """Where the cube lies: centred (None), the bottom (True) or top player's (False); never in a tray."""
        left = self.left - WALL - TRAY / 2
        if owner is None:
            return left, self.middle
        edge, way = self.edge(owner)
        return (self.width - left if self.long and not owner else left), edge + way * TRAY / 2


def geometry_of(view: View) -> Geometry:
    """The places for a view."""
    return Geometry(long=view.game == "long", titled=bool(view.title))

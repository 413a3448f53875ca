"""The board as text: lines of styled pieces, joined plain or with the colours of a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from narde.draw._terminal import Glyphs, encodable
from narde.draw._view import Player, View
from narde.draw._words import columns, fit, pad

ROWS: Final = 5
"""Checkers drawn on a point; where there are more, the innermost gives way to the count."""
MIN_WIDTH: Final = 43
"""Columns that the narrow board needs, in the wider of the two games."""
_FULL_WIDTH: Final = 67
"""Columns that the board with trays needs, in the wider of the two games."""
_TRAY: Final = 8

Piece = tuple[str, str, str]
"""Characters, their ink and the ground under them; an empty name leaves the terminal's own."""
Line = list[Piece]

_INKS: Final = {
    "": "",
    "light": "1;38;5;231",
    "dark": "1;38;5;16",
    "guide": "38;5;180",
    "frame": "38;5;223",
    "bold": "1",
}
"""Colours from the fixed part of the 256, which no terminal theme redefines."""
_GROUNDS: Final = {"": "", "a": "48;5;101", "b": "48;5;65", "frame": "48;5;94"}


def render(view: View, glyphs: Glyphs, encoding: str, *, colour: bool, width: int) -> str:
    """The whole picture, without a newline at its end."""
    layout = _Layout(view, glyphs, encoding, full=width >= _FULL_WIDTH, width=width)
    return "\n".join(_join(line, colour) for line in layout.lines())


@dataclass(frozen=True)
class _Layout:
    """One picture under way: what to show, with which characters, and whether there is room for trays."""

    view: View
    glyphs: Glyphs
    encoding: str
    full: bool
    width: int

    @property
    def cell(self) -> int:
        """Columns of a point."""
        return 4 if self.full else 3

    @property
    def bar(self) -> int:
        """Columns of the bar; long nardy has a hinge instead (nardeon l21: nobody is hit)."""
        return 0 if self.view.game == "long" else self.cell + 1 if self.full else self.cell

    @property
    def margin(self) -> int:
        """Columns left of the board: in long nardy the top player's tray stands there."""
        return _TRAY if self.full and self.view.game == "long" else 0

    def lines(self) -> list[Line]:
        """Every line from the title down."""
        title = fit(encodable(self.view.title, self.encoding), self.width - self.margin, self.glyphs.ellipsis)
        blank: Piece = (" " * self.margin, "", "")
        return [
            *([[blank, (title, "bold", "")]] if title else []),
            [blank, *self.strip(self.view.top)],
            self.labels(upper=True),
            self.rim(upper=True),
            *(self.checkers(row, upper=True) for row in range(ROWS)),
            self.middle(),
            *(self.checkers(row, upper=False) for row in reversed(range(ROWS))),
            self.rim(upper=False),
            self.labels(upper=False),
            [blank, *self.strip(self.view.bottom)],
        ]

    def disc(self, light: bool, count: int = 1) -> str:
        return (self.glyphs.light if light else self.glyphs.dark) * count

    def strip(self, player: Player) -> Line:
        """Who sits here: his checker, name, pips, cube and what he is about to do."""
        facts = [f"{player.pips} pips", f"cube {player.cube}" if player.cube else "", player.status]
        if not self.full:
            facts.insert(1, f"off {player.off}" if player.off else "")
        gap = f" {self.glyphs.dot} " if self.full else " "
        tail = "".join(gap + fact for fact in facts if fact)
        room = max(self.width - self.margin - 2 - columns(tail), 0)
        name = fit(encodable(player.name, self.encoding), room, self.glyphs.ellipsis)
        return [(self.disc(player.light), _ink(player), "a"), (f" {name}", "bold", ""), (tail, "", "")]

    def labels(self, *, upper: bool) -> Line:
        """The numbers of twelve points, and how many lie in the tray at their end."""
        cells = [f"{self.view.numbers[point - 1]:>{self.cell - 1}} " for point in _half_row(upper)]
        gap = " " * (self.bar + 2 if self.bar else 1)
        numbers = "".join([" ", *cells[:6], gap, *cells[6:], " "])
        left, right = (f"off {p.off}" if p and p.off else "" for p in self.trays(upper))
        return [
            (pad(f"{left:>{_TRAY - 1}}", self.margin) if self.margin else "", "", ""),
            (f"{numbers} {right}", "", ""),
        ]

    def trays(self, upper: bool) -> tuple[Player | None, Player | None]:
        """Whose tray is left and right of the upper or lower half: beside his home board."""
        if not self.full:
            return None, None
        if not upper:
            return None, self.view.bottom
        return (self.view.top, None) if self.view.game == "long" else (None, self.view.top)

    def rim(self, *, upper: bool) -> Line:
        """The edge of the board, doubled along home boards."""
        g, first = self.glyphs, 0 if upper else 2
        homes = (upper and self.view.game == "long", not upper or self.view.game == "short")
        halves = [(g.home if home else g.edge) * (6 * self.cell) for home in homes]
        ends = [(g.home_corners if home else g.corners)[first + i] for i, home in enumerate(homes)]
        if self.bar:
            posts = [(g.home_bars if home else g.bars)[first + i] for i, home in enumerate(homes)]
            hinge = posts[0] + g.edge * self.bar + posts[1]
        else:
            hinge = g.hinges[first // 2]
        return [
            (" " * self.margin, "", ""),
            (ends[0] + halves[0] + hinge + halves[1] + ends[1], "frame", "frame"),
        ]

    def checkers(self, row: int, *, upper: bool) -> Line:
        """One line of checkers; row 0 lies at the edge."""
        cells = [self.point(point, row) for point in _half_row(upper)]
        side: Piece = (self.glyphs.side, "frame", "frame")
        left, right = (self.tray(player, row) for player in self.trays(upper))
        player = self.view.top if upper else self.view.bottom
        if self.bar:
            hinge = [
                side,
                (self.centred(self.stack(player.bar, row, player.light)), _ink(player), "frame"),
                side,
            ]
        else:
            hinge = [(self.glyphs.hinge, "frame", "frame")]
        gap: Piece = (" ", "", "")
        margin = [(" " * (self.margin - 1 - len(left[0])), "", ""), left, gap] if self.margin else []
        return [*margin, side, *cells[:6], *hinge, *cells[6:], side, gap, right]

    def point(self, point: int, row: int) -> Piece:
        """The part of a point in one line."""
        count = self.view.points[point - 1]
        player = self.view.bottom if count > 0 else self.view.top
        shaded = point % 2 == 0
        shown = self.stack(abs(count), row, player.light)
        ink = _ink(player) if shown else "guide"
        shown = shown or (self.glyphs.guide if shaded else "")
        return f"{shown:>{self.cell - 1}} ", ink, "a" if shaded else "b"

    def stack(self, count: int, row: int, light: bool) -> str:
        """A checker, the count in place of the innermost of more than five, or nothing."""
        if row == ROWS - 1 and count > ROWS:
            return str(count)
        return self.disc(light) if row < count else ""

    def tray(self, player: Player | None, row: int) -> Piece:
        """Three checkers a line, from the edge inwards."""
        if player is None or player.off <= 3 * row:
            return "", "", ""
        return self.disc(player.light, min(player.off - 3 * row, 3)), _ink(player), "a"

    def centred(self, words: str) -> str:
        """In the middle of the bar."""
        return words.rjust((self.bar + 1) // 2 if len(words) < 2 else (self.bar + 2) // 2).ljust(self.bar)

    def middle(self) -> Line:
        """Between the halves: the ways of play, the dice in the mover's half, a centred cube in the other."""
        view, g = self.view, self.glyphs
        bottom, top = self.disc(view.bottom.light), self.disc(view.top.light)
        roll = "[{}] [{}]".format(*view.dice) if view.dice else ""
        cube = f"cube {view.cube}" if view.cube else ""
        left, right = (cube, roll) if view.mover_below else (roll, cube)
        down: Line = [(" ", "", "b"), (bottom, _ink(view.bottom), "b"), (g.down, "frame", "b")]
        up: Line = [(g.up, "frame", "b"), (top, _ink(view.top), "b"), (" ", "", "b")]
        side: Piece = (g.side, "frame", "frame")
        if view.game == "long":
            hinge: Line = [(g.hinge, "frame", "frame")]
            halves = self.half(down, left, []), self.half([], right, up)
        else:
            hinge = [side, ("bar".center(self.bar), "frame", "frame"), side]
            halves = self.half([*down, *up], left, []), self.half([], right, [])
        return [(" " * self.margin, "", ""), side, *halves[0], *hinge, *halves[1], side]

    def half(self, start: Line, words: str, end: Line) -> Line:
        """Words in the middle of one half of the board, between what stands at its ends."""
        room = 6 * self.cell - len(start) - len(end)
        shift = len(end) - len(start) if room - len(words) >= abs(len(end) - len(start)) else 0
        before = max((room - len(words) + shift) // 2, 0)
        return [*start, (" " * before + words.ljust(room - before), "light", "b"), *end]


def _half_row(upper: bool) -> Iterable[int]:
    """The bottom player's points from left to right."""
    return range(13, 25) if upper else range(12, 0, -1)


def _ink(player: Player) -> str:
    return "light" if player.light else "dark"


def _join(line: Line, colour: bool) -> str:
    """The line as one string, without blanks at its end."""
    if not colour:
        return "".join(words for words, _, _ in line).rstrip()
    styled = []
    for (ink, ground), pieces in groupby(line, key=lambda piece: piece[1:]):
        words = "".join(piece[0] for piece in pieces)
        codes = ";".join(filter(None, (_INKS[ink], _GROUNDS[ground])))
        styled.append(f"\x1b[{codes}m{words}\x1b[0m" if codes and words else words)
    return "".join(styled).rstrip()

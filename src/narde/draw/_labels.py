"""Words around an SVG board: the title and a line for each player."""

from __future__ import annotations

from typing import Final

from narde.draw._geometry import MARGIN, RIM, STRIP, Geometry
from narde.draw._pieces import paints
from narde.draw._theme import Theme
from narde.draw._view import Player, View
from narde.draw._words import columns
from narde.draw._xml import escape, group, tag

_BROAD: Final = frozenset("mwMW@%ЖМШЩЮФжмшщюф…—")


def title(view: View, theme: Theme, place: Geometry) -> str:
    """The title above all, smaller where it is long, cut where it is longer still; all of it is spoken."""
    if not view.title:
        return ""
    room = place.width - 2 * MARGIN
    size, words = fitted(view.title, room, sizes=(19, 16, 13))
    return tag(
        "text",
        escape(words),
        x=place.centre,
        y=MARGIN + 19,
        fill=theme.ink,
        font_size=size,
        font_weight="bold",
        text_anchor="middle",
    )


def players(view: View, theme: Theme, place: Geometry) -> str:
    """A line for each player beside his half: checker, name, what he is about to do, pips."""
    above = place.frame_top - STRIP / 2 + 3
    below = place.bottom + RIM + STRIP / 2 + 1
    return group(
        *(_player(p, y, theme, place) for p, y in ((view.top, above), (view.bottom, below))), fill=theme.ink
    )


def _player(player: Player, y: float, theme: Theme, place: Geometry) -> str:
    fill, line, _ = paints(player.light, theme)
    facts = " · ".join(filter(None, (player.status, f"{player.pips} pips")))
    left, right, size = MARGIN + 2, place.width - MARGIN - 2, 15
    room = right - left - 26 - ems(facts) * size - 20
    name_size, name = fitted(player.name, room, sizes=(size, 13))
    return group(
        tag("circle", cx=left + 9, cy=y, r=8, fill=fill, stroke=line, stroke_width=1.5),
        tag("text", escape(name), x=left + 26, y=y + 5, font_size=name_size, font_weight="bold"),
        tag("text", escape(facts), x=right, y=y + 5, font_size=size, text_anchor="end"),
    )


def fitted(words: str, room: float, sizes: tuple[float, ...]) -> tuple[float, str]:
    """The largest of the font sizes at which the words fit, else the last one and the words cut to it."""
    for size in sizes:
        if ems(words) * size <= room:
            return size, words
    while words and ems(words + "…") * sizes[-1] > room:
        words = words[:-1]
    return sizes[-1], words.rstrip() + "…"


def ems(words: str) -> float:
    """About how wide the words are in bold, in units of the font size; rather too wide than too narrow."""
    return sum(_em(char) for char in words)


def _em(char: str) -> float:
    if char in _BROAD:
        return 1.05
    return {0: 0.0, 2: 1.05}.get(columns(char), 0.8 if char.isupper() else 0.68)

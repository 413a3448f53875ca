"""The board as SVG: self-contained, scalable, and described in words for those who cannot see it."""

from __future__ import annotations

from narde.draw import _arrows, _ground, _labels, _pieces
from narde.draw._describe import described, heading
from narde.draw._geometry import Geometry, geometry_of
from narde.draw._theme import Theme
from narde.draw._view import View
from narde.draw._xml import escape, number, tag


def render(view: View, theme: Theme, width: float | None) -> str:
    """The whole picture as one `svg` element; its only ids are those of its title and description."""
    from hashlib import sha256

    place = geometry_of(view)
    words = (heading(view), described(view))
    scale = 1 if width is None else width / place.width
    drawn = _drawn(view, theme, place)
    mark = "narde-" + sha256("\n".join((*words, theme.font, str(scale), drawn)).encode()).hexdigest()[:12]
    return tag(
        "svg",
        tag("title", escape(words[0]), id=f"{mark}-title"),
        tag("desc", escape(words[1]), id=f"{mark}-desc"),
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(place.width)} {number(place.height)}",
        width=place.width * scale,
        height=place.height * scale,
        role="img",
        aria_labelledby=f"{mark}-title {mark}-desc",
        style="max-width:100%;height:auto",
        font_family=theme.font,
    )


def _drawn(view: View, theme: Theme, place: Geometry) -> str:
    """Everything to be seen, from the ground up."""
    return "".join(
        (
            tag("rect", width=place.width, height=place.height, rx=10, fill=theme.page),
            _ground.frame(theme, place),
            _ground.points(theme, place),
            _ground.rim(view, theme, place),
            _ground.ways(view, theme, place),
            _labels.title(view, theme, place),
            _labels.players(view, theme, place),
            _pieces.checkers(view, theme, place),
            _pieces.dice(view, theme, place),
            _pieces.cube(view, theme, place),
            _arrows.arrows(view, theme, place),
            _pieces.counts(view, theme, place),
        )
    )

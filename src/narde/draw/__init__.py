"""Pictures of a row: text for terminals, SVG for pages and notebooks, PNG by the `png` extra.

Each takes one row, shape (28,), seen by the player on roll, and draws it as players of the game know it: the
head of the player below top right in long nardy, his home board bottom right in both games. Options of all:

- `title`: a line above the board, cut where it is too long;
- `dice`: the roll, two numbers from 1 to 6;
- `cube`: a `narde.Cube`, or the value of one in the middle;
- `names`: the mover's and the opponent's;
- `mover`: the colour of the mover's checkers, `"light"` or `"dark"`;
- `bottom`: who sits below, `"mover"` or `"opponent"`, or by colour, so that one player stays there all game;
- `numbers`: whose numbering of the points is written, in the same words.
"""

from __future__ import annotations

from typing import IO, Any, Literal

import numpy as np
import numpy.typing as npt

from narde.cube import Cube
from narde.draw import _png, _svg, _terminal, _text
from narde.draw._theme import Theme, theme_of, themes
from narde.draw._view import Side, view_of
from narde.draw._words import quoted
from narde.errors import InvalidArgumentError
from narde.kernels import as_whole_number
from narde.rules import Rules

__all__ = ["Side", "Theme", "png", "svg", "text", "theme_of", "themes"]


def text(
    row: npt.ArrayLike,
    rules: str | Rules = "long",
    *,
    title: str = "",
    dice: npt.ArrayLike | None = None,
    cube: Cube | int | None = None,
    names: tuple[str, str] = ("mover", "opponent"),
    mover: Literal["light", "dark"] = "light",
    bottom: Side = "mover",
    numbers: Side = "mover",
    colour: bool | None = None,
    ascii: bool | None = None,
    width: int | None = None,
    stream: IO[str] | None = None,
) -> str:
    """The board as lines of text, at most 80 columns wide, without a newline at the end.

    `○` (in ASCII `O`) are the light checkers, `●` (`X`) the dark ones; of more than five on a point the
    innermost gives way to their count. Double lines run along home boards; arrows show where each way turns.

    `colour`, `ascii` and `width`, where None, are found out for `stream`, the standard output if None: colour
    from NO_COLOR, FORCE_COLOR, TERM and whether it is a terminal, ASCII from its encoding, the width from the
    terminal. Below 67 columns the board is drawn narrower and without trays; it needs 43.

    Raises `InvalidPositionError`, `InvalidDiceError`, `InvalidRulesError`; for an option
    `InvalidArgumentError`.
    """
    for name, flag in (("colour", colour), ("ascii", ascii)):
        if flag is not None and not isinstance(flag, bool):
            raise InvalidArgumentError(f"{name}={quoted(flag)} is none of None, True, False")
    _whole("width", width, _text.MIN_WIDTH, 10_000)
    view = view_of(
        row,
        rules,
        title=title,
        dice=dice,
        cube=cube,
        names=names,
        mover=mover,
        bottom=bottom,
        numbers=numbers,
    )
    glyphs, encoding = _terminal.glyphs_for(ascii, stream)
    columns = max(_terminal.width_for(width, stream), _text.MIN_WIDTH)
    return _text.render(view, glyphs, encoding, colour=_terminal.has_colour(colour, stream), width=columns)


def svg(
    row: npt.ArrayLike,
    rules: str | Rules = "long",
    *,
    title: str = "",
    dice: npt.ArrayLike | None = None,
    cube: Cube | int | None = None,
    names: tuple[str, str] = ("mover", "opponent"),
    mover: Literal["light", "dark"] = "light",
    bottom: Side = "mover",
    numbers: Side = "mover",
    moves: npt.ArrayLike | None = None,
    theme: str | Theme = "wood",
    width: int | None = None,
) -> str:
    """The board as one self-contained `svg` element.

    `moves` draws a play as arrows: up to four (from, to) in the mover's numbering, 25 the bar, 0 off, pairs
    of -1 left out; whether it is legal is not asked. `theme` is a name out of `themes()` or a `Theme`.
    `width` is in pixels, about 650 if None; a narrower page shrinks the board. Ground and colours are fixed,
    so it looks the same on light and dark pages. Same arguments, same text; the only ids are those of title
    and description, and no other picture has them. Stacks are groups with `data-side`, `data-point` and
    `data-count`.

    Raises what `text` raises, and `InvalidArgumentError` for a move from where the mover has no checker.
    """
    _whole("width", width, 1, 100_000)
    view = view_of(
        row,
        rules,
        title=title,
        dice=dice,
        cube=cube,
        names=names,
        mover=mover,
        bottom=bottom,
        numbers=numbers,
        moves=moves,
    )
    return _svg.render(view, theme_of(theme), width)


def png(
    row: npt.ArrayLike,
    rules: str | Rules = "long",
    *,
    width: int = 1280,
    fonts: _png.Fonts = (),
    **options: Any,
) -> bytes:
    """The board of `svg`, whose options it takes, as a PNG file `width` pixels wide.

    `fonts` are font files to use besides those installed; the theme names the families, first choice first.

    Raises what `svg` raises, `MissingExtraError` without the `png` extra, and `NardeError` where no font of
    the theme is found, since a board without numbers is of no use.
    """
    width = as_whole_number(width, "width", 1, 16_384)
    picture = svg(row, rules, **options)
    return _png.render(picture, width=width, font=theme_of(options.get("theme", "wood")).font, fonts=fonts)


def _whole(option: str, value: Any, least: int, most: int) -> None:
    """Refuse what is neither None nor a whole number from `least` to `most`."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if value is not None and not (whole and least <= value <= most):
        raise InvalidArgumentError(f"{option}={quoted(value)} is no whole number from {least} to {most}")

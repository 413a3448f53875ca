"""What is shown of a game: its board with names, score, dice and cube, and its plays in columns."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from narde.board import Rows
from narde.draw._words import columns, pad
from narde.game import Game
from narde.game.pictures import COLOURS
from narde.terminal.console import Console
from narde.terminal.turn import PartialTurn
from narde.terminal.words import Names

_WIDTH: Final = 80
_HEIGHT: Final = 24
"""A terminal where nothing else is known."""
_BOARD: Final = 19
"""Lines of a board with a blank line before it and the prompt behind it."""
_FEWEST: Final = 3
"""Lines of plays that are shown at least."""


def board(
    game: Game, names: Names, console: Console, *, title: str, below: int = 0, row: Rows | None = None
) -> str:
    """The board of a game, the player `below` at the bottom, the points numbered as the mover does.

    `row` is what stands there in place of the game's own row: that of a turn under way.
    """
    return (game if row is None else replace(game, row=row)).text(
        names,
        title=f"{title}, {game.score}",
        bottom=COLOURS[below],
        colour=console.colour,
        stream=console.stdout,
    )


def play_lines(partial: PartialTurn, console: Console, *, whole: bool = False) -> list[str]:
    """The plays, numbered, that the moves made can still become: all if `whole`, else as many as fit."""
    width, height = _size(console)
    notation = partial.plays.notation
    digits = len(str(len(notation)))
    found = partial.open if partial.entries else range(len(notation))
    items = [f"{i + 1:{digits}}  {notation[i]}" for i in found]
    lines, room = in_columns(items, width), max(_FEWEST, height - _BOARD)
    if whole or len(lines) <= room:
        return lines
    return [*in_columns(items, width, room - 1), f"... {len(items)} plays: 'plays' lists them all"]


def _size(console: Console) -> tuple[int, int]:
    """Columns and lines of the terminal, of a usual one in a pipe."""
    usual = (_WIDTH, _HEIGHT)
    return shutil.get_terminal_size(usual) if console.is_terminal else usual


def in_columns(items: Sequence[str], width: int, lines: int | None = None) -> list[str]:
    """The items in lines of at most `width` columns, read downwards; one that is longer has its own line.

    At most `lines` lines; the items that do not fit are left out.
    """
    if not items:
        return []
    cell = max(map(columns, items)) + 2
    across = max(1, (width + 2) // cell)
    shown = items if lines is None else items[: across * lines]
    down = -(-len(shown) // across)
    return ["".join(pad(item, cell) for item in shown[i::down]).rstrip() for i in range(down)]

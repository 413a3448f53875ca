"""What a picture shows, before it is text or SVG: the row as seen from one side of the board, checked once.

Everything below speaks of the `bottom` and the `top` player of the picture and numbers the points as the
bottom player does: his 12 … 1 lie in the lower half from left to right, his 13 … 24 in the upper half.
That is how both games are drawn (long l11-14, nardeon l9): in long nardy the heads are top right and
bottom left and both players go counterclockwise; in short nardy the top player goes the other way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from narde import board
from narde.cube import Cube
from narde.draw._words import clean, cube_words, quoted
from narde.errors import InvalidArgumentError, is_one_of
from narde.rules import Game, Rules
from narde.rules import rules as rules_of

Side = Literal["mover", "opponent", "light", "dark"]
"""A side of the picture: by its part in the row, or by the colour of its checkers."""

SIDES: Final = ("mover", "opponent", "light", "dark")
BAR_POINT: Final = 25
OFF_POINT: Final = 0


@dataclass(frozen=True)
class Player:
    """One side of the picture, in words and numbers.

    status: `to play 6-5`, `on roll`, `all off`, or empty.
    cube: The value of the cube he owns, or empty.
    """

    name: str
    light: bool
    bar: int
    off: int
    pips: int
    status: str
    cube: str


@dataclass(frozen=True)
class View:
    """A checked row as one player sees it, and all that is written around it.

    points: 24 counts, the bottom player's 1 … 24: + his checkers, - those of the top player.
    numbers: 24 labels, what is written at the bottom player's 1 … 24.
    cube: The value of a centred cube, or empty.
    moves: The play to draw, in the bottom player's numbering; 25 is the mover's bar, 0 his tray.
    """

    game: Game
    title: str
    bottom: Player
    top: Player
    points: tuple[int, ...]
    numbers: tuple[int, ...]
    dice: tuple[int, int] | None
    cube: str
    mover_below: bool
    moves: tuple[tuple[int, int], ...] = ()

    @property
    def mover(self) -> Player:
        return self.bottom if self.mover_below else self.top


def across(point: int, game: Game) -> int:
    """The number that the player on the other side of the board gives to a point, 1 to 24."""
    return (point + 11) % 24 + 1 if game == "long" else 25 - point


def view_of(
    row: npt.ArrayLike,
    rules: str | Rules,
    *,
    title: str,
    dice: npt.ArrayLike | None,
    cube: Cube | int | None,
    names: tuple[str, str],
    mover: Literal["light", "dark"],
    bottom: Side,
    numbers: Side,
    moves: npt.ArrayLike | None = None,
) -> View:
    """The view of a row; raises a `NardeError` for anything that cannot be drawn."""
    game = rules_of(rules).game
    own = _row(row, rules)
    _choice("mover", mover, ("light", "dark"))
    below = is_mover("bottom", bottom, mover)
    counted = below if is_mover("numbers", numbers, mover) else not below
    seen = own if below else board.flip(own, rules)
    roll = _dice(dice)
    stake = _cube(cube)
    players = _players(own, rules, _names(names), _status(own, roll, stake), stake, mover == "light")
    return View(
        game=game,
        title=clean("title", title),
        bottom=players[0 if below else 1],
        top=players[1 if below else 0],
        points=tuple(int(n) for n in seen[:24]),
        numbers=tuple(p if counted else across(p, game) for p in range(1, 25)),
        dice=roll,
        cube=cube_words(stake.value) if stake and stake.owner is None else "",
        mover_below=below,
        moves=tuple((_seen(a, below, game), _seen(b, below, game)) for a, b in _moves(moves)),
    )


def is_mover(option: str, side: str, mover: str) -> bool:
    """Whether a side word means the mover, whose checkers have the colour `mover`."""
    _choice(option, side, SIDES)
    return side in ("mover", mover)


def _seen(point: int, below: bool, game: Game) -> int:
    """A point of a move as the bottom player numbers it; bar and tray keep their numbers."""
    return point if below or point in (BAR_POINT, OFF_POINT) else across(point, game)


def _row(row: npt.ArrayLike, rules: str | Rules) -> board.Rows:
    """The row, valid and alone."""
    rows, single = board.as_rows(row)
    if not single:
        raise InvalidArgumentError(f"a picture shows one row, not a batch {rows.shape}: pass rows[i]")
    board.validate(rows, rules)
    own: board.Rows = rows[0]
    return own


def _players(
    row: board.Rows,
    rules: str | Rules,
    names: tuple[str, str],
    status: tuple[str, str],
    cube: Cube | None,
    mover_light: bool,
) -> tuple[Player, Player]:
    """The mover and the opponent."""
    off, bar = _off(row), (int(row[board.BAR]), -int(row[board.OPPONENT_BAR]))
    pips = board.pips(row, rules)
    mover, opponent = (
        Player(
            name=names[i],
            light=mover_light == (i == 0),
            bar=bar[i],
            off=off[i],
            pips=int(pips[i]),
            status=status[i],
            cube=cube_words(cube.value) if cube and cube.owner == side else "",
        )
        for i, side in enumerate(("mover", "opponent"))
    )
    return mover, opponent


def _off(row: board.Rows) -> tuple[int, int]:
    """The checkers that the mover and the opponent have borne off."""
    return int(row[board.OFF]), -int(row[board.OPPONENT_OFF])


def _status(row: board.Rows, roll: tuple[int, int] | None, cube: Cube | None) -> tuple[str, str]:
    """What the two are about to do; with dice the mover plays, even if the opponent is all off."""
    off = _off(row)
    own, opponent = ("all off" if n == board.CHECKERS else "" for n in off)
    if cube and cube.offer:
        offers = f"{cube.offer}s to {cube_words(2 * cube.value)}"
        return (offers, "to answer") if cube.answerer == "opponent" else ("to answer", offers)
    if roll is not None:
        own = f"to play {roll[0]}-{roll[1]}"
    elif board.CHECKERS not in off:
        own = "on roll"
    return own, opponent


def _names(names: tuple[str, str]) -> tuple[str, str]:
    """The names of the mover and the opponent."""
    if not isinstance(names, Sequence) or isinstance(names, str) or len(names) != 2:
        raise InvalidArgumentError(f"names={quoted(names)} are not two: pass (the mover's, the opponent's)")
    return clean("names[0]", names[0]), clean("names[1]", names[1])


def _dice(dice: npt.ArrayLike | None) -> tuple[int, int] | None:
    """The two dice as rolled, or None."""
    if dice is None:
        return None
    pairs, single = board.as_dice(dice)
    if not single:
        raise InvalidArgumentError(f"a picture shows one roll, not {len(pairs)}: pass dice[i]")
    return int(pairs[0, 0]), int(pairs[0, 1])


def _cube(cube: Cube | int | None) -> Cube | None:
    """The cube; a bare value is a centred one."""
    if cube is None or isinstance(cube, Cube):
        return cube
    if isinstance(cube, bool) or not isinstance(cube, int | np.integer):
        raise InvalidArgumentError(
            f"cube={quoted(cube)}: pass a narde.Cube, or a value for one in the middle"
        )
    return Cube(int(cube))


def _moves(moves: npt.ArrayLike | None) -> list[tuple[int, int]]:
    """The moves of a play, each (from, to); unused ones, -1 and -1, are left out."""
    if moves is None:
        return []
    pairs = board.as_integers(moves, "moves", InvalidArgumentError)
    if pairs.size == 0:
        return []
    if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) > 4:
        raise InvalidArgumentError(
            f"moves have shape {pairs.shape}: pass up to four (from, to), shape (k, 2)"
        )
    used: list[tuple[int, int]] = [(int(a), int(b)) for a, b in pairs if (a, b) != (-1, -1)]
    for a, b in used:
        if not (1 <= a <= BAR_POINT and OFF_POINT <= b <= 24):
            raise InvalidArgumentError(
                f"move ({a}, {b}): from is 1 to 24 or 25 for the bar, to is 24 to 1 or 0 for off"
            )
    return used


def _choice(option: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse a value that is none of the choices."""
    if not is_one_of(value, choices):
        raise InvalidArgumentError(f"{option}={quoted(value)} is none of {', '.join(map(repr, choices))}")

"""XGID of eXtreme Gammon: `XGID=board:cube:owner:turn:dice:score:score:flags:length:max cube`.

The board has 26 characters: the top player's bar, the points 1 to 24 of the bottom player, his bar; A to O
are his checkers, a to o the top player's. It does not turn with the player on roll. Owner and turn are 1 for
the bottom player and -1 for the top player, whose score comes second. Cube and max cube are exponents of two.
With D for dice the player named by the turn has doubled, and the cube is that before the double: so GNUBG
reads it.
"""

from __future__ import annotations

import re
from typing import Any, Final

from narde.errors import InvalidArgumentError, NotationError
from narde.ids.setup import LARGEST_CUBE, Setup
from narde.ids.sides import PLACES, Side, row_of, sides_of
from narde.rules import rules as rules_of

_FIELDS: Final = ("cube", "owner", "turn", "score1", "score2", "flags", "length", "max_cube")
_SMALL: Final = r"-?[0-9]{1,9}"
_OFFERS: Final = {"D": "double", "B": "beaver", "R": "raccoon"}
_NO_LIMIT: Final = 10
_EXPONENTS: Final = LARGEST_CUBE.bit_length()
_PLAYERS: Final = {1: 1, -1: 2}


def write_xgid(setup: Setup) -> str:
    """The XGID of a setup. Raises `InvalidArgumentError` for an offered resignation, which it cannot hold."""
    if setup.resign:
        raise InvalidArgumentError("an XGID has no resignations, use dataclasses.replace(setup, resign=0)")
    turn = 1 if setup.player == 1 else -1
    bottom, top = sides_of(setup.row, setup.rules)[::turn]
    score1, score2 = setup.score[::turn]
    owner = {None: 0, "mover": turn, "opponent": -turn}[setup.cube_owner]
    flags = setup.crawford + setup.jacoby + 2 * setup.beavers
    limit = setup.max_cube.bit_length() - 1 if setup.max_cube else _NO_LIMIT
    cube = (setup.cube_value.bit_length() - 1, owner, turn)
    fields = (
        _write_board(bottom, top),
        *cube,
        _write_dice(setup),
        score1,
        score2,
        flags,
        setup.length,
        limit,
    )
    return "XGID=" + ":".join(map(str, fields))


def read_xgid(text: str) -> Setup:
    """The setup of an XGID without its `XGID=`; the last field, the highest cube, may be missing."""
    board, *fields = text.split(":")
    if len(fields) not in (8, 9):
        raise NotationError(f"it has {len(fields) + 1} fields, expected 10 (or 9, without the highest cube)")
    numbers = _read_numbers([*fields[:3], *fields[4:]])
    bottom, top = _read_board(board)
    own, opponent = (bottom, top)[:: numbers["turn"]]
    row = row_of(own, opponent, rules_of("short"))
    return Setup(row, "short", **_read_dice(fields[3]), **_read_facts(numbers))


def _write_board(bottom: Side, top: Side) -> str:
    """The 26 characters of the board."""
    board = [_letter("A", checkers) for checkers in (0, *bottom)]
    for place, checkers in enumerate(top, 1):
        if checkers:
            board[PLACES - place] = _letter("a", checkers)
    return "".join(board)


def _letter(first: str, checkers: int) -> str:
    return chr(ord(first) + checkers - 1) if checkers else "-"


def _read_board(text: str) -> tuple[Side, Side]:
    """The checkers of the bottom and of the top player, each by his own points."""
    if len(text) != PLACES + 1:
        raise NotationError(f"its board has {len(text)} characters, expected {PLACES + 1}")
    bottom = [_checkers("A", character) for character in text]
    top = [_checkers("a", character) for character in reversed(text)]
    strange = [c for c, mine, his in zip(text, bottom, top[::-1], strict=True) if c != "-" and not mine + his]
    if strange:
        raise NotationError(f"{strange[0]!r} on its board is none of - A to P a to p")
    if bottom[0] or top[0]:
        raise NotationError("a bar holds checkers of the wrong player")
    return bottom[1:], top[1:]


def _checkers(first: str, character: str) -> int:
    """How many checkers of the player whose letters begin with `first` a character stands for."""
    checkers = ord(character) - ord(first) + 1
    return checkers if 1 <= checkers <= 16 else 0


def _read_numbers(fields: list[str]) -> dict[str, int]:
    """All fields that are numbers, each checked for its range."""
    texts = dict(zip(_FIELDS, [*fields, str(_NO_LIMIT)], strict=False))
    wrong = [f"{name} {value!r}" for name, value in texts.items() if not re.fullmatch(_SMALL, value)]
    if wrong:
        raise NotationError(f"its {wrong[0]} is no number")
    numbers = {name: int(value) for name, value in texts.items()}
    ranges = {"cube": range(_EXPONENTS), "owner": (-1, 0, 1), "turn": (-1, 1), "max_cube": range(_EXPONENTS)}
    outside = [f"{name} {numbers[name]}" for name, allowed in ranges.items() if numbers[name] not in allowed]
    if outside:
        raise NotationError(f"its {outside[0]} is out of range")
    return numbers


def _write_dice(setup: Setup) -> str:
    if setup.dice:
        return "".join(map(str, setup.dice))
    return {offer: letter for letter, offer in _OFFERS.items()}.get(setup.offer or "", "00")


def _read_dice(text: str) -> dict[str, Any]:
    """The roll or the offer."""
    if text in _OFFERS:
        return {"offer": _OFFERS[text]}
    if text == "00":
        return {}
    if not re.fullmatch("[1-6][1-6]", text):
        raise NotationError(f"its dice {text!r} are none of 00, 11 to 66, D, B, R")
    return {"dice": (int(text[0]), int(text[1]))}


def _read_facts(numbers: dict[str, int]) -> dict[str, Any]:
    """Cube, match and player; the flags are Crawford in a match, Jacoby and beavers in a money game."""
    turn, flags, length = numbers["turn"], numbers["flags"], numbers["length"]
    if flags not in range(2 if length else 4):
        raise NotationError(f"its flags {flags} are out of range")
    return {
        "cube_value": 1 << numbers["cube"],
        "cube_owner": {0: None, turn: "mover", -turn: "opponent"}[numbers["owner"]],
        "max_cube": None if numbers["max_cube"] == _NO_LIMIT else 1 << numbers["max_cube"],
        "length": length,
        "score": (numbers["score1"], numbers["score2"])[::turn],
        "crawford": bool(length and flags),
        "jacoby": bool(not length and flags & 1),
        "beavers": bool(flags & 2),
        "player": _PLAYERS[turn],
    }

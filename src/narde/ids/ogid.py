"""OGID of OpenGammon: `white:black:cube:dice:acted:state:score:score:length:move:checkers`.

Each side's checkers are listed one by one by the number of their point, 0 to 9 and a to o for 10 to 24, as
Black counts them: he bears off from 6 to 1, White from 19 to 24. White's bar is 0, Black's is p. The cube is
its owner (N, W, B; D dead, ? unknown), the exponent of its value, and N, O offered, T taken, P dropped. The
fifth field names the player who acted last, so the other one is on roll, except that he who offers a double
stays on roll, and that IW without dice has White on roll. Fields from the fourth on may be missing: what the
reference codec, libogxm, then takes is taken here.
"""

from __future__ import annotations

import re
from typing import Any, Final

from narde.board import CHECKERS, OFF, OPPONENT_OFF
from narde.errors import InvalidArgumentError, NotationError
from narde.ids.setup import LARGEST_CUBE, Setup
from narde.ids.sides import PLACES, Side, row_of, sides_of
from narde.rules import rules as rules_of

LOOKS: Final = r"[0-9a-q]*:[0-9a-q]*:[NWBD?][0-9]+[NOTP](:.*)?"
"""What an OGID looks like."""

_POINTS: Final = "0123456789abcdefghijklmnop"
_OFF: Final = "q"
_CUBE: Final = r"([NWBD?])([0-9]{1,2})([NOTP])"
_LENGTH: Final = r"([0-9]{1,9})(C|L|G[0-9]{0,9})?"
_STATES: Final = ("", "IW", "IB", "R", "C", "A", "D", "P", "PR", "G", "M", "F", "RG", "RM", "FF")
_DEFAULTS: Final = ("", "B", "IW", "0", "0", "0", "0", str(CHECKERS))
_OTHER: Final = {"W": "B", "B": "W"}


def write_ogid(setup: Setup) -> str:
    """The OGID of a setup. Raises `InvalidArgumentError` for beavers and resignations, which it has not."""
    if setup.resign or setup.offer not in (None, "double"):
        raise InvalidArgumentError("an OGID has no beavers and no resignations, set offer and resign to none")
    mover = "W" if setup.player == 1 else "B"
    sides = dict(zip((mover, _OTHER[mover]), sides_of(setup.row, setup.rules), strict=True))
    scores = dict(zip((mover, _OTHER[mover]), setup.score, strict=True))
    owner = {None: "N", "mover": mover, "opponent": _OTHER[mover]}[setup.cube_owner]
    fields = (
        "".join(_POINTS[PLACES - place] * sides["W"][place - 1] for place in range(PLACES, 0, -1)),
        "".join(_POINTS[place] * sides["B"][place - 1] for place in range(1, PLACES + 1)),
        f"{owner}{setup.cube_value.bit_length() - 1}{'O' if setup.offer else 'N'}",
        "".join(map(str, reversed(setup.dice))) if setup.dice else "",
        mover if setup.offer else _OTHER[mover],
        _state(setup),
        scores["W"],
        scores["B"],
        f"{setup.length}{'C' if setup.crawford else ''}",
        0,
    )
    return ":".join(map(str, fields))


def read_ogid(text: str) -> Setup:
    """The setup of an OGID without a label."""
    fields = text.split(":")
    if not 3 <= len(fields) <= 3 + len(_DEFAULTS):
        raise NotationError(f"it has {len(fields)} fields, expected 3 to {3 + len(_DEFAULTS)}")
    white, black, cube, *rest = fields
    given = [field or default for field, default in zip(rest, _DEFAULTS, strict=False)]
    dice, acted, state, *numbers = (*given, *_DEFAULTS[len(given) :])
    if len(rest) > 2 and not rest[2]:
        state = ""
    offered, mover = _who(cube, dice, acted, state)
    own, opponent = (_read_side(white, black, side) for side in (mover, _OTHER[mover]))
    return Setup(
        row_of(own, opponent, rules_of("short")),
        "short",
        player=1 if mover == "W" else 2,
        offer="double" if offered else None,
        dice=_read_dice(dice),
        **_read_cube(cube, mover),
        **_read_match(numbers, mover),
    )


def _state(setup: Setup) -> str:
    """The state of the game: double offered, over, rolled, or the opponent's play done."""
    if setup.offer:
        return "D"
    if CHECKERS in (setup.row[OFF], -setup.row[OPPONENT_OFF]):
        return "G"
    return "R" if setup.dice else "C"


def _who(cube: str, dice: str, acted: str, state: str) -> tuple[bool, str]:
    """Whether a double is on offer, and the colour of the player on roll."""
    if acted not in _OTHER or state not in _STATES:
        raise NotationError(f"{acted!r} is no colour W or B, or {state!r} no state of a game")
    if cube.endswith("O") or state == "D":
        return True, acted
    return False, "W" if state == "IW" and not dice else _OTHER[acted]


def _read_side(white: str, black: str, colour: str) -> Side:
    """The checkers of a side by his own points."""
    text = white if colour == "W" else black
    if len(text) > CHECKERS or not set(text) <= set(_POINTS + _OFF):
        raise NotationError(
            f"{text!r} does not list up to {CHECKERS} checkers by their points, 0 to 9 and a to p"
        )
    side = [0] * (PLACES + 1)
    for character in text.replace(_OFF, ""):
        point = _POINTS.find(character)
        side[PLACES - point if colour == "W" else point] += 1
    if side[0]:
        raise NotationError("a bar holds checkers of the wrong player")
    return side[1:]


def _read_dice(text: str) -> tuple[int, int] | None:
    if text and not re.fullmatch("[1-6][1-6]", text):
        raise NotationError(f"its dice {text!r} are not two numbers from 1 to 6")
    return (int(text[0]), int(text[1])) if text else None


def _read_cube(text: str, mover: str) -> dict[str, Any]:
    """Value and owner; a dead cube and an unknown one are centred."""
    match = re.fullmatch(_CUBE, text)
    if not match or int(match[2]) >= LARGEST_CUBE.bit_length():
        raise NotationError(f"its cube {text!r} is not an owner, an exponent and an action")
    owners = {mover: "mover", _OTHER[mover]: "opponent"}
    return {"cube_value": 1 << int(match[2]), "cube_owner": owners.get(match[1])}


def _read_match(numbers: list[str], mover: str) -> dict[str, Any]:
    """Score and length; L, G and the number of the move tell nothing of the position."""
    white, black, length, move, checkers = numbers
    match = re.fullmatch(_LENGTH, length)
    if not match or not all(re.fullmatch("[0-9]{1,9}", text) for text in (white, black, move)):
        raise NotationError("its score, match length or move is no number")
    if checkers != str(CHECKERS):
        raise NotationError(f"it is for {checkers!r} checkers a side, expected {CHECKERS}")
    score = (int(white), int(black))
    crawford = match[2] == "C"
    return {"length": int(match[1]), "score": score if mover == "W" else score[::-1], "crawford": crawford}

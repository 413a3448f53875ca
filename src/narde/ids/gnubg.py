"""GNUBG's position ID and match ID: base64 of bits that begin with the lowest bit of the first byte.

The 10 bytes of the position hold, for each point and the bar of the opponent and then of the player on roll,
a one for each checker and a closing zero. The 9 bytes of the match are the fields of `_MATCH`, from GNUBG's
manual ("A technical description of the Match ID") and its behaviour: bit 66 says that the Jacoby rule is off.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from itertools import accumulate
from typing import Any, Final

from narde.board import CHECKERS, OFF, OPPONENT_OFF
from narde.errors import InvalidArgumentError, InvalidPositionError, NotationError
from narde.ids.setup import Setup
from narde.ids.sides import PLACES, row_of, sides_of
from narde.rules import rules as rules_of

_MATCH: Final = {
    "cube": 4,
    "owner": 2,
    "roller": 1,
    "crawford": 1,
    "state": 3,
    "decider": 1,
    "doubled": 1,
    "resigned": 2,
    "die1": 3,
    "die2": 3,
    "length": 15,
    "score0": 15,
    "score1": 15,
    "no_jacoby": 1,
}
"""The fields of a match key and their bits, in order. Players are 0 and 1; the roller is on roll or has
rolled, the decider has to answer what is offered."""

_STARTS: Final = dict(zip(_MATCH, accumulate(_MATCH.values(), initial=0), strict=False))
_MATCH_BYTES, _POSITION_BYTES = 9, 10
_PLAYING, _OVER, _STATES = 1, 2, 5
_CENTRED: Final = 3


def write_gnubg(setup: Setup) -> str:
    """Position ID and match ID, a colon between. Raises `InvalidArgumentError` for what they cannot hold."""
    own, opponent = sides_of(setup.row, setup.rules)
    runs = ("1" * checkers + "0" for checkers in (*opponent, *own))
    position = int("".join(runs)[::-1], 2)
    return f"{_base64(position, _POSITION_BYTES)}:{_base64(_match_key(setup), _MATCH_BYTES)}"


def read_gnubg(text: str) -> Setup:
    """The setup of a position ID, alone or followed by a colon and a match ID."""
    position, _, match = text.partition(":")
    own, opponent = _read_position(position)
    facts = _read_match(match) if match else {}
    return Setup(row_of(own, opponent, rules_of("short")), "short", **facts)


def _read_position(text: str) -> tuple[list[int], list[int]]:
    """The checkers of the player on roll and of his opponent."""
    bits = f"{_number(text, _POSITION_BYTES):080b}"[::-1]
    runs = [len(run) for run in bits.split("0")]
    if len(runs) <= 2 * PLACES:
        raise InvalidPositionError(f"the board holds more than {2 * CHECKERS} checkers")
    if any(runs[2 * PLACES :]):
        raise NotationError("the bits behind the board are not zero")
    return runs[PLACES : 2 * PLACES], runs[:PLACES]


def _match_key(setup: Setup) -> int:
    """The match of a setup as a number whose lowest bit comes first."""
    mover = 2 - setup.player
    opponent = 1 - mover
    over = CHECKERS in (setup.row[OFF], -setup.row[OPPONENT_OFF])
    decider = mover if setup.resign < 0 or (setup.offer == "beaver" and not setup.resign) else opponent
    key = {
        "cube": setup.cube_value.bit_length() - 1,
        "owner": {"mover": mover, "opponent": opponent, None: _CENTRED}[setup.cube_owner],
        "roller": mover,
        "crawford": setup.crawford,
        "state": _OVER if over else _PLAYING,
        "decider": decider if setup.offer or setup.resign else mover,
        "doubled": setup.offer is not None,
        "resigned": abs(setup.resign),
        "die1": setup.dice[0] if setup.dice else 0,
        "die2": setup.dice[1] if setup.dice else 0,
        "length": setup.length,
        f"score{mover}": setup.score[0],
        f"score{opponent}": setup.score[1],
        "no_jacoby": not setup.jacoby,
    }
    _refuse_what_does_not_fit(setup, key)
    return sum(int(value) << _STARTS[field] for field, value in key.items())


def _refuse_what_does_not_fit(setup: Setup, key: dict[str, int]) -> None:
    """Raises `InvalidArgumentError` for values beyond their bits and for offers that would read otherwise."""
    large = [field for field, value in key.items() if value >> _MATCH[field]]
    if large:
        raise InvalidArgumentError(f"a GNUBG match ID has no room for the {large[0]} of {setup!r}")
    if setup.offer == "raccoon" or (setup.offer == "beaver" and setup.resign):
        raise InvalidArgumentError(f"a GNUBG match ID cannot tell offer={setup.offer!r} from a double")


def _read_match(text: str) -> dict[str, Any]:
    """The facts of a match ID, seen by the player on roll."""
    number = _number(text, _MATCH_BYTES)
    if number >> sum(_MATCH.values()):
        raise NotationError("the match ID uses bits that have no meaning")
    key = {field: number >> _STARTS[field] & (1 << bits) - 1 for field, bits in _MATCH.items()}
    mover, opponent = key["roller"], 1 - key["roller"]
    owners = {mover: "mover", opponent: "opponent", _CENTRED: None}
    if key["owner"] not in owners or key["state"] >= _STATES or bool(key["die1"]) != bool(key["die2"]):
        raise NotationError("the match ID holds a cube owner, a game state or dice that do not exist")
    return {
        "cube_value": 1 << key["cube"],
        "cube_owner": owners[key["owner"]],
        "dice": (key["die1"], key["die2"]) if key["die1"] else None,
        "length": key["length"],
        "score": (key[f"score{mover}"], key[f"score{opponent}"]),
        "crawford": bool(key["crawford"]),
        "jacoby": not key["no_jacoby"] and not key["length"],
        "player": 2 - mover,
        **_read_offers(key),
    }


def _read_offers(key: dict[str, int]) -> dict[str, Any]:
    """The offers. Who resigns is not the decider; a doubler who is to decide has been beavered."""
    mover_decides = key["roller"] == key["decider"]
    if not key["doubled"] and not key["resigned"] and not mover_decides:
        raise NotationError("the match ID says that the player who is not on roll decides, but on nothing")
    beaver = key["doubled"] and not key["resigned"] and mover_decides
    offer = "beaver" if beaver else "double" if key["doubled"] else None
    return {"offer": offer, "resign": -key["resigned"] if mover_decides else key["resigned"]}


def _base64(number: int, size: int) -> str:
    return b2a_base64(number.to_bytes(size, "little"), newline=False).decode("ascii").rstrip("=")


def _number(text: str, size: int) -> int:
    """The number of a base64 text. Raises `NotationError` unless it is the one spelling of `size` bytes."""
    try:
        number = int.from_bytes(a2b_base64(text + "=" * (-len(text) % 4), strict_mode=True), "little")
    except ValueError as fault:
        raise NotationError(f"{text!r} is no base64: {fault}") from None
    if number >> 8 * size or _base64(number, size) != text:
        raise NotationError(f"{text!r} is not the base64 of {size} bytes, a character is wrong or missing")
    return number

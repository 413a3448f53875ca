"""The narde ID, written and read: `docs/narde-id.md` is its specification.

    n a  <rules>  <16 characters of board>  <blocks: cube, dice, offer, match, rules>  <check>

The board is 80 bits: for the mover, then for the opponent by his own numbers, points 1 to 24 and the bar, as
many ones as checkers stand there and a zero.
"""

from __future__ import annotations

from typing import Any, Final

from narde.board import CHECKERS, Rows
from narde.errors import InvalidArgumentError, InvalidPositionError, NotationError
from narde.ids.alphabet import ALPHABET, VALUE, Reader, check_value, with_check, write_number
from narde.ids.house import LETTERS, read_changes, write_rules
from narde.ids.setup import DEFAULTS, Setup
from narde.ids.sides import PLACES, row_of, sides_of
from narde.rules import Rules
from narde.rules import rules as rules_of

MAGIC: Final = "na"
"""What every narde ID of this version begins with: n for narde, a for the version."""

SHORTEST: Final = 20
"""Characters of a narde ID without blocks."""

LONGEST: Final = 1000
"""The most characters that an ID may have; only hundreds of match lengths could need more."""

_BOARD_CHARACTERS: Final = 16
_OWNERS: Final = (None, "mover", "opponent")
_OFFERS: Final = (None, "double", "beaver", "raccoon")
_RESIGNS: Final = (0, 1, 2, 3, -1, -2, -3)
_MATCH_FLAGS: Final = ("crawford", "jacoby", "beavers")


def write_narde(setup: Setup) -> str:
    """The narde ID of a setup; `player` is left out.

    Raises `InvalidArgumentError` for house rules with more or longer match lengths than an ID may hold.
    """
    letter, changes = write_rules(setup.rules)
    board = write_board(setup.row, setup.rules)
    blocks = (_write_cube(setup), _write_dice(setup), _write_offer(setup), _write_match(setup), changes)
    text = with_check(MAGIC + letter + board + "".join(blocks))
    if len(text) > LONGEST:
        raise InvalidArgumentError(
            f"no ID holds {len(setup.rules.match_lengths)} match lengths, use () for any"
        )
    return text


def read_narde(text: str) -> Setup:
    """The setup of a narde ID in upper or lower case, without anything around it.

    Raises `NotationError` for what is no narde ID, `InvalidPositionError` for one whose row is no position;
    both speak of the ID as "it".
    """
    body = _checked_body(text)
    reader = Reader(body[len(MAGIC) :])
    letter = reader.characters(1, "the rules")
    if letter not in LETTERS:
        raise NotationError(f"{letter!r} is the letter of no rules, use one of {' '.join(LETTERS)}")
    rules, board = rules_of(LETTERS[letter]), reader.characters(_BOARD_CHARACTERS, "the board")
    facts: dict[str, Any] = {}
    while reader:
        tag = reader.characters(1, "a block")
        if tag == "r":
            rules = read_changes(reader, rules.name)
        elif tag in _BLOCKS:
            facts |= _BLOCKS[tag](reader)
        else:
            raise NotationError(f"{tag!r} begins no block that this version knows")
    setup = Setup(read_board(board, rules), rules, **facts)
    if (spelled := write_narde(setup)) != text.lower():
        raise NotationError(f"this position is spelled {spelled}")
    return setup


def write_board(row: tuple[int, ...], rules: Rules) -> str:
    """The 16 characters of a row that is a position of the game."""
    runs = ("1" * checkers + "0" for side in sides_of(row, rules) for checkers in side)
    bits = "".join(runs).ljust(5 * _BOARD_CHARACTERS, "0")
    return "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def read_board(text: str, rules: Rules) -> Rows:
    """The row of 16 characters. Raises `InvalidPositionError` if it is no position of the game."""
    runs = [len(run) for run in "".join(f"{VALUE[character]:05b}" for character in text).split("0")]
    if len(runs) <= 2 * PLACES:
        raise InvalidPositionError(f"the board holds more than {2 * CHECKERS} checkers")
    if any(runs[2 * PLACES :]):
        raise NotationError("the bits behind the board are not zero")
    return row_of(runs[:PLACES], runs[PLACES : 2 * PLACES], rules)


def _checked_body(text: str) -> str:
    """A narde ID in lower case without its check character.

    Raises `NotationError` for a foreign character, a wrong length or check character, an unknown version.
    """
    lower = text.lower()
    foreign = [character for character in text if not character.isascii() or character.lower() not in VALUE]
    if foreign:
        raise NotationError(f"{foreign[0]!r} is none of its characters {ALPHABET}")
    if len(lower) < SHORTEST or len(lower) % 2:
        raise NotationError(f"it has {len(lower)} characters, expected an even number from {SHORTEST} on")
    if check_value(lower):
        raise NotationError("the check character does not fit, a character is wrong")
    if not lower.startswith(MAGIC):
        raise NotationError(f"it begins with {lower[:2]!r}; this version reads {MAGIC!r}")
    return lower[:-1]


def _write_cube(setup: Setup) -> str:
    """c, the exponent of the cube's value, its owner, and one more than the exponent of its limit."""
    if not _told(setup, "cube_value", "cube_owner", "max_cube"):
        return ""
    limit = setup.max_cube.bit_length() if setup.max_cube is not None else 0
    values = (setup.cube_value.bit_length() - 1, _OWNERS.index(setup.cube_owner), limit)
    return "c" + "".join(ALPHABET[value] for value in values)


def _read_cube(reader: Reader) -> dict[str, Any]:
    exponent, owner = reader.value("cube", 31), reader.value("owner of the cube", len(_OWNERS))
    limit = reader.value("limit of the cube")
    max_cube = 1 << (limit - 1) if limit else None
    return {"cube_value": 1 << exponent, "cube_owner": _OWNERS[owner], "max_cube": max_cube}


def _write_dice(setup: Setup) -> str:
    """d, the number of the roll: 1-1, 2-1, 2-2, 3-1, ... 6-6 are 0 to 20."""
    if setup.dice is None:
        return ""
    high, low = setup.dice
    return "d" + ALPHABET[high * (high - 1) // 2 + low - 1]


def _read_dice(reader: Reader) -> dict[str, Any]:
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    return {"dice": rolls[reader.value("roll", len(rolls))]}


def _write_offer(setup: Setup) -> str:
    """f, seven times the number of the offer plus the number of the resignation."""
    number = len(_RESIGNS) * _OFFERS.index(setup.offer) + _RESIGNS.index(setup.resign)
    return "f" + ALPHABET[number] if number else ""


def _read_offer(reader: Reader) -> dict[str, Any]:
    offer, resign = divmod(reader.value("offer", len(_OFFERS) * len(_RESIGNS)), len(_RESIGNS))
    return {"offer": _OFFERS[offer], "resign": _RESIGNS[resign]}


def _write_match(setup: Setup) -> str:
    """m, the flags, the length, the mover's and the opponent's score."""
    if not _told(setup, "length", "score", *_MATCH_FLAGS):
        return ""
    flags = sum(1 << bit for bit, name in enumerate(_MATCH_FLAGS) if getattr(setup, name))
    return "m" + ALPHABET[flags] + "".join(map(write_number, (setup.length, *setup.score)))


def _read_match(reader: Reader) -> dict[str, Any]:
    flags = reader.value("set of flags of a match", 1 << len(_MATCH_FLAGS))
    length, *score = (reader.number("length or score") for _ in range(3))
    named = {name: bool(flags & 1 << bit) for bit, name in enumerate(_MATCH_FLAGS)}
    return {"length": length, "score": tuple(score), **named}


def _told(setup: Setup, *names: str) -> bool:
    """Whether any of the facts differs from its default."""
    return any(getattr(setup, name) != DEFAULTS[name] for name in names)


_BLOCKS: Final = {"c": _read_cube, "d": _read_dice, "f": _read_offer, "m": _read_match}

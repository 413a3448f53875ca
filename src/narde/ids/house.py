"""The rules within a narde ID: a letter for each rule text, and a block of changes for house rules."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from narde.errors import InvalidArgumentError, InvalidRulesError, NotationError
from narde.ids.alphabet import ALPHABET, LARGEST_NUMBER, Reader, write_number
from narde.rules import Rules
from narde.rules import rules as rules_of

LETTERS: Final = {"l": "long", "m": "minsport", "b": "bkgm", "n": "nardeon", "s": "short"}
"""The letter of each rule text; house rules have the letter of `long` or `short`, after their board."""

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "opening_roll": ("keep", "reroll"),
    "next_starter": ("contest", "winner", "alternate"),
    "head_per_turn": (0, 1, 2, 3, 4),
    "head_exception": ("none", "doubles_346", "any_double", "any_roll"),
    "prime_rule": ("opponent_ahead", "never", "free"),
    "prime_check": ("every_step", "end_of_turn"),
    "mars": (1, 2),
    "koks": (0, 3),
    "cube": (False, True),
    "crawford": (False, True),
    "last_roll": (False, True),
}
"""The fields that a change may name, and their values, each in the order of its number in the ID."""

MATCH_LENGTHS: Final = len(_CHOICES)
"""The number of the field `match_lengths`, whose value is a list."""

_FIELDS: Final = (*_CHOICES, "match_lengths")


def same_game(one: Rules, other: Rules) -> bool:
    """Whether two rules decide everything alike: all fields but the name are equal."""
    return dataclasses.replace(one, name=other.name) == other


def write_rules(rules: Rules) -> tuple[str, str]:
    """The letter of the rules and their block of changes, which is empty for the rules of a text.

    Raises `InvalidArgumentError` for match lengths beyond what an ID can hold.
    """
    for letter, name in LETTERS.items():
        if same_game(rules, rules_of(name)):
            return letter, ""
    base = rules_of(rules.game)
    changes = [name for name in _FIELDS if getattr(rules, name) != getattr(base, name)]
    pairs = (ALPHABET[_FIELDS.index(name)] + _write_value(name, getattr(rules, name)) for name in changes)
    return rules.game[0], "r" + ALPHABET[len(changes)] + "".join(pairs)


def read_changes(reader: Reader, base: str) -> Rules:
    """The house rules whose block of changes the reader stands in, behind its letter.

    Raises `NotationError` for a block that `write_rules` does not write.
    """
    count, last, changes = reader.value("number of changes", len(_FIELDS) + 1), -1, {}
    for _ in range(count):
        field = reader.value("field of the rules that this version knows", len(_FIELDS))
        if field <= last:
            raise NotationError("the changes of the rules are not in order")
        changes[_FIELDS[field]], last = _read_value(reader, _FIELDS[field]), field
    try:
        rules = dataclasses.replace(rules_of(base), name="house", **changes)
    except InvalidRulesError as fault:
        raise NotationError(str(fault)) from None
    return rules


def _write_value(name: str, value: Any) -> str:
    """One value of a field: its number, or for the match lengths 0 and the lengths, closed by a 0."""
    if name in _CHOICES:
        return ALPHABET[_CHOICES[name].index(value)]
    if any(length > LARGEST_NUMBER for length in value):
        raise InvalidArgumentError(f"no ID holds a match length above {LARGEST_NUMBER}")
    return ALPHABET[0] + "".join(map(write_number, (*value, 0)))


def _read_value(reader: Reader, name: str) -> Any:
    """One value of a field, as `_write_value` writes it."""
    if name in _CHOICES:
        return _CHOICES[name][reader.value(f"value of {name}", len(_CHOICES[name]))]
    reader.value("list of match lengths", 1)
    lengths = []
    while length := reader.number("match length"):
        lengths.append(length)
    return tuple(lengths)

"""What the forms of other programs can hold: short nardy alone, by its published rules."""

from __future__ import annotations

from dataclasses import replace

from narde.errors import InvalidArgumentError
from narde.records.model import MatchRecord
from narde.rules import Rules
from narde.rules import rules as rules_of


def short_rules(*, crawford: bool = True, cube: bool = True) -> Rules:
    """Short nardy, with the Crawford rule and the cube or without."""
    return replace(rules_of("short"), crawford=crawford and cube, cube=cube)


def check_backgammon(record: MatchRecord, form: str, *, cubeless: bool = False) -> None:
    """Raise `InvalidArgumentError` for a record whose rules or money options the form has no place for."""
    rules = replace(record.rules, name="short")
    plain = short_rules(crawford=rules.crawford, cube=rules.cube or not cubeless)
    if rules != plain:
        raise InvalidArgumentError(
            f"a {form} file holds short nardy by its published rules alone, not the rules"
            f" {record.rules.name!r}: write a .narde file, which holds any"
        )
    if record.money.automatic_doubles and form != ".sgf":
        raise InvalidArgumentError(f"a {form} file can't tell of automatic doubles: write a .narde file")

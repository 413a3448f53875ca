"""The worked positions of `cases.json` as rows, with the rules and the answers that each one names.

Both sides of a position are written in the mover's numbering; a checker that is not listed is off.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import narde
from narde import Rules

Row = tuple[int, ...]
Entry = dict[str, Any]

ENTRIES: list[Entry] = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
POSITIONS = [entry for entry in ENTRIES if entry["position"] is not None]

PRIME_RULES = {"opp_ahead": "opponent_ahead", "never": "never", "always": "free"}


def row_of(position: dict[str, Any]) -> Row:
    """The row of a position; who is neither on a point nor on the bar is off."""
    row = [0] * 28
    for point, checkers in position["own"].items():
        row[24 if point == "bar" else int(point) - 1] += checkers
    for point, checkers in position["opp"].items():
        row[int(point) - 1] -= checkers
    row[25] = -position.get("opp_bar", 0)
    row[26] = 15 - sum(checkers for checkers in row[:25] if checkers > 0)
    row[27] = -15 - sum(checkers for checkers in row[:26] if checkers < 0)
    for name, off in (("own_off", row[26]), ("opp_off", -row[27])):
        assert position.get(name, off) == off, f"{name} does not fit the checkers listed"
    return tuple(row)


def final_of(entry: Entry, final: dict[str, Any]) -> Row:
    """The row after a play, seen by the mover; where `final` is silent, the opponent stands as he did."""
    before = {name: entry["position"].get(name, 0) for name in ("opp", "opp_bar")}
    return row_of(before | final)


def rules_of(entry: Entry) -> list[Rules]:
    """Every rule text that the entry holds under, or the one house rule that it describes."""
    if entry["presets"]:
        return [narde.rules(name) for name in entry["presets"]]
    options = dict(entry["rules"])
    options["prime_rule"] = PRIME_RULES[options["prime_rule"]]
    return [replace(narde.rules(entry["variant"]), name="house", **options)]


def settings() -> Iterator[tuple[str, Entry, Rules]]:
    """Each entry with a position under each of its rules, with a name for it."""
    for entry in POSITIONS:
        for rules in rules_of(entry):
            yield f"{entry['id']}-{rules.name}", entry, rules


def moves_of(play: str) -> list[tuple[int, int]]:
    """The moves of a play written as plain pairs of points, such as 13/12 13/8."""
    return [(int(start), int(end)) for start, end in (move.split("/") for move in play.split())]

"""Records as JSON: the fields by name, turns without what they do not have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from narde.cube import MoneyOptions, Score
from narde.errors import NardeError
from narde.game import Result
from narde.game.history import rules_from_json, rules_to_json
from narde.records.builder import rebuilt
from narde.records.errors import RecordError
from narde.records.model import TEXTS, GameRecord, MatchRecord, Turn

KIND: Final = "narde record"
VERSION: Final = 1


def to_json(record: MatchRecord) -> dict[str, Any]:
    """As `MatchRecord.to_json`."""
    return {
        "kind": KIND,
        "version": VERSION,
        "rules": _lists(rules_to_json(record.rules)),
        "start": _lists(asdict(record.start)),
        "players": _lists(record.players),
        "money": asdict(record.money),
        **{name: getattr(record, name) for name in (*TEXTS, "comment")},
        "tags": _lists(record.tags),
        "games": [_game_to_json(game) for game in record.games],
    }


def read_json(data: bytes) -> MatchRecord:
    """The record of a JSON text in UTF-8; raises `RecordError`."""
    return from_json(parse_json(data))


def parse_json(data: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises `RecordError`, also for one that is nested too deeply."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise RecordError(f"no JSON: {fault}", line=getattr(fault, "lineno", None)) from None


def write_json(record: MatchRecord) -> str:
    """The record as JSON text, after it was found sound."""
    return json.dumps(to_json(rebuilt(record).record), ensure_ascii=False, indent=1) + "\n"


def from_json(values: Any) -> MatchRecord:
    """As `MatchRecord.from_json`."""
    try:
        kind, version = values["kind"], values["version"]
    except (LookupError, TypeError, ValueError):
        raise RecordError("no record: a JSON object with kind, version, rules, games is expected") from None
    if (kind, version) != (KIND, VERSION):
        raise RecordError(
            f"kind {kind!r}, version {version!r}: this program reads {KIND!r}, version {VERSION}"
        )
    try:
        head = _head(values)
        games = tuple(_game(each) for each in values["games"])
        return rebuilt(MatchRecord(**head, games=games)).record
    except RecordError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, NardeError) as fault:
        raise RecordError(f"no record: {type(fault).__name__} {fault}") from None


def _head(values: Mapping[str, Any]) -> dict[str, Any]:
    start = dict(values["start"])
    return {
        "rules": rules_from_json(values["rules"]),
        "start": Score(**{**start, "points": tuple(start["points"])}),
        "players": tuple(values["players"]),
        "money": MoneyOptions(**values["money"]),
        **{name: values[name] for name in (*TEXTS, "comment")},
        "tags": tuple(tuple(tag) for tag in values["tags"]),
    }


def _game_to_json(game: GameRecord) -> dict[str, Any]:
    return {
        "date": game.date,
        "comment": game.comment,
        "contests": _lists(game.contests),
        "turns": [_without_empty(asdict(turn)) for turn in game.turns],
        "result": None if game.result is None else asdict(game.result),
    }


def _game(values: Mapping[str, Any]) -> GameRecord:
    result = values["result"]
    return GameRecord(
        contests=tuple(tuple(dice) for dice in values["contests"]),
        turns=tuple(_turn(each) for each in values["turns"]),
        result=None if result is None else Result(**result),
        date=values["date"],
        comment=values["comment"],
    )


def _turn(values: Mapping[str, Any]) -> Turn:
    lists = {name: tuple(values[name]) for name in ("before", "dice", "after") if name in values}
    return Turn(**{**values, **lists})


def _without_empty(values: dict[str, Any]) -> dict[str, Any]:
    """A turn's fields without those that it does not have."""
    kept = {name: value for name, value in values.items() if name == "player" or value not in (None, (), "")}
    return {name: _lists(value) for name, value in kept.items()}


def _lists(value: Any) -> Any:
    """A value as it comes back from JSON: tuples are lists there."""
    if isinstance(value, dict):
        return {name: _lists(each) for name, each in value.items()}
    return [_lists(each) for each in value] if isinstance(value, (tuple, list)) else value

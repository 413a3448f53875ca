"""The text of docs/record.md read, every turn replayed by the rules as its line is read."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final

from narde.cube import MoneyOptions, Score
from narde.dice import as_pair
from narde.errors import InvalidRulesError, NardeError, NotationError
from narde.records.builder import Builder
from narde.records.errors import RecordError
from narde.records.model import ACTIONS, TEXTS, MatchRecord, Turn, check_comment, check_date, check_line
from narde.records.text_writer import FIRST_LINE, LAST_LINE, PLAYERS, result_text, score_text
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import RESULT_NAMES

_TURN: Final = re.compile(r"([0-9]{1,6})\s+([AB])\s+(.*)")
_DICE: Final = re.compile(r"(?:^|,)\s*([1-6])([1-6])\s*:")
_SCORE: Final = re.compile(r"([0-9]{1,4000})-([0-9]{1,4000})(?:,\s*(Crawford))?")
_AUTOMATIC: Final = re.compile(r"automatic doubles ([0-9]{1,4000})")
_CONCEDED: Final = re.compile(r"([AB]) wins [0-9]{1,4000}, (\w+), conceded")
_FIELDS: Final = {field.name for field in fields(Rules)} - {"name"}


def read_text(data: bytes) -> MatchRecord:
    """The record of a text in UTF-8. Raises `RecordError` with the line, the reason and the sound part."""
    reader = _Reader()
    for number, line in enumerate(data.removeprefix(BOM_UTF8).split(b"\n"), 1):
        reader.line = number
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as fault:
            first = "" if reader.begun else f", as {FIRST_LINE!r}, the first line of a record, is"
            raise reader.fault(f"the line is not in UTF-8{first}: {fault.reason}") from None
        reader.read_line(text.removesuffix("\r"))
    return reader.whole()


class _Reader:
    """The state of reading: the facts of the head until the first game, then a builder."""

    def __init__(self) -> None:
        self.line = 0
        self.begun = self.ended = False
        self.facts: dict[str, Any] = {"players": {}}
        self.tags: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.builder: Builder | None = None

    # ---- lines ---------------------------------------------------------------------------------------------

    def read_line(self, line: str) -> None:
        """Read one line; whatever is wrong with it becomes a `RecordError` that names it."""
        if not line.strip():
            return
        try:
            if self.builder is None:
                self.read_head(line)
            else:
                with self.builder.guarded(self.line):
                    self.read_game(line, self.builder)
        except RecordError:
            raise
        except NardeError as refused:
            raise self.fault(refused) from None

    def read_head(self, line: str) -> None:
        """A line before the first game."""
        if not self.begun:
            self.read_first(line.strip())
        elif line.startswith(";"):
            self.comments.append(comment_of(line))
            check_comment(self.comments[-1])
        elif line.strip() == LAST_LINE or line.startswith("game "):
            self.builder = Builder(self.head())
            with self.builder.guarded(self.line):
                self.read_game(line, self.builder)
        else:
            self.read_fact(*pair_of(line))

    def read_game(self, line: str, builder: Builder) -> None:
        """A line of the games."""
        if self.ended:
            raise NotationError(f"{short(line)} stands behind the line {LAST_LINE!r}")
        if line.startswith(";"):
            builder.comment(comment_of(line))
        elif line.strip() == LAST_LINE:
            self.ended = True
        elif turn := _TURN.fullmatch(line.strip()):
            read_turn(builder, *turn.groups())
        else:
            key, value = pair_of(line)
            read_game_fact(builder, key, value)

    def whole(self) -> MatchRecord:
        """The record, once all lines are read."""
        if self.builder is None:
            raise self.fault(f"the text breaks off before its first game and its last line, {LAST_LINE!r}")
        if not self.ended:
            raise self.fault(f"the text breaks off: its last line is not {LAST_LINE!r}")
        return self.builder.record

    def fault(self, reason: object) -> RecordError:
        """The error at the present line, with what is known of the head if no game has begun."""
        if self.builder is not None:
            self.builder.line = self.line
            return self.builder.fault(reason)
        try:
            record = self.head()
        except NardeError:
            record = None
        return RecordError(str(reason), record=record, line=self.line)

    # ---- the head ------------------------------------------------------------------------------------------

    def read_first(self, line: str) -> None:
        kind, _, version = line.rpartition(" ")
        if line != FIRST_LINE:
            known = FIRST_LINE.rpartition(" ")
            if kind == known[0]:
                raise NotationError(
                    f"version {version[:20]!r} of the form: this program reads version {known[2]}"
                )
            raise NotationError(f"{short(line)} is not the first line of a record, {FIRST_LINE!r}")
        self.begun = True

    def read_fact(self, key: str, value: str) -> None:
        """One fact of the head."""
        check_line(key, value)
        name, _, rest = key.partition(" ")
        if name == "tag" and rest:
            self.tags.append((rest, value))
        elif name == "player" and rest in PLAYERS:
            self.put(rest, value, self.facts["players"])
        elif key in TEXTS:
            check_date(value if key == "date" else "")
            self.put(key, value, self.facts)
        elif key in _HEAD:
            self.put(key, _HEAD[key](value), self.facts)
        else:
            known = ", ".join((*TEXTS, *_HEAD, "player A", "player B", "tag NAME"))
            raise NotationError(f"unknown fact {key[:40]!r}: known are {known}")

    def put(self, key: str, value: Any, facts: dict[str, Any]) -> None:
        if key in facts:
            raise NotationError(f"{key!r} stands here a second time")
        facts[key] = value

    def head(self) -> MatchRecord:
        """The record before its first game."""
        facts = dict(self.facts)
        players = facts.pop("players")
        missing = [key for key in ("rules", "length") if key not in facts]
        missing += [f"player {letter}" for letter in PLAYERS if letter not in players]
        if missing:
            raise NotationError(f"the head of the record lacks {', '.join(missing)}")
        points, crawford = facts.pop("start", ((0, 0), False))
        if "name of rules" in facts:
            facts["rules"] = replace(facts["rules"], name=facts.pop("name of rules"))
        return MatchRecord(
            start=Score(points, facts.pop("length"), crawford),
            players=(players["A"], players["B"]),
            tags=tuple(self.tags),
            comment="\n".join(self.comments),
            **facts,
        )


# ---- what stands in a line ---------------------------------------------------------------------------------


def pair_of(line: str) -> tuple[str, str]:
    """Key and value of a line `key: value`."""
    key, colon, value = line.partition(":")
    if not colon:
        raise NotationError(f"{short(line)} is no line of a record")
    return key.strip(), value.strip()


def comment_of(line: str) -> str:
    """The text of a comment line, without the semicolon and the space behind it."""
    return line[1:].removeprefix(" ")


def short(line: str) -> str:
    """The beginning of a line, for a message."""
    line = line.strip()
    return repr(line if len(line) <= 40 else f"{line[:40]}...")


def read_turn(builder: Builder, number: str, letter: str, body: str) -> None:
    """One line of a turn, such as `12 A double, take, 65: 24/13`."""
    if builder.turn != int(number):
        raise NotationError(f"turn {number} stands where turn {builder.turn} is expected")
    builder.do_turn(turn_of(PLAYERS.index(letter), body))


def turn_of(player: int, body: str) -> Turn:
    """The turn that a line tells, not yet checked by the rules."""
    found = _DICE.search(body)
    if not found:
        return Turn(player, _actions(_items(body)))
    before, after = _items(body[: found.start()]), _items(body[found.end() :])
    play = after.pop() if after and after[-1] not in ACTIONS else None
    return Turn(player, _actions(before), (int(found[1]), int(found[2])), _actions(after), play)


def _items(text: str) -> list[str]:
    return [" ".join(item.split()) for item in text.split(",")] if text.strip() else []


def _actions(items: list[str]) -> tuple[str, ...]:
    for item in items:
        if item not in ACTIONS:
            raise NotationError(f"{short(item)} is no action: use {', '.join(ACTIONS)}, or dice such as 65:")
    return tuple(items)


def read_game_fact(builder: Builder, key: str, value: str) -> None:
    """The line that begins a game, its date, its opening contests or its result."""
    if key.startswith("game "):
        builder.start_game()
        expected = f"game {len(builder.games)}", score_text(builder.score)
        if (key, " ".join(value.split())) != expected:
            raise NotationError(f"{short(f'{key}: {value}')} should be {': '.join(expected)!r}")
    elif key == "date":
        builder.date(value)
    elif key == "opening":
        for dice in value.split():
            builder.contest(as_pair(dice))
    elif key == "result":
        _check_result(builder, " ".join(value.split()))
    else:
        raise NotationError(f"unknown fact {key[:40]!r}: known in a game are date, opening, result")


def _check_result(builder: Builder, stated: str) -> None:
    if found := _CONCEDED.fullmatch(stated):
        _concede(builder, PLAYERS.index(found[1]), found[2])
    result = builder.game.result
    if result is None:
        raise NotationError(f"the result {short(stated)} of a game that is not over")
    expected = result_text(result, builder.head.rules, conceded=found is not None)
    if stated != expected:
        raise NotationError(f"the result {short(stated)} should be {expected!r}")


def _concede(builder: Builder, winner: int, name: str) -> None:
    """A game given up out of turn: a result of that name."""
    names = RESULT_NAMES[builder.head.rules.game]
    builder.concede(1 - winner, names.index(name) if name in names else 0)


def read_rules(value: str) -> Rules:
    """Rules by the name of a text, with changes: `long, koks=3, last_roll=yes`."""
    name, *changes = (part.strip() for part in value.split(","))
    base, told = rules_of(name), {}
    for change in changes:
        field, _, text = change.partition("=")
        if field not in _FIELDS or field in told:
            raise InvalidRulesError(
                f"{change[:40]!r} is no change of rules: the fields are {', '.join(sorted(_FIELDS))}"
            )
        told[field] = _rules_value(getattr(base, field), text)
    return replace(base, **told)


def _rules_value(like: Any, text: str) -> Any:
    """The value of a field, of the type that it has in the published rules."""
    if isinstance(like, bool):
        return {"yes": True, "no": False}.get(text, text)
    if isinstance(like, tuple):
        return () if text == "any" else tuple(_number(word) for word in text.split())
    return _number(text) if isinstance(like, int) else text


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4000}", text):
        raise NotationError(f"{text[:20]!r} is no whole number")
    return int(text)


def _length(value: str) -> int | None:
    return None if value == "money" else _number(value)


def _start(value: str) -> tuple[tuple[int, int], bool]:
    found = _SCORE.fullmatch(value)
    if not found:
        raise NotationError(f"{value[:40]!r} is no score: write 2-1, or 4-2, Crawford")
    return (int(found[1]), int(found[2])), found[3] is not None


def _money(value: str) -> MoneyOptions:
    told: dict[str, Any] = {}
    for item in (item.strip() for item in value.split(",")):
        if automatic := _AUTOMATIC.fullmatch(item):
            told["automatic_doubles"] = int(automatic[1])
        elif item in ("jacoby", "beavers"):
            told[item] = True
        else:
            raise NotationError(f"{item[:40]!r} is none of jacoby, beavers, automatic doubles N")
    return MoneyOptions(**told)


_HEAD: Final[dict[str, Callable[[str], Any]]] = {
    "rules": read_rules,
    "name of rules": str,
    "length": _length,
    "money": _money,
    "start": _start,
}
"""The facts of the head that are not plain text, and what reads each."""

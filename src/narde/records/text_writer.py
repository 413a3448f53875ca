"""A record as text in the form of docs/record.md, one line a turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from narde.cube import MoneyOptions, Score
from narde.errors import NardeError
from narde.game import Result
from narde.records.builder import rebuilt
from narde.records.model import TEXTS, GameRecord, MatchRecord, Turn
from narde.records.turns import conceded
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import RESULT_NAMES

FIRST_LINE: Final = "narde record 1"
LAST_LINE: Final = "end"
PLAYERS: Final = "AB"
"""How the text names player 0 and player 1."""


def write_checked(record: MatchRecord) -> str:
    """The text of a record, after it was found sound. Raises `RecordError`."""
    return write_text(rebuilt(record).record)


def write_text(record: MatchRecord) -> str:
    """The text of a record, ending in a line feed."""
    lines = [FIRST_LINE, *_head(record)]
    score = record.start
    for number, game in enumerate(record.games, 1):
        lines += ["", *_game(number, game, score, record.rules)]
        if game.result is not None:
            score = score.after(game.result.winner, game.result.points, crawford=record.rules.crawford)
    return "\n".join((*lines, "", LAST_LINE, ""))


def _head(record: MatchRecord) -> Iterator[str]:
    for name in TEXTS:
        if text := getattr(record, name):
            yield f"{name}: {text}"
    for name, text in record.tags:
        yield _pair(f"tag {name}", text)
    yield from _rules(record.rules)
    yield f"length: {record.length or 'money'}"
    if record.money != MoneyOptions():
        yield f"money: {', '.join(_money(record.money))}"
    if record.start != Score(length=record.length):
        yield f"start: {score_text(record.start)}"
    for letter, player in zip(PLAYERS, record.players, strict=True):
        yield _pair(f"player {letter}", player)
    yield from _comment(record.comment)


def _rules(rules: Rules) -> Iterator[str]:
    """The rule text that they are, or come nearest to by their name, and what they change in it."""
    base = base_of(rules)
    changes = [
        f"{field.name}={_value(getattr(rules, field.name))}"
        for field in fields(rules)
        if field.name != "name" and getattr(rules, field.name) != getattr(base, field.name)
    ]
    yield ", ".join((f"rules: {base.name}", *changes))
    if rules.name != base.name:
        yield _pair("name of rules", rules.name)


def base_of(rules: Rules) -> Rules:
    """The published rules that house rules are told by: those of their name, else `long` or `short`."""
    try:
        base = rules_of(rules.name)
    except NardeError:
        return rules_of(rules.game)
    return base if base.game == rules.game else rules_of(rules.game)


def _value(value: Any) -> str:
    """The value of a field of the rules."""
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "any"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _money(money: MoneyOptions) -> Iterator[str]:
    if money.jacoby:
        yield "jacoby"
    if money.beavers:
        yield "beavers"
    if money.automatic_doubles:
        yield f"automatic doubles {money.automatic_doubles}"


def score_text(score: Score) -> str:
    """The points of A and B, and whether it is the Crawford game."""
    return f"{score.points[0]}-{score.points[1]}" + (", Crawford" if score.crawford else "")


def _game(number: int, game: GameRecord, score: Score, rules: Rules) -> Iterator[str]:
    yield f"game {number}: {score_text(score)}"
    if game.date:
        yield f"date: {game.date}"
    yield from _comment(game.comment)
    if game.contests:
        yield "opening: " + " ".join("{}{}".format(*dice) for dice in game.contests)
    for place, turn in enumerate(game.turns, 1):
        yield f"{place:3d} {PLAYERS[turn.player]} {turn_text(turn)}"
        yield from _comment(turn.comment)
    if game.result is not None:
        yield f"result: {result_text(game.result, rules, conceded=conceded(game))}"


def turn_text(turn: Turn) -> str:
    """What happened in a turn, in order: `double, take, 65: 24/13`."""
    if turn.dice is None:
        return ", ".join(turn.before)
    play = () if turn.play is None else (turn.play,)
    played = " ".join(("{}{}:".format(*turn.dice), ", ".join((*turn.after, *play)))).rstrip()
    return ", ".join((*turn.before, played))


def result_text(result: Result, rules: Rules, *, conceded: bool = False) -> str:
    """A result: `A wins 2, mars`, and how where it was not played to the end; `draw`."""
    if result.winner is None:
        return "draw"
    name = RESULT_NAMES[rules.game][result.kind]
    how = () if result.how == "played" else ("conceded" if conceded else result.how,)
    return ", ".join((f"{PLAYERS[result.winner]} wins {result.points}", name, *how))


def _comment(text: str) -> Iterator[str]:
    if text:
        yield from (f"; {line}" if line else ";" for line in text.split("\n"))


def _pair(key: str, value: str) -> str:
    return f"{key}: {value}" if value else f"{key}:"

"""Records of the documents that `gammonview` (module `gvformat`) makes of `.xg`, `.bgf`, `.ogxm` and `.gvab`.

A document holds matches of short nardy as plies, which are dice with their moves, cube actions, resignations.
White is player 0 and Black player 1; points are numbered from Black's side, 0 is White's bar and 25 Black's.
Every turn is replayed by the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from narde.cube import MoneyOptions, Score
from narde.errors import NotationError
from narde.records.builder import Builder
from narde.records.errors import RecordError
from narde.records.foreign import short_rules
from narde.records.guess import with_customs
from narde.records.model import MatchRecord
from narde.records.plain import one_line
from narde.records.stated import end_game, take_beaver

LAST_ROLL: Final = 20
"""Plies up to this are rolls: 1-1, 1-2 ... 1-6, 2-2 ... 6-6."""
CUBE_ACTIONS: Final = {21: "double", 22: "take", 23: "drop", 32: "beaver"}
RESIGNATION: Final = 27
_IGNORED: Final = (24, 25, 26, 27, 28, 29, 30, 37)
"""Marks of an end, and resignations, which the winner and the points of the game tell as well."""
_TIE: Final = (1, 1)
"""What a tied contest is recorded with where the file tells only that there was one."""


def read_document(document: Mapping[str, Any]) -> MatchRecord:
    """The record of a document. Raises `RecordError` with game, turn, reason and the sound part."""
    return with_customs(lambda guess: _read(document, guess))


def _read(document: Mapping[str, Any], guess: MoneyOptions) -> MatchRecord:
    try:
        builder = Builder(_head(document, guess))
    except (AttributeError, KeyError, TypeError, ValueError) as refused:
        raise RecordError(f"no match: {refused}") from None
    try:
        for game in document["games"]:
            with builder.guarded():
                _read_game(builder, game)
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        if isinstance(fault, RecordError):
            raise
        raise builder.fault(f"the document is damaged: {type(fault).__name__} {fault}") from None
    return builder.record


def _head(document: Mapping[str, Any], guess: MoneyOptions) -> MatchRecord:
    if document.get("variant"):
        raise NotationError(f"variant {document['variant']!r} of backgammon: only the usual one is read")
    length = document["match_length"] or 0
    games = document["games"]
    white, black = document.get("score_start") or (0, 0)
    crawford = length > 1 and bool(games and games[0].get("is_crawford"))
    automatic = max((game.get("auto_doubles", 0) for game in games), default=0)
    money = MoneyOptions(
        jacoby=bool(document.get("jacoby")) or guess.jacoby,
        beavers=bool(document.get("beaver")) or guess.beavers,
        automatic_doubles=automatic,
    )
    return MatchRecord(
        rules=short_rules(crawford=not length or bool(document.get("crawford"))),
        start=Score((white, black), length or None, crawford),
        players=(_text(document, "player_white"), _text(document, "player_black")),
        money=MoneyOptions() if length else money,
        event=_text(document, "event"),
        round=_text(document, "round"),
        place=_text(document, "site"),
        date=_date(document.get("timestamp") or 0),
    )


def _text(document: Mapping[str, Any], name: str) -> str:
    """A fact as one line of text; nothing where it is not told."""
    value = document.get(name)
    return "" if value is None else one_line(str(value))


def _date(seconds: int) -> str:
    """The day of a time in seconds since 1970, with the time of day unless that is midnight."""
    if not seconds:
        return ""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.strftime("%Y-%m-%d" if seconds % 86400 == 0 else "%Y-%m-%dT%H:%M:%S")


def _read_game(builder: Builder, game: Mapping[str, Any]) -> None:
    """One game: its plies, and who has won how many points."""
    builder.start_game()
    if game.get("initial_board") or game.get("initial_cube_value", 1) != 1:
        raise NotationError("the game begins from a position or cube set up by hand, not from the start")
    for _ in range(game.get("auto_doubles", 0)):
        builder.contest(_TIE)
    unplayed = kind = None
    for ply in game["plies"]:
        kind = ply.get("resign_value", kind)
        if ply["action_id"] in _IGNORED:
            continue
        if unplayed is not None:
            builder.play("pass")
        unplayed = _read_ply(builder, ply)
    winner = game.get("winner")
    if unplayed is not None and builder.game.must_pass and winner in (None, unplayed, 255):
        builder.play("pass")
    if winner in (0, 1):
        end_game(builder, winner, game["points_won"], kind)


def _read_ply(builder: Builder, ply: Mapping[str, Any]) -> int | None:
    """A roll or a cube action; returns the player whose roll has no moves: a pass, unless he gives up."""
    player, action = 1 - int(ply["color"]), ply["action_id"]
    if action <= LAST_ROLL:
        take_beaver(builder, player)
        builder.roll(player, (ply["d1"], ply["d2"]))
        if not ply["moves"]:
            return player
        builder.play(" ".join(_move(player, step) for step in ply["moves"]))
    elif action in CUBE_ACTIONS:
        name = CUBE_ACTIONS[action]
        builder.check_actor(player, name)
        builder.act(name)
    elif ply.get("d1"):
        builder.roll(player, (ply["d1"], ply["d2"]))
        raise NotationError(f"an illegal play was made and stood; {builder.legal()}")
    else:
        raise NotationError("a position or the cube is set by hand, which no rule allows")
    return None


def _move(player: int, step: Mapping[str, Any]) -> str:
    """One checker by one die, in the mover's numbers."""
    start = step["from"] if player else 25 - step["from"]
    end = max(start - step["pips"], 0)
    return f"{'bar' if start == 25 else start}/{end or 'off'}"

"""Documents of `gammonview` made of records, from which it writes `.ogxm`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from narde.errors import InvalidArgumentError
from narde.game import Game
from narde.notation import parse_play
from narde.records.builder import rebuilt
from narde.records.document import CUBE_ACTIONS, RESIGNATION
from narde.records.foreign import check_backgammon
from narde.records.model import GameRecord, MatchRecord
from narde.records.steps import Step, steps_of

_ACTION_IDS: Final = {name: number for number, name in CUBE_ACTIONS.items()}
_ROLL_IDS: Final = {
    roll: number for number, roll in enumerate((low, high) for low in range(1, 7) for high in range(low, 7))
}
_NO_WINNER: Final = 255


def write_document(record: MatchRecord) -> dict[str, Any]:
    """The document of a record, after it was found sound.

    Comments, tied opening contests, refused resignations and tags are left out. Raises `InvalidArgumentError`
    for rules that a document cannot tell, and `RecordError` for a record that is not sound.
    """
    check_backgammon(record, ".ogxm")
    builder = rebuilt(record)
    games = zip(builder.games, builder.record.games, strict=True)
    white, black = record.start.points
    document = {
        "match_length": record.length or 0,
        "player_white": record.players[0],
        "player_black": record.players[1],
        "crawford": record.rules.crawford and record.length is not None,
        "jacoby": record.money.jacoby,
        "beaver": record.money.beavers,
        "cube_limit": 0,
        "event": record.event or None,
        "site": record.place or None,
        "timestamp": _seconds(record.date),
        "white_score": builder.score.points[0],
        "black_score": builder.score.points[1],
        "result": 0 if builder.score.winner is None else 1 + builder.score.winner,
        "source": 3,
        "games": [_game(number, *each) for number, each in enumerate(games)],
    }
    return document | ({"score_start": [white, black]} if white or black else {})


def _seconds(date: str) -> int:
    """A date as seconds since 1970 in UTC; 0 for none, and for a year or month alone."""
    if len(date) < 10:
        return 0
    moment = datetime.fromisoformat(date)
    return max(0, int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()))


def _game(number: int, game: Game, told: GameRecord) -> dict[str, Any]:
    """The game of that number, from 0."""
    plies = [ply for step in steps_of(number + 1, game, told.turns) for ply in _plies(step)]
    if game.result is None and game.dice is not None:
        plies.append(_roll(game.mover or 0, game.dice, []))
    result = game.result
    return {
        "game_index": number,
        "winner": _NO_WINNER if result is None else result.winner,
        "points_won": 0 if result is None else result.points,
        "is_crawford": game.score.crawford,
        "plies": plies,
    }


def _plies(step: Step) -> Iterator[dict[str, Any]]:
    """The plies of a step; a roll is written with its play, a contest, an offer and a refusal not at all."""
    before, action, player = step.before, step.event.action, step.event.player or 0
    if action == "play":
        dice = before.dice or (0, 0)
        play = parse_play(step.text, before.row, dice, before.rules)
        yield _roll(player, dice, [_step(player, *move) for move in play.moves])
    elif before.cube.offer == "beaver":
        if action != "take":  # a document counts a beaver as taken
            raise InvalidArgumentError("an .ogxm file can't tell of a dropped beaver: write a .narde file")
    elif action in _ACTION_IDS:
        yield {"color": 1 - player, "action_id": _ACTION_IDS[action]}
    elif action in ("accept", "concede"):
        if before.dice is not None:
            yield _roll(before.mover or 0, before.dice, [])
        yield _resignation(step)


def _resignation(step: Step) -> dict[str, Any]:
    """The ply of who gives the game up."""
    assert step.after.result is not None and step.after.result.winner is not None
    kind = step.after.result.kind
    return {"color": step.after.result.winner, "action_id": RESIGNATION, "resign_value": kind}


def _step(player: int, start: int, end: int) -> dict[str, int]:
    """A move of one checker, in Black's numbers: 0 is White's bar and 25 Black's."""
    return {"from": start if player else 25 - start, "pips": start - end}


def _roll(player: int, dice: tuple[int, int], moves: list[dict[str, int]]) -> dict[str, Any]:
    """The ply of a roll and its moves."""
    low, high = sorted(dice)
    return {"color": 1 - player, "action_id": _ROLL_IDS[low, high], "d1": low, "d2": high, "moves": moves}

"""Records of `Game` and `Match` values, and the values back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from narde.cube import Score
from narde.errors import InvalidArgumentError
from narde.game import Game
from narde.match import Match
from narde.records.builder import rebuilt
from narde.records.model import MatchRecord
from narde.records.turns import conceded, game_record


def record_of_match(match: Match, **facts: Any) -> MatchRecord:
    """As `MatchRecord.of_match`."""
    if not isinstance(match, Match):
        raise InvalidArgumentError(f"{type(match).__name__} is no match: use a narde.Match")
    head = MatchRecord(
        rules=match.rules,
        start=Score(length=match.length),
        players=match.players,
        money=match.money,
        **facts,
    )
    return _with_games(head, match.games)


def record_of_game(game: Game, **facts: Any) -> MatchRecord:
    """As `MatchRecord.of_game`."""
    if not isinstance(game, Game):
        raise InvalidArgumentError(f"{type(game).__name__} is no game: use a narde.Game")
    return _with_games(MatchRecord(rules=game.rules, start=game.score, money=game.money, **facts), (game,))


def match_of_record(record: MatchRecord) -> Match:
    """As `MatchRecord.to_match`."""
    if record.start.points != (0, 0):
        raise InvalidArgumentError(
            f"the record begins at {record.start}: a Match begins at 0-0, use to_games() instead"
        )
    for number, game in enumerate(record.games, 1):
        if conceded(game):
            raise InvalidArgumentError(
                f"game {number} was given up out of turn, which a Match cannot hold: use to_games() instead"
            )
    return rebuilt(record).match


def _with_games(head: MatchRecord, games: tuple[Game, ...]) -> MatchRecord:
    """The record with games that were played by the rules already."""
    return replace(head, games=tuple(game_record(game, {}) for game in games))

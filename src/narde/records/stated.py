"""Results as other programs state them: a winner and points, from which resignations are told.

They write down neither the offer of a resignation nor its kind, and some count no more points than the winner
needs.
"""

from __future__ import annotations

from narde.errors import NotationError
from narde.game import Game, Result
from narde.records.builder import Builder
from narde.scoring import RESULT_NAMES


def end_game(builder: Builder, winner: int, points: int, kind: int | None = None) -> None:
    """The game ends with so many points for `winner`: by the rules already, or because it was given up.

    `kind` is that of a resignation where the file tells it. Raises `NotationError` where the points are not
    those of the rules.
    """
    game = builder.game
    if game.result is not None:
        _check(builder, game.result, winner, points)
        return
    kind = kind_of(builder, winner, points, kind)
    if game.actor != winner and "resign" in game.actions:
        builder.act(f"resign {kind}")
        builder.act("accept")
    else:
        builder.concede(1 - winner, kind)


def take_beaver(builder: Builder, player: int) -> None:
    """A player who rolls after his double was beavered has taken that: some do not write it down."""
    game = builder.game
    if game.cube.offer == "beaver" and game.mover == player:
        builder.act("take")


def _check(builder: Builder, result: Result, winner: int, points: int) -> None:
    if result.winner == winner and points in (result.points, capped(builder.game, winner, result.points)):
        return
    told = f"{builder.head.players[winner]!r} wins {points}"
    raise NotationError(f"{told}, says the file; by the rules {builder.describe(result)}")


def capped(game: Game, winner: int, points: int) -> int:
    """The points that count: no more than the winner needs in a match."""
    away = game.score.away
    return points if away is None else min(points, away[winner])


def kind_of(builder: Builder, winner: int, points: int, told: int | None = None) -> int:
    """The kind of result that is worth these points now: the one told, or the least if several are."""
    game = builder.game
    kinds = (1, 2, 3) if game.rules.koks else (1, 2)
    worth = {kind: game.cube.points(kind, game.rules, jacoby=game.money.jacoby) for kind in kinds}
    counted = {kind: capped(game, winner, value) for kind, value in worth.items()}
    for values in (worth, counted):
        fitting = [kind for kind, value in values.items() if value == points]
        if fitting:
            return told if told in fitting else fitting[0]
    names = RESULT_NAMES[game.rules.game]
    said = ", ".join(f"{value} ({names[kind]})" for kind, value in worth.items())
    raise NotationError(
        f"{points} points for a game that was given up; with the {game.cube} it is worth {said}"
    )

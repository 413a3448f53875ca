"""`replay`: a record stepped through, event by event, with position, score and cube at each decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from narde.game import Event, Game
from narde.records.builder import rebuilt
from narde.records.model import MatchRecord, Turn
from narde.records.turns import action_of


@dataclass(frozen=True, eq=False)
class Step:
    """One event of a record: where the game stood, what happened, and where that led.

    game: The number of the game, from 1.
    turn: The number of the turn within the game, from 1; 0 in an opening contest.
    before: The game before the event: row, dice, cube, score, and what was legal.
    after: The game after the event; its result if that ended it.
    text: The event as records write it: `24/13`, `double`, `resign 2`, or dice such as `65`.
    comment: The comment of the turn, at its last step.
    """

    game: int
    turn: int
    before: Game
    event: Event
    after: Game
    text: str
    comment: str = ""

    @property
    def player(self) -> int | None:
        """Who acted: 0 or 1; None in an opening contest."""
        return self.event.player


def replay(record: MatchRecord) -> Iterator[Step]:
    """Every event of a record in order, after all of it was found sound.

    A game that was given up out of turn ends with an event `concede` that a `Game` itself does not have. The
    positions are those of `Step.before` and `Step.after`: `before.row` (int8 (28,), seen by the mover),
    `before.dice`, `before.cube`, `before.score`. Raises `RecordError` for the first turn that the rules
    refuse.
    """
    builder = rebuilt(record)
    both = zip(builder.games, builder.record.games, strict=True)
    return (
        step for number, (game, told) in enumerate(both, 1) for step in steps_of(number, game, told.turns)
    )


def steps_of(number: int, game: Game, turns: tuple[Turn, ...]) -> Iterator[Step]:
    """The steps of one game; a comment goes with the last event of its turn."""
    state = Game.begin(game.rules, score=game.score, money=game.money, starter=game.first_starter)
    turn = 0
    for place, event in enumerate(game.events):
        state, before = state.replay((event,)), state
        turn += turn == 0 and event.action != "contest"
        last = event.action == "play" or place == len(game.events) - 1
        comment = turns[turn - 1].comment if last and turn else ""
        text = (turns[turn - 1].play or "") if event.action == "play" else _text(event)
        yield Step(number, turn, before, event, state, text, comment)
        turn += event.action == "play"
    if game.result is not None and state.result is None:
        event = Event("concede", 1 - (game.result.winner or 0), kind=game.result.kind)
        yield Step(number, turn, state, event, game, action_of(event))


def _text(event: Event) -> str:
    return action_of(event) if event.dice is None else "{}{}".format(*event.dice)

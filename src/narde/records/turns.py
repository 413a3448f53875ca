"""A game told in turns: its events grouped, and its plays written in notation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from narde.board import starting_row
from narde.game import Event, Game
from narde.notation import format_plays
from narde.records.model import GameRecord, Turn


def game_record(game: Game, comments: Mapping[int, str], date: str = "") -> GameRecord:
    """The record of a game; `comments` belong to turns by their number from 1, and to the game at 0."""
    contests = tuple(event.dice for event in game.events if event.action == "contest" and event.dice)
    turns = (replace(turn, comment=comments.get(number, "")) for number, turn in enumerate(turns_of(game), 1))
    return GameRecord(contests, tuple(turns), game.result, date, comments.get(0, ""))


def turns_of(game: Game) -> Iterator[Turn]:
    """The turns of a game in order; the last may break off."""
    if game.starter is None:
        return
    row, player, dice = starting_row(game.rules), game.starter, _kept(game)
    before: list[str] = []
    after: list[str] = []
    for event in game.events:
        if event.action == "roll":
            dice = event.dice
        elif event.action == "play" and dice is not None:
            end = np.array(event.afterstate, np.int8)
            play = format_plays(row, dice, end, game.rules)[0]
            yield Turn(player, tuple(before), dice, tuple(after), play)
            row, player, dice = end, 1 - player, None
            before, after = [], []
        elif event.action != "contest":
            (before if dice is None else after).append(action_of(event))
    if before or dice is not None:
        yield Turn(player, tuple(before), dice, tuple(after))


def action_of(event: Event) -> str:
    """The action as records write it: `resign 2` for a mars or gammon resigned."""
    return event.action if event.kind is None else f"{event.action} {event.kind}"


def _kept(game: Game) -> tuple[int, int] | None:
    """The dice of the opening contest where the starter plays them, else None."""
    if game.first_starter is not None or game.rules.opening_roll != "keep":
        return None
    return [event.dice for event in game.events if event.action == "contest"][-1]


def conceded(game: GameRecord) -> bool:
    """Whether a game was given up without an offer that the other player accepted; see `Builder.concede`."""
    last = game.turns[-1] if game.turns else None
    accepted = last is not None and (last.before + last.after)[-1:] == ("accept",)
    return game.result is not None and game.result.how == "resigned" and not accepted

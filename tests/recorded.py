"""Records for tests: random matches with facts and comments, and what other forms keep of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from narde.cube import MoneyOptions
from narde.match import Match
from narde.records import GameRecord, MatchRecord, Turn, decode_record, encode_record
from playing import HOUSES, random_match

DATA = Path(__file__).parent / "data" / "records"

FACTS = {
    "event": "Открытый кубок",
    "round": "2",
    "place": 'Riga [south] "hall"',
    "date": "2026-05-01T18:30",
    "annotator": "O'Neil",
    "tags": (("Match ID", "7:1"), ("WR", "1800")),
    "comment": "The first line;\n\n  an indented one.",
}
"""Every kind of fact, with what a form might trip over."""

MONEY = MoneyOptions(jacoby=True, beavers=True, automatic_doubles=1)


@cache
def played(house: str, seed: int = 1, length: int | None = 1, money: MoneyOptions | None = None) -> Match:
    """A whole random match, or four games of a money session, by the rules of `playing.HOUSES`."""
    return random_match(
        length, HOUSES[house], seed, None if length else 4, players=("Ann", "Bob B."), money=money
    )


def with_comments(record: MatchRecord) -> MatchRecord:
    """The record with comments to games and turns, and dates of games."""
    games = (
        replace(
            game,
            comment=f"game {number}\n; more",
            date=f"2026-05-{number:02}",
            turns=tuple(
                replace(turn, comment=f"turn {place}" if place % 7 == 1 else "")
                for place, turn in enumerate(game.turns)
            ),
        )
        for number, game in enumerate(record.games, 1)
    )
    return replace(record, games=tuple(games))


def states(games: Iterable) -> list[tuple]:
    """Rows, dice, cube, score and result at every event of games: what a replay has to give again."""
    found = []
    for game in games:
        state = type(game).begin(game.rules, score=game.score, money=game.money, starter=game.first_starter)
        for event in game.events:
            state = state.replay((event,))
            found.append((state.row.tobytes(), state.dice, state.cube, state.score, state.result))
        found.append(game.result)
    return found


def without_refusals(record: MatchRecord) -> MatchRecord:
    """What the forms of other programs keep: the last contest, no refused resignations, no open offers."""
    return replace(record, games=tuple(map(_plain_game, record.games)))


def _plain_game(game: GameRecord) -> GameRecord:
    turns = [_plain_turn(turn) for turn in game.turns]
    kept = tuple(turn for turn in turns if turn.before or turn.dice)
    return replace(game, contests=game.contests[-1:] if game.turns else (), turns=kept)


def _plain_turn(turn: Turn) -> Turn:
    return replace(turn, before=_accepted(turn.before), after=_accepted(turn.after))


def _accepted(actions: tuple[str, ...]) -> tuple[str, ...]:
    kept: list[str] = []
    for action in actions:
        if action == "refuse":
            kept.pop()
        else:
            kept.append(action)
    return tuple(kept)


def sorted_dice(record: MatchRecord) -> MatchRecord:
    """The record with the lower die of every roll first, for forms that don't keep the order."""
    games = (
        replace(
            game,
            turns=tuple(replace(turn, dice=turn.dice and tuple(sorted(turn.dice))) for turn in game.turns),
        )
        for game in record.games
    )
    return replace(record, games=tuple(games))


def check_replay(form: str, seed: int, length: int | None) -> None:
    """A match in a form of another program comes back byte for byte and state for state, but for what no such
    form holds: tied contests, refused resignations, in `.ogxm` and `.gva` the order of the dice and dropped
    beavers.
    """
    unordered = form in ("ogxm", "gva")
    money = MoneyOptions(beavers=not unordered, jacoby=True) if length is None else None
    record = without_refusals(MatchRecord.of_match(played("short", seed, length, money)))
    record = sorted_dice(record) if unordered else record
    data = encode_record(record, form)
    again = decode_record(data, form)
    assert encode_record(again, form) == data
    again = sorted_dice(again) if unordered else again
    assert [game.result for game in again.games] == [game.result for game in record.games]
    assert states(again.to_games()) == states(record.to_games())

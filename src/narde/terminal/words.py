"""What happened, in words: the events of a game and its result, with the players' names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from narde.cube import Score
from narde.draw._words import clean, cube_words, fit
from narde.game import Event, Game
from narde.match import Match
from narde.notation import format_plays
from narde.scoring import RESULT_NAMES

Names = tuple[str, str]

_LONGEST: Final = 24
"""Columns of a name."""


def names_of(players: Names) -> Names:
    """The players' names as they can be shown: one line each, not too long."""
    shown = (fit(clean("name", name), _LONGEST) for name in players)
    first, second = (name or f"player {i}" for i, name in enumerate(shown, 1))
    return first, second


def event_words(before: Game, after: Game, names: Names) -> str:
    """The last event of a game, which led to it from the one before."""
    return told_words(before, after, after.events[-1], names)


def told_words(before: Game, after: Game, event: Event, names: Names) -> str:
    """The event of a record that led from a game to the next one; a game may also be conceded there."""
    return _SAID[event.action](before, after, event, names)


def result_words(game: Game, names: Names) -> str:
    """How a finished game ended, such as `Anna wins 4 points: mars, cube at 2`."""
    result = game.result
    assert result is not None
    if result.winner is None:
        return "The game is a draw"
    points = f"{result.points} point{'s' if result.points != 1 else ''}"
    cube = f", cube at {cube_words(game.cube.value)}" if game.cube.value > 1 else ""
    how = "by a drop" if result.how == "dropped" else result.name(game.rules)
    resigned = ", resigned" if result.how == "resigned" else ""
    return f"{names[result.winner]} wins {points}: {how}{resigned}{cube}"


def score_words(score: Score, names: Names) -> str:
    """How a match stands, such as `Match to 5: Anna leads Boris 3-2`."""
    first, second = score.points
    leader = int(second > first)
    points = f"{max(first, second)}-{min(first, second)}"
    if score.winner is not None:
        return f"{names[score.winner]} wins the match to {score.length} by {points}"
    kind = "Money session" if score.length is None else f"Match to {score.length}"
    stand = points if first == second else f"{names[leader]} leads {names[1 - leader]} {points}"
    return f"{kind}: {stand}" + (", Crawford game" if score.crawford else "")


def match_words(match: Match) -> str:
    """How a match stands, or who has won it."""
    return score_words(match.score, names_of(match.players))


def roll_words(dice: tuple[int, int]) -> str:
    """A roll, the higher die first."""
    return f"{max(dice)}-{min(dice)}"


def loss_words(game: Game, kind: int) -> str:
    """A result that is offered, with its article."""
    name = RESULT_NAMES[game.rules.game][kind]
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _contest(before: Game, after: Game, event: Event, names: Names) -> str:
    assert event.dice is not None
    thrown = f"{names[0]} throws {event.dice[0]}, {names[1]} {event.dice[1]}"
    if after.starter is not None:
        return f"{thrown}: {names[after.starter]} starts"
    doubled = f", the cube goes to {cube_words(after.cube.value)}" if after.cube != before.cube else ""
    return f"{thrown}: a tie{doubled}"


def _roll(before: Game, after: Game, event: Event, names: Names) -> str:
    assert event.dice is not None
    return f"{_who(event, names)} rolls {roll_words(event.dice)}"


def _play(before: Game, after: Game, event: Event, names: Names) -> str:
    assert event.dice is not None
    if before.must_pass:
        return f"{_who(event, names)} rolls {roll_words(event.dice)}: no legal play"
    played = format_plays(before.row, event.dice, after.row, before.rules)[0]
    return f"{_who(event, names)} plays {roll_words(event.dice)}: {played}"


def _double(before: Game, after: Game, event: Event, names: Names) -> str:
    return f"{_who(event, names)} doubles to {cube_words(2 * before.cube.value)}"


def _beaver(before: Game, after: Game, event: Event, names: Names) -> str:
    return f"{_who(event, names)} beavers to {cube_words(2 * after.cube.value)}"


def _resign(before: Game, after: Game, event: Event, names: Names) -> str:
    return f"{_who(event, names)} offers to lose {loss_words(after, event.kind or 1)}"


def _verb(verb: str) -> Callable[[Game, Game, Event, Names], str]:
    return lambda before, after, event, names: f"{_who(event, names)} {verb}"


def _who(event: Event, names: Names) -> str:
    assert event.player is not None
    return names[event.player]


_SAID: Final[dict[str, Callable[[Game, Game, Event, Names], str]]] = {
    "contest": _contest,
    "roll": _roll,
    "play": _play,
    "double": _double,
    "take": _verb("takes"),
    "beaver": _beaver,
    "drop": _verb("drops"),
    "resign": _resign,
    "accept": _verb("accepts"),
    "refuse": _verb("refuses"),
    "concede": _verb("gives the game up"),
}

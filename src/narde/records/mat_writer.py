"""`.mat` files written, in the columns of GNU Backgammon: rows of two cells, the left one player 0's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from narde.game import Game
from narde.notation import parse_play
from narde.records.builder import rebuilt
from narde.records.foreign import check_backgammon
from narde.records.model import MatchRecord
from narde.records.steps import Step, steps_of

_WIDTH: Final = 28
"""Characters of a left cell; the right one begins behind it."""

_ANSWERS: Final = {"take": " Takes", "drop": " Drops"}


def write_mat(record: MatchRecord) -> str:
    """The record as `.mat` text, after it was found sound.

    Tied opening contests, refused resignations and the dates of games have no place in the form and are left
    out; a comment stands behind the row of its turn. Raises `InvalidArgumentError` for rules that the form
    cannot tell, and `RecordError` for a record that is not sound.
    """
    check_backgammon(record, ".mat")
    builder = rebuilt(record)
    lines = [*_head(record), "", f" {record.length or 0} point match"]
    for number, (game, told) in enumerate(zip(builder.games, builder.record.games, strict=True), 1):
        lines += ["", f" Game {number}", _scores(record, game), *_comment(told.comment)]
        lines += _rows(game, steps_of(number, game, told.turns))
        if game.result is not None:
            over = builder.score.winner is not None and number == len(builder.games)
            lines.append(_win(game, "and the match" if over else ""))
    return "\n".join((*lines, ""))


def _head(record: MatchRecord) -> Iterator[str]:
    date, _, time = record.date.partition("T")
    facts = {
        "Event": record.event,
        "Round": record.round,
        "Place": record.place,
        "EventDate": date.replace("-", "."),
        "EventTime": time,
        "Transcriber": record.annotator,
        "Player 1": record.players[0],
        "Player 2": record.players[1],
        "Variation": "Backgammon",
        "Crawford": _switch(record.rules.crawford),
        "Jacoby": _switch(record.money.jacoby),
        "Beaver": _switch(record.money.beavers),
    }
    for name, text in (*facts.items(), *record.tags):
        if text:
            yield f'; [{name} "{text}"]'
    yield from _comment(record.comment)


def _switch(on: bool) -> str:
    return "On" if on else "Off"


def _comment(text: str) -> Iterator[str]:
    if text:
        yield from (f"; {line}".rstrip() for line in text.split("\n"))


def _scores(record: MatchRecord, game: Game) -> str:
    left, right = (f"{name} : {n}" for name, n in zip(record.players, game.score.points, strict=True))
    return f" {left:<{_WIDTH + 2}} {right}"


def _win(game: Game, end: str) -> str:
    """The line of who has won, in his column."""
    assert game.result is not None
    points = game.result.points
    indent = 34 if game.result.winner else 6
    return f"{'':{indent}}Wins {points} point{'s' * (points != 1)} {end}".rstrip()


class _Rows:
    """The numbered rows of a game as they fill, a left cell waiting for the right one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.number = 0
        self.left: str | None = None

    def put(self, player: int, cell: str) -> None:
        """Add a cell in the column of its player."""
        if player == 0:
            self.flush()
            self.left = cell
        else:
            self.add(f"{self.left or '':<{_WIDTH - 1}} {cell}")
            self.left = None

    def flush(self) -> None:
        """End the row that has a left cell alone."""
        if self.left is not None:
            self.add(self.left)
            self.left = None

    def add(self, cells: str) -> None:
        """Add a whole row."""
        self.number += 1
        self.lines.append(f"{self.number:3d}) {cells}")

    def comment(self, text: str) -> None:
        """Add lines of comment behind the row."""
        self.flush()
        self.lines += _comment(text)


def _rows(game: Game, steps: Iterable[Step]) -> list[str]:
    """The rows of a game, with the comments of its turns."""
    rows = _Rows()
    for step in steps:
        if cell := _cell(step):
            rows.put(*cell)
        if step.comment:
            rows.comment(step.comment)
    if game.result is None and game.dice is not None and game.mover is not None:
        rows.put(game.mover, _hidden(game))
    rows.flush()
    return rows.lines


def _cell(step: Step) -> tuple[int, str] | None:
    """The cell that a step writes, with its player; a roll is written with its play."""
    before, action = step.before, step.event.action
    if action == "play":
        return step.event.player or 0, f"{_dice(before)}: {_moves(step)}".rstrip()
    if action in ("double", "beaver", "take", "drop"):
        value = before.cube.value
        words = {"double": f" Doubles => {2 * value}", "beaver": f" Beavers => {4 * value}", **_ANSWERS}
        return step.event.player or 0, words[action]
    if action in ("accept", "concede") and before.dice is not None and before.mover is not None:
        return before.mover, _hidden(before)
    return None


def _moves(step: Step) -> str:
    """The play with a move for each die, since not every program reads moves that are joined."""
    before = step.before
    blots = {point for point, checkers in enumerate(before.row[:24].tolist(), 1) if checkers == -1}
    words = []
    for start, end in parse_play(step.text, before.row, before.dice or (0, 0), before.rules).moves:
        words.append(f"{start}/{end}{'*' if end in blots else ''}")
        blots.discard(end)
    return " ".join(words)


def _dice(game: Game) -> str:
    return "{}{}".format(*(game.dice or ()))


def _hidden(game: Game) -> str:
    """Dice that were not played."""
    return f"{_dice(game)}: ????"

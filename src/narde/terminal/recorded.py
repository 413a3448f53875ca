"""Records from files, standard input and saved matches, and what is shown of them, picture by picture."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from narde._files import as_path
from narde.draw._words import clean
from narde.errors import InvalidArgumentError, NotationError, StorageError
from narde.game import Game
from narde.records import MatchRecord, RecordError, Step, decode_record, read_record
from narde.records.files import ENDINGS, MOST_BYTES
from narde.records.json_form import KIND as RECORD_KIND
from narde.terminal.table import KIND, read_json, table_of
from narde.terminal.words import Names, names_of, result_words, score_words, told_words

STDIN: Final = "-"
"""The name of standard input."""


def is_file(word: str) -> bool:
    """Whether a word of the command line names something that can be opened, a pipe by its name included."""
    try:
        return Path(word).exists()
    except OSError:  # no name of a file is so long
        return False


def is_record(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a record, by its ending, and no match that `narde play` keeps under such a name."""
    file = as_path(path)
    if file.suffix.lower() not in ENDINGS:
        return False
    try:
        values = read_json(file)
    except (NotationError, StorageError):  # no JSON, or no file at all
        return file.suffix.lower() != ".json"
    kind = values.get("kind") if isinstance(values, dict) else None
    return kind != KIND and (file.suffix.lower() != ".json" or kind == RECORD_KIND)


def load_record(path: str, form: str | None = None) -> MatchRecord:
    """The record in a file, in standard input (`-`, whose form must be named), or in a saved `narde play`.

    Raises what `read_record` raises, its `RecordError` with the path in front, and `NotationError` for a
    saved match that is damaged.
    """
    try:
        if path == STDIN:
            return _from_stdin(form)
        return _saved_match(path, form) or read_record(path, format=form)
    except RecordError as fault:
        raise RecordError(f"{path}: {fault}", record=fault.record) from None


def _from_stdin(form: str | None) -> MatchRecord:
    if form is None:
        raise InvalidArgumentError("standard input: name the form of the record, as in --from mat")
    if sys.stdin is None:
        raise InvalidArgumentError("standard input is closed: name a file")
    return decode_record(sys.stdin.buffer.read(MOST_BYTES + 1), form)


def _saved_match(path: str, form: str | None) -> MatchRecord | None:
    """The record of a match that `narde play` keeps; None for any other file."""
    if form is not None or Path(path).suffix.lower() != ".json":
        return None
    values = read_json(Path(path))
    if not isinstance(values, dict) or values.get("kind") != KIND:
        return None
    return table_of(values, path).record()


@dataclass(frozen=True)
class Picture:
    """One picture of a record: a position, and what was done there in words.

    number: The game, from 1.
    turn: The turn within it, from 1; 0 before the first.
    game: Where the game stands, before what was done.
    lines: What was done, the opening contest in front of it, comments behind; at the end of a game its
        result.
    """

    number: int
    turn: int
    game: Game
    lines: tuple[str, ...]


def pictures_of(record: MatchRecord) -> Iterator[Picture]:
    """A picture for each play, each action of the cube, each resignation, and the end of each game.

    A contest is told with what follows it. Raises `RecordError` for a turn that the rules refuse.
    """
    for number, steps in groupby(record.steps(), key=lambda step: step.game):
        comment = record.games[number - 1].comment
        yield from _pictures_of_game(list(steps), comment, names_of(record.players))


def _pictures_of_game(steps: list[Step], comment: str, names: Names) -> Iterator[Picture]:
    told = _lines(comment)
    for step in steps:
        if step.event.action != "roll":
            told.append(told_words(step.before, step.after, step.event, names))
        if step.event.action not in ("roll", "contest"):
            yield Picture(step.game, step.turn, step.before, (*told, *_lines(step.comment)))
            told = []
    yield Picture(
        steps[-1].game, steps[-1].turn, steps[-1].after, (*told, *_end_words(steps[-1].after, names))
    )


def _end_words(game: Game, names: Names) -> tuple[str, ...]:
    """How a game ended and how the match stands then, or that it is not over."""
    if game.result is None:
        return ("The game is not over here",)
    score = game.score.after(game.result.winner, game.result.points, crawford=game.rules.crawford)
    return result_words(game, names), score_words(score, names)


def head_of(record: MatchRecord) -> list[str]:
    """What is known of a match as a whole, a line each."""
    first, second = names_of(record.players)
    length = "money session" if record.length is None else f"match to {record.length}"
    facts = {
        "players": f"{first} - {second}, {length}, rules {record.rules.name}",
        **{name: getattr(record, name) for name in ("event", "round", "place", "date", "annotator")},
        **dict(record.tags),
    }
    told = [f"{name}: {clean(name, text)}" for name, text in facts.items() if text]
    return [*told, *_lines(record.comment)]


def _lines(comment: str) -> list[str]:
    """A comment as lines that can be shown."""
    return [clean("comment", line) for line in comment.splitlines()]

"""`MatchRecord`, `GameRecord`, `Turn`: what is kept of a match, as immutable values.

They hold what a player would write down: dice as thrown and plays in notation. Whether the rules allow it is
for `narde.records.builder` to say, which every reader and writer asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, get_args

from narde.cube import MoneyOptions, Score
from narde.dice import Pair
from narde.errors import InvalidArgumentError, is_one_of, shown
from narde.game import Game, Result
from narde.game.history import How
from narde.match import Match
from narde.rules import Rules

if TYPE_CHECKING:
    from narde.records.steps import Step

RESIGNATIONS: Final = ("resign 1", "resign 2", "resign 3")
ACTIONS: Final = ("double", "beaver", "take", "drop", *RESIGNATIONS, "accept", "refuse")
"""What is done in a turn besides rolling and playing: the cube, and resignations of a kind 1 to 3 (oin, mars,
koks; single, gammon, backgammon) with their answers."""

_DATE: Final = re.compile(
    r"[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})?)?)?)?"
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_TAG: Final = re.compile(r"[^\s:](?:[^:]*[^\s:])?")


@dataclass(frozen=True)
class Turn:
    """One player's turn, which may break off at any place: after a drop, a resignation, or where a game
    stands.

    Raises `InvalidArgumentError` for a value that is no turn of any game.

    player: The player on roll, 0 or 1.
    before: What was done before the roll by either player, in order: of `ACTIONS`.
    dice: The roll, as thrown; None: no roll. In the first turn of a kept opening these are the dice of the
        contest.
    after: What was done between the roll and the play: resignations and their answers.
    play: The play as `format_play` writes it, `pass` included; None: the dice were not played.
    """

    player: int
    before: tuple[str, ...] = ()
    dice: Pair | None = None
    after: tuple[str, ...] = ()
    play: str | None = None
    comment: str = ""

    def __post_init__(self) -> None:
        if type(self.player) is not int or self.player not in (0, 1):
            raise InvalidArgumentError(f"player={shown(self.player)} of a turn: use 0 or 1")
        for name in ("before", "after"):
            some = getattr(self, name)
            if not isinstance(some, tuple) or not all(is_one_of(each, ACTIONS) for each in some):
                raise InvalidArgumentError(f"{name}={shown(some)}: use a tuple of {', '.join(ACTIONS)}")
        check_dice(self.dice)
        if self.dice is None and (self.after or self.play is not None):
            raise InvalidArgumentError(f"{shown(self)}: no play without a roll")
        if self.play is not None and (not isinstance(self.play, str) or len(self.play) > 100):
            raise InvalidArgumentError("play: use a notation of at most 100 characters")
        check_comment(self.comment)


@dataclass(frozen=True)
class GameRecord:
    """One game: its opening, its turns and its result.

    contests: Player 0's and player 1's die in each opening contest, ties first; none where the rules name the
        starter.
    result: None: the game is in progress, or its end is not recorded.
    date: As `MatchRecord.date`.
    """

    contests: tuple[Pair, ...] = ()
    turns: tuple[Turn, ...] = ()
    result: Result | None = None
    date: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.contests, tuple) or not isinstance(self.turns, tuple):
            raise InvalidArgumentError("contests and turns of a game: use tuples")
        if any(each is None for each in self.contests):
            raise InvalidArgumentError("contests=None: use pairs of dice")
        for dice in self.contests:
            check_dice(dice)
        if not all(isinstance(turn, Turn) for turn in self.turns):
            raise InvalidArgumentError("turns of a game: use narde.records.Turn")
        check_result(self.result)
        check_date(self.date)
        check_comment(self.comment)


@dataclass(frozen=True, repr=False, kw_only=True)
class MatchRecord:
    """A match or money session with all that is known of it. `narde.read_record` and `of_match` make one.

    Equality is that of all its facts. `str` is its text in the form of docs/record.md. Raises
    `InvalidArgumentError` for facts that no record can hold, such as a name of two lines.

    rules: What it is played by.
    start: The score before the first game: the match length (None: a money session), and the points where the
        record begins in the middle of a match.
    players: The names of player 0 and of player 1.
    money: The options of a money session.
    event, round, place: Of a tournament; empty where unknown, as are the other texts.
    date: ISO 8601: a year, a month, a day, or a day with a time, such as 2026-05-01T18:30 or with an offset
        from UTC.
    annotator: Who wrote the comments.
    tags: Further facts by name, in order: what other programs write and this form has no field for.
    comment: On the whole match.
    games: All games; the last one may be in progress.
    """

    rules: Rules
    start: Score = field(default_factory=Score)
    players: tuple[str, str] = ("player 0", "player 1")
    money: MoneyOptions = field(default_factory=MoneyOptions)
    event: str = ""
    round: str = ""
    place: str = ""
    date: str = ""
    annotator: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    comment: str = ""
    games: tuple[GameRecord, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules) or not isinstance(self.start, Score):
            raise InvalidArgumentError("rules and start of a record: use narde.Rules and narde.Score")
        if not isinstance(self.money, MoneyOptions):
            raise InvalidArgumentError(f"money={shown(self.money)}: use narde.MoneyOptions")
        check_tuples(self)
        texts = {name: getattr(self, name) for name in TEXTS}
        texts |= {
            "name of the rules": self.rules.name,
            "player 0": self.players[0],
            "player 1": self.players[1],
        }
        for name, value in (*texts.items(), *self.tags):
            check_line(name, value)
        check_date(self.date)
        check_comment(self.comment)
        Match.begin(self.start.length, self.rules, players=self.players, money=self.money)
        if self.start.winner is not None:
            raise InvalidArgumentError(f"start={self.start}: the match is over before it begins")

    @property
    def length(self) -> int | None:
        """The points that win the match; None for a money session."""
        return self.start.length

    @classmethod
    def of_match(cls, match: Match, **facts: Any) -> MatchRecord:
        """The record of a `Match`; `facts` are fields such as `event`, `place`, `date`."""
        from narde.records.games import record_of_match

        return record_of_match(match, **facts)

    @classmethod
    def of_game(cls, game: Game, **facts: Any) -> MatchRecord:
        """The record of one `Game`, at its score; `facts` are fields such as `players`, `date`."""
        from narde.records.games import record_of_game

        return record_of_game(game, **facts)

    def to_games(self) -> tuple[Game, ...]:
        """Every game replayed by the rules. Raises `RecordError` for the first turn that they refuse."""
        from narde.records.builder import rebuilt

        return rebuilt(self).games

    def to_match(self) -> Match:
        """The match replayed by the rules, which can go on where the record stands.

        Raises `RecordError` as `to_games` does and `InvalidArgumentError` for a record that begins in the
        middle of a match.
        """
        from narde.records.games import match_of_record

        return match_of_record(self)

    def steps(self) -> Iterator[Step]:
        """As `narde.replay`."""
        from narde.records.steps import replay

        return replay(self)

    def to_json(self) -> dict[str, Any]:
        """The record as a dict that JSON takes."""
        from narde.records.json_form import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, values: Any) -> MatchRecord:
        """The record that `to_json` described, replayed by the rules; raises `RecordError`."""
        from narde.records.json_form import from_json

        return from_json(values)

    def __str__(self) -> str:
        from narde.records.text_writer import write_text

        return write_text(self)

    def __repr__(self) -> str:
        kind = "money session" if self.length is None else f"match to {self.length}"
        counts = f"games: {len(self.games)}, turns: {sum(len(game.turns) for game in self.games)}"
        return f"<narde.MatchRecord {self.rules.name!r}, {' - '.join(self.players)}, {kind}, {counts}>"


TEXTS: Final = ("event", "round", "place", "date", "annotator")
"""The fields of a record that are one line of text each."""


# ---- what a field may hold ---------------------------------------------------------------------------------


def check_line(name: str, value: Any) -> None:
    """One line of text without control characters or space at its ends; else `InvalidArgumentError`."""
    if not isinstance(value, str) or _CONTROL.search(value) or value != value.strip():
        raise InvalidArgumentError(
            f"{name}={shown(value)}: use one line of text, without control characters or space at its ends"
        )


def check_comment(value: Any) -> None:
    """Text of any number of lines without other control characters; else `InvalidArgumentError`."""
    if not isinstance(value, str) or _CONTROL.search(value.replace("\n", "")):
        raise InvalidArgumentError(
            f"comment={shown(value)}: use text without control characters but line feeds"
        )


def check_date(value: Any) -> None:
    """A date or time of ISO 8601 in the extended form, or nothing; else `InvalidArgumentError`."""
    if is_one_of(value, ("",)):
        return
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            datetime.fromisoformat(value + "2000-01-01"[len(value) :])
            return
        except ValueError:
            pass
    raise InvalidArgumentError(
        f"date={shown(value)}: use ISO 8601, such as 2026, 2026-05-01 or 2026-05-01T18:30"
    )


def check_dice(value: Any) -> None:
    """A pair of dice or None; else `InvalidArgumentError`."""
    if value is None:
        return
    if (
        not isinstance(value, tuple)
        or len(value) != 2
        or any(type(die) is not int or not 1 <= die <= 6 for die in value)
    ):
        raise InvalidArgumentError(f"dice={shown(value)}: use a tuple of two whole numbers from 1 to 6")


def check_result(value: Any) -> None:
    """A `Result` with values that a game can end with, or None; else `InvalidArgumentError`."""
    if value is None:
        return
    sound = (
        isinstance(value, Result)
        and value.winner in (None, 0, 1)
        and value.kind in range(4)
        and type(value.points) is int
        and value.points >= 0
        and value.how in get_args(How)
    )
    if not sound:
        raise InvalidArgumentError(f"result={shown(value)}: use a narde.game.Result, or None")


def check_tuples(record: MatchRecord) -> None:
    """The shapes of the fields that are tuples; else `InvalidArgumentError`."""
    if not isinstance(record.players, tuple) or len(record.players) != 2:
        raise InvalidArgumentError(f"players={shown(record.players)}: use a tuple of two names")
    tags = record.tags
    if not isinstance(tags, tuple) or any(not isinstance(tag, tuple) or len(tag) != 2 for tag in tags):
        raise InvalidArgumentError(f"tags={shown(tags)}: use a tuple of pairs, name and text")
    for name, _ in tags:
        check_line("tag", name)
        if not _TAG.fullmatch(name):
            raise InvalidArgumentError(f"tag {shown(name)}: a name has at least one character and no colon")
    if not isinstance(record.games, tuple) or not all(isinstance(game, GameRecord) for game in record.games):
        raise InvalidArgumentError("games of a record: use a tuple of narde.records.GameRecord")

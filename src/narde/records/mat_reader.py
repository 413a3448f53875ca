"""`.mat` files read: the matches of Jellyfish, GNU Backgammon, eXtreme Gammon and many sites; short nardy.

It has no specification; docs/record.md says what is read of it. Every turn is replayed by the rules.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from narde.cube import MoneyOptions, Score
from narde.errors import IllegalPlayError, NardeError, NotationError
from narde.records import mat_lines
from narde.records.builder import Builder
from narde.records.errors import RecordError
from narde.records.guess import with_customs
from narde.records.mat_lines import Cell
from narde.records.model import MatchRecord
from narde.records.plain import date_of, one_line
from narde.records.stated import end_game, take_beaver
from narde.rules import Rules
from narde.rules import rules as rules_of

_ROLL: Final = re.compile(r"([0-6])([0-6]):\s*(.*)")
_WORD: Final = re.compile(r"[a-z]*")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_ACTS: Final = {
    "double": "double",
    "redouble": "double",
    "beaver": "beaver",
    "take": "take",
    "accept": "take",
    "drop": "drop",
    "passe": "drop",
    "reject": "drop",
}
"""The words that begin a cell, without their s, and the actions that they mean."""
_FACTS: Final = {"event": "event", "round": "round", "place": "place", "transcriber": "annotator"}
_DATES: Final = {"eventdate": "date", "date": "date", "eventtime": "time", "time": "time"}
_SWITCHES: Final = {"crawford": "crawford", "jacoby": "jacoby", "beaver": "beavers", "beavers": "beavers"}
_KNOWN: Final = ("player 1", "player 2", "variation")
"""Tags that say nothing that the file does not say elsewhere."""


class MatReader:
    """The state of reading a file. `guess`: what holds of a money session where no tag tells it."""

    def __init__(self, guess: MoneyOptions) -> None:
        self.guess = guess
        self.facts: dict[str, str] = {}
        self.tags: list[tuple[str, str]] = []
        self.switches: dict[str, bool] = {}
        self.remarks: list[str] = []
        self.length: int | None = None
        self.heading = False  # whether the line of names and scores is expected
        self.unplayed: int | None = None  # whose roll stands without a play: he passes, or gives up
        self.hidden = False  # whether that play is hidden: ????
        self.builder: Builder | None = None
        self.line = 1

    # ---- lines ---------------------------------------------------------------------------------------------

    def read(self, text: str) -> MatchRecord:
        """The record of the whole text."""
        for self.line, line in enumerate(text.split("\n"), 1):
            if line.strip():
                self.read_guarded(line.expandtabs(8))
        if self.builder is None:
            raise self.fault("no game: a line `Game 1` and a line of names and scores are expected")
        with self.builder.guarded(self.line):
            if self.unplayed is not None and not self.hidden and self.builder.game.must_pass:
                self.builder.play("pass")
        return self.builder.record

    def read_guarded(self, line: str) -> None:
        """Read a line; whatever is wrong with it becomes a `RecordError` that names it."""
        try:
            if self.builder is None:
                self.read_line(line)
            else:
                with self.builder.guarded(self.line):
                    self.read_line(line)
        except RecordError:
            raise
        except NardeError as refused:
            raise self.fault(refused) from None

    def fault(self, reason: object) -> RecordError:
        """The error at the present line."""
        return self.builder.fault(reason) if self.builder else RecordError(str(reason), line=self.line)

    def read_line(self, line: str) -> None:
        """A line that is not empty."""
        if line.lstrip().startswith((";", "#")):
            self.read_comment(line.strip())
        elif mat_lines.GAME.fullmatch(line):
            self.heading = True
        elif self.heading:
            self.read_scores(line)
        elif self.builder is None:
            self.read_length(line)
        else:
            for cell in mat_lines.cells(line):
                self.read_cell(self.builder, cell)

    # ---- the head ------------------------------------------------------------------------------------------

    def read_comment(self, line: str) -> None:
        """A tag such as `; [Event "Open"]`, or a remark."""
        remark = one_line(line.lstrip(";# "))
        if self.builder is not None:
            self.builder.comment(remark)
        elif tag := mat_lines.tag_of(line):
            self.read_tag(one_line(tag[0]), one_line(tag[1]))
        else:
            self.remarks.append(remark)

    def read_tag(self, name: str, text: str) -> None:
        """A fact of the head by its name."""
        key = name.lower()
        if key in _FACTS or key in _DATES:
            self.facts[_FACTS.get(key) or _DATES[key]] = text
        elif key in _SWITCHES:
            self.switches[_SWITCHES[key]] = text.lower() in ("on", "true", "yes", "1")
        elif key == "variation" and text.lower() != "backgammon":
            raise NotationError(f"variation {text[:40]!r}: only backgammon is read")
        elif key not in _KNOWN:
            self.tags.append((name.replace(":", " ").strip() or "-", text))

    def read_length(self, line: str) -> None:
        """The line `5 point match`, before which remarks may stand."""
        if found := mat_lines.LENGTH.fullmatch(line):
            self.length = int(found[1])
        elif mat_lines.MONEY.fullmatch(line):
            self.length = 0
        else:
            self.remarks.append(one_line(line))

    def read_scores(self, line: str) -> None:
        """The names and scores with which a game begins."""
        found = mat_lines.score_line(line)
        if found is None:
            raise NotationError(f"{line.strip()[:60]!r} is no line of names and scores, `Ann : 0   Bob : 2`")
        names, points = found
        if self.builder is None:
            self.builder = Builder(self.head((one_line(names[0]), one_line(names[1])), points))
        self.unplayed, self.heading = None, False
        self.builder.start_game()
        if points != self.builder.score.points:
            said, counted = "{}-{}".format(*points), "{}-{}".format(*self.builder.score.points)
            raise NotationError(f"the score is {said}, says the file; by the games before it is {counted}")

    def head(self, players: tuple[str, str], points: tuple[int, int]) -> MatchRecord:
        """The record before its first game."""
        if self.length is None:
            raise NotationError("no match length: a line `5 point match` is expected before the first game")
        rules = self.rules()
        away = [self.length - n for n in points]
        crawford = rules.crawford and self.length > 1 and (away[0] == 1) != (away[1] == 1)
        facts: dict[str, Any] = dict(self.facts)
        date, time = facts.pop("date", ""), facts.pop("time", "")
        return MatchRecord(
            rules=rules,
            start=Score(points, self.length or None, crawford),
            players=players,
            money=self.money_options(),
            date=date_of(date, time) or "",
            tags=tuple(self.tags),
            comment="\n".join(self.remarks),
            **facts,
        )

    def rules(self) -> Rules:
        """Short nardy, without the Crawford rule where the file says so."""
        return replace(rules_of("short"), crawford=self.switches.get("crawford", True))

    def money_options(self) -> MoneyOptions:
        """The customs of a money session: those of the tags, else those guessed."""
        if self.length:
            return MoneyOptions()
        said = {name: self.switches[name] for name in ("jacoby", "beavers") if name in self.switches}
        return replace(self.guess, **said)

    # ---- cells ---------------------------------------------------------------------------------------------

    def read_cell(self, builder: Builder, cell: Cell) -> None:
        """A roll with its play, a cube action, or a result."""
        word = (_WORD.match(cell.text.lower()) or [""])[0].removesuffix("s")
        if roll := _ROLL.fullmatch(cell.text):
            self.read_roll(builder, cell.player, (int(roll[1]), int(roll[2])), roll[3])
        elif word == "win":
            self.read_win(builder, cell)
        elif word in _ACTS:
            self.read_action(builder, cell, _ACTS[word])
        # Who has lost or resigned is told by the line of who wins.

    def read_roll(self, builder: Builder, player: int, dice: tuple[int, int], play: str) -> None:
        """A roll and its play, which may be hidden: `????`."""
        self.pass_unplayed(builder)
        if 0 in dice:  # 00: nothing rolled, he gives up
            return
        take_beaver(builder, player)
        builder.roll(player, dice)
        play = " ".join(move for move in play.split() if move != "0/0")
        if play.strip("?"):
            self.read_play(builder, play)
        else:
            self.unplayed, self.hidden = player, play != ""

    def read_play(self, builder: Builder, play: str) -> None:
        """A play whose marks of hits may be wrong."""
        try:
            builder.play(play)
        except IllegalPlayError:
            if "*" not in play:
                raise
            try:
                builder.play(play.replace("*", ""))
            except NardeError:
                builder.play(play)

    def read_action(self, builder: Builder, cell: Cell, action: str) -> None:
        """A cube action by the player of the cell, who must be the one to act."""
        self.pass_unplayed(builder)
        game = builder.game
        if action == "double" and game.cube.offer == "double":
            action = "beaver"
        builder.check_actor(cell.player, action)
        said = _NUMBER.search(cell.text)
        if action == "double" and said and int(said[0]) != 2 * game.cube.value:
            raise NotationError(
                f"{cell.text[:40]!r} of a {game.cube}: it would come to {2 * game.cube.value}"
            )
        builder.act(action)

    def read_win(self, builder: Builder, cell: Cell) -> None:
        """The result: by the rules, or because the loser gave up."""
        points = _NUMBER.search(cell.text)
        if points is None:
            raise NotationError(f"{cell.text[:40]!r} does not say how many points")
        if self.unplayed == cell.player and builder.game.must_pass:
            self.pass_unplayed(builder)
        self.unplayed = None
        result = builder.game.result
        winner = cell.player if result is None or result.winner is None else result.winner
        end_game(builder, winner, int(points[0]))

    def pass_unplayed(self, builder: Builder) -> None:
        """A roll without a play was a pass, since the game goes on."""
        if self.unplayed is not None:
            self.unplayed = None
            builder.play("pass")


def read_mat(text: str) -> MatchRecord:
    """The record of a `.mat` text. Raises `RecordError` with the line, the reason and the sound part.

    A money session that does not say whether the Jacoby rule and beavers are in use is read without them if
    that is sound, else with what makes it so.
    """
    return with_customs(lambda guess: MatReader(guess).read(text))

"""`Builder`: a record as it grows. Every reader feeds it what a file says, and the rules check each action.

Where they refuse one, the `RecordError` carries all that was sound until then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from narde.dice import Pair
from narde.errors import IllegalActionError, InvalidArgumentError, NardeError, NotationError
from narde.game import Game, Result
from narde.match import Match
from narde.records.errors import RecordError
from narde.records.model import (
    ACTIONS,
    RESIGNATIONS,
    GameRecord,
    MatchRecord,
    Turn,
    check_comment,
    check_date,
)
from narde.records.turns import game_record
from narde.scoring import RESULT_NAMES

MOST_EVENTS: Final = 10_000
MOST_GAMES: Final = 10_000
"""What a game and a record may have, far beyond any that was played: it bounds the work on a file."""

MOST_NAMED: Final = 20
"""Legal plays that an error names at most."""


class Builder:
    """A record under construction: `start_game`, then actions in the order in which they happened.

    `line` may be set to the line being read, and everything done within `guarded`, so that what the rules
    refuse becomes a `RecordError` with its place.
    """

    def __init__(self, head: MatchRecord) -> None:
        self.head = replace(head, games=())
        self.match = Match.begin(head.length, head.rules, players=head.players, money=head.money)
        self.score = head.start
        self.line: int | None = None
        self._dates: list[str] = []
        self._comments: list[dict[int, list[str]]] = [{}]
        self._plays = 0  # in the last game; counted here, since a file may ask after each of its lines

    # ---- what there is so far ------------------------------------------------------------------------------

    @property
    def games(self) -> tuple[Game, ...]:
        """All games so far; the last one may be in progress."""
        return self.match.games

    @property
    def game(self) -> Game:
        """The last game. Raises `NotationError` before the first one."""
        if not self.games:
            raise NotationError("no game has begun here")
        return self.games[-1]

    @property
    def turn(self) -> int:
        """The number of the turn that is on, from 1; 0 before the first game."""
        if not self.games:
            return 0
        return 1 + self._plays

    @property
    def record(self) -> MatchRecord:
        """The record of all that was done so far."""
        texts = [{turn: "\n".join(lines) for turn, lines in some.items()} for some in self._comments]
        comment = "\n".join(filter(None, (self.head.comment, texts[0].get(0))))
        facts = zip(self.games, texts[1:], self._dates, strict=True)
        return replace(self.head, games=tuple(game_record(*each) for each in facts), comment=comment)

    def fault(self, reason: object) -> RecordError:
        """The error for a reason at the present place."""
        if not self.games:
            return RecordError(str(reason), record=self.record, line=self.line)
        place = {"game": len(self.games), "turn": self.turn, "line": self.line}
        return RecordError(str(reason), record=self.record, **place)

    @contextmanager
    def guarded(self, line: int | None = None) -> Iterator[None]:
        """Within it whatever the rules refuse becomes a `RecordError` at the line."""
        self.line = line
        try:
            yield
        except RecordError:
            raise
        except NardeError as refused:
            raise self.fault(refused) from None

    # ---- games ---------------------------------------------------------------------------------------------

    def start_game(self, date: str = "") -> None:
        """Begin the next game, at the score and with the starter that the games before give."""
        if len(self.games) == MOST_GAMES:
            raise NotationError(f"there are more than {MOST_GAMES} games")
        if self.games and self.games[-1].result is None:
            raise NotationError(f"game {len(self.games)} has no result, and another game begins")
        begun = Game.begin(
            self.head.rules, score=self.score, money=self.head.money, starter=self.match.next_starter
        )
        self.match = replace(self.match, games=(*self.games, begun))
        self._dates.append(date)
        self._comments.append({})
        self._plays = 0

    def date(self, text: str) -> None:
        """The date of the last game."""
        check_date(text)
        self._dates[-1] = text

    def comment(self, text: str) -> None:
        """A further line of comment: of the last turn that has begun, else of the game or the record."""
        check_comment(text)
        self._comments[-1].setdefault(self._begun() if self.games else 0, []).append(text)

    def contest(self, dice: Pair) -> None:
        """Player 0's and player 1's die in an opening contest."""
        self._go(self.game.contest(dice))

    def finish(self, result: Result | None) -> None:
        """Check a result that the record states against the one of the rules; see `concede`."""
        if result is not None and result.how == "resigned" and self.game.result is None:
            self.concede(1 - (result.winner or 0), result.kind)
        if self.game.result != result:
            raise NotationError(
                f"the result is {self.describe(self.game.result)}, not {self.describe(result)}"
            )

    def concede(self, loser: int, kind: int) -> None:
        """The game is given up where `Game` has no resignation; it has a result then, but no event for it.

        So before the opening contest, while a double waits for its answer, and by the player not on roll.
        """
        game = self.game
        if game.result is not None or kind not in range(1, 4 if game.rules.koks else 3):
            raise NotationError(f"no game of kind {kind} to give up: it is {self.describe(game.result)}")
        points = game.cube.points(kind, game.rules, jacoby=game.money.jacoby)
        self._go(replace(game, result=Result(1 - loser, kind, points, "resigned")))

    # ---- actions -------------------------------------------------------------------------------------------

    def act(self, action: str) -> None:
        """One of `ACTIONS`, by the player whose turn it is to do it."""
        if action not in ACTIONS:
            raise NotationError(f"{action!r} is no action: use {', '.join(ACTIONS)}")
        verb, _, kind = action.partition(" ")
        game = self.game
        self._go(game.resign(int(kind)) if action in RESIGNATIONS else getattr(game, verb)())

    def roll(self, player: int, dice: Pair) -> None:
        """A player's roll. If it is the first of a kept opening the contest is taken to have shown it."""
        if self.game.actions == ("contest",):
            self._infer_contest(player, dice)
        self.check_mover(player)
        if not self._is_opening():
            self._go(self.game.roll(dice))
        elif sorted(dice) != sorted(self.game.dice or ()):
            raise NotationError(
                f"the opening contest showed {self.game.dice}, which are to be played, not {dice}"
            )

    def play(self, text: str) -> None:
        """The play of the dice in notation; text that is none is refused with the plays that are legal."""
        try:
            self._go(self.game.play(text))
        except NotationError as fault:
            raise NotationError(f"{fault}\n  {self.legal()}") from None

    def legal(self) -> str:
        """What is legal now, in words: the plays of the dice, or the actions."""
        game = self.game
        named = game.notations if "play" in game.actions else game.actions
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        return f"legal: {', '.join(named[:MOST_NAMED]) or 'nothing'}{more}"

    def do_turn(self, turn: Turn) -> None:
        """All of a turn."""
        if turn.dice is None and not turn.before:
            raise NotationError("a turn in which nothing happens")
        if self.game.actions != ("contest",):
            self.check_mover(turn.player)
        for action in turn.before:
            self.act(action)
        if turn.dice is not None:
            self.roll(turn.player, turn.dice)
        for action in turn.after:
            self.act(action)
        if turn.play is not None:
            self.play(turn.play)

    def check_mover(self, player: int) -> None:
        """Return quietly if the player is on roll in a game in progress."""
        game = self.game
        if game.result is not None:
            raise IllegalActionError(f"the game is over: {self.describe(game.result)}")
        if game.mover != player:
            names = self.head.players
            raise IllegalActionError(f"{names[1 - player]!r} is on roll, not {names[player]!r}")

    def check_actor(self, player: int, action: str) -> None:
        """Return quietly if the action is legal now and the player's to do."""
        game = self.game
        game.check(action)
        if game.actor != player:
            names = self.head.players
            raise IllegalActionError(f"{action} by {names[player]!r}, but {names[1 - player]!r} is to act")

    def describe(self, result: Result | None) -> str:
        """A result in words, with the players' names."""
        if result is None:
            return "open"
        if result.winner is None:
            return "a draw"
        name = RESULT_NAMES[self.head.rules.game][result.kind]
        return f"{self.head.players[result.winner]!r} wins {result.points} ({name}, {result.how})"

    # ---- within --------------------------------------------------------------------------------------------

    def _begun(self) -> int:
        """How many turns of the last game have begun."""
        events = self.game.events
        unplayed = self.game.dice is not None or (events and events[-1].action not in ("play", "contest"))
        return self._plays + bool(unplayed)

    def _is_opening(self) -> bool:
        """Whether the dice on the table are those of a kept opening."""
        game = self.game
        kept = game.first_starter is None and game.rules.opening_roll == "keep"
        return kept and game.dice is not None and self.turn == 1

    def _infer_contest(self, player: int, dice: Pair) -> None:
        """The contest that a first roll tells of: who plays it had the higher die."""
        if self.head.rules.opening_roll != "keep":
            raise NotationError("the opening contest, by which the starter is known, is not recorded")
        low, high = sorted(dice)
        if low == high:
            raise NotationError(f"the opening roll {low}-{high} is a double, which decides no contest")
        self._go(self.game.contest((high, low) if player == 0 else (low, high)))

    def _go(self, game: Game) -> None:
        """The last game has come to this; once it is over, so is the score."""
        if len(game.events) > MOST_EVENTS:
            raise NotationError(f"the game has more than {MOST_EVENTS} events, which no game has")
        self._plays += len(game.events) > len(self.game.events) and game.events[-1].action == "play"
        self.match = replace(self.match, games=(*self.games[:-1], game))
        if game.result is not None:
            crawford = self.head.rules.crawford
            self.score = self.score.after(game.result.winner, game.result.points, crawford=crawford)


def rebuilt(record: MatchRecord) -> Builder:
    """The record replayed by the rules, turn by turn. Raises `RecordError` for the first that they refuse."""
    if not isinstance(record, MatchRecord):
        raise InvalidArgumentError(f"{type(record).__name__} is no record: use a narde.MatchRecord")
    builder = Builder(record)
    for game in record.games:
        with builder.guarded():
            builder.start_game(game.date)
            _rebuild_game(builder, game)
    return builder


def _rebuild_game(builder: Builder, game: GameRecord) -> None:
    if game.comment:
        builder.comment(game.comment)
    for dice in game.contests:
        builder.contest(dice)
    for turn in game.turns:
        builder.do_turn(turn)
        if turn.comment:
            builder.comment(turn.comment)
    builder.finish(game.result)

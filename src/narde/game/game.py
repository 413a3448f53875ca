"""`Game`: one game from the opening contest to its result, as an immutable value with its whole history.

Each action returns the next `Game`; a refused one raises and changes nothing, so an earlier value is an undo.
The players are 0 and 1 throughout; rows, and the cube, are seen by the mover, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde.board import starting_row
from narde.cube import Cube, MoneyOptions, Score, or_default
from narde.dice import DiceSource, Pair, as_pair
from narde.errors import (
    IllegalActionError,
    InvalidArgumentError,
    InvalidDiceError,
    NardeError,
    NotationError,
    shown,
)
from narde.game.history import Event, Result, Turn, as_event, listed, rules_from_json, rules_to_json
from narde.game.state import GameState, read_only
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import RESULT_NAMES, finished, last_roll_due, result_kinds

MOST_TIES: Final = 1000
"""Ties in a row that a contest bears before it says that the dice are at fault."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Game(GameState):
    """A game at some moment. Start one with `Game.begin`, then `contest`, `roll`, `play`, `double` and so on.

    `actions` says what is legal now and `actor` who must act. Two games are equal if they began alike and the
    same happened in them. Out of turn every method raises `IllegalActionError`, which names what is legal.

    rules: What it is played by.
    score: The score of the match before the game, or that of a money game.
    money: The options of a money game.
    first_starter: Who starts by the previous game; None: a contest decides.
    starter: Who has started; None before the contest is decided.
    mover: Who is on roll; in a finished game, who would be.
    row: The row seen by the mover, int8 (28,), read-only.
    dice: The dice to be played now, as thrown.
    resigned: The kind of result that the mover offers to lose.
    cube: The cube now.
    result: How it ended; None: it goes on.
    events: All that happened, in order.
    """

    @classmethod
    def begin(
        cls,
        rules: str | Rules = "long",
        *,
        score: Score | None = None,
        money: MoneyOptions | None = None,
        starter: int | None = None,
    ) -> Game:
        """A new game: at a score of a match, else for money; `starter` None: by a contest.

        Raises `InvalidArgumentError` for a finished match, another starter, or money options in a match.
        """
        rules = rules_of(rules)
        score, money = or_default(score, Score(), "score"), or_default(money, MoneyOptions(), "money")
        if starter is not None and (type(starter) is not int or starter not in (0, 1)):
            raise InvalidArgumentError(f"starter={shown(starter)}: use 0, 1, or None for a contest")
        if score.winner is not None:
            raise InvalidArgumentError(f"the match at {score} is over: player {score.winner} has won it")
        if money != MoneyOptions() and (score.length is not None or not rules.cube):
            raise InvalidArgumentError(f"{money}: these are for money sessions by rules with a cube")
        row = read_only(starting_row(rules))
        return cls(
            rules=rules,
            score=score,
            money=money,
            first_starter=starter,
            starter=starter,
            mover=starter,
            row=row,
            cube=Cube(),
        )

    # ---- the opening and the dice --------------------------------------------------------------------------

    def contest(self, dice: object) -> Game:
        """Player 0's and player 1's die: the higher starts. A tie leaves the contest open, to be held again.



        `dice`: a source, a pair or a text such as "65". Where the opening is kept the starter plays these two
        dice; else he rolls both again, and may double first.
        """
        self.check("contest")
        thrown = _thrown(dice, lambda source: source.contest(self.rules.opening_roll == "keep"))
        event = Event("contest", dice=thrown)
        if thrown[0] == thrown[1]:
            return self._next(event, cube=self._after_tie())
        starter = int(thrown[1] > thrown[0])
        kept = thrown if self.rules.opening_roll == "keep" else None
        return self._next(event, starter=starter, mover=starter, dice=kept)

    def open(self, source: DiceSource) -> Game:
        """The game once its starter is known, after contests from the source as long as they tie.



        Raises `InvalidDiceError` after 1000 ties.
        """
        game = self
        for _ in range(MOST_TIES):
            if game.starter is not None:
                return game
            game = game.contest(source)
        raise InvalidDiceError(f"{MOST_TIES} ties in a row: the dice are at fault")

    def roll(self, dice: object) -> Game:
        """The mover's roll, from a source, a pair or a text such as "65"; a play follows, be it a pass."""
        self.check("roll")
        thrown = _thrown(dice, lambda source: source.roll())
        return self._next(Event("roll", self.mover, thrown), dice=thrown)

    def play(self, choice: str | int | npt.ArrayLike) -> Game:
        """Play the dice: by notation ("24/13", "pass"), by an index into `legal`, or by an afterstate (28,).

        Raises `IllegalPlayError` for a play that is not legal, naming those that are, and `NotationError` for
        text that is no play.
        """
        self.check("play")
        after = self.meant(choice)
        event = Event("play", self.mover, self.dice, afterstate=tuple(after.tolist()))
        assert self.mover is not None
        turned = self._next(event, row=after, mover=1 - self.mover, dice=None, cube=self.cube.flip())
        return turned._decided()

    # ---- the cube ------------------------------------------------------------------------------------------

    def double(self) -> Game:
        """The mover offers a double, before his roll."""
        self.check("double")
        return self._next(Event("double", self.actor), cube=self.cube.double())

    def take(self) -> Game:
        """Who must answer accepts the double or the beaver; then the mover rolls."""
        self.check("take")
        return self._next(Event("take", self.actor), cube=self.cube.take())

    def beaver(self) -> Game:
        """Who was doubled doubles at once and keeps the cube; the mover must take or drop."""
        self.check("beaver")
        return self._next(Event("beaver", self.actor), cube=self.cube.beaver())

    def drop(self) -> Game:
        """Who must answer gives the game up for the value before the double."""
        self.check("drop")
        assert self.actor is not None
        result = Result(1 - self.actor, 1, self.cube.drop(), "dropped")
        return self._next(Event("drop", self.actor), result=result)

    # ---- resigning -----------------------------------------------------------------------------------------

    def resign(self, kind: int = 1) -> Game:
        """The mover offers to lose a game of a kind: 1 oin or single, 2 mars or gammon, 3 koks or backgammon.

        The other player accepts or refuses. Raises `InvalidArgumentError` for a kind that is not scored.
        """
        self.check("resign")
        most = 3 if self.rules.koks else 2
        if type(kind) is not int or not 1 <= kind <= most:
            names = ", ".join(f"{i} {RESULT_NAMES[self.rules.game][i]}" for i in range(1, most + 1))
            raise InvalidArgumentError(f"kind={shown(kind)} is no value to resign: use one of {names}")
        return self._next(Event("resign", self.actor, kind=kind), resigned=kind)

    def accept(self) -> Game:
        """The resignation is accepted, and the game over."""
        self.check("accept")
        assert self.resigned is not None
        result = Result(self.actor, self.resigned, self._points(self.resigned), "resigned")
        return self._next(Event("accept", self.actor), result=result, resigned=None)

    def refuse(self) -> Game:
        """The resignation is refused, and the game goes on as it was."""
        self.check("refuse")
        return self._next(Event("refuse", self.actor), resigned=None)

    # ---- history -------------------------------------------------------------------------------------------

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns played, passes included."""
        row, turns = starting_row(self.rules), []
        for event in self.events:
            if event.afterstate is not None and event.player is not None and event.dice is not None:
                after = np.array(event.afterstate, np.int8)
                turns.append(Turn(event.player, row, event.dice, after, self.rules))
                row = after
        return tuple(turns)

    def undo(self) -> Game:
        """The game before the last event. Raises `IllegalActionError` where nothing has happened."""
        if not self.events:
            raise IllegalActionError("nothing to undo: the game has just begun")
        start = Game.begin(self.rules, score=self.score, money=self.money, starter=self.first_starter)
        return start.replay(self.events[:-1])

    def replay(self, events: Iterable[Event | Mapping[str, Any]]) -> Game:
        """The game after these events, each checked by the rules as when it happened.

        Raises `NotationError` naming the first event that can't have happened, and why.
        """
        game = self
        for number, event in enumerate(listed(events, "events"), len(self.events)):
            try:
                game = game._repeat(as_event(event))
            except NardeError as fault:
                raise NotationError(f"event {number}, {shown(event)}: {fault}") from None
        return game

    def to_json(self) -> dict[str, Any]:
        """The beginning and the events as a dict that JSON takes; `Game.from_json` replays it."""
        return {
            "rules": rules_to_json(self.rules),
            "score": asdict(self.score),
            "money": asdict(self.money),
            "starter": self.first_starter,
            "events": [event.to_json() for event in self.events],
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Game:
        """The game that `to_json` described, every event checked by the rules.

        Raises `NotationError` for a dict of another form and for events that can't have happened.
        """
        try:
            score = dict(values["score"])
            begun = cls.begin(
                rules_from_json(values["rules"]),
                score=Score(**{**score, "points": tuple(score["points"])}),
                money=MoneyOptions(**values["money"]),
                starter=values["starter"],
            )
            events = list(values["events"])
        except (LookupError, TypeError, ValueError) as fault:
            raise NotationError(f"no game: {type(fault).__name__} {fault}") from None
        return begun.replay(events)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    # ---- within --------------------------------------------------------------------------------------------

    @property
    def _key(self) -> tuple[object, ...]:
        return self.rules, self.score, self.money, self.first_starter, self.events

    def _next(self, event: Event, **changes: Any) -> Game:
        return replace(self, events=(*self.events, event), **changes)

    def _points(self, kind: int) -> int:
        return self.cube.points(kind, self.rules, jacoby=self.money.jacoby)

    def _after_tie(self) -> Cube:
        """The cube after a tie: an automatic double where money players agreed on one."""
        ties = sum(event.action == "contest" for event in self.events)
        automatic = self.rules.cube and ties < self.money.automatic_doubles
        return replace(self.cube, value=self.cube.value * 2) if automatic else self.cube

    def _decided(self) -> Game:
        """The game after a play, with its result if that was the last one."""
        if not finished(self.row) or last_roll_due(self.row, self.rules, self.mover == self.starter):
            return self
        assert self.mover is not None
        kind = int(result_kinds(self.row, self.rules))
        winner = None if kind == 0 else self.mover if kind > 0 else 1 - self.mover
        return replace(self, result=Result(winner, abs(kind), self._points(abs(kind))))

    def _repeat(self, event: Event) -> Game:
        """The game after an event of a record, which must say what the game says itself."""
        arguments = {
            "contest": (event.dice,),
            "roll": (event.dice,),
            "play": (event.afterstate,),
            "resign": (event.kind,),
        }
        self.check(event.action)
        again: Game = getattr(self, event.action)(*arguments.get(event.action, ()))
        if again.events[-1] != event:
            raise NotationError(f"it happened otherwise: {again.events[-1]!r}")
        return again


def _thrown(dice: object, ask: Callable[[DiceSource], Pair]) -> Pair:
    """The dice themselves, or what the source gives when asked."""
    return as_pair(ask(dice) if isinstance(dice, DiceSource) else dice)

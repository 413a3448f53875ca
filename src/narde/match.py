"""`Match`: a match to a length or a money session, game after game, as a value with its whole history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy.typing as npt

from narde.cube import MoneyOptions, Score, or_default
from narde.dice import DiceSource
from narde.errors import IllegalActionError, InvalidArgumentError, NardeError, NotationError, shown
from narde.game import Event, Game
from narde.game.history import listed, rules_from_json, rules_to_json
from narde.rules import Rules
from narde.rules import rules as rules_of


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Match:
    """A match or money session between player 0 and player 1. Start one with `Match.begin`, then
    `start_game`.

    The actions of `Game` act on the game in progress and give the next `Match`; what is not legal raises and
    changes nothing. Two matches are equal if they began alike and the same happened in them.

    rules: What it is played by.
    length: The points to be won; None for a money session, which never ends by itself.
    players: The names of player 0 and of player 1.
    money: The options of a money session.
    games: All games so far; the last one may be in progress.
    """

    rules: Rules
    length: int | None
    players: tuple[str, str]
    money: MoneyOptions
    games: tuple[Game, ...] = ()

    @classmethod
    def begin(
        cls,
        length: int | None,
        rules: str | Rules = "long",
        *,
        players: Iterable[str] = ("player 0", "player 1"),
        money: MoneyOptions | None = None,
    ) -> Match:
        """A new match to `length` points, or a money session (None), before its first game.

        Raises `InvalidArgumentError` for a length that the rules do not have ("1, 3, 5 or 7", nardeon l53) or
        that is none, for other than two names, and for money options in a match or by rules without a cube.
        """
        rules = rules_of(rules)
        if length is not None and rules.match_lengths and length not in rules.match_lengths:
            lengths = ", ".join(map(str, rules.match_lengths))
            raise InvalidArgumentError(
                f"no match to {shown(length)} by the rules {rules.name!r}: use one of {lengths}"
            )
        names = _two_names(players)
        money = or_default(money, MoneyOptions(), "money")
        match = cls(rules=rules, length=length, players=names, money=money)
        match._fresh_game()
        return match

    # ---- where it stands -----------------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game in progress, or None between games."""
        return self.games[-1] if self.games and self.games[-1].result is None else None

    @cached_property
    def score(self) -> Score:
        """The score of the game in progress or, between games, of the next one, with its Crawford flag."""
        score = Score(length=self.length)
        for game in self.games:
            if game.result is not None:
                score = score.after(game.result.winner, game.result.points, crawford=self.rules.crawford)
        return score

    @property
    def winner(self) -> int | None:
        """Who has won the match, or None."""
        return self.score.winner

    @property
    def next_starter(self) -> int | None:
        """Who starts the next game by the one before it; None: a contest decides.

        "the winner of the previous game goes first" (bkgm l7); after a draw a contest. Where the sides
        alternate it is he who did not start before.
        """
        if not self.games or self.rules.next_starter == "contest":
            return None
        last = self.games[-1]
        if self.rules.next_starter == "winner":
            return last.result.winner if last.result is not None else None
        return None if last.starter is None else 1 - last.starter

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the methods that are legal now; none once the match is won."""
        if self.game is not None:
            return self.game.actions
        return () if self.winner is not None else ("start_game",)

    @property
    def actor(self) -> int | None:
        """The player who must act; None between games and in a contest."""
        return self.game.actor if self.game is not None else None

    # ---- going on ------------------------------------------------------------------------------------------

    def start_game(self, dice: DiceSource | None = None) -> Match:
        """Begin the next game; with a source of dice also hold the contest, where there is one, to its
        decision.

        Raises `IllegalActionError` while a game is in progress and once the match is won,
        `InvalidArgumentError` for what is no source.
        """
        if not (dice is None or isinstance(dice, DiceSource)):
            raise InvalidArgumentError(f"dice is {shown(dice)}: pass a source, as narde.dice.SeededDice(1)")
        if "start_game" not in self.actions:
            why = f"player {self.winner} has won the match" if self.game is None else "a game is in progress"
            raise IllegalActionError(f"no start_game: {why}; legal: {' or '.join(self.actions) or 'nothing'}")
        game = self._fresh_game()
        if dice is not None:
            dice.new_game(len(self.games))
            game = game.open(dice)
        return replace(self, games=(*self.games, game))

    def contest(self, dice: object) -> Match:
        """As `Game.contest`."""
        return self._with(self._game("contest").contest(dice))

    def roll(self, dice: object) -> Match:
        """As `Game.roll`."""
        return self._with(self._game("roll").roll(dice))

    def play(self, choice: str | int | npt.ArrayLike) -> Match:
        """As `Game.play`."""
        return self._with(self._game("play").play(choice))

    def double(self) -> Match:
        """As `Game.double`."""
        return self._with(self._game("double").double())

    def take(self) -> Match:
        """As `Game.take`."""
        return self._with(self._game("take").take())

    def beaver(self) -> Match:
        """As `Game.beaver`."""
        return self._with(self._game("beaver").beaver())

    def drop(self) -> Match:
        """As `Game.drop`."""
        return self._with(self._game("drop").drop())

    def resign(self, kind: int = 1) -> Match:
        """As `Game.resign`."""
        return self._with(self._game("resign").resign(kind))

    def accept(self) -> Match:
        """As `Game.accept`."""
        return self._with(self._game("accept").accept())

    def refuse(self) -> Match:
        """As `Game.refuse`."""
        return self._with(self._game("refuse").refuse())

    # ---- history -------------------------------------------------------------------------------------------

    def undo(self) -> Match:
        """The match before the last event; a game in which nothing has happened yet is taken back whole.

        Raises `IllegalActionError` where nothing has happened.
        """
        if not self.games:
            raise IllegalActionError("nothing to undo: the match has just begun")
        rest, last = self.games[:-1], self.games[-1]
        return replace(self, games=(*rest, last.undo()) if last.events else rest)

    def to_json(self) -> dict[str, Any]:
        """The beginning and the events of every game as JSON takes them; `Match.from_json` replays it."""
        return {
            "rules": rules_to_json(self.rules),
            "length": self.length,
            "players": list(self.players),
            "money": asdict(self.money),
            "games": [[event.to_json() for event in game.events] for game in self.games],
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Match:
        """The match that `to_json` described, every event checked by the rules.

        Raises `NotationError` for a dict of another form, naming the game and the event that can't have
        happened.
        """
        try:
            match = cls.begin(
                values["length"],
                rules_from_json(values["rules"]),
                players=values["players"],
                money=MoneyOptions(**values["money"]),
            )
            games = [list(events) for events in values["games"]]
        except (LookupError, TypeError, ValueError) as fault:
            raise NotationError(f"no match: {type(fault).__name__} {fault}") from None
        return match.replay(games)

    def replay(self, games: Iterable[Iterable[Event | Mapping[str, Any]]]) -> Match:
        """The match after further games, each given by its events and checked by the rules.

        Raises `NotationError` naming the first game and event that can't have happened.
        """
        match = self
        for events in listed(games, "games"):
            number = len(match.games)
            try:
                match = match.start_game()
                match = match._with(match._game("replay").replay(events))
            except NardeError as fault:
                raise NotationError(f"game {number}, {fault}") from None
        return match

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Match) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    # ---- pictures ------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """The score and, once a game has begun, the board of the last one."""
        score = f"{self.players[0]} - {self.players[1]}: {self.score}"
        return score if not self.games else self.games[-1].text(self.players, title=score, colour=False)

    def __repr__(self) -> str:
        first, second = self.players
        games = f"{len(self.games)} game{'s' * (len(self.games) != 1)}"
        end = f"{self.players[self.winner]} has won" if self.winner is not None else " or ".join(self.actions)
        return f"<narde.Match {self.rules.name!r}, {first} - {second}, {self.score}, {games}: {end}>"

    def _repr_svg_(self) -> str | None:
        return self.games[-1].svg(self.players, title=f"{self.score}") if self.games else None

    # ---- within --------------------------------------------------------------------------------------------

    @property
    def _key(self) -> tuple[object, ...]:
        return self.rules, self.length, self.players, self.money, self.games

    def _fresh_game(self) -> Game:
        """The next game before its first event."""
        return Game.begin(self.rules, score=self.score, money=self.money, starter=self.next_starter)

    def _game(self, action: str) -> Game:
        if self.game is None:
            raise IllegalActionError(
                f"no {action} between games: {' or '.join(self.actions) or 'nothing'} is legal"
            )
        return self.game

    def _with(self, game: Game) -> Match:
        return replace(self, games=(*self.games[:-1], game))


def _two_names(players: Iterable[str]) -> tuple[str, str]:
    """The names of both players; raises `InvalidArgumentError` for other than two texts."""
    try:
        names = tuple(players)
    except TypeError:
        names = ()
    if len(names) != 2 or any(type(name) is not str for name in names):
        raise InvalidArgumentError(f"players={shown(players)}: name two players")
    return names[0], names[1]

"""Two players on paired dice: how many points a game one is ahead, with its interval, and an Elo-like
figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isnan, log10, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from narde.evaluators import Evaluator
from narde.executors import ExecutorSource
from narde.games import Games
from narde.kernels import as_whole_number
from narde.players import Player
from narde.players import player as player_of
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.selfplay import TURNS, self_play
from narde.stats import Estimate, mean_interval, ratio_interval, share_interval

MOST_PAIRS = 2**36
"""What `self_play` can play in a run."""


@dataclass(frozen=True, eq=False)
class Duel:
    """The games of two players A and B in pairs: both games of a pair have the same dice, with the seats
    exchanged.

    A pair is one observation: the luck of the dice is in both its games, for either side once, and largely
    gone from their mean. Intervals are of 95 %, by Student from the means of the pairs. A game that did not
    come to its end within `max_turns` counts in none of the estimates; where no game did, these are not a
    number, with the widest bounds there are.

    a, b: The names of the players.
    rules: What they played by.
    seed: What the games were made from, with their numbers.
    first: The number of the first game; pair i is game first + i of the seed, twice.
    points: int8 (n, 2): the points that A won (+) or lost (-) when A started, and when B did; 0 if nobody
        won.
    turns: Turns of all games.
    finished: bool (n, 2): which games came to their end within `max_turns`; None if all did.
    """

    a: str
    b: str
    rules: Rules
    seed: int
    first: int
    points: npt.NDArray[np.int8]
    turns: int
    finished: npt.NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        """Pairs."""
        return len(self.points)

    @property
    def advantage(self) -> Estimate:
        """Points a game that A is ahead."""
        return self._mean_of(self.points)

    @property
    def wins(self) -> Estimate:
        """The share of games that A won, a draw by the last roll counting half."""
        found = self._mean_of((np.sign(self.points) + 1) / 2)
        if found.value in (0, 1):  # no pairs to estimate a spread from: each counts as one result
            pairs = int(self._ended.any(axis=1).sum())
            found = share_interval(int(found.value) * pairs, pairs)
        return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))

    @property
    def elo(self) -> Estimate:
        """The difference of ratings at which the share of wins is what is expected: 400 log10(p / (1 - p)).

        A. E. Elo, The Rating of Chessplayers, Past and Present (1978), with the logistic curve in use since.
        It is a figure for these rules and single games: points above one do not count.
        """
        share = self.wins
        return Estimate(*(_elo_of(p) for p in (share.value, share.low, share.high)))

    def counts(self) -> dict[str, list[int]]:
        """Games by their points, 1, 2, 3 and so on: those that A won and those that B won."""
        most = max(3, int(np.abs(self.points).max(initial=0)))
        points = range(1, most + 1)
        return {
            "a": [int((self.points == n).sum()) for n in points],
            "b": [int((self.points == -n).sum()) for n in points],
        }

    def data(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "a": self.a,
            "b": self.b,
            "variant": self.rules.name,
            "seed": self.seed,
            "first": self.first,
            "games": self.points.size,
            "turns": self.turns,
            "advantage": self.advantage,
            "wins": self.wins,
            "elo": self.elo,
            "won_by_points": self.counts(),
            "nobody": int((self.points == 0).sum()),
            "unfinished": self.unfinished,
        }

    @property
    def unfinished(self) -> int:
        """Games that did not come to their end."""
        return int((~self._ended).sum())

    def __repr__(self) -> str:
        ahead, ended = self.advantage, self.points.size - self.unfinished
        found = f"{ahead.value:+.3f}±{ahead.margin:.3f} points a game in {_games(ended)}" if ended else ""
        left = f"{_games(self.unfinished)} not finished" if self.unfinished else ""
        told = ", ".join(filter(None, (found, left)))
        return f"<narde.Duel {self.a} against {self.b}: {told}>"

    @property
    def _ended(self) -> npt.NDArray[np.bool_]:
        return np.ones(self.points.shape, np.bool_) if self.finished is None else self.finished

    def _mean_of(self, values: npt.NDArray[Any]) -> Estimate:
        """The mean over the games that ended, with the interval of their pairs."""
        ended = self._ended
        if ended.all():
            return mean_interval(values.mean(axis=1))
        games = ended.sum(axis=1)
        some = games > 0
        if not some.any():
            return Estimate(nan, -inf, inf)
        return ratio_interval((values * ended).sum(axis=1)[some], games[some])


def duel(
    a: str | Player | Evaluator,
    b: str | Player | Evaluator,
    n: int,
    rules: str | Rules = "long",
    *,
    seed: int,
    first: int = 0,
    threads: int = 1,
    executor: ExecutorSource | None = None,
    batch: int | None = None,
    max_turns: int = TURNS,
    progress: Callable[[int, int], None] | None = None,
) -> Duel:
    """Play n pairs of games between A and B; each pair has the same dice, with A and B to start in turn.

    The other arguments are those of `self_play`; the games are those of `self_play(n, a, opponent=b)` and
    `self_play(n, b, opponent=a)`. `progress(done, total)` counts games.

    Raises what `self_play` raises.
    """
    n = as_whole_number(n, "n", 1, MOST_PAIRS)
    rule = rules_of(rules)
    players = player_of(a), player_of(b)
    points: list[npt.NDArray[np.int8]] = []
    finished: list[npt.NDArray[np.bool_]] = []
    turns = 0
    for seat in range(2):
        games = self_play(
            n,
            players[seat],
            rule,
            opponent=players[1 - seat],
            seed=seed,
            first=first,
            threads=threads,
            executor=executor,
            batch=batch,
            max_turns=max_turns,
            progress=_told_after(progress, seat * n, 2 * n),
        )
        points.append(_points_of(games, seat))
        # A draw by the last roll has no winner either: one in the very last turn counts as unfinished.
        finished.append((games.winner >= 0) | (games.lengths < max_turns))
        turns += int(games.lengths.sum())
    columns = (np.stack(points, axis=1), turns, np.stack(finished, axis=1))
    return Duel(str(players[0]), str(players[1]), rule, int(seed), int(first), *columns)


def _games(n: int) -> str:
    return f"{n} game{'s' * (n != 1)}"


def _points_of(games: Games, seat: int) -> npt.NDArray[np.int8]:
    """The points won (+) or lost (-) by the player in a seat, 0 the starter's."""
    won: npt.NDArray[np.int8] = np.where(games.winner == seat, games.points, -games.points)
    return won


def _told_after(progress: Any, before: int, total: int) -> Any:
    """Progress that goes on after so many games of so many; what cannot be called is left to `self_play`."""
    if not callable(progress):
        return progress

    def tell(done: int, _: int) -> None:
        progress(before + done, total)

    return tell


def _elo_of(share: float) -> float:
    if isnan(share):
        return nan
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))

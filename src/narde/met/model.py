"""Match equity tables computed from how single games end: exactly without a cube, with one by a model."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, exp, pi, sqrt
from typing import Final

import numpy as np

from narde.errors import InvalidArgumentError, shown
from narde.kernels import as_share
from narde.met.odds import GameOdds, shares
from narde.met.table import MatchEquityTable
from narde.met.window import CubeWindow, at
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import points_by_kind

CUBE_LIFE: Final = 0.8
"""The cube life, in tenths, at which backgammon's table comes closest to the published one."""

OPENING_SPREAD: Final = 0.03
"""The standard deviation of the trailer's chance to win when he may first double after the Crawford game. It
makes the free drop at 2-away worth 1.2 %, as in the published table."""

LONGEST: Final = 100


def compute_met(
    length: int,
    odds: GameOdds,
    rules: str | Rules = "long",
    *,
    cube_life: float = CUBE_LIFE,
    opening_spread: float = OPENING_SPREAD,
    name: str = "",
) -> MatchEquityTable:
    """The match equities of two equal players up to `length` points, from the odds of a single game.

    Without a cube the recursion over the results of a game is exact: each leads to a score at which the next
    starter is known by `Rules.next_starter`, or drawn by lot in a contest, as he is after a draw. With a cube
    each game is worth what `CubeWindow` says of a cube of `cube_life` in the middle; the Crawford game is
    played without one; and after it the trailer doubles at once, the leader dropping where that costs him
    less. Raises `InvalidArgumentError` for a length beyond 1 to 100 or shares that are none.
    """
    rules = rules_of(rules)
    _check(length, odds, cube_life, opening_spread, name)
    solver = _Solver(rules, odds, cube_life, opening_spread)
    solver.fill(length)
    steps = range(1, length + 1)

    def table(starts: bool | None) -> list[list[float]]:
        return [[solver.chance(a, b, False, starts) for b in steps] for a in steps]

    def post(starts: bool | None) -> list[float]:
        return [solver.chance(a, 1, True, starts) for a in steps]

    known = rules.next_starter != "contest"
    return MatchEquityTable(
        np.array(table(None)),
        np.array(post(None)),
        name=name or f"{rules.name}, computed",
        starting=np.array(table(True)) if known else None,
        starting_post=np.array([post(True), post(False)]) if known else None,
    )


def _check(length: int, odds: GameOdds, cube_life: float, opening_spread: float, name: str) -> None:
    """Raise `InvalidArgumentError` for the first argument of `compute_met` that is none."""
    if type(length) is not int or not 1 <= length <= LONGEST:
        raise InvalidArgumentError(f"length={shown(length)}: use a whole number from 1 to {LONGEST}")
    as_share(cube_life, "cube_life")
    if not as_share(opening_spread, "opening_spread") < 0.5:
        raise InvalidArgumentError(
            f"opening_spread={shown(opening_spread)}: use a number from 0 to below 0.5"
        )
    if not isinstance(odds, GameOdds):
        raise InvalidArgumentError(f"odds is {shown(odds)}: pass GameOdds")
    if not isinstance(name, str):
        raise InvalidArgumentError(f"name is {shown(name)}: pass a text")


class _Solver:
    """Chances to win the match by (away, opponent away, Crawford game played, whether the player starts)."""

    def __init__(self, rules: Rules, odds: GameOdds, life: float, spread: float) -> None:
        self.rules, self.odds, self.life, self.spread = rules, odds, life, spread
        self.points = [int(points) for points in points_by_kind(rules)[1:]]
        self.known: dict[tuple[int, int, bool], tuple[float, float]] = {}

    def fill(self, length: int) -> None:
        """Solve every score from the end of the match backwards."""
        for total in range(2, 2 * length + 1):
            for a in range(max(1, total - length), min(length, total - 1) + 1):
                for played in (True, False) if 1 in (a, total - a) else (False,):
                    self.known[a, total - a, played] = self.solve(a, total - a, played)

    def chance(self, a: int, b: int, played: bool, starts: bool | None) -> float:
        """The chance at a score; `starts` None: a contest decides."""
        if a <= 0 or b <= 0:
            return float(a <= 0)
        starting, waiting = self.known[a, b, played]
        return (starting + waiting) / 2 if starts is None else starting if starts else waiting

    def solve(self, a: int, b: int, played: bool) -> tuple[float, float]:
        """The chance if he starts and if the opponent does; a draw leads back to this very score."""
        starting, waiting = self.decisive(a, b, played, True), self.decisive(a, b, played, False)
        d = self.odds.draw
        mixed = d if self.rules.next_starter == "alternate" else d / 2
        s, w, kept = (1 - d) * starting, (1 - d) * waiting, 1 - (d - mixed)
        scale = kept**2 - mixed**2
        return (kept * s + mixed * w) / scale, (kept * w + mixed * s) / scale

    def decisive(self, a: int, b: int, played: bool, starts: bool) -> float:
        """The chance given that this game is not drawn."""
        own, other = (
            (self.odds.starter, self.odds.second) if starts else (self.odds.second, self.odds.starter)
        )
        wins = sum(own) / (sum(own) + sum(other))
        window = CubeWindow((a, b), self.after(a, b, starts), self.points, shares(own), shares(other))
        if not self.rules.cube or a == b == 1 or (self.rules.crawford and 1 in (a, b) and not played):
            return at(window.dead(1), wins)
        if b == 1:
            return self.trailing(window.ends(2)[1], window.after(True, 1), wins)
        if a == 1:
            return 1 - self.trailing(1 - window.ends(2)[0], 1 - window.after(False, 1), 1 - wins)
        return at(window.curve(1, (True, True), self.life), wins)

    def after(self, a: int, b: int, starts: bool) -> Callable[[bool, int], float]:
        """The chance after a result at this score."""

        def chance(won: bool, points: int) -> float:
            start = {"contest": None, "winner": won, "alternate": not starts}[self.rules.next_starter]
            mine, theirs = (a - points, b) if won else (a, b - points)
            return self.chance(mine, theirs, 1 in (a, b), start)

        return chance

    def trailing(self, taken: float, dropped: float, wins: float) -> float:
        """The trailer's chance when he doubles a leader who needs one point: the mean of min(X * taken,
        dropped).

        `taken` is his chance once he has won the doubled game, `dropped` after a drop; X, his chance to win
        the game when he doubles, is normal around `wins` with the opening spread.
        """
        critical = dropped / taken
        if self.spread == 0:
            return min(wins, critical) * taken
        d = (critical - wins) / self.spread
        excess = self.spread * exp(-d * d / 2) / sqrt(2 * pi) - (critical - wins) * (1 - erf(d / sqrt(2))) / 2
        return (wins - excess) * taken

"""What a game at a match score is worth as a function of the player's chance to win it, cube included.

A live cube is turned at the last moment, when the other side may just as well drop; a dead cube never again.
Between them stands Janowski's model: a share, the cube life, of the live value and the rest of the dead one
(R. Janowski, "Take-Points in Money Games", 1993, here at match scores). With a life of 1 the match equities
are those of Keith's classical method ("How to Compute a Match Equity Table", bkgm.com): perfectly efficient
doubling, a fixed mars rate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

Curve = list[tuple[float, float]]
"""A rising broken line: (chance to win the game, chance to win the match), from chance 0 to chance 1."""

MONEY_SHARES: Final = (1.0, 0.0, 0.0)
"""The shares of oin, mars and koks among the wins of a player who wins no mars."""


@dataclass(frozen=True)
class CubeWindow:
    """A game between two players who need `away` points, seen by the first of them.

    `after(won, points)` is his chance to win the match once he has won (or lost) that many points, `shares`
    and `opponent_shares` how the wins of each divide into oins, mars and koks, `points` what these count.
    """

    away: tuple[int, int]
    after: Callable[[bool, int], float]
    points: Sequence[int]
    shares: Sequence[float]
    opponent_shares: Sequence[float]

    def ends(self, value: int) -> tuple[float, float]:
        """His chances to win the match if he loses and if he wins this game with the cube at `value`."""
        lost = sum(
            share * self.after(False, p * value)
            for share, p in zip(self.opponent_shares, self.points, strict=True)
        )
        won = sum(
            share * self.after(True, p * value) for share, p in zip(self.shares, self.points, strict=True)
        )
        return lost, won

    def dead(self, value: int) -> Curve:
        """The worth of the game with a cube that nobody will turn again."""
        lost, won = self.ends(value)
        return [(0.0, lost), (1.0, won)]

    def live(self, value: int, owners: Sequence[bool]) -> Curve:
        """The worth of the game with a live cube.

        `owners`: whether he and the opponent may turn it, both for a cube in the middle. A player for whom
        `value` is enough to win the match never turns it.
        """
        (_, lost), (_, won) = self.dead(value)
        curve = [(0.0, lost)]
        if owners[1] and value < self.away[1]:
            curve.append((self.take_point(value, life=1.0), self.after(False, value)))
        if owners[0] and value < self.away[0]:
            curve.append((self.cash_point(value, life=1.0), self.after(True, value)))
        return [*curve, (1.0, won)]

    def curve(self, value: int, owners: Sequence[bool], life: float) -> Curve:
        """The worth of the game with a cube of this `life`, from 0, dead, to 1, live."""
        live, dead = self.live(value, owners), self.dead(value)
        return [(chance, life * y + (1 - life) * at(dead, chance)) for chance, y in live]

    def take_point(self, value: int, life: float = 1.0) -> float:
        """The chance from which he takes a double from `value`, owning the cube at twice that."""
        return where(self.curve(value * 2, (True, False), life), self.after(False, value))

    def cash_point(self, value: int, life: float = 1.0) -> float:
        """The chance from which the opponent drops his double from `value`."""
        return where(self.curve(value * 2, (False, True), life), self.after(True, value))


def at(curve: Curve, chance: float) -> float:
    """The height of the curve at a chance."""
    for (x0, y0), (x1, y1) in pairwise(curve):
        if chance <= x1:
            return y0 if x1 == x0 else y0 + (y1 - y0) * (chance - x0) / (x1 - x0)
    return curve[-1][1]


def where(curve: Curve, height: float) -> float:
    """The lowest chance at which the curve reaches a height; 0 below its foot, 1 above its top."""
    if height <= curve[0][1]:
        return 0.0
    for (x0, y0), (x1, y1) in pairwise(curve):
        if height <= y1:
            return x0 + (x1 - x0) * (height - y0) / (y1 - y0)
    return 1.0

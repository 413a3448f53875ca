"""`MatchEquityTable`: the chances to win a match by the points that both players need, and their uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from narde.cube import Score
from narde.errors import InvalidArgumentError, shown
from narde.ids.setup import LARGEST_CUBE
from narde.kernels import as_flag, as_share, as_whole_number
from narde.met.window import CubeWindow

Chances = npt.NDArray[np.float64]

_FARTHEST: Final = 2**62
"""Points away that are taken for a number; few tables reach beyond 25."""

_ROUNDING: Final = 0.011
"""How far the chances of both players may be from summing to 1: tables in whole percent are rounded."""


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """Chances to win a match, for equal players, before a game at each score.

    `equities[a - 1, b - 1]`, float64 (n, n), is the chance of a player who needs a points against one who
    needs b; where either needs one point the game is the Crawford game. `post_crawford[a - 1]`, float64 (n,),
    is the chance of a player who needs a points, the other one point, after the Crawford game. Where the
    starter of the next game is known, `starting` has the chances of the player who starts it, like
    `equities`, and `starting_post`, (2, n), those of `post_crawford` if he starts and if the other does. The
    arrays are copied and read-only. Raises `InvalidArgumentError` for arrays of other shapes, chances outside
    0 to 1, or unequal players.
    """

    equities: Chances
    post_crawford: Chances
    name: str = ""
    source: str = ""
    starting: Chances | None = None
    starting_post: Chances | None = None

    def __post_init__(self) -> None:
        n = _numbers("post_crawford", self.post_crawford).size
        shapes = {"equities": (n, n), "post_crawford": (n,), "starting": (n, n), "starting_post": (2, n)}
        for field, shape in shapes.items():
            if getattr(self, field) is not None or field in ("equities", "post_crawford"):
                object.__setattr__(self, field, _checked(field, getattr(self, field), shape))
        if (self.starting is None) != (self.starting_post is None):
            raise InvalidArgumentError("starting and starting_post belong together: give both or neither")
        if n == 0 or np.abs(self.equities + self.equities.T - 1).max() > _ROUNDING:
            raise InvalidArgumentError(
                "equities of both players must sum to 1: the table must be for equal players"
            )

    @property
    def length(self) -> int:
        """The longest match that the table covers, in points."""
        return len(self.post_crawford)

    def equity(
        self, away: int, opponent_away: int, *, post_crawford: bool = False, starts: bool | None = None
    ) -> float:
        """The chance of a player who needs `away` points: 1.0 if none, 0.0 if the opponent needs none.

        `post_crawford`: the Crawford game has been played. `starts`: whether he starts the next game, None if
        a contest will decide it. Raises `InvalidArgumentError` beyond the table or for a starter it knows
        nothing of.
        """
        post_crawford = as_flag(post_crawford, "post_crawford")
        starts = None if starts is None else as_flag(starts, "starts")
        away = as_whole_number(away, "away", -_FARTHEST, _FARTHEST)
        opponent_away = as_whole_number(opponent_away, "opponent_away", -_FARTHEST, _FARTHEST)
        if away <= 0 or opponent_away <= 0:
            return float(away <= 0)
        self._check_known(away, opponent_away, starts)
        if post_crawford and 1 in (away, opponent_away):
            if opponent_away == 1:
                return self._post(away, starts)
            return 1.0 - self._post(opponent_away, None if starts is None else not starts)
        if self.starting is None or starts is None:
            return float(self.equities[away - 1, opponent_away - 1])
        return float(
            self.starting[away - 1, opponent_away - 1]
            if starts
            else 1.0 - self.starting[opponent_away - 1, away - 1]
        )

    def _check_known(self, away: int, opponent_away: int, starts: bool | None) -> None:
        """Raise `InvalidArgumentError` beyond the table, and for a starter where it knows none."""
        if max(away, opponent_away) > self.length:
            raise InvalidArgumentError(
                f"{away}-away, {opponent_away}-away is beyond {self.name or 'the table'}, "
                f"which covers matches to {self.length}: compute or read a longer one"
            )
        if starts is not None and self.starting is None:
            raise InvalidArgumentError(f"{self.name or 'the table'} knows no starters: leave starts=None")

    def equity_at(self, score: Score, player: int = 0, *, starts: bool | None = None) -> float:
        """The chance of `player` at a score of a match; money has none and raises `InvalidArgumentError`."""
        if not isinstance(score, Score):
            raise InvalidArgumentError(f"score is {shown(score)}: pass a narde.Score")
        away = score.seen_by(player).away
        if away is None:
            raise InvalidArgumentError("a money session has no match equity: pass the score of a match")
        return self.equity(*away, post_crawford=score.post_crawford, starts=starts)

    def after(
        self, away: int, opponent_away: int, *, post_crawford: bool = False
    ) -> Callable[[bool, int], float]:
        """A function from (won, points) of the game at this score to the chance afterwards."""
        away = as_whole_number(away, "away", 1, _FARTHEST)
        opponent_away = as_whole_number(opponent_away, "opponent_away", 1, _FARTHEST)
        played = as_flag(post_crawford, "post_crawford") or 1 in (away, opponent_away)

        def chance(won: bool, points: int) -> float:
            mine, theirs = (away - points, opponent_away) if won else (away, opponent_away - points)
            return self.equity(mine, theirs, post_crawford=played)

        return chance

    def take_point(
        self,
        away: int,
        opponent_away: int,
        cube: int = 1,
        *,
        mars: float = 0.0,
        opponent_mars: float = 0.0,
        cube_life: float = 0.0,
        post_crawford: bool = False,
    ) -> float:
        """The chance to win the game from which a player takes a double of the cube from `cube` to twice
        that.

        `mars` and `opponent_mars` are the shares of mars among their wins; `cube_life` says how well he can
        use the cube he gets: 0, never (a dead cube, as in the last roll), to 1, perfectly (a live cube).
        """
        window = self._window((away, opponent_away), mars, opponent_mars, post_crawford)
        return window.take_point(
            as_whole_number(cube, "cube", 1, LARGEST_CUBE), as_share(cube_life, "cube_life")
        )

    def cash_point(
        self,
        away: int,
        opponent_away: int,
        cube: int = 1,
        *,
        mars: float = 0.0,
        opponent_mars: float = 0.0,
        cube_life: float = 0.0,
        post_crawford: bool = False,
    ) -> float:
        """The chance to win the game from which the opponent drops a double; arguments as in `take_point`."""
        window = self._window((away, opponent_away), mars, opponent_mars, post_crawford)
        return window.cash_point(
            as_whole_number(cube, "cube", 1, LARGEST_CUBE), as_share(cube_life, "cube_life")
        )

    def mars_value(
        self, away: int, opponent_away: int, cube: int = 1, *, post_crawford: bool = False
    ) -> float:
        """What a mars or gammon gains over a plain win, as a part of what a plain win gains over a plain
        loss.

        It is 0.5 for money. 0.0 where a plain win is worth no more than a loss.
        """
        after = self.after(away, opponent_away, post_crawford=post_crawford)
        cube = as_whole_number(cube, "cube", 1, LARGEST_CUBE)
        plain = after(True, cube) - after(False, cube)
        return (after(True, 2 * cube) - after(True, cube)) / plain if plain > 0 else 0.0

    def money_equity(
        self, chance: float, away: int, opponent_away: int, cube: int = 1, *, post_crawford: bool = False
    ) -> float:
        """A chance to win the match on the scale of money: +1 a plain win, -1 a plain loss at `cube`. Raises
        `InvalidArgumentError` where a win is worth no more than a loss."""
        after = self.after(away, opponent_away, post_crawford=post_crawford)
        cube, chance = as_whole_number(cube, "cube", 1, LARGEST_CUBE), as_share(chance, "chance")
        won, lost = after(True, cube), after(False, cube)
        if won <= lost:
            where = f"{away}-away, {opponent_away}-away"
            raise InvalidArgumentError(f"at {where} a win is worth no more than a loss: no equity tells it")
        return (2 * chance - won - lost) / (won - lost)

    def _window(self, away: tuple[int, int], mars: float, opponent_mars: float, post: bool) -> CubeWindow:
        as_share(mars, "mars")
        as_share(opponent_mars, "opponent_mars")
        after = self.after(*away, post_crawford=post)
        return CubeWindow(
            away, after, (1, 2, 3), (1 - mars, mars, 0.0), (1 - opponent_mars, opponent_mars, 0.0)
        )

    def _post(self, away: int, starts: bool | None) -> float:
        if self.starting_post is None or starts is None:
            return float(self.post_crawford[away - 1])
        return float(self.starting_post[0 if starts else 1, away - 1])

    def __repr__(self) -> str:
        return f"<MatchEquityTable {self.name!r} to {self.length}>"


def _checked(field: str, values: Chances, shape: tuple[int, ...]) -> Chances:
    """The values as a read-only copy of the right shape, chances all."""
    array = _numbers(field, values)
    if array.shape != shape:
        raise InvalidArgumentError(f"{field} has shape {array.shape}, expected {shape}")
    if not ((array >= 0) & (array <= 1)).all():
        raise InvalidArgumentError(f"{field} holds values outside 0 to 1: chances, not percent")
    array.flags.writeable = False
    return array


def _numbers(field: str, values: Chances) -> Chances:
    """The values as a copy, float64 of any shape."""
    try:
        return np.array(values, dtype=np.float64)
    except Exception as fault:  # whatever an object's own __array__ raises
        raise InvalidArgumentError(f"{field} holds no numbers: {fault}") from None

"""`GameOdds`: how single games end, which is all that a computed match equity table knows of the game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from narde._values import holds_booleans, is_masked
from narde.errors import InvalidArgumentError, shown
from narde.kernels import as_share

Kinds = tuple[float, float, float]
"""Chances of an oin or single, a mars or gammon, a koks or backgammon."""


@dataclass(frozen=True)
class GameOdds:
    """The chances that the player who starts and the second player win a game, by the kind of the win.

    The rest to 1 is the chance of a draw. Raises `InvalidArgumentError` unless they are chances, with some
    for each player, that sum to 1 at most.
    """

    starter: Kinds
    second: Kinds

    def __post_init__(self) -> None:
        try:
            chances = np.array([self.starter, self.second], np.float64)
        except Exception:  # whatever an object's own __array__ raises
            chances = np.empty(0)
        told = f"starter={shown(self.starter)}, second={shown(self.second)}"
        if chances.shape != (2, 3) or not (chances >= 0).all() or not chances.sum() <= 1 + 1e-9:
            raise InvalidArgumentError(
                f"{told}: use three chances for each player, 0 to 1, summing to 1 at most"
            )
        if not (sum(self.starter) > 0 and sum(self.second) > 0):
            raise InvalidArgumentError(f"{told}: each player must win sometimes")

    @property
    def draw(self) -> float:
        """The chance that the game is drawn, which only the last-roll rule allows."""
        return max(0.0, 1.0 - sum(self.starter) - sum(self.second))

    @classmethod
    def from_rates(
        cls,
        *,
        starter_wins: float = 0.5,
        mars: float = 0.0,
        koks: float = 0.0,
        second_mars: float | None = None,
        second_koks: float | None = None,
    ) -> GameOdds:
        """Odds without draws from the starter's chance to win and the shares of mars and koks among the wins.

        `mars` and `koks` hold for both players unless the second player's are given. In backgammon about 28 %
        of the wins are gammons, counting the rare backgammons as such. Raises `InvalidArgumentError`.
        """
        second = (mars if second_mars is None else second_mars, koks if second_koks is None else second_koks)
        for share in (starter_wins, mars, koks, *second):
            as_share(share, "a rate")
        return cls(_split(starter_wins, mars, koks), _split(1 - starter_wins, *second))

    @classmethod
    def from_results(cls, kinds: npt.ArrayLike) -> GameOdds:
        """Odds counted from the kinds of many results seen by the starter: 1, 2, 3 won, -1, -2, -3 lost, 0
        drawn.

        Raises `InvalidArgumentError` for no results or other numbers.
        """
        try:
            results = np.asarray(kinds)
            known = results.ndim == 1 and results.size and np.isin(results, range(-3, 4)).all()
        except Exception:  # of lists that are no array, or whatever an object's own __array__ raises
            known = False
        if not known or is_masked(kinds) or holds_booleans(kinds):
            raise InvalidArgumentError(
                "results must be a flat array of whole numbers from -3 to 3, not empty"
            )
        share = {kind: float((results == kind).mean()) for kind in range(-3, 4)}
        return cls((share[1], share[2], share[3]), (share[-1], share[-2], share[-3]))


def shares(kinds: Kinds) -> Kinds:
    """The shares of the kinds among a player's wins, summing to 1."""
    wins = sum(kinds)
    return kinds[0] / wins, kinds[1] / wins, kinds[2] / wins


def _split(wins: float, mars: float, koks: float) -> Kinds:
    return wins * (1 - mars - koks), wins * mars, wins * koks

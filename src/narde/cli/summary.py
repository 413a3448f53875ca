"""What came of random games: rates, means and shares with their 95 % intervals, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from narde.cli.output import Table, plus_minus, short_count, thousands
from narde.games import Games
from narde.stats import Estimate, mean_interval, ratio_interval, share_interval

HEADER: Final = ("variant", "games", "games/s", "turns", "starter %", "mars %", "koks %")
LEGEND: Final = (
    "± half the 95 % interval; turns of both players a game; games won by the\n"
    "starter, by mars or koks (gammon or backgammon), and by koks alone"
)


@dataclass(frozen=True)
class Summary:
    """The games of one variant in numbers; a share that its rules do not score is None."""

    variant: str
    games: int
    seconds: float
    rate: Estimate
    turns: Estimate
    starter: Estimate
    mars: Estimate | None
    koks: Estimate | None

    def cells(self) -> tuple[str, ...]:
        """The row of the table, shares in per cent."""
        shares = (self.starter, self.mars, self.koks)
        texts = ["-" if share is None else plus_minus(share.scaled(100)) for share in shares]
        return (self.variant, short_count(self.games), thousands(self.rate), plus_minus(self.turns), *texts)

    def data(self) -> dict[str, Any]:
        """The same for JSON; shares are between 0 and 1, times in seconds."""
        return {
            "variant": self.variant,
            "games": self.games,
            "seconds": self.seconds,
            "games_per_second": self.rate,
            "turns_per_game": self.turns,
            "starter_wins": self.starter,
            "mars": self.mars,
            "koks": self.koks,
        }


def summarise(games: Games, sizes: Sequence[int], seconds: Sequence[float]) -> Summary:
    """The summary of at least one game, played in blocks of these sizes within these times."""
    n, rules = len(games.winner), games.rules
    return Summary(
        variant=rules.name,
        games=n,
        seconds=sum(seconds),
        rate=_not_negative(ratio_interval(sizes, seconds)),
        turns=mean_interval(games.lengths),
        starter=share_interval(int(np.count_nonzero(games.winner == 0)), n),
        mars=_share_of_wins(games, rules.mars),
        koks=_share_of_wins(games, rules.koks),
    )


def _not_negative(rate: Estimate) -> Estimate:
    """Few blocks of unlike speed leave an interval that reaches below 0, where no rate is."""
    return Estimate(rate.value, max(0.0, rate.low), rate.high)


def _share_of_wins(games: Games, points: int) -> Estimate | None:
    """The share of games won with as many points or more; None where they are no more than a plain win."""
    if points <= 1:
        return None
    return share_interval(int(np.count_nonzero(games.points >= points)), len(games.winner))


def table(summaries: Sequence[Summary]) -> Table:
    """One row a variant."""
    return Table(HEADER, [summary.cells() for summary in summaries])

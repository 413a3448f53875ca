"""What rollouts of several plays give: `RolledPlay` of each, and `PlayRollouts`, the best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from narde.board import Rows
from narde.dice import Pair
from narde.evaluators import equity
from narde.ids import describe_row
from narde.notation import Play
from narde.rollouts.ranked import RankedPlays
from narde.rollouts.result import Rollout, finite, rollout_of
from narde.rollouts.spread import Floats, spread_of
from narde.rollouts.trials import Numbers
from narde.rules import Rules


@dataclass(frozen=True, eq=False)
class RolledPlay:
    """A play and its rollout, which speaks of the player who makes it.

    behind: By how many points the best play is better; 0 for the best itself.
    behind_error: The joint standard deviation: the standard error of `behind`, from the differences trial by
        trial.
    """

    play: Play
    rollout: Rollout
    behind: float
    behind_error: float

    def cells(self, columns: list[int]) -> list[str]:
        """A row of a table: play, equity, what it is behind, and these chances in percent."""
        rollout = self.rollout
        chances = [f"{100 * rollout.chances[i]:.2f}" for i in columns]
        ahead = f"{-self.behind:+.4f} ± {self.behind_error:.4f}" if self.behind_error or self.behind else "-"
        return [self.play.notation, f"{rollout.equity:+.4f} ± {rollout.standard_error:.4f}", ahead, *chances]

    def data(self) -> dict[str, Any]:
        """The figures for JSON."""
        named = {"play": self.play.notation, "moves": self.play.moves}
        after = {"afterstate": self.play.afterstate.tolist()}
        figures = self.rollout.data()
        return (
            named
            | after
            | {"behind": self.behind, "behind_error": finite(self.behind_error)}
            | {name: figures[name] for name in figures if name not in ("id", "variant", "trials")}
        )


@dataclass(frozen=True, eq=False)
class PlayRollouts(RankedPlays[RolledPlay]):
    """The rollouts of several plays on the same dice, the best first; iteration gives each `RolledPlay`.

    row: int8 (28,): the position, seen by the mover.
    rules: What it is played by.
    dice: The roll, the higher die first.
    plays: The plays with their rollouts, the best first.
    trials: Trials of each play.
    """

    row: Rows
    rules: Rules
    dice: Pair
    plays: tuple[RolledPlay, ...]
    trials: int

    @property
    def clear_by(self) -> float:
        """By how many joint standard deviations the best play is ahead of the one that comes nearest by that
        measure; infinite where it is the only one."""
        return min((_deviations(play.behind, play.behind_error) for play in self.plays[1:]), default=np.inf)

    def data(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "id": describe_row(self.row, self.rules),
            "variant": self.rules.name,
            "dice": list(self.dice),
            "trials": self.trials,
            "plays": [play.data() for play in self.plays],
        }

    def __repr__(self) -> str:
        best = self.best.play.notation
        return f"<PlayRollouts of {len(self)} plays, {self.trials} trials, best {best}>"


def rank(
    row: Rows, rules: Rules, dice: Pair, plays: list[Play], values: Floats, rolls: Numbers
) -> PlayRollouts:
    """The plays by equity, from what the trials of each gave: values (n, plays, 5) of the mover."""
    found = [rollout_of(row, rules, values[:, i], rolls) for i in range(len(plays))]
    order = sorted(range(len(plays)), key=lambda i: -found[i].equity)
    lead = leads(values, rules, rolls, order[0])
    ranked = tuple(RolledPlay(plays[i], found[i], *lead[i]) for i in order)
    return PlayRollouts(row, rules, dice, ranked, len(values))


def is_clear(values: Floats, rules: Rules, rolls: Numbers, deviations: float) -> bool:
    """Whether the best of the plays is ahead of each other by so many joint standard deviations."""
    best = int(equity(values, rules).mean(axis=0).argmax())
    lead = leads(values, rules, rolls, best)
    return all(_deviations(*pair) >= deviations for i, pair in enumerate(lead) if i != best)


def leads(values: Floats, rules: Rules, rolls: Numbers, best: int) -> list[tuple[float, float]]:
    """By how much play `best` is better than each, and the standard error of that: the same dice cancel."""
    points = equity(values, rules)
    spread = spread_of(points[:, best, None] - points, rolls)
    errors = [error if i != best else 0.0 for i, error in enumerate(spread.error.tolist())]
    return list(zip(spread.mean.tolist(), errors, strict=True))


def _deviations(lead: float, error: float) -> float:
    return lead / error if error > 0 else np.inf if lead > 0 else 0.0

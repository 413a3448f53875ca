"""What a rollout gives: `Rollout` of a position, `RolledPlay` of a play and `PlayRollouts` of all of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

import numpy as np

from narde._tables import Table
from narde.board import Rows
from narde.evaluators import equity
from narde.ids import describe_row
from narde.rollouts.spread import Floats, spread_of
from narde.rollouts.trials import Numbers
from narde.rules import Rules
from narde.scoring import RESULT_NAMES

CHANCES: Final = ("win", "win_mars", "win_koks", "lose_mars", "lose_koks")
"""The names of the five chances, as they stand in JSON."""

BEYOND: Final = "chances beyond 0 to 100 %: luck is taken away from each trial, more trials come closer"
_VISIBLE: Final = 5e-5
"""By so much is a chance beyond 0 or 1 before a table in percent shows it."""


@dataclass(frozen=True, eq=False)
class Rollout:
    """The outcome of a rollout, in points and chances of the mover.

    row: int8 (28,), read-only: the position, seen by the mover.
    rules: What it is played by.
    equity: Cubeless points to expect a game.
    standard_error: Of the equity.
    interval: The 95 % interval of the equity, by Student's distribution.
    chances: float64 (5,): winning at all, winning mars or more, winning koks, losing mars or more, losing
        koks. Their means over the trials. With variance reduction a chance near 0 or 1 may come out a little
        beyond.
    chance_errors: float64 (5,): the standard errors of the chances.
    trials: How many were played.
    values: float64 (trials, 5), read-only: what each trial gave, in chances, its luck taken away.
    rolls: int64 (trials, 2): the first two rolls of each, which were stratified.
    """

    row: Rows
    rules: Rules
    equity: float
    standard_error: float
    interval: tuple[float, float]
    chances: Floats
    chance_errors: Floats
    trials: int
    values: Floats
    rolls: Numbers

    def data(self) -> dict[str, Any]:
        """The outcome as plain numbers, for JSON, with the position's ID and the rules' name."""
        errors = dict(zip(CHANCES, map(finite, self.chance_errors.tolist()), strict=True))
        return {
            "id": describe_row(self.row, self.rules),
            "variant": self.rules.name,
            "equity": self.equity,
            "standard_error": finite(self.standard_error),
            "interval": list(self.interval) if isfinite(self.interval[0]) else None,
            "chances": dict(zip(CHANCES, self.chances.tolist(), strict=True)),
            "chance_errors": errors,
            "trials": self.trials,
        }

    def json(self) -> str:
        """`data` as one line of JSON."""
        return json.dumps(self.data())

    def table(self) -> Table:
        """A row for the equity and for each chance that the rules score: mean and standard error."""
        names = chance_names(self.rules)
        rows = [["equity", f"{self.equity:+.4f}", f"{self.standard_error:.4f}"]]
        rows += [
            [f"{name} %", f"{100 * self.chances[i]:.2f}", f"{100 * self.chance_errors[i]:.2f}"]
            for name, i in names.items()
        ]
        return Table(("", "mean", "error"), rows)

    @property
    def is_beyond(self) -> bool:
        """Whether a chance lies visibly beyond 0 or 1, as those of few trials without their luck may."""
        return bool(((self.chances < -_VISIBLE) | (self.chances > 1 + _VISIBLE)).any())

    def told(self) -> str:
        """The interval of the equity and the trials, and where a chance is beyond 0 to 1, why."""
        low, high = self.interval
        trials = f"{self.trials:,} trial{'s' if self.trials > 1 else ''}"
        told = f"95 % interval of the equity: {low:+.4f} to {high:+.4f}, {trials}"
        return f"{told}\n{BEYOND}" if self.is_beyond else told

    def __str__(self) -> str:
        return f"{self.table()}\n\n{self.told()}"

    def __repr__(self) -> str:
        return f"<Rollout {self.equity:+.4f} ± {self.standard_error:.4f}, {self.trials} trials>"


def finite(number: float) -> float | None:
    """The number as JSON can have it: None where one trial tells no error."""
    return number if isfinite(number) else None


def chance_names(rules: Rules) -> dict[str, int]:
    """The chances that the rules score by what they are called, and their columns."""
    mars, koks = RESULT_NAMES[rules.game][2:]
    names = ["win", f"win {mars}", f"win {koks}", f"lose {mars}", f"lose {koks}"]
    scored = [True, rules.mars > 1, rules.koks > 0, rules.mars > 1, rules.koks > 0]
    return {name: column for column, (name, wanted) in enumerate(zip(names, scored, strict=True)) if wanted}


def short_names(rules: Rules) -> dict[str, int]:
    """The same with names that head a column: g is gammon, bg backgammon."""
    short = {name: name.replace("backgammon", "bg").replace("gammon", "g") for name in chance_names(rules)}
    return {short[name]: column for name, column in chance_names(rules).items()}


def rollout_of(row: Rows, rules: Rules, values: Floats, rolls: Numbers) -> Rollout:
    """The outcome of trials that gave the values (n, 5)."""
    points = equity(values, rules)
    spread = spread_of(np.concatenate([points[:, None], values], axis=1), rolls)
    half = float(spread.half_width[0])
    middle = float(spread.mean[0])
    kept = [_frozen(array) for array in (row, spread.mean[1:], spread.error[1:], values, rolls)]
    row, chances, errors, values, rolls = kept
    return Rollout(
        row, rules, middle, float(spread.error[0]), (middle - half, middle + half), chances, errors,
        len(values), values, rolls,
    )  # fmt: skip


def _frozen(array: Any) -> Any:
    array = np.array(array)
    array.flags.writeable = False
    return array

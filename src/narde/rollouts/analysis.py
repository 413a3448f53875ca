"""`analyze`: every play of a roll weighed by an evaluator, without any game being played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from narde._tables import Table
from narde.board import Rows
from narde.dice import Pair
from narde.evaluators import Evaluator, equity, swapped
from narde.evaluators.calling import chances_of
from narde.ids import describe_row
from narde.notation import Play
from narde.position import Position
from narde.rollouts.asking import PositionLike, plan_of, read_position
from narde.rollouts.result import CHANCES, short_names
from narde.rollouts.spread import Floats
from narde.rules import Rules


@dataclass(frozen=True, eq=False)
class AnalysedPlay:
    """A play and what the evaluator says of it, for the player who makes it."""

    play: Play
    equity: float
    """Cubeless points to expect."""
    behind: float
    """By how many points the best play is better; 0 for the best itself."""
    chances: Floats
    """float64 (5,): winning, winning mars or more, winning koks, losing mars or more, losing koks."""

    def data(self) -> dict[str, Any]:
        """The figures for JSON."""
        chances = dict(zip(CHANCES, self.chances.tolist(), strict=True))
        named = {"play": self.play.notation, "moves": self.play.moves}
        after = {"afterstate": self.play.afterstate.tolist()}
        return {**named, **after, "equity": self.equity, "behind": self.behind, "chances": chances}


@dataclass(frozen=True, eq=False)
class Analysis:
    """All plays of a roll, the best first; iteration gives each `AnalysedPlay`."""

    row: Rows
    rules: Rules
    dice: Pair
    plays: tuple[AnalysedPlay, ...]

    @property
    def best(self) -> AnalysedPlay:
        """The play of the highest equity, of equals the first in the order of `narde.afterstates`."""
        return self.plays[0]

    def table(self, most: int | None = None) -> Table:
        """A row for each play, the best first, `most` of them: equity, what it is behind, and chances."""
        names = short_names(self.rules)
        columns = list(names.values())
        header = ["play", "equity", "behind", *(f"{name} %" for name in names)]
        return Table(header, [_cells(play, columns) for play in self.plays[:most]])

    def data(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "id": describe_row(self.row, self.rules),
            "variant": self.rules.name,
            "dice": list(self.dice),
            "plays": [play.data() for play in self.plays],
        }

    def json(self) -> str:
        """`data` as one line of JSON."""
        return json.dumps(self.data())

    def __len__(self) -> int:
        return len(self.plays)

    def __iter__(self) -> Iterator[AnalysedPlay]:
        return iter(self.plays)

    def __getitem__(self, i: int) -> AnalysedPlay:
        return self.plays[i]

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"<Analysis of {len(self)} plays, best {self.best.play.notation}>"


def analyze(
    position: PositionLike,
    dice: object,
    evaluator: Evaluator,
    rules: str | Rules | None = None,
    *,
    plies: int = 0,
    bearoff: bool = True,
) -> Analysis:
    """All plays for a roll by the equity that the evaluator gives their afterstates.

    The arguments are those of `rollout_plays`; with `plies` the evaluator looks so many turns ahead from each
    afterstate. Races between home boards are weighed by the bear-off tables unless bearoff=False. Raises
    what `rollout_plays` raises.
    """
    row, rule = read_position(position, rules)
    legal = Position(row, rule).plays(dice)
    plan = plan_of(
        legal.afterstates, rule, evaluator, seed=0, truncate=None, variance_reduction=False, plies=plies,
        bearoff=bearoff,
    )  # fmt: skip
    chances = chances_of(plan.judge, legal.afterstates, rule)
    mine = swapped(chances.astype(np.float64))
    worth = equity(mine, rule)
    order = np.argsort(-worth, kind="stable")
    best = worth[order[0]]
    plays = (AnalysedPlay(legal[i], float(worth[i]), float(best - worth[i]), mine[i]) for i in order)
    return Analysis(row, rule, legal.dice, tuple(plays))


def _cells(play: AnalysedPlay, columns: list[int]) -> list[str]:
    chances = [f"{100 * play.chances[i]:.2f}" for i in columns]
    behind = f"{-play.behind:+.4f}" if play.behind else "-"
    return [play.play.notation, f"{play.equity:+.4f}", behind, *chances]

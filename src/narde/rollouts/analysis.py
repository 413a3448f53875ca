"""`analyze`: every play of a roll and the cube before it, by an evaluator, without any game being played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from narde.board import Rows
from narde.cube import Cube, MoneyOptions, Score
from narde.dice import Pair
from narde.evaluators import Chances, Evaluator, chances_of, equity, swapped
from narde.ids import describe_row
from narde.janowski import CUBE_LIFE, CubeDecision
from narde.notation import Play
from narde.position import Plays, Position
from narde.rollouts.asking import PositionLike, plan_of, read_position
from narde.rollouts.cubes import CubeAt
from narde.rollouts.ranked import RankedPlays
from narde.rollouts.result import CHANCES, short_names
from narde.rollouts.spread import Floats
from narde.rules import Rules


@dataclass(frozen=True, eq=False)
class AnalysedPlay:
    """A play and what the evaluator says of it, for the player who makes it.

    equity: Cubeless points to expect.
    behind: By how many points the best play is better; 0 for the best itself.
    chances: float64 (5,): winning, winning mars or more, winning koks, losing mars or more, losing koks.
    """

    play: Play
    equity: float
    behind: float
    chances: Floats

    def cells(self, columns: list[int]) -> list[str]:
        """A row of a table: play, equity, what it is behind, and these chances in percent."""
        chances = [f"{100 * self.chances[i]:.2f}" for i in columns]
        behind = f"{-self.behind:+.4f}" if self.behind else "-"
        return [self.play.notation, f"{self.equity:+.4f}", behind, *chances]

    def data(self) -> dict[str, Any]:
        """The figures for JSON."""
        chances = dict(zip(CHANCES, self.chances.tolist(), strict=True))
        named = {"play": self.play.notation, "moves": self.play.moves}
        after = {"afterstate": self.play.afterstate.tolist()}
        return {**named, **after, "equity": self.equity, "behind": self.behind, "chances": chances}


@dataclass(frozen=True, eq=False)
class Analysis(RankedPlays[AnalysedPlay]):
    """A position before the roll, and all plays of the roll, the best first; iteration gives each
    `AnalysedPlay`.

    row: int8 (28,): the position, seen by the mover.
    rules: What it is played by.
    equity: Cubeless points of the mover before the roll.
    chances: His chances then, float64 (5,).
    cube: Whether he should have doubled before it; None where he may not, by rules without a cube, and in a
        match of long nardy, for which no match equities are published.
    no_cube: Why there is no such decision, in a line; empty where there is one, and by rules without a cube.
    dice: The roll, the higher die first; None: only the position was asked for.
    plays: All plays of the roll, the best first; empty without one.
    """

    row: Rows
    rules: Rules
    equity: float
    chances: Floats
    cube: CubeDecision | None
    no_cube: str
    dice: Pair | None
    plays: tuple[AnalysedPlay, ...]

    def heading(self) -> str:
        """All that stands before the table of the plays: the equity, the cube, and the roll."""
        names = short_names(self.rules).items()
        chances = ", ".join(f"{name} {100 * self.chances[i]:.2f} %" for name, i in names)
        parts = [f"before the roll: equity {self.equity:+.4f}, {chances}"]
        if self.cube is not None or self.no_cube:
            parts.append(str(self.cube or self.no_cube))
        if self.dice is not None:
            roll = "-".join(map(str, self.dice))
            parts.append(f"{len(self)} play{'s' if len(self) > 1 else ''} for {roll}")
        return "\n\n".join(parts)

    def __str__(self) -> str:
        return self.heading() if self.dice is None else f"{self.heading()}\n\n{self.table()}"

    def data(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "id": describe_row(self.row, self.rules),
            "variant": self.rules.name,
            "equity": self.equity,
            "chances": dict(zip(CHANCES, self.chances.tolist(), strict=True)),
            "cube": self.cube and self.cube.data(),
            "dice": self.dice and list(self.dice),
            "plays": [play.data() for play in self.plays],
        }

    def __repr__(self) -> str:
        best = f", best {self.best.play.notation}" if self.plays else ""
        return f"<Analysis of {len(self)} plays{best}>"


def analyze(
    position: PositionLike,
    dice: object,
    evaluator: Evaluator | None = None,
    rules: str | Rules | None = None,
    *,
    plies: int = 0,
    bearoff: bool = True,
    cube: Cube | None = None,
    score: Score | None = None,
    money: MoneyOptions | None = None,
    cube_life: float = CUBE_LIFE,
) -> Analysis:
    """All plays for a roll by the equity that the evaluator gives their afterstates, and the cube before it.

    position, dice, evaluator, rules: as in `rollout_plays`; dice=None asks of the position alone. With
    `plies` the evaluator looks so many turns ahead from the position and from each afterstate. Races between
    home boards are weighed by the bear-off tables unless bearoff=False. cube, score (the mover's points
    first), money: those of a `Setup` unless given, else a cube in the middle and no score; see
    `cube_decision`. Raises what `rollout_plays` and `cube_decision` raise.
    """
    row, rule = read_position(position, rules)
    at = CubeAt.of(position, rule, cube, score, money)
    legal = None if dice is None else Position(row, rule).plays(dice)
    after = row[None, :][:0] if legal is None else legal.afterstates
    plan = plan_of(
        after, rule, evaluator, seed=0, truncate=None, variance_reduction=False, plies=plies, bearoff=bearoff
    )
    now = chances_of(plan.judge, row[None], rule)[0].astype(np.float64)
    plays = () if legal is None else _ranked(legal, chances_of(plan.judge, after, rule))
    decision = at.decision(now, cube_life)
    pair = None if legal is None else legal.dice
    return Analysis(row, rule, float(equity(now, rule)), now, decision, at.hindrance, pair, plays)


def _ranked(legal: Plays, chances: Chances) -> tuple[AnalysedPlay, ...]:
    """The plays by equity, from the chances of those who roll next."""
    mine = swapped(chances.astype(np.float64))
    worth = equity(mine, legal.position.rules)
    order = np.argsort(-worth, kind="stable")
    best = worth[order[0]]
    return tuple(AnalysedPlay(legal[i], float(worth[i]), float(best - worth[i]), mine[i]) for i in order)

"""The cube of a position: what a setup tells of it, and the decision from the mover's chances."""

from __future__ import annotations

from dataclasses import dataclass

from narde.cube import Cube, MoneyOptions, Score, or_default
from narde.errors import InvalidArgumentError
from narde.ids import Setup, parse
from narde.janowski import CUBE_LIFE, CubeDecision, agreeing, cube_decision, hindrance
from narde.rollouts.asking import PositionLike
from narde.rollouts.spread import Floats
from narde.rules import Rules


@dataclass(frozen=True)
class CubeAt:
    """The cube of a position and the score, which belong to its rules; the mover's points first."""

    rules: Rules
    cube: Cube
    score: Score | None
    money: MoneyOptions

    @classmethod
    def of(
        cls,
        position: PositionLike,
        rules: Rules,
        cube: Cube | None = None,
        score: Score | None = None,
        money: MoneyOptions | None = None,
    ) -> CubeAt:
        """Cube, score and money options as given, or as a setup or an ID tells them.

        Raises `InvalidArgumentError` for others, for a score that no match has, and for a match that is over.
        """
        setup = parse(position) if isinstance(position, str) else position
        if isinstance(setup, Setup):
            cube = or_default(cube, Cube(setup.cube_value, setup.cube_owner), "cube")
            score = or_default(score, Score(setup.score, setup.length or None, setup.crawford), "score")
            money = or_default(money, MoneyOptions(jacoby=setup.jacoby, beavers=setup.beavers), "money")
        cube, money = or_default(cube, Cube(), "cube"), or_default(money, MoneyOptions(), "money")
        score = score if score is None else or_default(score, Score(), "score")
        if score is not None and score.winner is not None:
            raise InvalidArgumentError(f"the match is over at {score}")
        return cls(rules, cube, score, money)

    @property
    def hindrance(self) -> str:
        """Why there is no decision, in a line; empty where there is one, and by rules without a cube."""
        if not self.rules.cube:
            return ""
        if self.rules.game == "long" and self.score is not None and self.score.length is not None:
            return "no cube decision: no match equity table of long nardy is published"
        return hindrance(self.cube, self.score)

    def decision(self, chances: Floats, life: float = CUBE_LIFE) -> CubeDecision | None:
        """The decision from the mover's chances, None by rules without a cube and where there is a
        hindrance."""
        if not self.rules.cube or self.hindrance:
            return None
        told = agreeing(chances)  # those of few trials may lie far beyond 0 to 1, or contradict each other
        return cube_decision(
            told, self.rules, cube=self.cube, score=self.score, money=self.money, cube_life=life
        )

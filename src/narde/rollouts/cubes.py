"""The cube of a position: what a setup tells of it, and the decision from the mover's chances."""

from __future__ import annotations

from narde.cube import Cube, MoneyOptions, Score, or_default
from narde.ids import Setup, parse
from narde.janowski import CUBE_LIFE, CubeDecision, agreeing, cube_decision, may_double
from narde.rollouts.asking import PositionLike
from narde.rollouts.spread import Floats
from narde.rules import Rules


def decision_at(
    position: PositionLike,
    chances: Floats,
    rules: Rules,
    cube: Cube | None = None,
    score: Score | None = None,
    money: MoneyOptions | None = None,
    life: float = CUBE_LIFE,
) -> CubeDecision | None:
    """The decision by cube, score and money options as given, or as a setup or an ID tells them.

    None where the mover may not double, by rules without a cube, and in a match of long nardy, for which no
    match equities are published.
    """
    setup = parse(position) if isinstance(position, str) else position
    if isinstance(setup, Setup):
        cube = or_default(cube, Cube(setup.cube_value, setup.cube_owner), "cube")
        score = or_default(score, Score(setup.score, setup.length or None, setup.crawford), "score")
        money = or_default(money, MoneyOptions(jacoby=setup.jacoby, beavers=setup.beavers), "money")
    cube, money = or_default(cube, Cube(), "cube"), or_default(money, MoneyOptions(), "money")
    score = score if score is None else or_default(score, Score(), "score")
    unknown = rules.game == "long" and score is not None and score.length is not None
    if not rules.cube or unknown or not may_double(cube, score):
        return None
    told = agreeing(chances)  # those of a trial or two may lie far beyond 0 to 1, or contradict each other
    return cube_decision(told, rules, cube=cube, score=score, money=money, cube_life=life)

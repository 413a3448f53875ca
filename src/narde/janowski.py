"""The cube by Janowski's model: equities with a cube, when to double, take and pass, from cubeless chances.

R. Janowski, "Take-Points in Money Games" (1993). A dead cube is never turned again: the equity is a straight
line from losing to winning. A live cube is turned at the very point where the other side may as well pass:
the equity is a broken line. Real cubes are in between: a share, the cube life, of the live equity and the
rest of the dead one, as GNU Backgammon mixes them. The shares of mars and koks among a side's wins are taken
to stay as they are. At a match score the same is said of chances to win the match (`narde.met`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from narde.cube import Cube, MoneyOptions, Score
from narde.errors import InvalidArgumentError, shown
from narde.ids.setup import LARGEST_CUBE
from narde.kernels import as_share, as_whole_number
from narde.met import MatchEquityTable, published_met
from narde.met.window import CubeWindow, Curve, at, where
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import CHANCE_NAMES, points_by_kind

CUBE_LIFE: Final = 0.68
"""The cube life of GNU Backgammon for positions of contact (its manual, "Cubeful equities"); it was found for
backgammon, and is taken for long nardy for want of a better one."""

_DIGITS: Final = 12
"""Of a gain, to which it is rounded: a live cube is turned where a double gains exactly nothing."""

_BEYOND: Final = 0.1
"""How far beyond 0 and 1, or above that of which it is a part, a chance may lie, as the mean of few trials
with variance reduction does; it is cut."""

_OWNERS: Final = {None: (True, True), "mover": (True, False), "opponent": (False, True)}
_CENTRED: Final = Cube()
_NO_OPTIONS: Final = MoneyOptions()


class Window(Protocol):
    """A game, seen by the mover, as a function of his chance to win it."""

    def curve(self, value: int, owners: tuple[bool, bool], life: float) -> Curve:
        """What the game is worth with the cube at `value`, which he and the opponent may turn or not."""

    def after(self, won: bool, points: int) -> float:
        """What it is worth once that many points are won or lost."""


@dataclass(frozen=True)
class MoneyWindow:
    """A money game in which the mover's wins are worth `wins` points on average, and his losses `losses`."""

    wins: float
    losses: float
    jacoby: bool = False

    def curve(self, value: int, owners: tuple[bool, bool], life: float) -> Curve:
        """Points by the chance to win; no cube is too high to be turned again.

        The live take point is (L - 1/2) / (W + L + 1/2), the cash point (L + 1) / (W + L + 1/2). By the
        Jacoby rule mars and koks count nothing while the cube is in the middle.
        """
        plain = self.jacoby and all(owners)
        lost, won = (-1.0, 1.0) if plain else (-self.losses, self.wins)
        whole = self.wins + self.losses + 0.5
        take = [((self.losses - 0.5) / whole, -1.0)] * owners[1]
        cash = [((self.losses + 1) / whole, 1.0)] * owners[0]
        live, dead = [(0.0, lost), *take, *cash, (1.0, won)], [(0.0, lost), (1.0, won)]
        return [(p, value * (life * y + (1 - life) * at(dead, p))) for p, y in live]

    def after(self, won: bool, points: int) -> float:
        """The points themselves."""
        return float(points if won else -points)


@dataclass(frozen=True)
class CubeDecision:
    """What the mover's doubling comes to, and what is right.

    Equities are in points of the mover for a cube at 1: in a match those in which a plain win counts 1 and a
    plain loss -1 with the cube as it stands.

    no_double: What it is worth to roll without a double.
    double_take: What a double is worth if it is taken; of a beaver, where the opponent would answer with one.
    double_pass: What it is worth if it is passed: 1.
    chance: The mover's chance to win the game.
    double_point: The chance to win from which a double is right; 1 where it never is.
    pass_point: The chance to win from which the opponent should pass; 1 where he always takes.
    beaver: Whether the opponent should beaver.
    match_chances: In a match the chances to win it without a double, with a double taken, and passed.
    """

    no_double: float
    double_take: float
    double_pass: float
    chance: float
    double_point: float
    pass_point: float
    beaver: bool
    match_chances: tuple[float, float, float] | None = None

    @property
    def takes(self) -> bool:
        """Whether the opponent should take."""
        return self.double_take <= self.double_pass

    @property
    def doubles(self) -> bool:
        """Whether the mover should double."""
        return min(self.double_take, self.double_pass) > self.no_double

    @property
    def equity(self) -> float:
        """What the game is worth if both do what is right."""
        return max(self.no_double, min(self.double_take, self.double_pass))

    @property
    def action(self) -> str:
        """`double` or `no double`, `too good` where the mover would rather play on than cash; and what the
        opponent should answer: `take`, `pass` or `beaver`."""
        answer = "beaver" if self.beaver else "take" if self.takes else "pass"
        too_good = not self.doubles and self.no_double >= self.double_pass
        return f"{'double' if self.doubles else 'too good' if too_good else 'no double'}, {answer}"

    def data(self) -> dict[str, Any]:
        """The figures for JSON."""
        return {
            "no_double": self.no_double,
            "double_take": self.double_take,
            "double_pass": self.double_pass,
            "action": self.action,
            "equity": self.equity,
            "double_point": self.double_point,
            "pass_point": self.pass_point,
            "match_chances": self.match_chances and list(self.match_chances),
        }

    def __str__(self) -> str:
        names = ("no double", "double, beaver" if self.beaver else "double, take", "double, pass")
        worth = (self.no_double, self.double_take, self.double_pass)
        lines = [f"{name:15}{equity:+.4f}" for name, equity in zip(names, worth, strict=True)]
        if self.match_chances:
            lines = [f"{line}  {100 * c:6.2f} %" for line, c in zip(lines, self.match_chances, strict=True)]
        return "\n".join([*lines, f"right: {self.action}"])


def cubeful_equity(
    chances: npt.ArrayLike,
    rules: str | Rules,
    *,
    cube: Cube = _CENTRED,
    score: Score | None = None,
    table: MatchEquityTable | None = None,
    money: MoneyOptions = _NO_OPTIONS,
    cube_life: float = CUBE_LIFE,
) -> float:
    """What a game is worth to the mover, who does not double now, with the cube where it is.

    The arguments are those of `cube_decision`, the result its `no_double`; the cube may be the opponent's."""
    game = _Game.of(chances, rules, cube, score, table, money, cube_life)
    return game.scaled(at(game.now(), game.chance))


def may_double(cube: Cube, score: Score | None = None) -> bool:
    """Whether the mover may double: the cube is his or in the middle, and it is not the Crawford game.

    Raises `InvalidArgumentError` for what is no cube or score."""
    _check_kinds(cube, score, None, _NO_OPTIONS)
    return not hindrance(cube, score)


def hindrance(cube: Cube, score: Score | None = None) -> str:
    """Why the mover may not double, as a sentence; empty where he may."""
    reason = "the cube is the opponent's" if cube.owner == "opponent" else ""
    if cube.offer:
        reason = f"a {cube.offer} is on offer"
    if score is not None and score.crawford:
        reason = f"at {score}, nobody may"
    return reason and f"the mover may not double: {reason}"


def cube_decision(
    chances: npt.ArrayLike,
    rules: str | Rules,
    *,
    cube: Cube = _CENTRED,
    score: Score | None = None,
    table: MatchEquityTable | None = None,
    money: MoneyOptions = _NO_OPTIONS,
    cube_life: float = CUBE_LIFE,
) -> CubeDecision:
    """Whether the mover should double before his roll, and the opponent take.

    chances: the mover's five cubeless chances (5,), as evaluators and rollouts give them; one up to 0.1
    beyond 0 to 1, or less than 0.1 above that of which it is a part (mars of wins, koks of mars), as few
    trials may give it, is cut. score: the points with the mover's first, None or one
    without a length for money. table: the match equities, by default Kazaross-XG2 for short nardy; for long
    nardy compute one, see `narde.met.compute_met`. money: the Jacoby rule and beavers. cube_life: 0 for a
    cube that nobody turns again, 1 for one turned at the best moment.

    Raises `InvalidArgumentError` for rules without a cube, a cube that the mover may not turn, one beyond
    2**30, a score beyond the table, and other arguments that are none.
    """
    game = _Game.of(chances, rules, cube, score, table, money, cube_life)
    if not may_double(cube, score):
        raise InvalidArgumentError(hindrance(cube, score))
    values = at(game.now(), game.chance), at(game.taken(), game.chance), game.passed
    no_double, double_take, double_pass = map(game.scaled, values)
    beaver = money.beavers and not game.away and double_take < 0
    return CubeDecision(
        no_double,
        2 * double_take if beaver else double_take,
        double_pass,
        game.chance,
        game.double_point(),
        where(game.taken(), game.passed),
        beaver,
        values if game.away else None,
    )


@dataclass(frozen=True)
class _Game:
    """A game with its cube, its arguments checked."""

    window: Window
    chance: float
    cube: Cube
    owners: tuple[bool, bool]
    life: float
    away: tuple[int, int] | None
    table: MatchEquityTable | None
    post_crawford: bool

    @classmethod
    def of(
        cls, chances: npt.ArrayLike, rules: str | Rules, cube: Cube, score: Score | None,
        table: MatchEquityTable | None, money: MoneyOptions, life: float,
    ) -> _Game:  # fmt: skip
        rule = rules_of(rules)
        if not rule.cube:
            raise InvalidArgumentError(
                f"rules {rule.name!r} have no cube: use dataclasses.replace(..., cube=True)"
            )
        as_share(life, "cube_life")
        _check_kinds(cube, score, table, money)
        as_whole_number(cube.value, "the value of the cube", 1, LARGEST_CUBE)
        chance, shares = _shares(chances)
        points = points_by_kind(rule)[1:].tolist()
        away = score.away if score is not None else None
        owners = (False, False) if score is not None and score.crawford else _OWNERS[cube.owner]
        if away is None or score is None:
            worth = [float(np.dot(points, share)) for share in shares]
            window: Window = MoneyWindow(worth[0], worth[1], money.jacoby)
            return cls(window, chance, cube, owners, life, None, None, False)
        if 0 in away:
            raise InvalidArgumentError(f"the match is over at {score}")
        table = _default_table(rule) if table is None else table
        post = score.post_crawford
        window = CubeWindow(away, table.after(*away, post_crawford=post), points, *shares)
        return cls(window, chance, cube, owners, life, away, table, post)

    def now(self) -> Curve:
        """The worth of the game as the cube stands."""
        return self.window.curve(self.cube.value, self.owners, self.life)

    def taken(self) -> Curve:
        """The worth once a double is taken: the opponent owns the cube."""
        return self.window.curve(2 * self.cube.value, (False, True), self.life)

    @property
    def passed(self) -> float:
        """The worth once a double is passed."""
        return self.window.after(True, self.cube.value)

    def scaled(self, worth: float) -> float:
        """A worth as an equity for a cube at 1."""
        if self.away is None or self.table is None:
            return worth / self.cube.value
        return self.table.money_equity(worth, *self.away, self.cube.value, post_crawford=self.post_crawford)

    def double_point(self) -> float:
        """The lowest chance to win at which a double gains or costs nothing; all curves are broken lines."""
        now, taken = self.now(), self.taken()
        points = sorted({p for p, _ in [*now, *taken]} | {where(taken, self.passed)})
        gains = [round(min(at(taken, p), self.passed) - at(now, p), _DIGITS) for p in points]
        for (p, gain), (q, other) in pairwise(zip(points, gains, strict=True)):
            if gain < 0 <= other:
                return p + (q - p) * gain / (gain - other)
        return 0.0 if gains[0] >= 0 else 1.0


def _check_kinds(cube: object, score: object, table: object, money: object) -> None:
    """Raise `InvalidArgumentError` for what is no cube, score, table or money options."""
    given: list[tuple[str, object, type, bool]] = [
        ("cube", cube, Cube, False),
        ("score", score, Score, True),
        ("table", table, MatchEquityTable, True),
        ("money", money, MoneyOptions, False),
    ]
    for name, value, kind, optional in given:
        if not isinstance(value, kind) and not (optional and value is None):
            raise InvalidArgumentError(f"{name} is {shown(value)}: pass a {kind.__name__}, or leave it out")


def _shares(chances: npt.ArrayLike) -> tuple[float, list[list[float]]]:
    """The chance to win, and the shares of plain wins, mars and koks among the wins of either side.

    Who never wins is taken to win plainly. Raises `InvalidArgumentError` for what are no chances."""
    try:
        five = np.asarray(chances, np.float64)
    except Exception:  # whatever an object's own __array__ raises
        five = np.empty(0)
    if five.shape != (5,) or not np.isfinite(five).all():
        raise InvalidArgumentError(f"chances are {shown(chances)}: pass five numbers, as a rollout's chances")
    for name, chance in zip(CHANCE_NAMES, five.tolist(), strict=True):
        if not -_BEYOND <= chance <= 1 + _BEYOND:
            raise InvalidArgumentError(
                f"the chance of {name} is {chance}: pass chances from 0 to 1, no percent; clip those of a"
                " rollout of few trials"
            )
    _check_agreement(five.tolist())
    win, *more = agreeing(five).tolist()
    return win, [_of_side(win, *more[:2]), _of_side(1 - win, *more[2:])]


def _check_agreement(five: list[float]) -> None:
    """Raise `InvalidArgumentError` for a chance far above that of which it is a part."""
    _, *parts = zip(CHANCE_NAMES, five, strict=True)
    wholes = [("winning", five[0]), parts[0], ("losing", 1 - five[0]), parts[2]]
    for (name, chance), (whole, limit) in zip(parts, wholes, strict=True):
        if round(chance - max(limit, 0), _DIGITS) >= _BEYOND:
            raise InvalidArgumentError(
                f"the chance of {name} is {chance}, that of {whole} but {limit:.4g}: pass chances of"
                " which the former is no more than the latter, or those of more trials"
            )


def agreeing(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Five chances cut to 0 and 1, and each to that of which it is a part: mars to wins, koks to mars."""
    win = np.clip(chances[0], 0, 1)
    mars, lost_mars = np.clip(chances[1], 0, win), np.clip(chances[3], 0, 1 - win)
    koks, lost_koks = np.clip(chances[2], 0, mars), np.clip(chances[4], 0, lost_mars)
    return np.array([win, mars, koks, lost_mars, lost_koks])


def _of_side(wins: float, mars: float, koks: float) -> list[float]:
    return [(wins - mars) / wins, (mars - koks) / wins, koks / wins] if wins > 0 else [1.0, 0.0, 0.0]


def _default_table(rules: Rules) -> MatchEquityTable:
    if rules.game == "short":
        return published_met()
    raise InvalidArgumentError(
        "no match equity table of long nardy is published: pass table=, such as narde.met.compute_met gives"
    )

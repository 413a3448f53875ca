"""The doubling cube and the score: who may double, take, drop or beaver, what it is worth, and when it is
dead.

Both are immutable values. A `Cube` is seen by the mover, like a row; a `Score` belongs to the two players, 0
and 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from narde._values import whole
from narde.errors import IllegalActionError, InvalidArgumentError, is_one_of, shown
from narde.rules import Rules
from narde.scoring import points_by_kind

Side = Literal["mover", "opponent"]
Offer = Literal["double", "beaver"]
T = TypeVar("T")

_OTHER: Final[dict[Side, Side]] = {"mover": "opponent", "opponent": "mover"}
_ANSWERS: Final[dict[Offer, Side]] = {"double": "opponent", "beaver": "mover"}


@dataclass(frozen=True, kw_only=True)
class MoneyOptions:
    """The customs of money play, all off by default; a match has none of them.

    Raises `InvalidArgumentError` for values that are no choices.

    jacoby: A mars or gammon counts as one point unless the cube has been turned.
    beavers: Who is doubled may double again at once and keep the cube; the doubler takes or drops that.
    automatic_doubles: How many ties of the opening contest double the stake of the game, the cube staying in
        the middle.
    """

    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0

    def __post_init__(self) -> None:
        if type(self.jacoby) is not bool or type(self.beavers) is not bool:
            raise InvalidArgumentError(
                f"jacoby={shown(self.jacoby)}, beavers={shown(self.beavers)}: use True or False"
            )
        if type(self.automatic_doubles) is not int or self.automatic_doubles < 0:
            raise InvalidArgumentError(
                f"automatic_doubles={shown(self.automatic_doubles)}: use a whole number from 0"
            )


@dataclass(frozen=True)
class Score:
    """The points of player 0 and player 1, the match length (None: a money session), and the Crawford game.

    `crawford` says that the game at this score is the Crawford game, in which nobody may double: the first
    one in which a player needs one point. Raises `InvalidArgumentError` for a score that no match has.

    points: Those of player 0 and of player 1.
    length: The points that win the match; None: a money session.
    crawford: Whether it is the Crawford game.
    """

    points: tuple[int, int] = (0, 0)
    length: int | None = None
    crawford: bool = False

    def __post_init__(self) -> None:
        if self.length is not None and (type(self.length) is not int or self.length < 1):
            raise InvalidArgumentError(
                f"length={shown(self.length)}: use a whole number from 1, or None for money"
            )
        points = self.points
        if (
            not isinstance(points, tuple)
            or len(points) != 2
            or any(type(n) is not int or n < 0 for n in points)
        ):
            raise InvalidArgumentError(f"points={shown(points)}: use a tuple of two whole numbers from 0")
        if type(self.crawford) is not bool:
            raise InvalidArgumentError(f"crawford={shown(self.crawford)}: use True or False")
        if self.crawford and 1 not in (self.away or ()):
            raise InvalidArgumentError(
                f"no Crawford game at {shown(points)} to {shown(self.length)}: nobody needs just one point"
            )

    @property
    def away(self) -> tuple[int, int] | None:
        """The points that player 0 and player 1 still need, never below 0; None in a money session."""
        if self.length is None:
            return None
        return max(0, self.length - self.points[0]), max(0, self.length - self.points[1])

    @property
    def winner(self) -> int | None:
        """The player who has won the match, or None."""
        return self.away.index(0) if self.away and 0 in self.away else None

    @property
    def post_crawford(self) -> bool:
        """Whether a player needs one point and this is not the Crawford game: it has been played."""
        return self.length is not None and self.length > 1 and 1 in (self.away or ()) and not self.crawford

    def seen_by(self, player: int) -> Score:
        """The score with the points of `player`, 0 or 1, first. Raises `InvalidArgumentError` for another."""
        if whole(player) not in (0, 1):
            raise InvalidArgumentError(f"player is {shown(player)}: use 0 or 1")
        return self if player == 0 else replace(self, points=self.points[::-1])

    def after(self, winner: int | None, points: int, *, crawford: bool) -> Score:
        """The score once `winner` has won `points`, up to the match length; None is a draw and changes
        nothing.

        `crawford` is the Crawford rule: the next game is the Crawford game if a player needs one point now
        and nobody did before (minsport l19). Raises `InvalidArgumentError` for what are no points.
        """
        won = whole(points)
        if won is None or won < 0 or not isinstance(crawford, bool):
            told = f"points={shown(points)}, crawford={shown(crawford)}"
            raise InvalidArgumentError(f"{told}: use a whole number from 0, and True or False")
        if winner is None:
            return self
        mine, theirs = self.seen_by(winner).points
        mine += won if self.length is None else min(won, self.length - mine)
        now = Score((mine, theirs), self.length).seen_by(winner)
        reached = 1 in (now.away or ()) and 1 not in (self.away or ()) and now.winner is None
        return replace(now, crawford=crawford and reached)

    def __str__(self) -> str:
        text = f"{self.points[0]}-{self.points[1]}"
        if self.length is None:
            return f"{text}, money"
        return f"{text} to {self.length}" + (", Crawford" if self.crawford else "")


@dataclass(frozen=True)
class Cube:
    """The cube as the mover sees it: its value, who owns it (None: it stands in the middle), and an open
    offer.

    A double is offered before the roll and answered by the opponent: he takes and owns the cube, or drops and
    loses the value before the double (short l28-30, minsport l19). The mover answers a beaver. The value may
    be any power of two; there is no cap at 64. Raises `InvalidArgumentError` for a cube that cannot be.

    value: A power of two, 1 at the start; an offered double is not counted yet.
    owner: `mover` or `opponent`; None: it stands in the middle.
    offer: `double`, `beaver` or `raccoon`, which is to be answered; None: nothing is offered.
    """

    value: int = 1
    owner: Side | None = None
    offer: Offer | None = None

    def __post_init__(self) -> None:
        if type(self.value) is not int or self.value < 1 or self.value & (self.value - 1):
            raise InvalidArgumentError(f"cube value {shown(self.value)}: use a power of two from 1")
        owner, offer = self.owner, self.offer
        known = (owner is None or is_one_of(owner, _OTHER)) and (offer is None or is_one_of(offer, _ANSWERS))
        if not known:
            raise InvalidArgumentError(f"owner={shown(owner)}, offer={shown(offer)}: use a side or None")
        if (self.offer == "double" and self.owner == "opponent") or (
            self.offer == "beaver" and (self.owner != "opponent" or self.value == 1)
        ):
            raise InvalidArgumentError(
                f"a {self.offer} of a cube at {self.value} owned by {self.owner} cannot be"
            )

    def actions(self, *, beavers: bool = False) -> tuple[str, ...]:
        """What may be done with the cube now: by the mover if nothing is on offer, else by the `answerer`."""
        if self.offer is None:
            return () if self.owner == "opponent" else ("double",)
        return ("take", "drop", "beaver") if beavers and self.offer == "double" else ("take", "drop")

    @property
    def answerer(self) -> Side | None:
        """Who must answer the offer: the opponent a double, the mover a beaver."""
        return None if self.offer is None else _ANSWERS[self.offer]

    def double(self) -> Cube:
        """The mover offers a double. Raises `IllegalActionError` if the opponent owns the cube."""
        self._check("double")
        return replace(self, offer="double")

    def take(self) -> Cube:
        """The answerer accepts: the value doubles, and the opponent owns the cube, also after a beaver."""
        self._check("take")
        return Cube(self.value * 2, "opponent")

    def beaver(self) -> Cube:
        """The opponent, doubled, takes and doubles again while he keeps the cube; the mover must answer."""
        self._check("beaver")
        return Cube(self.value * 2, "opponent", "beaver")

    def drop(self) -> int:
        """The points that the answerer loses if he drops: the value before the double he declines."""
        self._check("drop")
        return self.value

    def flip(self) -> Cube:
        """The cube with the other player's eyes. Raises `IllegalActionError` while an offer is open."""
        if self.offer is not None:
            raise IllegalActionError(
                f"the {self.offer} must be answered first: {' or '.join(self.actions())}"
            )
        return self if self.owner is None else replace(self, owner=_OTHER[self.owner])

    def is_dead(self, away: tuple[int, int] | None) -> bool:
        """Whether turning the cube can win nobody anything: each who may turn it wins the match with its
        value.

        `away`: the points that the mover and the opponent need, as in `Score.seen_by(mover).away`; None for
        money, where a cube never dies. A dead cube may still be turned, which only helps the other side.
        Raises `InvalidArgumentError` for another `away`.
        """
        if away is None:
            return False
        if not isinstance(away, tuple) or len(away) != 2 or None in map(whole, away):
            raise InvalidArgumentError(f"away is {shown(away)}: pass two whole numbers, or None for money")
        sides: tuple[Side, ...] = ("mover", "opponent") if self.owner is None else (self.owner,)
        return all(self.value >= away[side == "opponent"] for side in sides)

    def points(self, kind: int, rules: str | Rules, *, jacoby: bool = False) -> int:
        """The points of a result of `kind` (1 oin or single, 2 mars or gammon, 3 koks or backgammon), cube
        included.

        "The points are multiplied by the value of the doubling cube" (minsport l19, short l32-34). Under the
        Jacoby rule a game in which nobody took a double is worth one point, times an automatic double. Raises
        `InvalidArgumentError` for no such kind.
        """
        worth, number = points_by_kind(rules), whole(kind)
        if number is None or not 0 <= number < len(worth) or not isinstance(jacoby, bool):
            told = f"kind={shown(kind)}, jacoby={shown(jacoby)}"
            raise InvalidArgumentError(f"{told}: use a whole number from 0, a draw, to 3, and True or False")
        points = int(worth[number])
        return self.value * (min(points, 1) if jacoby and self.owner is None else points)

    def _check(self, action: str) -> None:
        legal = self.actions(beavers=True)
        if action not in legal:
            raise IllegalActionError(f"no {action} of {self}: {' or '.join(legal) or 'nothing'} is legal")

    def __str__(self) -> str:
        place = "in the middle" if self.owner is None else f"owned by the {self.owner}"
        return f"cube at {self.value} {place}" + (f", {self.offer} on offer" if self.offer else "")


def or_default(value: T | None, default: T, name: str) -> T:
    """The value of an option, or the default for None; raises `InvalidArgumentError` for another kind."""
    if value is None:
        return default
    if not isinstance(value, type(default)):
        kind = type(default).__name__
        raise InvalidArgumentError(f"{name} is {shown(value)}: pass a {kind}, or leave it out")
    return value

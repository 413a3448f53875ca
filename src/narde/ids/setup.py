"""`Setup`: a position together with what else an ID can tell of it: dice, cube, score, offers.

Everything is seen by the mover, the player on roll, as in a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy.typing as npt

from narde.board import W, as_dice, as_rows, validate
from narde.errors import InvalidArgumentError, InvalidDiceError, InvalidPositionError, shown
from narde.rules import Rules, variants
from narde.rules import rules as rules_of

Owner = Literal["mover", "opponent"]
Offer = Literal["double", "beaver", "raccoon"]
Form = Literal["narde", "gnubg", "xgid", "ogid"]

LARGEST_CUBE: Final = 1 << 30
"""The highest cube that a setup takes."""

LARGEST_SCORE: Final = (1 << 27) - 1
"""The longest match and the highest score that a setup takes."""


@dataclass(frozen=True, init=False, repr=False)
class Setup:
    """A position and its setting; immutable, hashable, checked on creation.

    The row may be anything that NumPy makes a row (28,) of, the rules a name. Raises `InvalidPositionError`
    for a row that is no position of the game, `InvalidDiceError` for dice that are none, `InvalidRulesError`
    for an unknown name, `InvalidArgumentError` for other facts.

    row: The 28 numbers of the row, seen by the mover.
    rules: The rules; an ID of another program than `narde` comes with the rules `short`.
    dice: The mover's roll, the higher die first; None before the roll.
    cube_value: The number on the cube, a power of two; 1 at the start. An offered double is not counted yet.
    cube_owner: `mover` or `opponent`: who owns the cube; None: it is centred.
    max_cube: The highest value that the cube may reach, a power of two; None: no limit.
    length: Points that win the match; 0: a money game.
    score: Points of the mover and of the opponent.
    crawford: Whether this game of a match is the Crawford game.
    jacoby: Whether the Jacoby rule holds (money games): gammons count only after a double.
    beavers: Whether beavers are allowed (money games).
    offer: `double`: the mover has doubled, the opponent is to answer; `beaver`: he has answered with a beaver
        and the mover is to answer; `raccoon`: the mover has turned the cube once more.
    resign: An offered resignation: 1, 2, 3 (single, gammon, backgammon; oin, mars, koks) by the mover; -1,
        -2, -3 by the opponent; 0: none.
    player: Which player of the match the mover is, 1 or 2: 1 is the bottom player of an XGID, White of an
        OGID. It tells nothing of the position, and a narde ID leaves it out.
    """

    row: tuple[int, ...]
    rules: Rules
    dice: tuple[int, int] | None
    cube_value: int
    cube_owner: Owner | None
    max_cube: int | None
    length: int
    score: tuple[int, int]
    crawford: bool
    jacoby: bool
    beavers: bool
    offer: Offer | None
    resign: int
    player: int

    def __init__(
        self,
        row: npt.ArrayLike,
        rules: str | Rules = "long",
        *,
        dice: npt.ArrayLike | None = None,
        cube_value: int = 1,
        cube_owner: Owner | None = None,
        max_cube: int | None = None,
        length: int = 0,
        score: tuple[int, int] = (0, 0),
        crawford: bool = False,
        jacoby: bool = False,
        beavers: bool = False,
        offer: Offer | None = None,
        resign: int = 0,
        player: int = 1,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        given |= {"row": _as_row(row, rules), "rules": rules_of(rules), "dice": _as_roll(dice)}
        for name, value in given.items():
            object.__setattr__(self, name, value)
        reasons = list(_bad_values(self)) or _contradictions(self)
        if reasons:
            raise InvalidArgumentError("impossible setup: " + "; ".join(reasons))

    def id(self, form: Form = "narde") -> str:
        """The setup as text in one of the forms `narde`, `gnubg`, `xgid`, `ogid`, which `narde.parse` reads.

        The foreign forms are for short nardy alone. They leave out the rules and those of `max_cube`,
        `jacoby`, `beavers` that they have no place for; a narde ID leaves out `player`. Raises
        `InvalidArgumentError` for an unknown form and for a game, cube, score or offer that it cannot hold.
        """
        from narde.ids.forms import write

        return write(self, form)

    def __repr__(self) -> str:
        """Python code of the setup, without the facts that are as they are where nothing is said."""
        known = self.rules.name in variants() and self.rules == rules_of(self.rules.name)
        rules = repr(self.rules.name) if known else repr(self.rules)
        facts = "".join(f", {name}={value!r}" for name, value in self.facts().items())
        return f"Setup({self.row}, {rules}{facts})"

    def facts(self) -> dict[str, Any]:
        """What the setup tells beyond row and rules: the fields that differ from their defaults."""
        told = {name: getattr(self, name) for name in DEFAULTS}
        return {name: value for name, value in told.items() if value != DEFAULTS[name]}


DEFAULTS: Final[dict[str, Any]] = dict(Setup.__init__.__kwdefaults__ or {})
"""Each fact beyond row and rules, with what it is where nothing is said."""


def _as_row(row: npt.ArrayLike, rules: str | Rules) -> tuple[int, ...]:
    """The row as plain numbers, checked."""
    batch, single = as_rows(row)
    if not single:
        raise InvalidPositionError(f"a setup takes one row of {W} numbers, not a batch of {len(batch)}")
    validate(batch, rules)
    return tuple(batch[0].tolist())


def _as_roll(dice: npt.ArrayLike | None) -> tuple[int, int] | None:
    """The dice, the higher first, checked."""
    if dice is None:
        return None
    pairs, single = as_dice(dice)
    if not single or len(pairs) != 1:
        raise InvalidDiceError(f"a setup takes one pair of dice, not a batch of {len(pairs)}")
    low, high = sorted(pairs[0].tolist())
    return high, low


def _bad_values(setup: Setup) -> Iterator[str]:
    """Facts whose value is none of their choices."""
    for name, choices in _CHOICES.items():
        value = getattr(setup, name)
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            yield f"{name}={shown(value)} is none of {', '.join(map(repr, choices))}"
    for name in ("cube_value", "max_cube"):
        value = getattr(setup, name)
        if not _is_power_of_two(value) and not (name == "max_cube" and value is None):
            yield f"{name}={shown(value)} is no power of two from 1 to {LARGEST_CUBE}"
    if not _is_score(setup.length):
        yield f"length={shown(setup.length)} is no whole number from 0 to {LARGEST_SCORE}"
    if type(setup.score) is not tuple or len(setup.score) != 2 or not all(map(_is_score, setup.score)):
        yield f"score={shown(setup.score)} is no pair of whole numbers from 0 to {LARGEST_SCORE}"


def _contradictions(setup: Setup) -> list[str]:
    """Facts that cannot stand together, each with its reason."""
    rules, money, offered = setup.rules, setup.length == 0, setup.offer is not None
    turned = setup.cube_value != 1 or setup.cube_owner is not None or offered
    faults = {
        "the rules have no cube, use dataclasses.replace(rules, cube=True)": turned and not rules.cube,
        "crawford=True: only a match has a Crawford game": setup.crawford and money,
        "jacoby=True: the Jacoby rule is for money games": setup.jacoby and not money,
        "beavers=True: beavers are for money games": setup.beavers and not money,
        "offer: a double is offered before the roll, use dice=None": offered and setup.dice is not None,
    }
    return [reason for reason, at_fault in faults.items() if at_fault]


def _is_power_of_two(value: object) -> bool:
    return type(value) is int and 0 < value <= LARGEST_CUBE and value & (value - 1) == 0


def _is_score(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_SCORE


_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "cube_owner": (None, *get_args(Owner)),
    "crawford": (False, True),
    "jacoby": (False, True),
    "beavers": (False, True),
    "offer": (None, *get_args(Offer)),
    "resign": (0, 1, 2, 3, -1, -2, -3),
    "player": (1, 2),
}

"""What happened in a game: its events, the turns played and the result, as values and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from narde.board import Rows
from narde.dice import Pair
from narde.errors import InvalidArgumentError, NardeError, NotationError, shown
from narde.notation import format_plays
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import RESULT_NAMES

How = Literal["played", "dropped", "resigned"]


@dataclass(frozen=True)
class Result:
    """How a game ended: who won (None: a draw), the kind of win, the points with the cube, and how.

    kind: 1 oin or single, 2 mars or gammon, 3 koks or backgammon; 0 a draw.
    """

    winner: int | None
    kind: int
    points: int
    how: How = "played"

    def name(self, rules: str | Rules) -> str:
        """The name of the result in its game: oin, mars, koks; single, gammon, backgammon; draw."""
        return RESULT_NAMES[rules_of(rules).game][self.kind]


@dataclass(frozen=True)
class Event:
    """One thing that happened: who did what, with the dice, the kind resigned, or the afterstate of a play.

    In a contest nobody is on roll: `player` is None, and the dice are player 0's and player 1's.
    """

    action: str
    player: int | None = None
    dice: Pair | None = None
    kind: int | None = None
    afterstate: tuple[int, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """The event as a dict that JSON takes, without what it does not have."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn that was played: the row before it, the dice, and the afterstate, int8 (28,) each."""

    player: int
    row: Rows
    dice: Pair
    afterstate: Rows
    rules: Rules = field(repr=False)

    @property
    def notation(self) -> str:
        """The play as it is written, `24/13`; `pass` where none was legal."""
        return format_plays(self.row, self.dice, self.afterstate, self.rules)[0]


def rules_to_json(rules: Rules) -> str | dict[str, Any]:
    """The name of published rules, or the fields of house rules."""
    try:
        published = rules_of(rules.name) == rules
    except NardeError:
        published = False
    return rules.name if published else asdict(rules)


def rules_from_json(values: Any) -> Rules:
    """The rules that `rules_to_json` described."""
    if isinstance(values, str):
        return rules_of(values)
    return Rules(**{**values, "match_lengths": tuple(values["match_lengths"])})


def listed(values: Iterable[Any], name: str) -> Iterator[Any]:
    """The values one by one; raises `InvalidArgumentError` for what is no list of any kind."""
    try:
        return iter(values)
    except TypeError:
        raise InvalidArgumentError(f"{name} is {shown(values)}: pass a list of them") from None


def as_event(event: Event | Mapping[str, Any]) -> Event:
    """The event itself, or the one that its JSON described; raises `NotationError` for no event."""
    if isinstance(event, Event):
        return event
    try:
        values = dict(event)
        for name in ("dice", "afterstate"):
            if name in values:
                values[name] = tuple(values[name])
        return Event(**values)
    except (TypeError, ValueError) as fault:
        known = ", ".join(each.name for each in fields(Event))
        raise NotationError(f"no event, which has {known}: {fault}") from None

"""`RankedPlays`: what an analysis and rollouts of several plays have in common."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

from narde._tables import Table
from narde.rollouts.result import short_names
from narde.rules import Rules


class Told(Protocol):
    """A play with what is told of it."""

    def cells(self, columns: list[int]) -> list[str]:
        """The play, its equity, what it is behind, and the chances of these columns, in percent."""


P = TypeVar("P", bound=Told)


class RankedPlays(ABC, Generic[P]):
    """Plays, the best first: their number, iteration, `[i]`, a table and JSON."""

    rules: Rules
    plays: tuple[P, ...]

    @property
    def best(self) -> P:
        """The play of the highest equity, of equals the first in the order of `narde.afterstates`."""
        return self.plays[0]

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """All figures, for JSON."""

    def json(self) -> str:
        """`data` as one line of JSON."""
        return json.dumps(self.data())

    def table(self, most: int | None = None) -> Table:
        """A row for each play, the best first, `most` of them: equity, what it is behind, and chances."""
        names = short_names(self.rules)
        columns = list(names.values())
        header = ["play", "equity", "behind", *(f"{name} %" for name in names)]
        return Table(header, [play.cells(columns) for play in self.plays[:most]])

    def __len__(self) -> int:
        return len(self.plays)

    def __iter__(self) -> Iterator[P]:
        return iter(self.plays)

    def __getitem__(self, i: int) -> P:
        return self.plays[i]

    def __str__(self) -> str:
        return str(self.table())

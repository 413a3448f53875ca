"""`RecordError`: where a record goes wrong, why, and what is sound before that place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narde.errors import NardeError

if TYPE_CHECKING:
    from narde.records.model import MatchRecord


class RecordError(NardeError):
    """A record that its format or the rules refuse; the message names the place, the reason and what was
    legal.

    `record` is the sound part before the fault, a `MatchRecord` that can be replayed, or None where not even
    the players and rules were read. `game` and `turn` count from 1, as files do; `line` is the line of the
    text, from 1. Each is None where it does not apply.
    """

    def __init__(
        self,
        reason: str,
        *,
        record: MatchRecord | None = None,
        game: int | None = None,
        turn: int | None = None,
        line: int | None = None,
    ) -> None:
        places = (("line", line), ("game", game), ("turn", turn))
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.record = record
        self.game = game
        self.turn = turn
        self.line = line

"""The player who bears off perfectly, by the bear-off tables, and leaves all before that to another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from narde.bearoff_db import bearoff
from narde.board import Dice, Rows, as_rows
from narde.errors import InvalidArgumentError, shown
from narde.players.base import Player, Values, check_asked, check_returned, under_rules
from narde.rules import Rules
from narde.streams import Words

BEAROFF: Final = "bearoff"
"""His name, before that of the other player."""
_SHORTENED: Final = "greedy"
"""The other player where none is named."""


@dataclass(frozen=True)
class BearoffPlayer(Player):
    """Plays `BearoffDatabase.best_plays` where it has an answer, and elsewhere as another player does.

    So once his checkers are home and nobody is in their way; nothing is explored then, whatever the other's
    options. What an afterstate is worth the tables say once both sides are home, else the other player.
    """

    other: Player

    def __post_init__(self) -> None:
        if not isinstance(self.other, Player):
            raise InvalidArgumentError(
                f"other is {shown(self.other)}: pass a player, as narde.player('pips')"
            )
        if isinstance(self.other, BearoffPlayer):  # perhaps this very one, of which nothing can be shown
            raise InvalidArgumentError("other is a bearoff player, too: pass the player that it leaves to")

    def __str__(self) -> str:
        name = str(self.other)
        is_default = name.split(",")[0] == _SHORTENED
        return BEAROFF + (name.removeprefix(_SHORTENED) if is_default else f":{name}")

    @property
    def has_values(self) -> bool:
        return self.other.has_values

    @property
    def checksum(self) -> str | None:
        """The other player's."""
        return self.other.checksum

    def under(self, rules: Rules) -> BearoffPlayer:
        return replace(self, other=under_rules(self.other, rules))

    def check_rules(self, rules: Rules) -> None:
        """Builds the tables where there are none yet; raises `InvalidRulesError` where they do not hold."""
        self.other.check_rules(rules)
        bearoff(rules)

    def choose(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> Rows:
        check_asked(rows, dice, words)
        table = bearoff(rules)
        known = table.covers_mover(rows)
        chosen = np.empty_like(rows)
        chosen[known] = table.best_plays(rows[known], dice[known])
        left = ~known
        if left.any():
            found = self.other.choose(rows[left], dice[left], rules, words[left])
            check_returned(self.other, "afterstates", found, np.int8, rows[left].shape)
            chosen[left] = found
        return chosen

    def values_of(self, chosen: Rows, rules: Rules) -> Values:
        chosen, _ = as_rows(chosen)
        table = bearoff(rules)
        known = table.covers(chosen)
        values = np.empty(len(chosen), np.float32)
        values[known] = -table.equity(chosen[known])
        left = ~known
        if left.any():
            found = self.other.values_of(chosen[left], rules)
            check_returned(self.other, "values", found, np.float32, (int(left.sum()),))
            values[left] = found
        return values

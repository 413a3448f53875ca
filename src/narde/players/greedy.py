"""The player who takes the afterstate that an evaluator values highest, but for some exploration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pickle import dumps, loads
from sys import float_info
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde._net import CompiledNetwork
from narde.board import Dice, Rows
from narde.errors import InvalidArgumentError, shown
from narde.evaluators import Evaluator, chances_of, default, lookahead, race
from narde.evaluators.calling import as_evaluator
from narde.evaluators.plies import MOST_PLIES, first_highest
from narde.evaluators.worth import values_to_mover
from narde.kernels import as_whole_number
from narde.network import Network
from narde.players.base import Player, Values, any_plays, check_asked
from narde.players.picking import softened
from narde.plays import afterstates
from narde.rules import Rules
from narde.streams import Words, threshold_of

_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
"""A word that has decided whether to explore is multiplied by it before it decides anything else."""


_BY_RULES: Final = (race, default)
"""What makes an evaluator for rules and is none itself."""


@dataclass(frozen=True)
class GreedyPlayer(Player):
    """The highest value to the mover, the first of equals in the order of `narde.afterstates`.

    Raises `InvalidArgumentError` for options outside their ranges.

    evaluator: From rows (M, 28) to chances (M, 5), see `narde.evaluators`; or `evaluators.race` or `default`,
        which make one for the rules.
    label: The name without its options, as `pips` or `greedy:weights.narde`.
    ply: Turns to look ahead, each over all 21 rolls.
    temperature: In points, from 0: an afterstate of value v is taken with a chance in proportion to exp(v /
        temperature); at 0 always one of the highest value.
    epsilon: From 0 to 1: the share of turns that take any afterstate, each with the same chance.
    """

    evaluator: Evaluator
    label: str
    ply: int = 0
    temperature: float = 0.0
    epsilon: float = 0.0

    has_values = True

    def __post_init__(self) -> None:
        as_whole_number(self.ply, "ply", 0, MOST_PLIES)
        for name, most in (("temperature", float_info.max), ("epsilon", 1.0)):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= most:
                limit = "0 or above" if most > 1 else "0 to 1"
                raise InvalidArgumentError(f"{name} is {shown(value)}: pass a number, {limit}")

    def __str__(self) -> str:
        options = {"ply": self.ply, "temperature": self.temperature, "epsilon": self.epsilon}
        return ",".join([self.label, *(f"{name}={value}" for name, value in options.items() if value)])

    @property
    def checksum(self) -> str | None:
        """The evaluator's own `checksum`, if it has one, a text."""
        found = getattr(self.evaluator, "checksum", None)
        return found if isinstance(found, str) else None

    def under(self, rules: Rules) -> GreedyPlayer:
        made_by: Any = self.evaluator
        return replace(self, evaluator=made_by(rules)) if any(made_by is one for one in _BY_RULES) else self

    def check_rules(self, rules: Rules) -> None:
        as_evaluator(self._at(rules), rules)

    def choose(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> Rows:
        return self.weigh(rows, dice, rules, words)[0]

    def weigh(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> tuple[Rows, Values]:
        check_asked(rows, dice, words)
        weigh = self._by_network if self._is_plain_network else self._by_all
        chosen, values = weigh(rows, dice, rules, words)
        exploring = np.flatnonzero(words < np.uint64(threshold_of(self.epsilon))) if self.epsilon else ()
        if len(exploring):
            mixed = words[exploring] * _MIX
            chosen[exploring] = any_plays(rows[exploring], dice[exploring], rules, mixed)
            values[exploring] = self.values_of(chosen[exploring], rules)
        return chosen, values

    def values_of(self, chosen: Rows, rules: Rules) -> Values:
        return values_to_mover(chances_of(self._at(rules), chosen, rules), rules)

    def turn_player(self) -> object | None:
        if not self._is_plain_network:
            return None
        return self._compiled.turn_player()

    def __reduce__(self) -> tuple[Any, ...]:
        """A network is checked and compiled once in each process, not for every unit of work."""
        if type(self) is not GreedyPlayer:
            kept = {name: value for name, value in vars(self).items() if name != "_compiled"}
            return object.__new__, (type(self),), kept
        fields = self.evaluator, self.label, self.ply, self.temperature, self.epsilon
        return (
            (_unpickled, (dumps(fields),)) if isinstance(self.evaluator, Network) else (GreedyPlayer, fields)
        )

    @cached_property
    def _compiled(self) -> CompiledNetwork:
        assert isinstance(self.evaluator, Network)
        return self.evaluator.compiled_with(self.epsilon)

    @property
    def _is_plain_network(self) -> bool:
        """Whether the core can play all of it."""
        return isinstance(self.evaluator, Network) and not self.ply and not self.temperature

    def _at(self, rules: Rules) -> Evaluator:
        """The evaluator for the rules, so many turns ahead."""
        return lookahead(self.under(rules).evaluator, rules, self.ply)

    def _by_network(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> tuple[Rows, Values]:
        assert isinstance(self.evaluator, Network)
        return self.evaluator.choose(rows, dice, rules)[:2]

    def _by_all(self, rows: Rows, dice: Dice, rules: Rules, words: Words) -> tuple[Rows, Values]:
        """One call of the evaluator with all afterstates of all rows."""
        out = afterstates(rows, dice, rules, check=False)
        values = self.values_of(out.positions, rules)
        index = self._pick(values, out.offsets, words)
        return np.take(out.positions, index, axis=0), values[index]

    def _pick(self, values: Values, offsets: npt.NDArray[np.int64], words: Words) -> npt.NDArray[np.int64]:
        if not self.temperature:
            return first_highest(values, offsets)
        return softened(values, offsets, words * _MIX, self.temperature)


@lru_cache(maxsize=16)
def _unpickled(data: bytes) -> GreedyPlayer:
    return GreedyPlayer(*loads(data))

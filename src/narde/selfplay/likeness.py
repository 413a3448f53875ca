"""Evaluators without a checksum told apart by what they answer."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from narde.evaluators import Evaluator, value_of
from narde.evaluators.race import Race
from narde.games import random_games
from narde.players import BearoffPlayer, GreedyPlayer, Player
from narde.rules import Rules

_MOST: Final = 32
"""Positions that an evaluator is asked about, spread over a random game."""
_TOLERANCE: Final = 1e-4
"""Points by which the answers of one evaluator may differ: machines round in other ways, and the jobs of an
array run on several."""


def answers_of(player: Player, rules: Rules) -> str | None:
    """The equities that the player's evaluator gives some positions, as a text; None where he has a checksum,
    or no evaluator that could be another one under the same name.

    Raises what `narde.evaluators.call` raises."""
    player = player.under(rules)
    evaluator = _evaluator_of(player)
    if evaluator is None or player.checksum is not None or type(evaluator) is Race:
        return None
    rows = random_games(1, rules, seed=0, record=["positions"]).positions
    assert rows is not None
    some = rows[:: -(-len(rows) // _MOST)]
    return " ".join(f"{value:.6f}" for value in value_of(evaluator, some, rules))


def difference_of(answers: object, others: str) -> tuple[str, str] | None:
    """The first answers in two such texts that are not of one evaluator; None where all may be."""
    for pair in zip_longest(str(answers).split(), others.split(), fillvalue="nothing"):
        if not _are_near(*pair):
            return pair
    return None


def _are_near(one: str, other: str) -> bool:
    try:
        return abs(float(one) - float(other)) <= _TOLERANCE
    except ValueError:  # what narde has not written
        return False


def _evaluator_of(player: Player) -> Evaluator | None:
    if isinstance(player, BearoffPlayer):
        return _evaluator_of(player.other)
    return player.evaluator if isinstance(player, GreedyPlayer) else None

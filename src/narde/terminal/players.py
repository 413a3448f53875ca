"""Who sits at the board: a person who types, or a player of the program that is called by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from narde import players
from narde.board import Rows
from narde.errors import InvalidArgumentError
from narde.game import Game
from narde.rules import Rules
from narde.scoring import points_by_kind
from narde.streams import CHOICES, words

PERSON: Final = "person"
"""The name of a seat whose player types."""

Action = tuple[str, Any]
"""The name of an action of `Game` and what it is given: a play as its afterstate, else None."""

DROPS_BELOW: Final = -0.5
"""What a double is dropped at in money games, as far as the cube turns no more: two points lost or one."""


@dataclass(frozen=True)
class ProgramPlayer:
    """A player of `narde.player` at the board. It never doubles.

    Its choices are those of self-play: in turn t of game g by word t of the stream `CHOICES`. So they depend
    on the seed alone, whatever was saved, resumed or taken back.
    """

    player: players.Player
    seed: int

    def act(self, game: Game, number: int) -> Action:
        """One of `game.actions`, in game `number` of the match; a roll gets its dice elsewhere."""
        if "play" in game.actions:
            return "play", self._choice(game, number)
        if "take" in game.actions:
            return "drop" if self._expects(game) < DROPS_BELOW else "take", None
        if game.resigned is not None:
            offered = float(points_by_kind(game.rules)[game.resigned])
            return "accept" if offered >= self._expects(game) else "refuse", None
        return "roll", None

    def _choice(self, game: Game, number: int) -> Rows:
        word = words(self.seed, CHOICES, [number], [game.rolled - 1])
        dice = np.array([game.dice], np.int8)
        chosen: Rows = self.player.choose(game.row[None], dice, game.rules, word)[0]
        return chosen

    def _expects(self, game: Game) -> float:
        """The points that the one who must act expects for a cube of 1, by the position before the roll; 0 of
        a player that weighs nothing."""
        if not self.player.has_values:
            return 0.0
        waiting = float(self.player.values_of(game.row[None], game.rules)[0])  # of the one not on roll
        return waiting if game.actor != game.mover else -waiting


def checked_seed(seed: int) -> int:
    """The seed itself; raises `InvalidArgumentError` unless it is a whole number of 0 to 128 bits."""
    if type(seed) is not int or not 0 <= seed < 2**128:
        raise InvalidArgumentError(f"seed={seed!r}: use a whole number from 0 to 2**128 - 1")
    return seed


def player(name: str, seed: int, rules: Rules) -> ProgramPlayer | None:
    """The player of a name, who can play by the rules; None for a person.

    `greedy` without a file goes by the network that comes with the package. Raises `InvalidArgumentError` for
    a name that nobody has, and what `narde.player` raises.
    """
    if name == PERSON:
        return None
    found = players.player(name).under(rules)
    found.check_rules(rules)
    return ProgramPlayer(found, checked_seed(seed))

"""Many games at once in NumPy: a turn of all live games after another, one choice of a player for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from narde.board import Rows, starting_row
from narde.games import Games
from narde.players import Player
from narde.rules import Rules
from narde.scoring import are_over, last_roll_due, results
from narde.selfplay.choosing import Turns
from narde.streams import CHOICES, DICE, TurnsOfGames, dice_of

Ints = npt.NDArray[np.int64]


def play_in_lockstep(
    players: tuple[Player, Player],
    rules: Rules,
    seed: int,
    first: int,
    n: int,
    max_turns: int,
    record: tuple[str, ...],
) -> Games:
    """The games first to first + n - 1 of the seed between two players, the starter and the second.

    They are the games that the core would play. Raises `EvaluatorError`, and what `Turns.chosen_by` raises.
    """
    table = _Table(rules, seed, first, n, record)
    live, rows, turn = np.arange(n), np.repeat(starting_row(rules)[None], n, axis=0), 0
    rolls, choices = (TurnsOfGames(seed, stream, first + np.arange(n)) for stream in (DICE, CHOICES))
    while not turn or (len(live) and turn < max_turns):  # once for no games: the columns get their types
        dice = dice_of(rolls.at(turn, live), turn == 0 and rules.opening_roll != "reroll")
        turns = Turns(rows, dice, rules, choices.at(turn, live), first + live, turn)
        chosen, values = turns.chosen_by(players[turn % 2], "values" in record)
        table.write(live, {"positions": rows, "dice": dice, "chosen": chosen, "values": values})
        turn += 1
        going = table.end(live, chosen, turn)
        live, rows = (live, chosen) if going is None else (live[going], np.take(chosen, going, axis=0))
    table.lengths[live] = turn
    return table.games()


@dataclass
class _Table:
    """The results of the games, and what is recorded of their turns, one piece a turn of all live games."""

    rules: Rules
    seed: int
    first: int
    n: int
    record: tuple[str, ...]
    owners: list[Ints] = field(default_factory=list)
    pieces: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.winner = np.full(self.n, -1, np.int8)
        self.points = np.zeros(self.n, np.int8)
        self.lengths = np.zeros(self.n, np.int32)
        self.pieces = {name: [] for name in self.record}

    def write(self, live: Ints, columns: dict[str, Any]) -> None:
        if self.record:
            self.owners.append(live)
        for name in self.record:
            self.pieces[name].append(columns[name])

    def end(self, live: Ints, rows: Rows, turns: int) -> Ints | None:
        """Where the games go on with these rows after so many turns, None if all do; the results of the rest
        are kept."""
        mover = turns % 2
        over, n_over = are_over(rows)
        if not n_over:
            return None
        over &= ~last_roll_due(rows, self.rules, mover == 0)
        ended, worth = live[over], results(rows[over], self.rules)
        self.winner[ended] = np.select([worth > 0, worth < 0], [mover, 1 - mover], -1)
        self.points[ended] = np.abs(worth)
        self.lengths[ended] = turns
        return np.flatnonzero(~over)

    def games(self) -> Games:
        """The columns game by game: turn t of all games stands in piece t."""
        columns: dict[str, Any] = {}
        if self.record:
            columns["offsets"] = np.append(0, np.cumsum(self.lengths, dtype=np.int64))
        for name in self.record:
            columns[name] = _gathered(self.pieces.pop(name), self.owners, columns["offsets"])
        return Games(self.rules, self.seed, self.first, self.winner, self.points, self.lengths, **columns)


def _gathered(pieces: list[npt.NDArray[Any]], owners: list[Ints], offsets: Ints) -> npt.NDArray[Any]:
    """One column of all turns: row j of piece t is turn t of game owners[t][j]."""
    whole = np.empty((int(offsets[-1]), *pieces[0].shape[1:]), pieces[0].dtype)
    for turn, (piece, games) in enumerate(zip(pieces, owners, strict=True)):
        whole[offsets[games] + turn] = piece
    return whole

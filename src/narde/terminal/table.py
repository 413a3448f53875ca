"""A match at the board with all that going on with it needs: who sits there, where the dice come from, the
turn under way; and its file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from narde._files import as_path, replacing
from narde.dice import DiceSource, ListedDice, SeededDice, read_dice
from narde.errors import InvalidArgumentError, NotationError, StorageError, is_one_of
from narde.game import Game
from narde.match import Match
from narde.position import Position
from narde.records import MatchRecord
from narde.records.files import MOST_BYTES
from narde.terminal.players import ProgramPlayer, checked_seed, player
from narde.terminal.turn import PartialTurn

HAND: Final = "hand"
SEED: Final = "seed"
_VERSION: Final = 1
KIND: Final = "narde play"


@dataclass(frozen=True)
class Table:
    """A match in progress. Nothing here changes; what happens gives the next `Table`.

    seats: Who plays for player 0 and player 1: `person`, or the name of a player of the program.
    seed: What the dice, unless they come from elsewhere, and the players of the program go by.
    dice: Where the dice come from: `seed`, `hand`, or the path of a file of dice.
    taken: The rolls taken from the file so far.
    entries: What the person on roll has entered of the turn under way.
    begun: The date on which the match began, as records write it; may be left out.
    """

    match: Match
    seats: tuple[str, str]
    seed: int
    dice: str = SEED
    taken: int = 0
    entries: tuple[str, ...] = ()
    begun: str = ""

    def __post_init__(self) -> None:
        """Raises `InvalidArgumentError` for a seed that is none, which may come from a file."""
        checked_seed(self.seed)

    @property
    def game(self) -> Game | None:
        """The game in progress."""
        return self.match.game

    @property
    def number(self) -> int:
        """The number of the game in progress, or of the last one, from 0."""
        return max(0, len(self.match.games) - 1)

    def partial(self) -> PartialTurn | None:
        """The turn under way, while there are dice to play. Raises as `PartialTurn.enter` does."""
        game = self.game
        if game is None or game.dice is None or "play" not in game.actions:
            return None
        return PartialTurn.of(Position(game.row, game.rules).plays(game.dice), self.entries)

    def players(self) -> tuple[ProgramPlayer | None, ProgramPlayer | None]:
        """Who plays each seat, None for a person. Raises what `narde.player` raises."""
        rules = self.match.rules
        return player(self.seats[0], self.seed, rules), player(self.seats[1], self.seed, rules)

    def source(self) -> DiceSource | None:
        """The dice from here on, None from a hand. Raises `StorageError`, `InvalidDiceError`."""
        if self.dice == HAND:
            return None
        if self.dice == SEED:
            turn = self.game.rolled if self.game is not None else 0
            return SeededDice(self.seed, self.number, turn)
        source = read_dice(self.dice)
        _skip(source, self.taken)
        return source

    def record(self) -> MatchRecord:
        """The record of the match so far. Raises `InvalidArgumentError` for names that no record can hold."""
        return MatchRecord.of_match(self.match, date=self.begun)

    def act(self, action: str, *arguments: Any) -> Table:
        """The table after an action of the match, all entries forgotten. Raises as the action does."""
        match: Match = getattr(self.match, action)(*arguments)
        from_file = self.dice not in (SEED, HAND) and action in ("contest", "roll")
        return replace(self, match=match, taken=self.taken + from_file, entries=())

    # ---- the file ------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON takes it; `Table.from_json` brings it back."""
        dice = self.dice if self.dice in (SEED, HAND) else {"file": self.dice, "taken": self.taken}
        return {
            "kind": KIND,
            "version": _VERSION,
            "seats": list(self.seats),
            "seed": self.seed,
            "dice": dice,
            "entries": list(self.entries),
            "begun": self.begun,
            "match": self.match.to_json(),
        }

    @classmethod
    def from_json(cls, values: Any) -> Table:
        """The table that `to_json` described, every event checked by the rules.

        Raises `NotationError` for anything else, and `InvalidArgumentError` for a seed that cannot be. Who
        the seats are is not asked.
        """
        if not isinstance(values, Mapping) or values.get("kind") != KIND:
            raise NotationError("no game of `narde play`")
        if values.get("version") != _VERSION:
            version = str(values.get("version"))[:20]
            raise NotationError(f"saved by version {version} of the form: this program reads {_VERSION}")
        try:
            first, second = map(str, values["seats"])
            dice, taken = _dice_from_json(values["dice"])
            entries = tuple(map(str, values["entries"]))
            seed, begun, match = values["seed"], str(values["begun"]), values["match"]
        except (KeyError, TypeError, ValueError) as fault:
            raise NotationError(f"no game of `narde play`: {type(fault).__name__} {fault}") from None
        table = cls(Match.from_json(match), (first, second), seed, dice, taken, entries, begun)
        table.partial()
        table.record()
        return table


def _dice_from_json(values: Any) -> tuple[str, int]:
    if is_one_of(values, (SEED, HAND)):
        return values, 0
    if type(values["taken"]) is not int or values["taken"] < 0:
        raise ValueError(f"taken={values['taken']!r}")
    return str(values["file"]), values["taken"]


def _skip(source: ListedDice, rolls: int) -> None:
    for _ in range(rolls):
        source.roll()


def save_table(table: Table, path: str | os.PathLike[str]) -> None:
    """Write the table as a file, whole or not at all. Raises `StorageError`."""
    with replacing(as_path(path)) as file:
        file.write(json.dumps(table.to_json()).encode() + b"\n")


def load_table(path: str | os.PathLike[str]) -> Table:
    """The table of a file of `save_table`, to go on with.

    Raises `StorageError` if it cannot be read, `NotationError`, with the path and what is wrong, if it is no
    such file or names players that there are not, and what loading their weights raises.
    """
    table = table_of(read_json(as_path(path)), path)
    try:
        table.players()
    except InvalidArgumentError as fault:
        raise NotationError(f"{path}: {fault}") from None
    return table


def table_of(values: Any, path: str | os.PathLike[str]) -> Table:
    """The table of the JSON of a file; raises as `load_table`."""
    try:
        return Table.from_json(values)
    except ValueError as fault:
        raise NotationError(f"{path}: {fault}") from None


def read_json(path: Path) -> Any:
    """The JSON of a file. Raises `StorageError` if it cannot be read, `NotationError` if it is no JSON or
    longer than any match."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise StorageError(f"cannot read {path}: {fault.strerror or fault}") from None
    if len(data) > MOST_BYTES:
        raise NotationError(f"{path} is too long: a match has at most {MOST_BYTES} bytes")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as fault:
        raise NotationError(f"{path} is no JSON, as a match kept by `narde play` is: {fault}") from None

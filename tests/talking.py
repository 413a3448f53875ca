"""A person at the board for tests: answers that are typed, or made up from what is legal."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from narde.match import Match
from narde.terminal.console import Console, EndOfInput
from narde.terminal.dialogue import Quit
from narde.terminal.keeper import Keeper
from narde.terminal.players import PERSON
from narde.terminal.session import Session
from narde.terminal.table import Table


def table_of(
    variant, length=1, seats=(PERSON, PERSON), seed=1, players=("Anna", "Boris"), **options
) -> Table:
    return Table(Match.begin(length, variant, players=players), seats, seed, **options)


def spoken(table: Table, *lines: str, keeper: Keeper | None = None, **options) -> tuple[Session, str]:
    """The session after these lines were typed into a pipe, and all that was shown."""
    out = io.StringIO()
    console = Console(stdin=io.StringIO("".join(f"{line}\n" for line in lines)), stdout=out)
    session = Session(table, console, keeper or Keeper(None), **options)
    try:
        session.run()
    except (Quit, EndOfInput):
        session.keep()
    return session, out.getvalue()


class Chooser(Console):
    """Types something for each prompt, mostly what leads on, now and then nonsense or Ctrl-D; resigns with a
    chance of `hurry` at most."""

    def __init__(self, random: Random, hurry: float) -> None:
        super().__init__(stdin=io.StringIO(), stdout=io.StringIO())
        self.random = random
        self.hurry = hurry
        self.session: Session | None = None
        self.asked = 0

    def ask(self, prompt: str) -> str:
        self.asked += 1
        if self.random.random() < 0.03:
            raise EndOfInput
        return self.random.choice(list(self._choices(prompt)))

    def _choices(self, prompt: str) -> Iterator[str]:
        assert self.session is not None
        table, game = self.session.table, self.session.table.game
        yield from (
            "",
            "3",
            "help",
            "plays",
            "24/18",
            "bar/20",
            "hm",
            "undo",
            "id",
            "board",
            "resign x",
            "33",
        )
        if game is None:
            return
        yield from [action for action in game.actions if action not in ("play", "resign", "drop")] * 5
        yield from [f"{self.random.randint(1, 6)}{self.random.randint(1, 6)}"] * 10
        if "resign" in game.actions and self.random.random() < self.hurry:
            yield from ["resign 2"] * 3
        if (partial := table.partial()) is not None:
            plays = partial.plays
            meant = self.random.choice(partial.open if partial.entries else range(len(plays)))
            yield from [plays[meant].notation] * 6
            yield from [str(self.random.randrange(len(plays)) + 1)] * 6
            for start, end in plays[meant].moves:
                yield from [f"{start}/{end}".replace("25/", "bar/").replace("/0", "/off")] * 4


def play_on(table: Table, path: Path, random: Random, hurry: float) -> Match:
    """A match played by a `Chooser` to its end, given up and resumed from its file again and again."""
    most = 10_000
    while table.match.actions:
        chooser = Chooser(random, hurry)
        session = chooser.session = Session(table, chooser, Keeper(path), confirm=random.random() < 0.3)
        try:
            session.run()
        except EndOfInput:
            session.keep()
        table = Table.from_json(json.loads(path.read_text()))
        assert table == session.table
        most -= chooser.asked
        assert most > 0, "the match does not come to an end"
    return table.match

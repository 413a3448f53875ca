"""Units of work for tests of executors, at the top level of a module, so that any process can import them."""

import os
from pathlib import Path

import numpy as np

import narde
from narde import random_games

Unit = tuple[int, int]
"""The first game and the number of games."""

UNITS: list[Unit] = [(40 * i, 40) for i in range(24)]


def games(unit: Unit) -> bytes:
    """The results and chosen afterstates of some random games, as bytes."""
    first, n = unit
    played = random_games(n, "long", seed=5, first=first, record=["chosen"])
    assert played.chosen is not None
    return b"".join(np.asarray(a).tobytes() for a in (played.winner, played.points, played.chosen))


class LosesWorkers:
    """`games`, but each unit of `fatal` ends its worker process, as a crash does, the first `times` times."""

    def __init__(self, folder: Path, fatal: dict[int, int]) -> None:
        self.folder, self.fatal = folder, fatal

    def __call__(self, unit: Unit) -> bytes:
        for attempt in range(self.fatal.get(unit[0] // 40, 0)):
            try:
                (self.folder / f"{unit[0]}-{attempt}").touch(exist_ok=False)
            except FileExistsError:
                continue
            os._exit(9)
        return games(unit)

    def losses(self) -> int:
        """How many workers have ended so far."""
        return len(list(self.folder.iterdir()))


def refuses(unit: Unit) -> bytes:
    """`games`, but unit 3 is a position that is none."""
    if unit == UNITS[3]:
        raise narde.InvalidPositionError("no position", index=3, reasons=("it is none",))
    return games(unit)

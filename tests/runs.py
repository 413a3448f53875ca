"""Everything that takes an executor, in small, for tests that compare executors byte by byte."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import narde
from narde import evaluators

Run = Callable[..., bytes]
"""Takes `executor=` or `threads=`."""


def as_bytes(*columns: Any) -> bytes:
    """The columns one after the other, their types and shapes before them."""
    arrays = [np.asarray(column) for column in columns]
    return b"".join(f"{a.dtype}{a.shape}".encode() + a.tobytes() for a in arrays)


def played(games: narde.Games) -> bytes:
    """All columns of games that have values."""
    return as_bytes(games.winner, games.points, games.lengths, games.chosen, games.values)


def random_player(**workers: Any) -> bytes:
    """Games that the core plays."""
    games = narde.self_play(200, "random", seed=3, record=["dice", "chosen"], batch=40, **workers)
    return as_bytes(games.winner, games.points, games.lengths, games.dice, games.chosen)


def pips_player(**workers: Any) -> bytes:
    """Games in lockstep."""
    record = ["chosen", "values"]
    return played(narde.self_play(40, "pips", seed=4, record=record, batch=10, **workers))


def network_player(**workers: Any) -> bytes:
    """A network, which travels to the workers, against random plays."""
    players: Any = {"player": narde.Network.random(8, seed=1), "opponent": "pips"}
    return played(narde.self_play(40, seed=5, record=["chosen", "values"], batch=20, **players, **workers))


def duel(**workers: Any) -> bytes:
    """Pairs of games on the same dice."""
    return as_bytes(narde.duel("pips", "random", 20, seed=7, batch=10, **workers).points)


def rollout(**workers: Any) -> bytes:
    """Trials in lockstep."""
    pips, start = evaluators.race("short"), narde.Position.start("short")
    return as_bytes(narde.rollout(start, pips, trials=288, truncate=2, seed=6, **workers).values)


def rollout_of_network(**workers: Any) -> bytes:
    """Trials within the core."""
    network, start = narde.Network.random(8, seed=2), narde.Position.start("long")
    return as_bytes(narde.rollout(start, network, trials=432, truncate=4, seed=6, **workers).values)


def rollout_of_plays(**workers: Any) -> bytes:
    """Several plays on the same dice."""
    pips, start = evaluators.race("short"), narde.Position.start("short")
    plays: Any = {"plays": ["24/20", "8/4"], "trials": 288, "truncate": 1, "seed": 8}
    found = narde.rollout_plays(start, (3, 1), pips, **plays, **workers)
    return as_bytes(*(number for play in found for number in (play.rollout.values, play.behind)))


_SELF_PLAY = (random_player, pips_player, network_player, duel)
RUNS: dict[str, Run] = {
    run.__name__: run for run in (*_SELF_PLAY, rollout, rollout_of_network, rollout_of_plays)
}


class Fatal:
    """The race by pips, but the first call in a process other than the one it was made in ends that
    process."""

    def __init__(self, folder: Path) -> None:
        self.home, self.folder = os.getpid(), folder

    def __call__(self, rows: narde.board.Rows) -> Any:
        if os.getpid() != self.home:
            with contextlib.suppress(FileExistsError):
                (self.folder / "dead").touch(exist_ok=False)
                os._exit(9)
        return evaluators.race(narde.rules("long"))(rows)


def fatal_player(folder: Path, **workers: Any) -> bytes:
    """Games in lockstep by an evaluator that costs a worker."""
    record = ["chosen", "values"]
    return played(narde.self_play(40, Fatal(folder), seed=8, record=record, batch=10, **workers))


def fatal_rollout(folder: Path, **workers: Any) -> bytes:
    """Trials in lockstep by the same."""
    start = narde.Position.start("long")
    return as_bytes(narde.rollout(start, Fatal(folder), trials=288, truncate=2, seed=9, **workers).values)


FATAL_RUNS: dict[str, Run] = {run.__name__: run for run in (fatal_player, fatal_rollout)}

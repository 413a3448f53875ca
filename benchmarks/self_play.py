"""Self-play side by side in one run: games a second, what recording costs, two threads, a user's own network
and the share of time that it gets, in rollouts too.

Each round times every way of playing once, so that what else the machine does falls on all of them; the table
shows medians over the rounds, ratios within a round. `--cpu` counts the time of the processor instead of the
clock's: on a machine that others use, and for one thread only. `OMP_NUM_THREADS=1` in the environment keeps
NumPy's matrix products to one thread.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import narde
from narde.features import features

GAMES = 8192
TRIALS = 288
RECORD = ("positions", "dice", "values")


class Dense:
    """A user's network in NumPy, 64 hidden units, which adds up the time that is spent in it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        draw = np.random.default_rng(1).normal
        self.w1 = draw(0, 0.2, (196, 64)).astype(np.float32)
        self.w2 = draw(0, 0.2, (64, 5)).astype(np.float32)
        self.clock, self.spent = clock, 0.0

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        start = self.clock()
        hidden = np.maximum(features(rows) @ self.w1, 0)
        chances = 1 / (1 + np.exp(-(hidden @ self.w2)))
        self.spent += self.clock() - start
        return chances


def ways(folder: Path, dense: Dense) -> dict[str, Callable[[], Any]]:
    """What is timed: a label and the games."""
    small, large = (narde.Network.random(hidden, seed=1) for hidden in (64, 128))
    short = narde.Network.random(64, game="short", seed=1)
    count = iter(range(10**6))

    def keep(player: Any, format: Any) -> Callable[[], Any]:
        options = {"seed": 1, "record": RECORD, "format": format, "games_per_shard": 1024}
        return lambda: narde.self_play(GAMES, player, out=folder / str(next(count)), **options)

    return {
        "64 units": lambda: narde.self_play(GAMES, small, seed=1),
        "64 units, two threads": lambda: narde.self_play(GAMES, small, seed=1, threads=2),
        "64 units, recorded in memory": lambda: narde.self_play(GAMES, small, seed=1, record=RECORD),
        "64 units, recorded to .npz": keep(small, "npz"),
        "64 units, recorded to Parquet": keep(small, "parquet"),
        "128 units": lambda: narde.self_play(GAMES, large, seed=1),
        "128 units, recorded to Parquet": keep(large, "parquet"),
        "short nardy, 64 units": lambda: narde.self_play(GAMES, short, "short", seed=1),
        "network of the package": lambda: narde.self_play(GAMES, "greedy", seed=1),
        "a user's network in NumPy": lambda: narde.self_play(GAMES, dense, seed=1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cpu", action="store_true", help="time of the processor")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.cpu else time.perf_counter
    dense = Dense(clock)
    seconds: dict[str, list[float]] = {}
    shares: list[float] = []
    rolled: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        played = ways(Path(folder), dense)
        for _ in range(arguments.rounds):
            for label, play in played.items():
                dense.spent, start = 0.0, clock()
                play()
                seconds.setdefault(label, []).append(clock() - start)
            shares.append(dense.spent / seconds["a user's network in NumPy"][-1])
            dense.spent, start = 0.0, clock()
            narde.rollout(narde.starting_row("long"), dense, trials=TRIALS, seed=1)
            rolled.append(dense.spent / (clock() - start))
    show(seconds, statistics.median(shares), statistics.median(rolled))


def show(seconds: dict[str, list[float]], share: float, rolled: float) -> None:
    """Medians; the time beside that of the way named first with as many units."""
    print(f"{'long nardy, ' + str(GAMES) + ' games':32} {'games/s':>8}  time beside unrecorded, one thread")
    for label, times in seconds.items():
        base = seconds.get(label.split(",")[0], times)
        ratio = statistics.median(mine / its for mine, its in zip(times, base, strict=True))
        beside = "" if base is times else f"{ratio:.3f}"
        print(f"{label:32} {GAMES / statistics.median(times):8,.0f}  {beside}")
    print(f"\nshare of the time that is spent in the user's network: {share:.1%}, in a rollout {rolled:.1%}")


if __name__ == "__main__":
    main()

"""Self-play side by side in one run: games a second, what recording costs, two threads, a user's own network
and the share of time that it gets, in rollouts too.

Each round times every way of playing once, so that what else the machine does falls on all of them; the table
shows medians over the rounds, ratios within a round. `--cpu` counts the time of the processor instead of the
clock's: on a machine that others use, and to see what recording costs where no other processor writes the
files; not for two threads. `OMP_NUM_THREADS=1` in the environment keeps NumPy's matrix products to one
thread.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

import narde
from narde.features import features
from narde.selfplay import RECORDED

GAMES = 16384
ROLLED = {
    "a rollout": {"trials": 288},
    "one without variance reduction": {"trials": 1296, "variance_reduction": False},
}
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
    """What is timed: a label and the games. A label begins with what it is compared with."""
    small, large = (narde.Network.random(hidden, seed=1) for hidden in (64, 128))
    short = narde.Network.random(64, game="short", seed=1)
    found = {"64 units, two threads": playing(small, threads=2)}
    for name, player in {"64 units": small, "128 units": large, "network of the package": "greedy"}.items():
        found |= recorded(name, player, (folder / str(number) for number in count()))
    return found | {
        "short nardy, 64 units": playing(short, rules="short"),
        "a user's network in NumPy": playing(dense),
    }


def playing(player: Any, **options: Any) -> Callable[[], Any]:
    return lambda: narde.self_play(GAMES, player, seed=1, **options)


def recorded(name: str, player: Any, folders: Iterator[Path]) -> dict[str, Callable[[], Any]]:
    """A player's games without and with a record, in memory and in files: each time in a new folder."""

    def keep(record: tuple[str, ...], **options: Any) -> Callable[[], Any]:
        options |= {"record": record, "games_per_shard": 1024}
        return lambda: playing(player, out=next(folders), **options)()

    return {
        name: playing(player),
        f"{name}, in memory": playing(player, record=RECORD),
        f"{name}, .npz": keep(RECORD, format="npz"),
        f"{name}, Parquet": keep(RECORD, format="parquet"),
        f"{name}, Parquet, all columns": keep(RECORDED, format="parquet"),
        f"{name}, Parquet, zstd": keep(RECORD, format="parquet", compression="zstd"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cpu", action="store_true", help="time of the processor")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.cpu else time.perf_counter
    dense = Dense(clock)
    seconds: dict[str, list[float]] = {}
    sizes: dict[str, float] = {}
    shares: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        played = ways(Path(folder), dense)
        for _ in range(arguments.rounds):
            for label, play in played.items():
                dense.spent, start = 0.0, clock()
                games = play()
                seconds.setdefault(label, []).append(clock() - start)
                if isinstance(games, narde.Shards):
                    sizes[label] = bytes_of_a_turn(games)
                    shutil.rmtree(games.folder)
            shares.setdefault("self-play", []).append(dense.spent / seconds["a user's network in NumPy"][-1])
            for label, options in ROLLED.items():
                dense.spent, start = 0.0, clock()
                narde.rollout(narde.starting_row("long"), dense, seed=1, **options)
                shares.setdefault(label, []).append(dense.spent / (clock() - start))
    show(seconds, sizes)
    found = ", ".join(f"in {label} {statistics.median(of_rounds):.1%}" for label, of_rounds in shares.items())
    print(f"\nshare of the time that is spent in the user's network: {found}")


def bytes_of_a_turn(shards: narde.Shards) -> float:
    turns = sum(entry["turns"] for entry in shards.entries)
    return float(sum(entry["bytes"] for entry in shards.entries) / turns)


def show(seconds: dict[str, list[float]], sizes: dict[str, float]) -> None:
    """Medians; the time beside that of the same player's games without a record; the size of the files."""
    print(f"{'long nardy, ' + str(GAMES) + ' games':44} {'games/s':>8}  beside  bytes a turn")
    for label, times in seconds.items():
        base = seconds.get(label.split(",")[0], times)
        ratio = statistics.median(mine / its for mine, its in zip(times, base, strict=True))
        beside = "" if base is times else f"{ratio:.3f}"
        size = f"{sizes[label]:.1f}" if label in sizes else ""
        print(f"{label:44} {GAMES / statistics.median(times):8,.0f}  {beside:6}  {size:>12}".rstrip())


if __name__ == "__main__":
    main()

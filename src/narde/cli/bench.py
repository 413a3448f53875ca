"""`narde bench`: how fast the core is on this machine, on one core and by the median of several runs."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Final

import numpy as np

from narde import __version__
from narde.board import Dice, Rows
from narde.cli import OK
from narde.cli.arguments import add_output_options, add_threads, add_variants, chosen_rules, count
from narde.cli.output import Table, show, show_json
from narde.cli.progress import progress
from narde.games import random_games
from narde.plays import afterstates, count_afterstates
from narde.rules import Rules

PAIRS: Final = 100_000
GAMES: Final = 10_000
LEGEND: Final = (
    "medians of {repeats} runs, threads: {threads}; nanoseconds to list, or to count, the afterstates\n"
    "of a position with its roll, on {pairs:,} turns of random games"
)
_SEED: Final = 1
_TURNS: Final = 60
"""Turns that any random game has at least, on average."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_variants(parser, "long and short; the other texts of long nardy go as fast as long")
    parser.add_argument(
        "--repeats", metavar="N", type=count, default=7, help="runs of each kind (default: 7)"
    )
    add_threads(parser, default=1)
    add_output_options(parser)


@dataclass(frozen=True)
class Speed:
    """Medians: nanoseconds a (position, roll), and games a second."""

    variant: str
    generate_ns: float
    count_ns: float
    games_per_second: float


def run(arguments: argparse.Namespace) -> int:
    """Measure and show; returns the exit code."""
    wanted = chosen_rules(arguments.variant, ("long", "short"))
    speeds = []
    with progress(len(wanted), no_color=arguments.no_color) as tell:
        for i, rules in enumerate(wanted):
            tell(rules.name, i, 0)
            speeds.append(measure(rules, arguments.repeats, arguments.threads))
    if arguments.json:
        data = {"narde": __version__, "threads": arguments.threads, "repeats": arguments.repeats}
        show_json(data | {"variants": [asdict(speed) for speed in speeds]})
        return OK
    show(_table(speeds), no_color=arguments.no_color)
    print(f"\n{LEGEND.format(repeats=arguments.repeats, threads=arguments.threads, pairs=PAIRS)}")
    return OK


def measure(rules: Rules, repeats: int, threads: int) -> Speed:
    """The speeds under the rules, each the median of so many runs after one that warms up."""
    rows, dice = turns(rules)
    out = afterstates(rows, dice, rules)
    generate = _median(repeats, lambda: afterstates(rows, dice, rules, threads=threads, out=out))
    counting = _median(repeats, lambda: count_afterstates(rows, dice, rules, threads=threads))
    playing = _median(repeats, lambda: random_games(GAMES, rules, seed=_SEED, threads=threads))
    return Speed(rules.name, generate / PAIRS * 1e9, counting / PAIRS * 1e9, GAMES / playing)


def turns(rules: Rules) -> tuple[Rows, Dice]:
    """Rows of random games with the rolls played from them, shuffled: (PAIRS, 28) and (PAIRS, 2)."""
    games = random_games(PAIRS // _TURNS, rules, seed=_SEED, record=("positions", "dice"))
    assert games.positions is not None and games.dice is not None
    order = np.random.default_rng(_SEED).permutation(PAIRS)
    return games.positions[order], games.dice[order]


def _median(repeats: int, work: Callable[[], object]) -> float:
    """Seconds of one run of `work`."""
    work()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return median(times)


def _table(speeds: list[Speed]) -> Table:
    header = ("variant", "list ns", "count ns", "games/s")
    texts = [(f"{s.generate_ns:.1f}", f"{s.count_ns:.1f}", f"{s.games_per_second:,.0f}") for s in speeds]
    return Table(header, [(s.variant, *cells) for s, cells in zip(speeds, texts, strict=True)])

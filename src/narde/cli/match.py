"""`narde match A B`: which of two players is better, and by how many points a game."""

from __future__ import annotations

import argparse
from math import isfinite, isnan
from typing import Final

from narde import __version__
from narde.cli import OK
from narde.cli.arguments import add_output_options
from narde.cli.output import Table, plus_minus, short_count, show, show_json
from narde.cli.progress import Speed, progress
from narde.cli.selfplay import add_games, not_finished, options_of
from narde.duels import Duel, duel
from narde.rules import rules
from narde.stats import Estimate

PAIRS: Final = 1_000
HEADER: Final = ("A against B", "games", "points a game", "A wins %", "Elo")
LEGEND: Final = "± half the 95 % interval, a pair of games on the same dice counting once; above 0 A is ahead"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    text = "a player: random, pips, greedy, greedy:FILE or bearoff, with options as pips,epsilon=0.1"
    parser.add_argument("a", metavar="A", help=text)
    parser.add_argument("b", metavar="B", help="another")
    add_games(parser, PAIRS, "pairs of games")
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and show; returns the exit code."""
    speed = Speed()
    with progress(2 * arguments.games, no_color=arguments.no_color) as tell:
        found = duel(
            arguments.a,
            arguments.b,
            arguments.games,
            rules(arguments.variant or "long"),
            progress=lambda done, total: tell(speed.at(done, total), 0, done),
            **options_of(arguments),
        )
    if arguments.json:
        show_json({"narde": __version__, **found.data(), "seconds": speed.seconds})
    else:
        _show(found, arguments)
    return OK


def _show(found: Duel, arguments: argparse.Namespace) -> None:
    print(f"{len(found):,} pairs of games of {found.rules.name}, seed {found.seed}\n")
    cells = [
        f"{found.a} against {found.b}",
        short_count(found.points.size),
        _signed(found.advantage, 3),
        "-" if isnan(found.wins.value) else plus_minus(found.wins.scaled(100)),
        _signed(found.elo, 0),
    ]
    show(Table(HEADER, [cells]), no_color=arguments.no_color)
    print(f"\n{LEGEND}{not_finished(found.unfinished, arguments)}")


def _signed(estimate: Estimate, decimals: int) -> str:
    """The value with its sign, and half its interval where that has an end; of no value the end there is."""
    if isnan(estimate.value):
        return "-"
    if not isfinite(estimate.value):
        return f"above {estimate.low:+.0f}" if estimate.value > 0 else f"below {estimate.high:+.0f}"
    sign = "+" if estimate.value > 0 else ""
    margin = f"±{estimate.margin:.{decimals}f}" if isfinite(estimate.margin) else ""
    return f"{sign}{estimate.value:.{decimals}f}{margin}"

"""`narde selftest`: perft counts and random games of this installation against pinned ones."""

from __future__ import annotations

import argparse
import hashlib
import platform
import time
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from narde import __version__
from narde.cli import FAILED, OK
from narde.cli.arguments import add_output_options, add_threads
from narde.cli.output import Table, note, show, show_json
from narde.cli.pinned import COUNTS, DIGESTS, GAMES, POSITIONS, SEED
from narde.cli.progress import progress
from narde.games import Games, random_games
from narde.ids import parse
from narde.kernels import core
from narde.plays import perft
from narde.rules import variants

_DIGEST_LENGTH: Final = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_threads(parser)
    add_output_options(parser)


@dataclass(frozen=True)
class Check:
    """One thing that was computed, and what it should be."""

    variant: str
    what: str
    expected: int | str
    found: int | str

    @property
    def passed(self) -> bool:
        """Whether both agree."""
        return self.found == self.expected


def run(arguments: argparse.Namespace) -> int:
    """Check everything and show it; returns the exit code."""
    begin = time.perf_counter()
    checks: list[Check] = []
    with progress(len(variants()), no_color=arguments.no_color) as tell:
        for i, variant in enumerate(variants()):
            tell(variant, i, 0)
            checks += [*perft_checks(variant, arguments.threads), games_check(variant, arguments.threads)]
    failed = [check for check in checks if not check.passed]
    if arguments.json:
        show_json(build() | {"passed": not failed, "checks": [vars(check) for check in checks]})
    else:
        _show(checks, time.perf_counter() - begin, arguments.no_color)
    for check in failed:
        note(f"{check.variant}, {check.what}: expected {check.expected}, found {check.found}")
    return FAILED if failed else OK


def perft_checks(variant: str, threads: int) -> list[Check]:
    """The sequences from each pinned position, depth by depth."""
    checks = []
    for name, counts in COUNTS[variant].items():
        row = parse(POSITIONS[name]).row
        for depth, expected in enumerate(counts, 1):
            found = perft(row, depth, variant, threads=threads)
            checks.append(Check(variant, f"{name}, depth {depth}", expected, found))
    return checks


def games_check(variant: str, threads: int) -> Check:
    """The games of a seed, which are the same on every machine."""
    found = digest(random_games(GAMES, variant, seed=SEED, threads=threads))
    return Check(variant, f"{GAMES} random games of seed {SEED}", DIGESTS[variant], found)


def digest(games: Games) -> str:
    """A short hash of winners, points and lengths, in one byte order."""
    columns = (games.winner, games.points, games.lengths.astype("<i4"))
    return hashlib.sha256(b"".join(column.tobytes() for column in columns)).hexdigest()[:_DIGEST_LENGTH]


def build() -> dict[str, Any]:
    """What is installed, for a report of a fault."""
    return {
        "narde": __version__,
        "core": core.__name__.removeprefix("narde."),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def _show(checks: list[Check], seconds: float, no_color: bool) -> None:
    print(", ".join(f"{name} {version}" for name, version in build().items()) + "\n")
    rows = [_cells(name, [check for check in checks if check.variant == name]) for name in variants()]
    show(Table(("variant", "checks", "sequences", "result"), rows), no_color=no_color)
    failed = sum(not check.passed for check in checks)
    verdict = f"{failed} of {len(checks)} checks failed" if failed else f"{len(checks)} checks passed"
    print(f"\n{verdict} in {seconds:.1f} s")


def _cells(variant: str, checks: list[Check]) -> tuple[str, ...]:
    """The row of one variant, with the sequences of plays that were counted."""
    counted = sum(check.found for check in checks if isinstance(check.found, int))
    result = "ok" if all(check.passed for check in checks) else "FAILED"
    return (variant, str(len(checks)), f"{counted:,}", result)

"""`narde perft`: how many sequences of rolls and plays lead on from a position, for comparing generators."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from narde.cli import OK
from narde.cli.arguments import (
    START,
    Question,
    add_output_options,
    add_threads,
    add_variant,
    count_to,
    question,
)
from narde.cli.output import Table, note, show, show_json
from narde.cli.progress import progress
from narde.errors import INTERRUPTED
from narde.ids import describe_row
from narde.plays import MAX_DEPTH, perft


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "words",
        metavar="POSITION",
        nargs="*",
        default=[START],
        help="'start' (the default), a position ID or the 28 numbers of a row",
    )
    parser.add_argument(
        "--depth", metavar="N", type=count_to(MAX_DEPTH), default=2, help="plies to count (default: 2)"
    )
    add_variant(parser)
    add_threads(parser)
    add_output_options(parser)


@dataclass(frozen=True)
class _Count:
    depth: int
    sequences: int
    seconds: float


def run(arguments: argparse.Namespace) -> int:
    """Count depth by depth; an interrupt leaves the depths that are finished. Returns the exit code."""
    asked = question(arguments.words or [START], arguments.variant, with_dice=False)
    counts: list[_Count] = []
    code = OK
    try:
        with progress(arguments.depth, no_color=arguments.no_color) as tell:
            for depth in range(1, arguments.depth + 1):
                tell(f"depth {depth}", depth - 1, 0)
                counts.append(_count(asked, depth, arguments.threads))
    except KeyboardInterrupt:
        code = INTERRUPTED
    _report(arguments, asked, counts)
    if code == INTERRUPTED:
        note(f"interrupted at depth {len(counts) + 1}")
    return code


def _count(asked: Question, depth: int, threads: int) -> _Count:
    begin = time.perf_counter()
    sequences = perft(asked.row, depth, asked.rules, threads=threads)
    return _Count(depth, sequences, time.perf_counter() - begin)


def _report(arguments: argparse.Namespace, asked: Question, counts: list[_Count]) -> None:
    if arguments.json:
        position = {"variant": asked.rules.name, "id": describe_row(asked.row, asked.rules)}
        show_json(position | {"perft": [vars(one) for one in counts]})
    elif counts:
        rows = [(str(one.depth), f"{one.sequences:,}", f"{one.seconds:.3f}") for one in counts]
        show(Table(("depth", "sequences", "seconds"), rows), no_color=arguments.no_color)

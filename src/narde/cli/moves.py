"""`narde moves`: the legal plays of a position with a roll, one a line, in their fixed order."""

from __future__ import annotations

import argparse
from typing import Any

from narde.cli import OK
from narde.cli.arguments import Question, add_output_options, add_variant, question
from narde.cli.output import show_json
from narde.ids import describe_row
from narde.notation import format_play
from narde.plays import Afterstates, afterstates


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "words",
        metavar="POSITION DICE",
        nargs="+",
        help="'start', a position ID or the 28 numbers of a row, then the roll as 65 or 6 5",
    )
    add_variant(parser)
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the plays; returns the exit code."""
    asked = question(arguments.words, arguments.variant, with_dice=True)
    found = afterstates(asked.row, asked.dice or (), asked.rules, moves=True)
    plays = [_play(asked, found, i) for i in range(len(found.positions))]
    if arguments.json:
        show_json(_data(asked, plays))
    else:
        print("\n".join(play["play"] for play in plays))
    return OK


def _play(asked: Question, found: Afterstates, i: int) -> dict[str, Any]:
    assert found.moves is not None
    moves = [move for move in found.moves[i].tolist() if move[0] >= 0]
    text = format_play(asked.row, found.moves[i], asked.rules)
    return {"play": text, "moves": moves, "afterstate": found.positions[i].tolist()}


def _data(asked: Question, plays: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "variant": asked.rules.name,
        "id": describe_row(asked.row, asked.rules),
        "row": asked.row.tolist(),
        "dice": asked.dice,
        "plays": plays,
    }

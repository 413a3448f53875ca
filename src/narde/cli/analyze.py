"""`narde analyze`: a position, its cube, and the plays of a roll, by what an evaluator says of them."""

from __future__ import annotations

import argparse

from narde.cli import OK
from narde.cli.arguments import add_output_options, add_variant, count
from narde.cli.evaluating import add_evaluator, add_position, asked_setup, check_roll, chosen_evaluator
from narde.cli.output import show, show_json
from narde.rollouts import analyze


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_position(parser, roll="for its plays the roll, as 65 or 6 5")
    add_variant(parser)
    add_evaluator(parser)
    parser.add_argument("--top", metavar="N", type=count, help="show the best N plays only")
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Weigh the position and the plays and show them; returns the exit code."""
    setup = asked_setup(arguments)
    check_roll(setup, arguments, "top")
    evaluator = chosen_evaluator(arguments.evaluator, setup.rules)
    found = analyze(setup, setup.dice, evaluator, plies=arguments.plies)
    if arguments.json:
        show_json(found.data())
        return OK
    print(found.heading())
    if found.dice is not None:
        print()
        show(found.table(arguments.top), no_color=arguments.no_color)
    return OK

"""`narde analyze`: the plays of a roll, the best first, by what an evaluator says of them."""

from __future__ import annotations

import argparse

from narde.cli import OK
from narde.cli.arguments import add_output_options, add_variant, count
from narde.cli.evaluating import add_evaluator, add_position, asked_setup, chosen_evaluator
from narde.cli.output import show, show_json
from narde.errors import InvalidDiceError
from narde.rollouts import analyze


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_position(parser, roll="the roll, as 65 or 6 5")
    add_variant(parser)
    add_evaluator(parser)
    parser.add_argument("--top", metavar="N", type=count, help="show the best N plays only")
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Weigh the plays and show them; returns the exit code."""
    setup = asked_setup(arguments)
    if setup.dice is None:
        raise InvalidDiceError("no roll: give two dice from 1 to 6, such as 65 or 6 5")
    evaluator = chosen_evaluator(arguments.evaluator, setup.rules)
    found = analyze(setup, setup.dice, evaluator, plies=arguments.plies)
    if arguments.json:
        show_json(found.data())
        return OK
    roll = "-".join(map(str, found.dice))
    print(f"{len(found)} play{'s' if len(found) > 1 else ''} for {roll}\n")
    show(found.table(arguments.top), no_color=arguments.no_color)
    return OK

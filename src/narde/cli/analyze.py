"""`narde analyze`: a position, its cube, and the plays of a roll, by what an evaluator says of them."""

from __future__ import annotations

import argparse

from narde.cli import OK
from narde.cli.arguments import add_output_options, add_variant, count
from narde.cli.evaluating import add_evaluator, add_position, asked_setup, chosen_evaluator
from narde.cli.output import show, show_json
from narde.rollouts import analyze
from narde.rollouts.result import short_names
from narde.rollouts.spread import Floats
from narde.rules import Rules


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
    evaluator = chosen_evaluator(arguments.evaluator, setup.rules)
    found = analyze(setup, setup.dice, evaluator, plies=arguments.plies)
    if arguments.json:
        show_json(found.data())
        return OK
    print(f"before the roll: equity {found.equity:+.4f}, {chances_told(found.chances, found.rules)}")
    if found.cube is not None:
        print(f"\n{found.cube}")
    if found.dice is not None:
        roll = "-".join(map(str, found.dice))
        print(f"\n{len(found)} play{'s' if len(found) > 1 else ''} for {roll}\n")
        show(found.table(arguments.top), no_color=arguments.no_color)
    return OK


def chances_told(chances: Floats, rules: Rules) -> str:
    """The chances that the rules score, in a line."""
    return ", ".join(f"{name} {100 * chances[i]:.2f} %" for name, i in short_names(rules).items())

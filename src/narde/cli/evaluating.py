"""Evaluators as they are named on the command line."""

from __future__ import annotations

import argparse

from narde import evaluators
from narde.cli.arguments import whole_setup
from narde.errors import InvalidArgumentError, shown
from narde.evaluators import Evaluator
from narde.evaluators.loading import ENDINGS
from narde.ids import Setup
from narde.rules import Rules

PIPS = "pips"
"""The word for the evaluator that knows the pips of a race alone."""


def add_evaluator(parser: argparse.ArgumentParser) -> None:
    """`--evaluator` and `--plies`."""
    parser.add_argument(
        "--evaluator",
        metavar="NAME",
        help=f"what weighs positions: a file of weights (.narde, .onnx), or {PIPS!r}, a race by pips "
        "(default: the network of the package)",
    )
    parser.add_argument(
        "--plies", metavar="N", type=int, default=0, help="turns that plays look ahead, 0 to 3 (default: 0)"
    )


def add_position(parser: argparse.ArgumentParser, *, roll: str) -> None:
    """The position, and the roll behind it or after `--dice`."""
    text = f"'start', a position ID or the 28 numbers of a row, then {roll}"
    parser.add_argument("words", metavar="POSITION", nargs="*", help=text)
    parser.add_argument("--dice", metavar="DIE", nargs="+", help="the roll, as 65 or 6 5")


def asked_setup(arguments: argparse.Namespace) -> Setup:
    """The position with whatever is told of it; raises what `whole_setup` raises."""
    return whole_setup(arguments.words, arguments.variant, arguments.dice)


def check_roll(setup: Setup, arguments: argparse.Namespace, *names: str) -> None:
    """Raise `InvalidArgumentError` where one of these options, all about plays, is given without a roll."""
    for name in names:
        if setup.dice is None and getattr(arguments, name):
            raise InvalidArgumentError(f"--{name} is about the plays of a roll: give one, as 65 or 6 5")


def chosen_evaluator(name: str | None, rules: Rules) -> Evaluator:
    """The evaluator of a name, or the package's own; raises what `narde.evaluators.load` raises."""
    if name is None:
        return evaluators.default(rules)
    if name == PIPS:
        return evaluators.race(rules)
    if not name.lower().endswith(ENDINGS):
        raise InvalidArgumentError(
            f"--evaluator {shown(name)}: give {PIPS!r} or a file {' or '.join(ENDINGS)}, "
            "or leave it out for the network of the package"
        )
    return evaluators.load(name)

"""Evaluators as they are named on the command line."""

from __future__ import annotations

import argparse
from typing import Any

from narde import evaluators
from narde.cli.arguments import whole_setup
from narde.errors import InvalidArgumentError
from narde.evaluators import Evaluator
from narde.ids import Setup
from narde.rules import Rules

PIPS = "pips"
"""The word for the evaluator that knows the pips of a race alone."""


def add_evaluator(parser: argparse.ArgumentParser) -> None:
    """`--evaluator` and `--plies`."""
    parser.add_argument(
        "--evaluator",
        metavar="NAME",
        help=f"what weighs positions: a file of weights (.narde, .onnx), or {PIPS!r} (a race by pips)",
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


def chosen_evaluator(name: str | None, rules: Rules) -> Evaluator:
    """The evaluator of a name; raises `InvalidArgumentError`, and what `narde.evaluators.load` raises."""
    if name == PIPS:
        return evaluators.race(rules)
    if name is not None:
        return evaluators.load(name)
    default: Any = getattr(evaluators, "default", None)
    if default is None:
        raise InvalidArgumentError(f"no evaluator: give --evaluator FILE, or --evaluator {PIPS}")
    found: Evaluator = default(rules)
    return found

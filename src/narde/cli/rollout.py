"""`narde rollout`: the equity of a position, or of the plays of a roll, from games that are played out."""

from __future__ import annotations

import argparse
from typing import Any

from narde.cli import OK
from narde.cli.arguments import add_output_options, add_threads, add_variant, count, positive, whole
from narde.cli.evaluating import add_evaluator, add_position, asked_setup, check_roll, chosen_evaluator
from narde.cli.output import note, show, show_json
from narde.cli.progress import progress
from narde.ids import Setup
from narde.rollouts import PlayRollouts, Rollout, rollout, rollout_plays
from narde.rollouts.asking import TRIALS
from narde.rollouts.cubes import CubeAt
from narde.rollouts.of_plays import TOP
from narde.rollouts.result import BEYOND


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_position(parser, roll="for the plays of a roll that roll, as 65 or 6 5")
    add_variant(parser)
    add_evaluator(parser)
    number: Any = {"metavar": "N", "type": count}
    parser.add_argument("-n", "--trials", **number, default=TRIALS, help=f"games (default: {TRIALS})")
    parser.add_argument("--seed", metavar="N", type=whole, default=1, help="seed of the dice (default: 1)")
    parser.add_argument("--truncate", **number, help="end a game after so many turns by the evaluator")
    parser.add_argument("--error", metavar="E", type=positive, help="stop at such a standard error of equity")
    parser.add_argument(
        "--clear",
        metavar="D",
        type=positive,
        help="stop when the best play leads by D joint standard deviations",
    )
    parser.add_argument("--top", **number, help=f"roll out the best N plays (default: {TOP})")
    parser.add_argument("--all", action="store_true", help="roll out all plays")
    parser.add_argument(
        "--no-variance-reduction", action="store_true", help="count the games as they end, luck and all"
    )
    parser.add_argument("--no-bearoff", action="store_true", help="do without the bear-off tables")
    parser.add_argument(
        "--checkpoint", metavar="FILE", help="keep what is finished in FILE, and go on from it"
    )
    add_threads(parser)
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Roll out and show; returns the exit code."""
    setup = asked_setup(arguments)
    check_roll(setup, arguments, "clear", "top", "all")
    cube = CubeAt.of(setup, setup.rules)
    evaluator = chosen_evaluator(arguments.evaluator, setup.rules)
    with progress(arguments.trials, no_color=arguments.no_color) as tell:
        options = _options(arguments, lambda done, total: tell("trials", 0, done))
        try:
            found = _roll_out(setup, evaluator, arguments, options)
        except KeyboardInterrupt:
            if arguments.checkpoint:
                note(
                    f"finished trials are kept in {arguments.checkpoint}: the same command goes on from there"
                )
            raise
    if arguments.json:
        show_json(found.data())
    elif isinstance(found, PlayRollouts):
        _show_plays(found, arguments)
    else:
        _show_position(found, cube, arguments)
    return OK


def _options(arguments: argparse.Namespace, tell: Any) -> dict[str, Any]:
    """The options that both kinds of rollouts take."""
    return {
        "trials": arguments.trials,
        "seed": arguments.seed,
        "truncate": arguments.truncate,
        "variance_reduction": not arguments.no_variance_reduction,
        "plies": arguments.plies,
        "bearoff": not arguments.no_bearoff,
        "standard_error": arguments.error,
        "threads": arguments.threads,
        "progress": tell,
        "checkpoint": arguments.checkpoint,
    }


def _roll_out(
    setup: Setup, evaluator: Any, arguments: argparse.Namespace, options: dict[str, Any]
) -> Rollout | PlayRollouts:
    """The position, or where there is a roll its plays."""
    if setup.dice is None:
        return rollout(setup, evaluator, **options)
    top = None if arguments.all else arguments.top or TOP
    return rollout_plays(setup, setup.dice, evaluator, top=top, clear=arguments.clear, **options)


def _show_position(found: Rollout, cube: CubeAt, arguments: argparse.Namespace) -> None:
    show(found.table(), no_color=arguments.no_color)
    print(f"\n{found.told()}")
    if cube.rules.cube:
        print(f"\n{cube.decision(found.chances) or cube.hindrance}")


def _show_plays(found: PlayRollouts, arguments: argparse.Namespace) -> None:
    roll = "-".join(map(str, found.dice))
    plays = f"{len(found)} plays" if len(found) > 1 else "the play"
    print(f"{plays} for {roll}, {found.trials:,} trial{'s' if found.trials > 1 else ''} each\n")
    show(found.table(), no_color=arguments.no_color)
    if len(found) > 1:
        print(f"\nthe best leads by {found.clear_by:.1f} joint standard deviations or more")
    if any(play.rollout.is_beyond for play in found):
        print(f"\n{BEYOND}")

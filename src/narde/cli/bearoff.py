"""`narde bearoff`: what the bear-off tables say of a race: chances, rolls to go, effective pip counts."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from narde._tables import Table
from narde.bearoff_db import bearoff
from narde.board import flip, pips
from narde.cli import OK
from narde.cli.arguments import Question, add_output_options, add_threads, add_variant, question
from narde.cli.output import show, show_json
from narde.errors import NotCoveredError
from narde.ids import describe_row
from narde.rollouts.result import CHANCES, chance_names

_PIPS_A_ROLL = 49 / 6
_UNLIKELY = 5e-5
"""Chances below are printed as none."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    text = "a position ID or the 28 numbers of a row, both sides home"
    parser.add_argument("words", metavar="POSITION", nargs="+", help=text)
    add_variant(parser)
    add_threads(parser)
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Look up and show; returns the exit code."""
    asked = question(arguments.words, arguments.variant, with_dice=False)
    tables = bearoff(asked.rules, threads=arguments.threads)
    sides = {"mover": asked.row, "opponent": flip(asked.row, asked.rules)}
    found = {name: _side(tables, row, asked) for name, row in sides.items()}
    chances = tables.chances(asked.row) if bool(tables.covers(asked.row)) else None
    if chances is None and not any(found.values()):
        tables.chances(asked.row)  # which tells why not
    if arguments.json:
        show_json(_data(asked, tables, found, chances))
        return OK
    show(_table(found), no_color=arguments.no_color)
    if chances is not None:
        print()
        kind = "exactly" if bool(tables.exact(asked.row)) else "if both play for the fewest rolls"
        print(f"equity {float(tables.equity(asked.row)):+.4f} for the mover, {kind}")
        for name, i in chance_names(asked.rules).items():
            print(f"{name:16} {100 * chances[i]:6.2f} %")
    return OK


def _side(tables: Any, row: Any, asked: Question) -> dict[str, Any] | None:
    """What is said of the mover of a row alone; None where he is not bearing off."""
    try:
        chances = tables.dist(row)
    except NotCoveredError:
        return None
    epc = float(tables.epc(row))
    return {
        "pips": int(pips(row, asked.rules)[0]),
        "epc": epc,
        "mean_rolls": epc / _PIPS_A_ROLL,
        "rolls": chances.tolist(),
    }


def _table(found: dict[str, dict[str, Any] | None]) -> Table:
    """A column for each side: pips, effective pips, rolls, and the chance of each number of rolls."""
    sides = {name: side for name, side in found.items() if side is not None}
    rows = [
        ["pips", *(f"{side['pips']}" for side in sides.values())],
        ["effective pips", *(f"{side['epc']:.2f}" for side in sides.values())],
        ["mean rolls", *(f"{side['mean_rolls']:.3f}" for side in sides.values())],
    ]
    by_rolls = np.array([side["rolls"] for side in sides.values()])
    likely = np.flatnonzero((by_rolls >= _UNLIKELY).any(axis=0))
    for n in range(likely[0], likely[-1] + 1):
        rows.append([f"{n} rolls %", *(f"{100 * chance:.2f}" for chance in by_rolls[:, n])])
    return Table(["", *sides], rows)


def _data(asked: Question, tables: Any, found: dict[str, Any], chances: Any) -> dict[str, Any]:
    told = None if chances is None else dict(zip(CHANCES, chances.tolist(), strict=True))
    return {
        "variant": asked.rules.name,
        "id": describe_row(asked.row, asked.rules),
        "row": asked.row.tolist(),
        **found,
        "chances": told,
        "equity": None if chances is None else float(tables.equity(asked.row)),
        "exact": bool(tables.exact(asked.row)),
    }

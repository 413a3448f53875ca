"""`narde replay`: a record stepped through at a terminal, or shown whole."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from narde.cli import OK
from narde.cli.arguments import add_output_options, count
from narde.cli.output import show_json
from narde.errors import InvalidArgumentError
from narde.records import MatchRecord, RecordError
from narde.terminal.console import Console
from narde.terminal.recorded import STDIN, head_of, load_record, pictures_of
from narde.terminal.stepper import Stepper
from narde.terminal.words import names_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("file", metavar="FILE", help="a record, a match kept by narde play, or - for a pipe")
    parser.add_argument(
        "--from",
        dest="form",
        metavar="FORM",
        help="the form of the record (default: by the name of the file)",
    )
    parser.add_argument("--game", metavar="N", type=count, help="begin at game N; with --all show it alone")
    parser.add_argument(
        "--all", action="store_true", help="show every picture at once, as is done where nobody can type"
    )
    parser.add_argument("--no-boards", action="store_true", help="with --all: only what was done, in words")
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the record; where it goes wrong, what is sound before that; returns the exit code."""
    record, fault = _record(arguments.file, arguments.form)
    if arguments.json:
        show_json(_data(record, fault))
    else:
        _show(record, arguments, fault)
    if fault is not None:
        raise fault
    return OK


def _record(file: str, form: str | None) -> tuple[MatchRecord, RecordError | None]:
    """The record, or the sound part of it and what is wrong behind that."""
    try:
        return load_record(file, form), None
    except RecordError as fault:
        if fault.record is None or not fault.record.games:
            raise
        return fault.record, fault


def _show(record: MatchRecord, arguments: argparse.Namespace, fault: RecordError | None) -> None:
    console = Console(colour=False if arguments.no_color else None)
    pictures = list(pictures_of(record))
    if not pictures:
        raise InvalidArgumentError(f"{arguments.file}: the record has no turns")
    if fault is not None:
        line = f"Here the record goes wrong: {str(fault).splitlines()[0]}"
        pictures[-1] = replace(pictures[-1], lines=(*pictures[-1].lines, line))
    stepper = Stepper(pictures, names_of(record.players), console)
    console.say("\n".join(head_of(record)))
    if console.is_interactive and not arguments.all and arguments.file != STDIN:
        stepper.run(arguments.game)
    else:
        stepper.show_all(arguments.game, boards=not arguments.no_boards)


def _data(record: MatchRecord, fault: RecordError | None) -> dict[str, Any]:
    """The record and every step of it."""
    steps = [
        {
            "game": step.game,
            "turn": step.turn,
            "player": step.player,
            "action": step.event.action,
            "text": step.text,
            "position": step.before.setup().id(),
            "comment": step.comment,
        }
        for step in record.steps()
    ]
    return {"record": record.to_json(), "steps": steps, "fault": None if fault is None else str(fault)}

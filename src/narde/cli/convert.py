"""`narde convert`: records from one form into another, and position IDs too."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from narde._files import as_path
from narde.cli import OK
from narde.cli.arguments import add_output_options, add_variant, whole_setup
from narde.cli.output import note, show_json
from narde.errors import InvalidArgumentError, NardeError, NotationError
from narde.ids import Setup
from narde.records import MatchRecord, RecordError, encode_record, write_record
from narde.terminal.recorded import STDIN, is_file, load_record
from narde.terminal.setups import FORMS, ids_of

STDOUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "words",
        metavar="IN [OUT]",
        nargs="+",
        help="two files of records, '-' being a pipe; or a position ID, 28 numbers or 'start'",
    )
    parser.add_argument("--from", dest="source", metavar="FORM", help="the form of IN (default: by its name)")
    parser.add_argument(
        "--to", metavar="FORM", help="the form of OUT (default: by its name), or that of the ID"
    )
    parser.add_argument("--force", action="store_true", help="write over OUT if it exists")
    parser.add_argument(
        "--sound-part", action="store_true", help="where IN goes wrong, keep what is sound before that"
    )
    add_variant(parser)
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Convert; returns the exit code."""
    if _is_file(arguments.words[0], arguments.source):
        return _convert_record(arguments)
    return _convert_id(arguments)


def _is_file(word: str, form: str | None) -> bool:
    return word == STDIN or form is not None or is_file(word)


# ---- position IDs ------------------------------------------------------------------------------------------


def _convert_id(arguments: argparse.Namespace) -> int:
    ids = _ids(arguments)
    if arguments.json:
        show_json({"ids": ids})
    elif arguments.to is not None:
        print(ids[arguments.to])
    else:
        print("\n".join(f"{form:5} {text}" for form, text in ids.items()))
    return OK


def _ids(arguments: argparse.Namespace) -> dict[str, str]:
    """The ID in the form that is wanted, or in all that can hold it."""
    setup = _setup(arguments)
    if arguments.to is None:
        return ids_of(setup)
    if arguments.to not in FORMS:
        raise InvalidArgumentError(f"--to {arguments.to}: an ID has one of the forms {', '.join(FORMS)}")
    return {arguments.to: setup.id(arguments.to)}


def _setup(arguments: argparse.Namespace) -> Setup:
    try:
        return whole_setup(arguments.words, arguments.variant)
    except NotationError as fault:
        word = arguments.words[0]
        if len(arguments.words) == 2:
            _refuse_position(*arguments.words)
        if Path(word).suffix or len(arguments.words) == 2:
            raise NotationError(f"{word!r} is no file here, and no position ID either") from None
        raise fault


def _refuse_position(word: str, target: str) -> None:
    """Raise `InvalidArgumentError` if what should be written into a file is no record but a position."""
    try:
        whole_setup([word], None)
    except NardeError:
        return
    raise InvalidArgumentError(f"{word!r} is a position and no record: leave {target!r} out to see its IDs")


# ---- records -----------------------------------------------------------------------------------------------


def _convert_record(arguments: argparse.Namespace) -> int:
    source, target = _paths(arguments.words)
    if arguments.variant is not None:
        raise InvalidArgumentError("--variant: a record has its rules with it")
    _check_target(source, target, arguments)
    record, fault = _sound(source, arguments)
    if target == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(encode_record(record, arguments.to))
    else:
        write_record(record, as_path(target), format=arguments.to)
    if arguments.json:
        show_json(_data(record, target, fault))
    if fault is not None:
        note(f"only the sound part was kept: {fault}")
    return OK


def _paths(words: list[str]) -> tuple[str, str]:
    if len(words) > 2:
        raise InvalidArgumentError(f"{len(words)} files: name one to read and one to write")
    return words[0], words[1] if len(words) == 2 else STDOUT


def _check_target(source: str, target: str, arguments: argparse.Namespace) -> None:
    """Refuse what could only fail, or destroy something, after the work."""
    if target == STDOUT:
        if arguments.to is None:
            raise InvalidArgumentError(
                "no file to write: name one, or a form for the output, as in --to narde"
            )
        if arguments.json:
            raise InvalidArgumentError("--json: the output is the record itself, name a file to write it to")
    elif is_file(target) and not arguments.force:
        raise InvalidArgumentError(f"{target} exists: name another file, or use --force to write over it")


def _sound(source: str, arguments: argparse.Namespace) -> tuple[MatchRecord, RecordError | None]:
    """The record, or if wanted the sound part of it and what is wrong behind that."""
    try:
        return load_record(source, arguments.source), None
    except RecordError as fault:
        if not arguments.sound_part or fault.record is None:
            raise
        return fault.record, fault


def _data(record: MatchRecord, target: str, fault: NardeError | None) -> dict[str, Any]:
    return {
        "file": target,
        "variant": record.rules.name,
        "players": record.players,
        "games": len(record.games),
        "turns": sum(len(game.turns) for game in record.games),
        "fault": None if fault is None else str(fault),
    }

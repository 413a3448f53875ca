"""`narde play`: a match in the terminal, a person against another or against a player of the program."""

from __future__ import annotations

import argparse
import secrets
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from narde._files import as_path
from narde.cli import OK
from narde.cli.arguments import add_output_options, add_variant, count, whole
from narde.cli.output import note, show_json
from narde.cube import MoneyOptions
from narde.draw._words import clean
from narde.errors import INTERRUPTED, InvalidArgumentError, NardeError
from narde.match import Match
from narde.records import write_record
from narde.rules import rules
from narde.terminal.console import Console, EndOfInput
from narde.terminal.dialogue import Quit
from narde.terminal.keeper import DEFAULT, Keeper, new_file
from narde.terminal.players import PERSON
from narde.terminal.recorded import is_record, load_record
from narde.terminal.session import Session
from narde.terminal.table import HAND, SEED, Table, load_table

_FOR_MONEY = ("jacoby", "beavers", "automatic_doubles")
_NEW = ("names", "variant", "length", *_FOR_MONEY)
"""Options that begin a match, which a resumed one has already."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "players",
        metavar="PLAYER",
        nargs="*",
        help=f"'{PERSON}', 'random', 'pips', 'greedy', the network of the package, 'greedy:FILE', that of a"
        " file, or 'bearoff', who bears off perfectly; two, or only who plays against you (default: random)",
    )
    parser.add_argument("--names", metavar="NAME", nargs=2, help="the names of the two")
    add_variant(parser)
    parser.add_argument(
        "--length", metavar="N", type=count, help="a match to N points (default: money, game by game)"
    )
    parser.add_argument("--jacoby", action="store_true", help="money: gammons count only with a turned cube")
    parser.add_argument("--beavers", action="store_true", help="money: a double may be doubled at once")
    parser.add_argument(
        "--automatic-doubles", metavar="N", type=count, help="money: so many opening ties turn the cube"
    )
    _add_course(parser)
    add_output_options(parser)


def _add_course(parser: argparse.ArgumentParser) -> None:
    """Where the dice come from, and what is kept where."""
    parser.add_argument("--seed", metavar="N", type=whole, help="seed of the dice (default: a new one)")
    parser.add_argument("--dice", metavar="FROM", help=f"'{HAND}', to type every roll, or a file of rolls")
    parser.add_argument("--confirm", action="store_true", help="show each play before it counts")
    parser.add_argument(
        "--save", metavar="FILE", type=Path, help=f"keep the match in FILE (default: {DEFAULT}, numbered)"
    )
    parser.add_argument("--no-save", action="store_true", help="keep nothing on disk")
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="write the record in FILE too: .narde, .mat, .sgf, ..."
    )
    parser.add_argument(
        "--resume", metavar="FILE", type=Path, help="go on with the match in FILE: kept, or a record"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play; returns the exit code."""
    table, old = _table(arguments)
    keeper = Keeper(_file(arguments, old))
    console = Console(
        stdout=sys.stderr if arguments.json else None, colour=False if arguments.no_color else None
    )
    session = Session(table, console, keeper, confirm=arguments.confirm)
    _write_record(table, arguments)
    try:
        code = _play(session)
    finally:
        _write_record(session.table, arguments)
    if arguments.json:
        show_json(_data(session.table, keeper))
    if keeper.fault is not None:
        raise keeper.fault
    return code


def _play(session: Session) -> int:
    """Play to the end of the match, or until the person stops; what was played is kept in any case."""
    try:
        session.run()
        return OK
    except (Quit, EndOfInput):
        _stop(session)
        return OK
    except KeyboardInterrupt:
        session.console.say()
        _stop(session)
        note("interrupted")
        return INTERRUPTED
    except NardeError:
        _stop(session)
        raise
    except BaseException:  # the terminal is gone, say
        session.keeper.keep(session.table)
        raise


def _stop(session: Session) -> None:
    """Keep what was played and say how to go on with it."""
    session.keep()
    if session.keeper.resuming:
        session.console.say(f"kept; go on with: {session.keeper.resuming}")


def _write_record(table: Table, arguments: argparse.Namespace) -> None:
    """Write the record if wanted: before the match, to refuse a form that cannot hold it, and after it."""
    if arguments.record is not None:
        write_record(table.record(), as_path(arguments.record))


def _table(arguments: argparse.Namespace) -> tuple[Table, Path | None]:
    """The match to be played, and the file in which it is kept already."""
    if arguments.resume is None:
        return _new(arguments), None
    if is_record(arguments.resume):
        return _from_record(arguments), None
    return _resumed(arguments), as_path(arguments.resume)


def _new(arguments: argparse.Namespace) -> Table:
    """A match before its first game. Raises `InvalidArgumentError`, `InvalidRulesError`, `StorageError`."""
    seats = _seats(arguments.players)
    money = MoneyOptions(
        jacoby=arguments.jacoby,
        beavers=arguments.beavers,
        automatic_doubles=arguments.automatic_doubles or 0,
    )
    variant = arguments.variant or "long"
    if money != MoneyOptions() and (arguments.length is not None or not rules(variant).cube):
        named = next(name for name in _FOR_MONEY if getattr(arguments, name)).replace("_", "-")
        raise InvalidArgumentError(
            f"--{named}: for money, with a cube: leave out --length, use --variant short"
        )
    names = _names(arguments.names, seats)
    match = Match.begin(arguments.length, variant, players=names, money=money)
    return _begun(match, seats, date.today().isoformat(), arguments)


def _from_record(arguments: argparse.Namespace) -> Table:
    """The match of a record, to go on where it stands; it is kept in a file of its own."""
    _refuse(arguments, _NEW)
    record = load_record(str(arguments.resume))
    return _begun(record.to_match(), _seats(arguments.players), record.date, arguments)


def _begun(match: Match, seats: tuple[str, str], day: str, arguments: argparse.Namespace) -> Table:
    """A match at the board, with dice as they are asked for, by default of a new seed."""
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    return _with_dice(Table(match, seats, seed, begun=day), arguments)


def _refuse(arguments: argparse.Namespace, names: tuple[str, ...]) -> None:
    """Raise `InvalidArgumentError` for what a match that has begun knows itself."""
    for name in names:
        if getattr(arguments, name):
            named = name if name == "players" else f"--{name.replace('_', '-')}"
            raise InvalidArgumentError(f"{named}: a resumed match has its own, leave it out")


def _resumed(arguments: argparse.Namespace) -> Table:
    """The match of a file of `narde play`, with other dice where they are named."""
    table = load_table(arguments.resume)  # first of all: that there is no such file is what matters
    _refuse(arguments, ("players", *_NEW))
    if arguments.seed is not None:
        table = replace(table, seed=arguments.seed, dice=SEED, taken=0)
    return _with_dice(table, arguments)


def _with_dice(table: Table, arguments: argparse.Namespace) -> Table:
    if arguments.dice is None:
        return table
    dice = HAND if arguments.dice == HAND else str(as_path(arguments.dice).resolve())
    return replace(table, dice=dice, taken=0)


def _seats(players: list[str]) -> tuple[str, str]:
    """Who sits where; one alone is the opponent of a person. Somebody must be one."""
    if len(players) > 2:
        raise InvalidArgumentError(f"{len(players)} players: two play, such as person random")
    first, second = players if len(players) == 2 else (PERSON, *players, "random")[:2]
    if PERSON not in (first, second):
        raise InvalidArgumentError(f"{first} and {second}: one of the two must be a {PERSON}, who types")
    return first, second


def _names(names: list[str] | None, seats: tuple[str, str]) -> tuple[str, str]:
    """The names as given, else those of the seats."""
    if names is None:
        return ("player 1", "player 2") if seats[0] == seats[1] else seats
    first, second = (clean("--names", name) for name in names)
    if not first or not second or first == second:
        raise InvalidArgumentError(f"--names {first!r} {second!r}: give two that differ")
    return first, second


def _file(arguments: argparse.Namespace, old: Path | None) -> Path | None:
    """Where the match is kept: as is asked for, in the old file, or in a new one."""
    if arguments.record is not None and old is None and arguments.record.exists():
        raise InvalidArgumentError(f"--record {arguments.record}: it exists, name another file")
    if arguments.no_save:
        if arguments.save is not None:
            raise InvalidArgumentError("--save and --no-save: use one of them")
        return None
    if old is not None and arguments.save is None:
        return old
    return new_file(None if arguments.save is None else as_path(arguments.save))


def _data(table: Table, keeper: Keeper) -> dict[str, Any]:
    """How the match stands, for other programs."""
    match = table.match
    return {
        "variant": match.rules.name,
        "players": match.players,
        "length": match.length,
        "score": match.score.points,
        "winner": match.winner,
        "games": [
            {"turns": len(game.turns), "result": game.result and vars(game.result)} for game in match.games
        ],
        "seed": table.seed,
        "file": None if keeper.path is None else str(keeper.path),
    }

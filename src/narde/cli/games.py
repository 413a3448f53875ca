"""`narde games`: many random games, what came of them, and the games on disk."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from narde import __version__
from narde.cli import OK
from narde.cli.arguments import add_output_options, add_threads, add_variants, chosen_rules, count_to, whole
from narde.cli.blocks import Order, play_blocks
from narde.cli.interrupt import stopping
from narde.cli.output import note, show, show_json
from narde.cli.progress import Tell, progress
from narde.cli.summary import LEGEND, Summary, summarise, table
from narde.errors import INTERRUPTED, InvalidArgumentError, NardeError, StorageError
from narde.games import COLUMNS, MAX_GAMES, Games
from narde.rules import Rules, variants
from narde.storage import prepare_target, save_games

GAMES: Final = 200_000
GAMES_RECORDED: Final = 10_000
"""Games a variant by default: a game takes 6 bytes, with everything recorded some 6,000."""
FOLDER: Final = "narde-games"
SUFFIXES: Final = (".npz", ".parquet")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "-n",
        "--games",
        metavar="N",
        type=count_to(MAX_GAMES),
        help=f"games of each variant (default: {GAMES}, with --record {GAMES_RECORDED})",
    )
    add_variants(parser, "all of them")
    parser.add_argument(
        "--seed", metavar="N", type=whole, default=1, help="seed of dice and choices (default: 1)"
    )
    add_threads(parser)
    parser.add_argument(
        "--out",
        metavar="PATH",
        help=f"a folder, or for one variant a file ending in .npz or .parquet (default: {FOLDER})",
    )
    parser.add_argument("--format", choices=["npz", "parquet"], help="files in a folder (default: npz)")
    parser.add_argument("--no-save", action="store_true", help="keep nothing on disk")
    parser.add_argument(
        "--record",
        metavar="COLUMNS",
        nargs="?",
        const=",".join(COLUMNS),
        default="",
        help=f"keep also, for every turn, any of {','.join(COLUMNS)} (no value: all)",
    )
    add_output_options(parser)


@dataclass
class Run:
    """What has been played so far, and where it was kept."""

    summaries: list[Summary] = field(default_factory=list)
    files: list[Path | None] = field(default_factory=list)
    stopped: bool = False
    fault: NardeError | None = None


class OutOfMemoryError(NardeError, MemoryError):
    """There is no memory for all the games asked for."""


def run(arguments: argparse.Namespace) -> int:
    """Play, keep and show; returns the exit code."""
    _refuse_without_files(arguments)
    wanted = chosen_rules(arguments.variant, variants())
    record = tuple(arguments.record.replace(",", " ").split())
    n = arguments.games or (GAMES_RECORDED if record else GAMES)
    order = Order(n, arguments.seed, arguments.threads, record)
    order.play(wanted[0], 0, 0)  # no games, to have bad values refused before the work
    targets = {} if arguments.no_save else _targets(arguments.out or FOLDER, arguments.format, wanted)
    with stopping() as stopped, progress(n * len(wanted), no_color=arguments.no_color) as tell:
        done = _play_all(order, wanted, targets, stopped, tell)
    _report(arguments, done, n, len(wanted))
    if done.fault:
        raise done.fault
    return INTERRUPTED if done.stopped else OK


def _refuse_without_files(arguments: argparse.Namespace) -> None:
    """Raise `InvalidArgumentError` for an option of files where none is kept."""
    for name in ("record", "format", "out"):
        if arguments.no_save and getattr(arguments, name):
            raise InvalidArgumentError(f"--{name} and --no-save: use one of them")


def _play_all(
    order: Order, wanted: list[Rules], targets: dict[Rules, Path], stopped: Callable[[], bool], tell: Tell
) -> Run:
    """Play and keep one variant after another until Ctrl-C, a lack of memory or a file that cannot be written
    ends it."""
    done = Run()
    for i, rules in enumerate(wanted):
        played = play_blocks(order, rules, stopped, partial(tell, rules.name, i * order.n))
        if played.stopped and order.record:
            note("interrupted: saving what is finished; Ctrl-C again gives it up")
        if played.blocks:
            games, sizes = played.games(), played.sizes
            played.blocks.clear()  # no second copy while the file is made
            done.summaries.append(summarise(games, sizes, played.seconds))
            _keep(games, targets.get(rules), done)
            if played.short and not done.fault:
                done.fault = _out_of_memory(order, rules, len(games))
        elif played.short:
            done.fault = _out_of_memory(order, rules, 0)
        done.stopped = played.stopped
        if done.stopped or done.fault:
            break
    return done


def _out_of_memory(order: Order, rules: Rules, n: int) -> OutOfMemoryError:
    """What the user is told who asked for more games than the n for which there is memory."""
    games = f"{n:,} of {order.n:,} games of {rules.name}"
    remedy = ", or leave out --record" if order.record else ""
    return OutOfMemoryError(f"out of memory with {games}: ask for fewer{remedy}")


def _keep(games: Games, target: Path | None, done: Run) -> None:
    """Save the games where a target is named; a fault is kept for the end, after the table."""
    done.files.append(None)
    if target is not None:
        try:
            done.files[-1] = save_games(games, target)
        except StorageError as fault:
            done.fault = fault
        except MemoryError:
            done.fault = OutOfMemoryError(f"out of memory while {target} was written: ask for fewer games")


def _targets(out: str, suffix: str | None, wanted: list[Rules]) -> dict[Rules, Path]:
    """The file of each variant, proved writable; raises `InvalidArgumentError`, `StorageError`."""
    path = Path(out)
    is_folder = os.path.isdir(path)  # noqa: PTH112 (`Path.is_dir` raises for a name that is too long)
    as_folder = is_folder or out.endswith(os.sep) or not path.suffix
    if as_folder:
        targets = {rules: path / f"{rules.name}.{suffix or 'npz'}" for rules in wanted}
    elif path.suffix not in SUFFIXES:
        raise InvalidArgumentError(
            f"--out {out}: a file of games ends in .npz or .parquet, a folder in {os.sep}"
        )
    elif len(wanted) > 1:
        raise InvalidArgumentError(f"--out {out}: one file cannot hold {len(wanted)} variants, name a folder")
    elif suffix not in (None, path.suffix[1:]):
        raise InvalidArgumentError(
            f"--out {out} is no {suffix} file: leave out --format, or name it .{suffix}"
        )
    else:
        targets = {wanted[0]: path}
    for target in targets.values():
        prepare_target(target)
    return targets


def _report(arguments: argparse.Namespace, done: Run, n: int, wanted: int) -> None:
    """Say what came of the games, whole or interrupted."""
    if arguments.json:
        show_json(_data(arguments, done))
    elif done.summaries:
        threads = f"{arguments.threads} thread{'s' if arguments.threads > 1 else ''}"
        print(f"{n:,} random games a variant, seed {arguments.seed}, {threads}\n")
        show(table(done.summaries), no_color=arguments.no_color)
        print(f"\n{LEGEND}")
        _say_where([file for file in done.files if file])
    if done.stopped:
        played = sum(summary.games for summary in done.summaries)
        kept = "kept" if any(done.files) else "played"
        note(f"interrupted: {kept} {played:,} of {n * wanted:,} games")


def _say_where(files: list[Path]) -> None:
    if len(files) == 1:
        print(f"saved as {files[0]}")
    elif files:
        print(f"saved in {files[0].parent}: {', '.join(file.name for file in files)}")


def _data(arguments: argparse.Namespace, done: Run) -> dict[str, Any]:
    played = zip(done.summaries, done.files, strict=True)
    return {
        "narde": __version__,
        "seed": arguments.seed,
        "threads": arguments.threads,
        "interrupted": done.stopped,
        "variants": [summary.data() | {"file": file and str(file)} for summary, file in played],
    }

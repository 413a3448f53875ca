"""`narde selfplay`: many games between players, what came of them, and shards on disk to train on."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from narde import __version__
from narde._formats import COMPRESSIONS
from narde.cli import OK
from narde.cli.arguments import add_output_options, add_threads, add_variant, count, count_to, whole
from narde.cli.output import Table, note, plus_minus, short_count, show, show_json
from narde.cli.progress import Speed, progress
from narde.errors import InvalidArgumentError
from narde.games import MAX_GAMES, Games
from narde.players import Player
from narde.players import player as player_of
from narde.rules import Rules, rules
from narde.selfplay import RECORDED, TURNS, Shards, self_play
from narde.selfplay.manifest import results_of
from narde.stats import share_interval

GAMES: Final = 10_000
_PART: Final = re.compile(r"(\d+)/(\d+)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "player", help="random, pips, greedy, greedy:FILE or bearoff, with options as pips,epsilon=0.1"
    )
    parser.add_argument("--opponent", metavar="PLAYER", help="who plays second (default: the player himself)")
    add_games(parser, GAMES, "games")
    every = ",".join(RECORDED)
    parser.add_argument(
        "--record",
        metavar="COLUMNS",
        nargs="?",
        const="all",
        default="",
        help=f"keep of every turn any of {every} (no value: all that the players have)",
    )
    parser.add_argument("--out", metavar="FOLDER", help="keep the games there, in shards with a manifest")
    parser.add_argument("--format", choices=["npz", "parquet"], help="the shards' (default: npz)")
    parser.add_argument("--compression", choices=COMPRESSIONS, help="of Parquet shards (default: none)")
    parser.add_argument(
        "--games-per-shard",
        metavar="N",
        type=count,
        help="games of a shard (default: as many whole batches as make a file of fair size)",
    )
    parser.add_argument(
        "--shard",
        metavar="I/K",
        type=_part,
        default=(0, 1),
        help="play part I of K, from 0; parts are of whole shards: of fewer shards than K some have no "
        "games, see --batch, --games-per-shard",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the run in the folder, if there is one"
    )
    add_output_options(parser)


def add_games(parser: argparse.ArgumentParser, default: int, what: str) -> None:
    """What all commands take that play many games between players."""
    number: Any = {"metavar": "N"}
    parser.add_argument(
        "-n",
        "--games",
        **number,
        type=count_to(MAX_GAMES),
        default=default,
        help=f"{what} (default: {default})",
    )
    add_variant(parser)
    parser.add_argument("--seed", **number, type=whole, default=1, help="of dice and choices (default: 1)")
    parser.add_argument(
        "--first", **number, type=whole, default=0, help="number of the first game (default: 0)"
    )
    add_threads(parser)
    parser.add_argument(
        "--batch", **number, type=count, help="games played at once (default: 1024 in the core, else 2048)"
    )
    parser.add_argument(
        "--max-turns",
        **number,
        type=count,
        default=TURNS,
        help=f"where a game is given up (default: {TURNS})",
    )


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `add_games` as those of `self_play` and `duel`."""
    names = ("seed", "first", "threads", "batch", "max_turns")
    return {name: getattr(arguments, name) for name in names}


@dataclass(frozen=True)
class Result:
    """What came of a run: of all its games, and of those that were played now."""

    rules: Rules
    games: int
    turns: int
    starter: list[int]
    second: list[int]
    played: int
    seconds: float

    @property
    def nobody(self) -> int:
        """Games that nobody won: they did not end, since the rules of the command know no draws."""
        return self.games - sum(self.starter) - sum(self.second)

    def cells(self) -> list[str]:
        """The row of the table; shares are of the games that ended."""
        won = [a + b for a, b in zip(self.starter, self.second, strict=True)]
        counts = [sum(self.starter), sum(won[1:]) if self.rules.mars > 1 else None]
        counts.append(sum(won[2:]) if self.rules.koks else None)
        n = sum(won)
        shares = ["-" if k is None or not n else plus_minus(share_interval(k, n).scaled(100)) for k in counts]
        rate = f"{self.played / self.seconds:,.0f}" if self.played else "-"
        turns = f"{self.turns / self.games:.2f}" if self.games else "-"
        return [self.rules.name, short_count(self.games), rate, turns, *shares]


def not_finished(n: int, arguments: argparse.Namespace) -> str:
    """A line about games that were given up, to follow the table; empty without any."""
    if not n:
        return ""
    games, turns = (
        f"{k:,} {name}{'s' * (k > 1)}" for k, name in ((n, "game"), (arguments.max_turns, "turn"))
    )
    return f"\n{games} not finished after {turns}, left out of shares and points"


HEADER: Final = ("variant", "games", "games/s", "turns", "starter %", "mars %", "koks %")


def run(arguments: argparse.Namespace) -> int:
    """Play, keep and show; returns the exit code."""
    _refuse_without_folder(arguments)
    players = [player_of(name) for name in (arguments.player, arguments.opponent) if name is not None]
    speed = Speed()
    with progress(arguments.games, no_color=arguments.no_color) as tell:
        found = _played(arguments, players, lambda done, total: tell(speed.at(done, total), 0, done))
    _report(arguments, players, found, speed)
    return OK


def _played(
    arguments: argparse.Namespace, players: list[Player], told: Callable[[int, int], None]
) -> Games | Shards:
    """The games, in memory or, with --out, on disk."""
    try:
        found: Games | Shards = self_play(
            arguments.games,
            players[0],
            rules(arguments.variant or "long"),
            opponent=players[-1],
            record=_columns(arguments, players),
            out=arguments.out,
            format=arguments.format,
            compression=arguments.compression,
            games_per_shard=arguments.games_per_shard,
            shard=arguments.shard,
            resume=arguments.resume,
            progress=told,
            **options_of(arguments),
        )
    except KeyboardInterrupt:
        if arguments.out:
            note(f"finished shards are kept in {arguments.out}: the same command with --resume goes on")
        raise
    return found


def _refuse_without_folder(arguments: argparse.Namespace) -> None:
    """Raise `InvalidArgumentError` for an option of games on disk where they are not kept."""
    for name in ("record", "format", "compression", "games_per_shard", "resume"):
        if getattr(arguments, name) and arguments.out is None:
            raise InvalidArgumentError(
                f"--{name.replace('_', '-')} without --out: name a folder for the games"
            )


def _columns(arguments: argparse.Namespace, players: list[Player]) -> tuple[str, ...]:
    """The columns to record."""
    if arguments.record == "all":
        return RECORDED if all(player.has_values for player in players) else RECORDED[:-1]
    return tuple(arguments.record.replace(",", " ").split())


def _report(
    arguments: argparse.Namespace, players: list[Player], found: Games | Shards, speed: Speed
) -> None:
    """Say what came of the games."""
    result = _result(found, rules(arguments.variant or "long"), speed)
    repaired = list(found.repaired) if isinstance(found, Shards) else []
    for fault in repaired:
        note(f"warning: {fault}: its games were played again")
    if arguments.json:
        show_json(_data(arguments, players, found, result) | {"repaired": repaired})
        return
    names = " against ".join(map(str, players))
    print(f"{result.games:,} games of {names}, seed {arguments.seed}\n")
    show(Table(HEADER, [result.cells()]), no_color=arguments.no_color)
    if result.nobody:
        print(not_finished(result.nobody, arguments))
    if isinstance(found, Shards):
        print(f"\n{len(found)} shards in {found.folder}")


def _result(found: Games | Shards, rule: Rules, speed: Speed) -> Result:
    entries = [results_of(found)] if isinstance(found, Games) else found.entries
    turns = sum(entry["turns"] for entry in entries)
    starter, second = (
        [sum(column) for column in zip(*(entry[seat] for entry in entries), strict=True)] or [0, 0, 0]
        for seat in ("starter", "second")
    )
    games = len(found) if isinstance(found, Games) else found.n
    return Result(rule, games, turns, starter, second, speed.done, speed.seconds)


def _data(
    arguments: argparse.Namespace, players: list[Player], found: Games | Shards, result: Result
) -> dict[str, Any]:
    return {
        "narde": __version__,
        "players": [str(player) for player in (players[0], players[-1])],
        "variant": result.rules.name,
        "seed": arguments.seed,
        "first": arguments.first,
        "games": result.games,
        "turns": result.turns,
        "starter_won_by_points": result.starter,
        "second_won_by_points": result.second,
        "nobody": result.nobody,
        "played": result.played,
        "seconds": result.seconds,
        "games_per_second": result.played / result.seconds,
        "folder": None if isinstance(found, Games) else str(found.folder),
        "shards": None if isinstance(found, Games) else len(found),
    }


def _part(text: str) -> tuple[int, int]:
    """`3/16`, the fourth of 16 parts."""
    match = _PART.fullmatch(text.strip())
    if not match or int(match[1]) >= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is no part: write I/K, as 0/8 for the first of 8")
    return int(match[1]), int(match[2])

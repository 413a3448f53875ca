"""Self-play at scale: many games between players, in memory or on disk in shards that a broken run goes on
with.

`units` plays a few games, `incore` within the core and `lockstep` in NumPy, where `choosing` asks the
players; `plan` cuts a run into shards and units, `running` plays it, `alone` in its folder, `manifest` and
`shards` are its files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Literal, overload

from narde.errors import InvalidArgumentError, is_one_of, shown
from narde.evaluators import Evaluator
from narde.executors import ExecutorSource
from narde.games import MAX_TURNS, Games, checked_columns
from narde.kernels import as_flag, as_threads, as_whole_number, check_progress
from narde.players import Player
from narde.players import player as player_of
from narde.players.base import under_rules
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.selfplay.manifest import Layout
from narde.selfplay.plan import plan_of
from narde.selfplay.running import Workers, play_in_memory, play_into
from narde.selfplay.shards import Shards, load_shards
from narde.selfplay.units import RECORDED, Task

__all__ = ["RECORDED", "Shards", "load_shards", "self_play"]

TURNS = 10_000
"""Turns of a game by default at most: players who hit whatever they can may never come to an end."""

Format = Literal["npz", "parquet"]
Compression = Literal["none", "zstd"]


@overload
def self_play(
    n: int,
    player: str | Player | Evaluator,
    rules: str | Rules = "long",
    *,
    seed: int,
    opponent: str | Player | Evaluator | None = None,
    first: int = 0,
    record: Iterable[str] = (),
    out: None = None,
    format: None = None,
    compression: None = None,
    games_per_shard: int | None = None,
    shard: tuple[int, int] = (0, 1),
    resume: bool = False,
    threads: int = 1,
    executor: ExecutorSource | None = None,
    batch: int | None = None,
    max_turns: int = TURNS,
    progress: Callable[[int, int], None] | None = None,
) -> Games: ...
@overload
def self_play(
    n: int,
    player: str | Player | Evaluator,
    rules: str | Rules = "long",
    *,
    seed: int,
    opponent: str | Player | Evaluator | None = None,
    first: int = 0,
    record: Iterable[str] = (),
    out: str | os.PathLike[str],
    format: Format | None = None,
    compression: Compression | None = None,
    games_per_shard: int | None = None,
    shard: tuple[int, int] = (0, 1),
    resume: bool = False,
    threads: int = 1,
    executor: ExecutorSource | None = None,
    batch: int | None = None,
    max_turns: int = TURNS,
    progress: Callable[[int, int], None] | None = None,
) -> Shards: ...
def self_play(
    n: int,
    player: str | Player | Evaluator,
    rules: str | Rules = "long",
    *,
    seed: int,
    opponent: str | Player | Evaluator | None = None,
    first: int = 0,
    record: Iterable[str] = (),
    out: str | os.PathLike[str] | None = None,
    format: Format | None = None,
    compression: Compression | None = None,
    games_per_shard: int | None = None,
    shard: tuple[int, int] = (0, 1),
    resume: bool = False,
    threads: int = 1,
    executor: ExecutorSource | None = None,
    batch: int | None = None,
    max_turns: int = TURNS,
    progress: Callable[[int, int], None] | None = None,
) -> Games | Shards:
    """Play the games first, first + 1, ... first + n - 1 of the seed, with a player on both sides, or two.

    player, opponent: names or evaluators, see `narde.player`. `opponent` plays second; without him `player`
    plays both sides. Dice and choices of game g depend on (seed, g) alone, see `narde.streams`; random
    players give the games of `random_games`.

    `record` names columns to keep of every turn: "positions", "dice", "chosen", and "values": what the
    afterstate chosen is worth in points to the one who chose it, by his own evaluator.

    Without `out` the result is `Games` in memory. `out` is a folder, made where it is missing, for shards of
    `games_per_shard` games (`format` "npz" or "parquet", whose `compression` is "none" or "zstd", see
    `narde.save_games`) with a manifest; the result is `Shards`, and memory does not grow with n. resume=True
    goes on with a run that was broken off, and plays again what is damaged: the bytes are those of a run
    without a break. Without a run in the folder it begins one.

    `shard=(i, k)` plays part i of k, counted from 0: jobs of an array write into one folder. Parts are of
    whole shards, by default of whole batches each: of a run of fewer shards than jobs some have no games.

    Players that the core can play (random, a `Network` without plies or temperature) play whole games there.
    Others play `batch` games at once, with one call of the evaluator a turn. `batch` games (1,024 in the
    core, 2,048 otherwise) are the unit of work: of `threads`, or of an `executor` (see
    `narde.executors.run_units`). None of them changes the games, unless an evaluator's answers depend on what
    stands beside a row, as those by matrix products may in the last bit: then `first`, `n`, `batch` and
    `games_per_shard` do, since a unit ends where its shard ends.

    A game that is not over after `max_turns` turns is left unfinished: nobody has won it.

    `progress(done, total)` is called at the beginning, some ten times a second, and at the end.

    Raises `InvalidArgumentError`, `EvaluatorError` naming the position, `IllegalPlayError` for a player
    of your own, `StorageError` naming the file: finished shards are kept whatever ends the run.
    """
    task = _task(player, opponent, rules, seed, record, max_turns)
    plan = plan_of(task, n, first, batch, games_per_shard, shard)
    workers = Workers(as_threads(threads), executor)
    check_progress(progress)
    resume = as_flag(resume, "resume")
    if out is not None:
        return play_into(out, _layout(format, compression), plan, workers, resume, progress)
    if resume or format is not None or compression is not None:
        raise InvalidArgumentError(
            "resume, format and compression are for games on disk: name a folder by out="
        )
    return play_in_memory(plan, workers, progress)


def _task(
    player: str | Player | Evaluator,
    opponent: str | Player | Evaluator | None,
    rules: str | Rules,
    seed: int,
    record: Iterable[str],
    max_turns: int,
) -> Task:
    """Who plays what; raises `InvalidArgumentError` for players who cannot."""
    rule = rules_of(rules)
    starter = under_rules(player_of(player), rule)
    second = starter if opponent is None else under_rules(player_of(opponent), rule)
    wanted = checked_columns(record, RECORDED)
    for one in (starter, second):
        one.check_rules(rule)
        if "values" in wanted and not one.has_values:
            raise InvalidArgumentError(f"the player {one} weighs nothing: do not record values")
    seed = as_whole_number(seed, "seed", 0, 2**128 - 1)
    return Task(starter, second, rule, seed, wanted, as_whole_number(max_turns, "max_turns", 1, MAX_TURNS))


def _layout(format: str | None, compression: str | None) -> Layout:
    """How the files of a format are written."""
    if not (format is None or is_one_of(format, ("npz", "parquet"))):
        raise InvalidArgumentError(f"format is {shown(format)}: use 'npz' or 'parquet'")
    if format == "parquet":
        return Layout(".parquet", "none" if compression is None else compression)
    return Layout(".npz", None if isinstance(compression, str) and compression == "none" else compression)

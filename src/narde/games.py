"""Random games by the million: each turn takes any of the distinct afterstates with the same chance.

Game g of a seed is the same whatever the threads, the number of games or the machine. Its dice are the Philox
stream `np.random.Philox(key=seed, counter=[0, g, 0, 0]).random_raw()`, a word a turn; its choices the stream
with counter [0, g, 1, 0]. A word w is the number w * n >> 64 below n: a roll below 36 is the dice r // 6 + 1
and r % 6 + 1; the kept opening is below 30, the first die r // 5 + 1 and the second one of the other five; a
choice is the afterstate's index."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde import _games
from narde.board import Rows, W, starting_row
from narde.errors import InvalidArgumentError, is_one_of, shown
from narde.kernels import as_threads, as_whole_number, check_progress, core, in_chunks, packed
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.streams import key_of

COLUMNS: Final = ("positions", "dice", "chosen")
"""What can be recorded of every turn of a random game."""

MAX_TURNS: Final = 1_000_000
"""A game that is not over by then is left unfinished: nobody has won it."""

MAX_GAMES: Final = 2**40
"""Games of one call at most; memory, 6 bytes a game, is short long before."""

_CHUNK: Final = 512
_TICK: Final = 0.1  # seconds between two reports of progress


@dataclass(frozen=True, eq=False)
class Games:
    """Games as columns, game by game and, where recorded, turn by turn.

    rules: What they were played by.
    seed: What they were made from, with their numbers.
    first: The number of the first game; game i of the columns is game first + i of the seed.
    winner: int8 (n,): 0 the starter won, 1 the second player, -1 nobody (a draw by the last roll, or
        unfinished).
    points: int8 (n,): points won, 1, 2 for mars (gammon), 3 for koks (backgammon) where it counts; 0 if
        nobody won.
    lengths: int32 (n,): turns of both players, passes included.
    offsets: int64 (n + 1,), if turns were recorded: game i owns the turns offsets[i]:offsets[i + 1] of the
        columns below.
    positions: int8 (T, 28): the row before the turn, seen by the player who rolls.
    dice: int8 (T, 2): the dice as rolled.
    chosen: int8 (T, 28): the afterstate chosen, seen by the player who rolls next.
    values: float32 (T,): what it is worth, in points, to the one who chose it, as he sees it; see
        `narde.self_play`.
    """

    rules: Rules
    seed: int
    first: int
    winner: npt.NDArray[np.int8]
    points: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64] | None = None
    positions: Rows | None = None
    dice: npt.NDArray[np.int8] | None = None
    chosen: Rows | None = None
    values: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.winner)


def random_games(
    n: int,
    rules: str | Rules = "long",
    *,
    seed: int,
    threads: int = 1,
    first: int = 0,
    record: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Games:
    """Play n random games: the games first, first + 1, ... of the seed.

    seed: 0 to 2**128 - 1. `record` names columns to keep, of "positions", "dice", "chosen". `progress(done,
    total)` is called some ten times a second, from the caller's thread, and once at the end.

    Raises `InvalidArgumentError`, `InvalidRulesError`.
    """
    rule = rules_of(rules)
    n = as_whole_number(n, "n", 0, MAX_GAMES)
    first = as_whole_number(first, "first", 0, 2**62)
    key = key_of(seed)
    wanted, threads = checked_columns(record, COLUMNS), as_threads(threads)
    check_progress(progress)
    winner, points, lengths = (_column((n,), kind, n) for kind in (np.int8, np.int8, np.int32))
    start = starting_row(rule)

    player = core.turn_player()

    def play(begin: int, end: int) -> None:
        results = winner[begin:end], points[begin:end], lengths[begin:end]
        _games.play_games(player, player, start, packed(rule), key, first + begin, MAX_TURNS, *results)

    _run(n, threads, play, progress, 0.5 if wanted else 1.0)
    results = winner, points, lengths
    turns = _record(wanted, results, rule, key, first, threads, progress) if wanted else {}
    if progress is not None:
        progress(n, n)
    return Games(rule, int(seed), first, winner, points, lengths, **turns)


def join_games(parts: Sequence[Games]) -> Games:
    """Runs of neighbouring games of one seed as one; raises `InvalidArgumentError` if they do not fit
    together."""
    if not isinstance(parts, Sequence) or not parts or not all(isinstance(part, Games) for part in parts):
        raise InvalidArgumentError(f"parts is {shown(parts)}: pass a list of results of random_games")
    for one, next_ in pairwise(parts):
        if (next_.rules, next_.seed, next_.first) != (one.rules, one.seed, one.first + len(one)):
            raise InvalidArgumentError(f"games from {next_.first} do not continue those from {one.first}")
    columns = {field.name: [getattr(part, field.name) for part in parts] for field in fields(Games)[3:]}
    if any((a is None) != (b is None) for values in columns.values() for a, b in pairwise(values)):
        raise InvalidArgumentError("parts with and without recorded columns cannot be joined")
    columns["offsets"] = _joined_offsets(columns["offsets"])
    joined: dict[str, Any] = {
        name: None if values[0] is None else np.concatenate(values) for name, values in columns.items()
    }
    return Games(parts[0].rules, parts[0].seed, parts[0].first, **joined)


def cut_games(games: Games, start: int, end: int) -> Games:
    """Games start to end - 1 of those, counted from 0; the columns are not copied."""
    taken = {name: getattr(games, name)[start:end] for name in ("winner", "points", "lengths")}
    if games.offsets is not None:
        offsets = games.offsets[start : end + 1]
        turns = slice(offsets[0], offsets[-1])
        columns = {name: getattr(games, name) for name in (*COLUMNS, "values")}
        taken |= {name: None if column is None else column[turns] for name, column in columns.items()}
        taken["offsets"] = offsets - offsets[0]
    return Games(games.rules, games.seed, games.first + start, **taken)


def _joined_offsets(parts: list[Any]) -> list[Any]:
    """The parts' offsets, each counted from where the one before ends."""
    if parts[0] is None:
        return parts
    ends = np.cumsum([0, *(part[-1] for part in parts)])
    return [parts[0][:1], *(part[1:] + end for part, end in zip(parts, ends, strict=False))]


def _record(
    wanted: tuple[str, ...],
    results: tuple[npt.NDArray[Any], ...],
    rules: Rules,
    key: npt.NDArray[np.uint64],
    first: int,
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Any]:
    """Play the games once more, now that their lengths are known, and keep the columns of their turns."""
    n = len(results[-1])
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(results[-1], dtype=np.int64, out=offsets[1:])
    widths = {"positions": W, "dice": 2, "chosen": W}
    columns = {
        name: _column((int(offsets[-1]) if name in wanted else 0, widths[name]), np.int8, n)
        for name in COLUMNS
    }
    start, player = starting_row(rules), core.turn_player()

    def play(begin: int, end: int) -> None:
        turns = slice(offsets[begin], offsets[end])
        again = (column[begin:end] for column in results)
        places = (column[turns] for column in columns.values())
        room = int(offsets[end] - offsets[begin])
        games: tuple[Any, ...] = (start, packed(rules), key, first + begin, MAX_TURNS, *again)
        turns_of: tuple[Any, ...] = (room, *places, np.empty(0, np.float32))
        _games.record_games(player, player, *(games + turns_of))

    _run(n, threads, play, progress, 0.5, done_before=0.5)
    return {"offsets": offsets, **{name: columns[name] for name in wanted}}


def _column(shape: tuple[int, ...], kind: type[np.generic], n: int) -> npt.NDArray[Any]:
    """Memory for a column; raises `InvalidArgumentError` where the machine has not as much."""
    try:
        return np.empty(shape, kind)
    except MemoryError as fault:
        remedy = "play fewer at a time, the next ones with first="
        raise InvalidArgumentError(f"n is {n}: no memory for so many games ({fault}), {remedy}") from None


def _run(
    n: int,
    threads: int,
    work: Callable[[int, int], None],
    progress: Callable[[int, int], None] | None,
    share: float,
    done_before: float = 0.0,
) -> None:
    """Let `work` play all games, reporting progress; the run is `share` of the whole, after `done_before` of
    it."""
    told = time.monotonic()
    for _, stop, _ in in_chunks(n, _CHUNK, threads, work):
        now = time.monotonic()
        if progress is not None and now - told >= _TICK and stop < n:
            told = now
            progress(int(n * done_before + stop * share), n)


def checked_columns(record: Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """The columns named, each once and in the order of those known; raises `InvalidArgumentError`."""
    try:
        names = (record,) if isinstance(record, str) else tuple(record)
    except TypeError:
        raise InvalidArgumentError(f"record is {shown(record)}: name any of {', '.join(known)}") from None
    for name in names:
        if not is_one_of(name, known):
            raise InvalidArgumentError(f"record names {shown(name)}: use any of {', '.join(known)}")
    return tuple(name for name in known if name in names)

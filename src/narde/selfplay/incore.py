"""Whole games inside the core, between players that need no Python."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde._games import play_games, record_games
from narde.board import W, starting_row
from narde.games import COLUMNS, Games, join_games
from narde.kernels import check_stopped, packed
from narde.rules import Rules
from narde.streams import key_of

Results = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]

_AT_ONCE: Final = 64
"""Games between which the core comes up for Ctrl-C."""
_TURNS: Final = 112
"""Turns a game for which room is made at first, somewhat above the mean of long nardy."""
_ROOM: Final = 2**19
"""Turns for which room is made at most, unless one game has more."""


def play_in_core(
    capsules: tuple[object, object],
    rules: Rules,
    seed: int,
    first: int,
    n: int,
    max_turns: int,
    record: tuple[str, ...],
) -> Games:
    """The games first to first + n - 1 of the seed between two turn players, the starter and the second."""
    before = *capsules, starting_row(rules), packed(rules), key_of(seed)
    if not record:
        return Games(rules, seed, first, *_played((*before, first, max_turns), n))
    parts: list[Games] = []
    room = max(1, min(n * _TURNS, _ROOM))
    done = 0
    while not parts or done < n:
        results, columns = _results(n - done), _columns(record, room)
        played = _record((*before, first + done, max_turns), results, columns, room)
        if not played and done < n:
            room *= 2  # the game is longer than that
            continue
        winner, points, lengths = (column[:played] for column in results)
        kept: dict[str, Any] = {"offsets": np.append(0, np.cumsum(lengths, dtype=np.int64))}
        kept |= {name: _used(columns[name], int(kept["offsets"][-1])) for name in record}
        parts.append(Games(rules, seed, first + done, winner, points, lengths, **kept))
        done += played
    return join_games(parts) if len(parts) > 1 else parts[0]


def _played(where: tuple[Any, ...], n: int) -> Results:
    """Play n games of which nothing is recorded but what came of them."""
    *before, first, max_turns = where
    results = _results(n)
    for done in range(0, n, _AT_ONCE):
        check_stopped()
        arguments: tuple[Any, ...] = *before, first + done, max_turns
        play_games(*arguments, *(column[done : done + _AT_ONCE] for column in results))
    return results


def _record(where: tuple[Any, ...], results: Results, columns: dict[str, npt.NDArray[Any]], room: int) -> int:
    """Play a few games at a time until all are played or there is no room; how many found room."""
    *before, first, max_turns = where
    played = used = 0
    while played < len(results[0]):
        check_stopped()
        few = [column[played : played + _AT_ONCE] for column in results]
        free = [column[used:] for column in columns.values()]
        arguments: tuple[Any, ...] = *before, first + played, max_turns, *few, room - used, *free
        found = record_games(*arguments)
        used += int(few[-1][:found].sum())
        played += found
        if found < len(few[0]):
            break
    return played


def _used(column: npt.NDArray[Any], turns: int) -> npt.NDArray[Any]:
    """The turns that were written: a copy, which costs time, only where it gives much memory back."""
    return column[:turns] if 2 * turns > len(column) else column[:turns].copy()


def _results(n: int) -> Results:
    """Columns for the winner, the points and the length of n games."""
    return np.empty(n, np.int8), np.empty(n, np.int8), np.empty(n, np.int32)


def _columns(record: tuple[str, ...], room: int) -> dict[str, npt.NDArray[Any]]:
    """Columns for so many turns, without rows where nothing is to be recorded."""
    rows = {name: room if name in record else 0 for name in (*COLUMNS, "values")}
    widths = {"positions": W, "dice": 2, "chosen": W}
    columns: dict[str, npt.NDArray[Any]] = {n: np.empty((rows[n], widths[n]), np.int8) for n in COLUMNS}
    return columns | {"values": np.empty(rows["values"], np.float32)}

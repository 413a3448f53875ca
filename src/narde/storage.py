"""Games on disk: `save_games` and `load_games`, as `.npz`, or as `.parquet` with pyarrow (extra `data`).

A file says within itself by which rules and seed its games were played, and is checked when it is read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final, cast

import numpy as np
import numpy.typing as npt

from narde._files import Summed, as_path, opened, prove_writable, replacing
from narde._formats import Columns, Meta, read, writer
from narde._rows import first_invalid
from narde.board import W, validate
from narde.errors import InvalidArgumentError, InvalidPositionError, MissingExtraError, StorageError, shown
from narde.games import Games, cut_games, join_games
from narde.kernels import packed
from narde.rules import Rules
from narde.scoring import points_by_kind

FORMAT: Final = "narde games"
SCHEMA: Final = 1
"""Version of the layout of the file; a reader refuses files of a later one."""

_GROUP: Final = 1024
"""Games whose turns are a row group of a Parquet file, some 100,000 rows: the units of self-play in the core,
which need not be joined."""

_PER_GAME: Final = {"winner": np.int8, "points": np.int8, "lengths": np.int32}
_PER_TURN: Final = {"positions": W, "dice": 2, "chosen": W}
"""The int8 columns with one row a turn, and their widths."""


def save_games(games: Games, path: str | os.PathLike[str], *, compression: str | None = None) -> Path:
    """Write the games to `path`, whose suffix, `.npz` or `.parquet`, chooses the format; returns the path.

    `compression` of a Parquet file is "none", where rows of positions stand as they are, which takes the
    least time, or "zstd", which takes some five times as long and a third of the room.

    Written beside it first and renamed when complete: an error or an interrupt leaves an older file as it is.
    Raises `InvalidArgumentError` for columns that do not fit together, another suffix or compression,
    `MissingExtraError` for Parquet without pyarrow, `StorageError` when the file cannot be written.
    """
    if not isinstance(games, Games):
        raise InvalidArgumentError(f"games is {shown(games)}: pass a result of random_games or self_play")
    target = as_path(path)
    writer(target.suffix, compression)
    faults = _faults(games)
    if faults:
        raise InvalidArgumentError(f"games cannot be saved: {'; '.join(faults)}")
    write_games([games], target, compression)
    return target


def write_games(parts: Sequence[Games], target: Path, compression: str | None = None) -> str | None:
    """The same for neighbouring games, in parts, that were just played and need no check; returns the CRC-32
    of the file where it is known without reading it again."""
    write = writer(target.suffix, compression)
    whole = _grouped(parts) if target.suffix == ".parquet" else [_joined(parts)]
    with replacing(target) as file:
        summed = Summed(file)
        write(cast(IO[bytes], summed), _meta(parts), [_columns(games) for games in whole])
    return summed.crc32


def _joined(parts: Sequence[Games]) -> Games:
    """One run of the parts, without a copy of a single one."""
    return parts[0] if len(parts) == 1 else join_games(parts)


def _grouped(parts: Sequence[Games]) -> Sequence[Games]:
    """The games in groups of `_GROUP`, so that the bytes of a file do not depend on how they were played."""
    if parts[0].offsets is None:
        return [_joined(parts)]
    if {len(games) for games in parts[:-1]} <= {_GROUP} and len(parts[-1]) <= _GROUP:
        return parts
    games = _joined(parts)
    return [cut_games(games, start, start + _GROUP) for start in range(0, max(1, len(games)), _GROUP)]


def load_games(path: str | os.PathLike[str]) -> Games:
    """The games that `save_games` wrote to `path`, after checking the file, its columns and every position.

    Raises `StorageError` for a file that is missing, cut short, damaged, of a later narde or no file of
    games, and `MissingExtraError` for a Parquet file without pyarrow.
    """
    file = as_path(path)
    try:
        with opened(file) as handle:
            games = _games(*read(handle))
    except (StorageError, MissingExtraError):
        raise
    except Exception as fault:  # whatever the zip, NumPy and Parquet readers make of damaged bytes
        if isinstance(fault, OSError) and fault.strerror:
            raise StorageError(f"cannot read {file}: {fault.strerror}") from None
        reason = " ".join(str(fault).split()) or type(fault).__name__
        raise StorageError(f"cannot read {file}: damaged, or no file of games ({reason})") from None
    faults = _faults(games)
    if faults:
        raise StorageError(f"cannot use {file}: {'; '.join(faults)}")
    return games


def prepare_target(path: str | os.PathLike[str], compression: str | None = None) -> Path:
    """Make the folder of `path` where it is missing and prove that games can be written there.

    Returns the path; raises, before long work, what `save_games` would raise after it.
    """
    target = as_path(path)
    writer(target.suffix, compression)
    prove_writable(target)
    return target


# ---- what a file says of itself ----------------------------------------------------------------------


def _columns(games: Games) -> Columns:
    """The columns that the games have, in their order in a file."""
    names = (*_PER_GAME, "offsets", *_PER_TURN, "values")
    return {name: column for name in names if (column := getattr(games, name)) is not None}


def _meta(parts: Sequence[Games]) -> Meta:
    import narde  # here, since narde itself may import this module

    games = parts[0]
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "narde": narde.__version__,
        "rules": asdict(games.rules),
        "seed": int(games.seed),
        "first": int(games.first),
        "n": sum(len(part) for part in parts),
        "columns": list(_columns(games)),
    }


def _games(meta: Meta, columns: Columns) -> Games:
    """The games of a file; raises `StorageError` for a later schema and others for what makes no games."""
    if meta.get("format") != FORMAT:
        raise ValueError(f"it does not say {FORMAT!r}")
    if meta["schema"] > SCHEMA:
        raise StorageError(f"the file is of schema {meta['schema']} by narde {meta['narde']}: upgrade narde")
    if set(meta["columns"]) != set(columns):
        raise ValueError(f"it says columns {', '.join(meta['columns'])} and holds {', '.join(columns)}")
    if meta["n"] != len(columns["winner"]):
        raise ValueError(f"it says {meta['n']} games and holds {len(columns['winner'])}")
    return Games(rules=_rules(meta["rules"]), seed=int(meta["seed"]), first=int(meta["first"]), **columns)


def _rules(fields: dict[str, Any]) -> Rules:
    return Rules(**{**fields, "match_lengths": tuple(fields["match_lengths"])})


# ---- do the columns fit together ---------------------------------------------------------------------


def _faults(games: Games) -> list[str]:
    """Why the columns are no games: types, lengths, offsets, dice, positions; empty if they are."""
    return _shape_faults(games) or [*_value_faults(games), *_row_faults(games)]


def _shape_faults(games: Games) -> list[str]:
    n = len(games.winner)
    expected: dict[str, tuple[Any, tuple[int, ...]]] = {
        name: (kind, (n,)) for name, kind in _PER_GAME.items()
    }
    if games.offsets is not None:
        turns = int(games.lengths.sum())
        expected["offsets"] = (np.int64, (n + 1,))
        expected |= {name: (np.int8, (turns, width)) for name, width in _PER_TURN.items()}
        expected["values"] = (np.float32, (turns,))
    elif any(getattr(games, name) is not None for name in (*_PER_TURN, "values")):
        return ["columns of turns need offsets"]
    return [
        f"{name} is {column.dtype} {column.shape}, expected {np.dtype(kind)} {shape}"
        for name, (kind, shape) in expected.items()
        if (column := getattr(games, name)) is not None and (column.dtype, column.shape) != (kind, shape)
    ]


def _value_faults(games: Games) -> list[str]:
    ends = np.append(0, np.cumsum(games.lengths, dtype=np.int64))
    worth = sorted(set(points_by_kind(games.rules).tolist()))
    found = {
        "winner has values outside -1 to 1": bool((abs(games.winner.astype(int)) > 1).any()),
        f"points has values other than {', '.join(map(str, worth))}": not np.isin(games.points, worth).all(),
        "points is 0 where somebody won, or more where nobody did": (
            not np.array_equal(games.winner < 0, games.points == 0)
        ),
        "lengths has values below 1": bool((games.lengths < 1).any()),
        "offsets are not the running sum of lengths": (
            games.offsets is not None and not np.array_equal(games.offsets, ends)
        ),
        "dice has values outside 1 to 6": games.dice is not None and _outside(games.dice, 1, 6),
        "values holds what is no number": games.values is not None and not np.isfinite(games.values).all(),
    }
    return [reason for reason, at_fault in found.items() if at_fault]


def _outside(values: npt.NDArray[Any], low: int, high: int) -> bool:
    return bool(((values < low) | (values > high)).any())


def _row_faults(games: Games) -> list[str]:
    """The first row of each recorded column that is no position."""
    found = (_first_bad_row(name, getattr(games, name), games.rules) for name in ("positions", "chosen"))
    return [fault for fault in found if fault]


def _first_bad_row(name: str, rows: npt.NDArray[np.int8] | None, rules: Rules) -> str:
    if rows is None:
        return ""
    i = first_invalid(np.ascontiguousarray(rows), packed(rules), 0, len(rows))
    if i < 0:
        return ""
    try:
        validate(rows[i], rules)
    except InvalidPositionError as fault:
        return f"{name} {i}: {'; '.join(fault.reasons)}"
    return f"{name} {i} is no position"

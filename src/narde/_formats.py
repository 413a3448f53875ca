"""The columns of games as `.npz` and as Parquet (extra `data`): bytes and columns, nothing about the rules.

An `.npz` holds the columns under their names in `Games` and `meta`, a JSON text. A Parquet file has one row a
game, or, where turns were recorded, one row a turn with the result of its game beside it; the JSON text
stands under the key `narde` of its schema.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import IO, Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from narde.errors import InvalidArgumentError, extra, is_one_of, shown

Columns = dict[str, npt.NDArray[Any]]
Meta = dict[str, Any]

_PARQUET_NAMES: Final = {"winner": "winner", "points": "points", "lengths": "length"}
"""Columns of games: their names in `Games`, and in the rows of a Parquet file."""
_PARQUET_ROWS: Final = {"positions": "position", "chosen": "chosen"}
"""The same for rows of 28 numbers, one a turn."""
_RUNS: Final = ("game", "turn", *_PARQUET_NAMES.values())
"""Columns of a Parquet file whose values are the same, or those of the game before, turn after turn."""
_DICE: Final = ("die1", "die2")

COMPRESSIONS: Final = ("none", "zstd")
"""How a Parquet file can be compressed: as little as is free, or all of it."""

Write = Callable[[IO[bytes], Meta, Sequence[Columns]], None]
"""Writes the columns of neighbouring games, in Parquet a row group each, in an `.npz` but one."""


def writer(suffix: str, compression: str | None = None) -> Write:
    """The function that writes the format of a suffix, `.npz` or `.parquet`; `compression` is of
    `COMPRESSIONS`, "zstd" for Parquet only; None stands for "none".

    Raises `InvalidArgumentError` for another suffix or compression and `MissingExtraError` for Parquet
    without pyarrow.
    """
    if suffix not in (".npz", ".parquet"):
        raise InvalidArgumentError(f"no format of games ends in {suffix!r}: use .npz or .parquet")
    if not (compression is None or is_one_of(compression, COMPRESSIONS)):
        raise InvalidArgumentError(f"compression is {shown(compression)}: use 'none' or 'zstd'")
    if suffix == ".parquet":
        _pyarrow()
        return partial(_write_parquet, compression=compression or "none")
    if compression == "zstd":
        raise InvalidArgumentError("compression is 'zstd': only Parquet files are compressed")
    return _write_npz


def read(handle: IO[bytes]) -> tuple[Meta, Columns]:
    """Meta and columns of an open file, whose first bytes tell the format, whatever its name says.

    Raises `MissingExtraError` for Parquet without pyarrow and many things for damaged bytes.
    """
    start = handle.read(4)
    handle.seek(0)
    if start not in _READERS:
        raise ValueError("it is neither .npz nor .parquet")
    text, columns = _READERS[start](handle)
    meta = json.loads(text)
    if not isinstance(meta, dict):
        raise ValueError("its meta text is no JSON object")
    return meta, columns


def _write_npz(file: IO[bytes], meta: Meta, parts: Sequence[Columns]) -> None:
    (columns,) = parts
    arrays: dict[str, Any] = {"meta": np.array(json.dumps(meta)), **columns}
    with zipfile.ZipFile(file, "w") as archive:  # NumPy's own leaves it open where a disk is full, before 2.3
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asarray(array), allow_pickle=False)


def _read_npz(handle: IO[bytes]) -> tuple[str, Columns]:
    with np.load(handle, allow_pickle=False) as archive:
        columns = {name: archive[name] for name in archive.files}
    return str(columns.pop("meta")), columns


def _write_parquet(file: IO[bytes], meta: Meta, parts: Sequence[Columns], compression: str) -> None:
    """Rows of positions are FixedSizeBinary(28): written and read several times as fast as lists of int8."""
    pa, parquet = _pyarrow()
    groups = _groups(pa, meta["first"], parts)
    arrays = next(groups)
    # Where nothing can be missing, Parquet need not say of every value that it is there.
    fields = [pa.field(name, array.type, nullable=False) for name, array in arrays.items()]
    text = json.dumps(meta)
    # Parquet checks its pages by checksum but not its schema, where this text stands.
    said = {"narde": text, "narde.crc32": f"{crc32(text.encode()):08x}"}
    schema = pa.schema(fields, metadata=said)
    with parquet.ParquetWriter(file, schema, **_encoding(schema.names, compression)) as out:
        for group in chain([arrays], groups):
            out.write_table(pa.table(group, schema=schema))


def _groups(pa: Any, first: int, parts: Sequence[Columns]) -> Iterator[dict[str, Any]]:
    """The columns of each part for Arrow; its games have the numbers from `first` on."""
    for columns in parts:
        rows = _turn_rows(first, columns) if "offsets" in columns else _game_rows(first, columns)
        yield {name: _arrow(pa, column) for name, column in rows.items()}
        first += len(columns["winner"])


def _encoding(names: list[str], compression: str) -> dict[str, Any]:
    """How the columns are written: beside games of some ten thousand a second every microsecond counts.

    Snappy makes less work than it saves where values repeat, and more everywhere else; differences of dice
    take half a byte instead of four. Dictionaries and statistics cost more than all of that.
    """
    codecs = {name: "snappy" if name in _RUNS else "none" for name in names}
    return {
        "compression": codecs if compression == "none" else compression,
        "column_encoding": {name: "DELTA_BINARY_PACKED" for name in names if name in _DICE} or None,
        "use_dictionary": False,
        "write_statistics": False,
        "write_page_checksum": True,
    }


def _read_parquet(handle: IO[bytes]) -> tuple[str, Columns]:
    pa, parquet = _pyarrow()
    table = parquet.ParquetFile(handle, page_checksum_verification=True).read()
    found = table.schema.metadata or {}
    text = found.get(b"narde", b"null")
    if found.get(b"narde.crc32") != f"{crc32(text):08x}".encode():
        raise ValueError("its meta text does not match its checksum")
    rows = {name: _numpy(pa, table.column(name)) for name in table.column_names}
    return text.decode(), (_from_turns(rows) if "turn" in rows else _from_games(rows))


_READERS: Final[dict[bytes, Callable[[IO[bytes]], tuple[str, Columns]]]] = {
    b"PK\x03\x04": _read_npz,
    b"PAR1": _read_parquet,
}
"""The first bytes of a file, and what reads it."""


def _game_rows(first: int, columns: Columns) -> Columns:
    """One row a game: its number, winner, points and length in turns."""
    number = first + np.arange(len(columns["winner"]), dtype=np.int64)
    return {"game": number} | {inside: columns[name] for name, inside in _PARQUET_NAMES.items()}


def _turn_rows(first: int, columns: Columns) -> Columns:
    """One row a turn: the columns of its game, its number within the game from 0, and what was recorded."""
    offsets = columns["offsets"]
    lengths = np.diff(offsets)
    rows = {name: np.repeat(column, lengths) for name, column in _game_rows(first, columns).items()}
    rows["turn"] = _numbered(offsets, lengths)
    rows |= {inside: columns[name] for name, inside in _PARQUET_ROWS.items() if name in columns}
    if "dice" in columns:
        rows |= {"die1": columns["dice"][:, 0], "die2": columns["dice"][:, 1]}
    if "values" in columns:
        rows["value"] = columns["values"]
    return rows


def _numbered(offsets: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The number of each turn within its game: one more than the last, and 0 where a game begins."""
    steps = np.ones(offsets[-1], np.int32)
    steps[offsets[:-1]] -= np.append(1, lengths[:-1]).astype(np.int32)
    return np.cumsum(steps, out=steps)


def _from_games(rows: Columns) -> Columns:
    return {name: rows[inside] for name, inside in _PARQUET_NAMES.items()}


def _from_turns(rows: Columns) -> Columns:
    """The columns of `Games` back from the rows of their turns: a game starts where `turn` is 0."""
    starts = np.flatnonzero(rows["turn"] == 0)
    columns = {name: column[starts] for name, column in _from_games(rows).items()}
    columns["offsets"] = np.append(starts, len(rows["turn"])).astype(np.int64)
    columns |= {name: rows[inside] for name, inside in _PARQUET_ROWS.items() if inside in rows}
    if "die1" in rows:
        columns["dice"] = np.stack([rows["die1"], rows["die2"]], axis=1)
    if "value" in rows:
        columns["values"] = rows["value"]
    return columns


def _arrow(pa: Any, column: npt.NDArray[Any]) -> Any:
    """The column for Arrow, not copied where it is contiguous; rows become FixedSizeBinary."""
    column = np.ascontiguousarray(column)
    if column.ndim == 1:
        return pa.array(column)
    return pa.Array.from_buffers(pa.binary(column.shape[1]), len(column), [None, pa.py_buffer(column)])


def _numpy(pa: Any, column: Any) -> npt.NDArray[Any]:
    """The column of an Arrow table as NumPy; one with missing values is refused."""
    if column.null_count:
        raise ValueError("a column has missing values")
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], column.type)
    if not pa.types.is_fixed_size_binary(array.type):
        return np.asarray(array)
    width = array.type.byte_width
    flat = np.frombuffer(array.buffers()[1] or b"", np.int8, len(array) * width, array.offset * width)
    return flat.reshape(-1, width)


def _pyarrow() -> tuple[Any, Any]:
    """The modules pyarrow and pyarrow.parquet; raises `MissingExtraError` where they are not installed."""
    message = "Parquet needs pyarrow: pip install 'narde[data]', or write .npz"
    return extra("pyarrow", message), extra("pyarrow.parquet", message)

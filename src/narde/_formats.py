"""The columns of games as `.npz` and as Parquet (extra `data`): bytes and columns, nothing about the rules.

An `.npz` holds the columns under their names in `Games` and `meta`, a JSON text. A Parquet file has one row a
game, or, where turns were recorded, one row a turn with the result of its game beside it; the JSON text
stands under the key `narde` of its schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from narde.errors import InvalidArgumentError, MissingExtraError

Columns = dict[str, npt.NDArray[Any]]
Meta = dict[str, Any]

_PARQUET_NAMES: Final = {"winner": "winner", "points": "points", "lengths": "length"}
"""Columns of games: their names in `Games`, and in the rows of a Parquet file."""
_PARQUET_ROWS: Final = {"positions": "position", "chosen": "chosen"}
"""The same for rows of 28 numbers, one a turn."""


def writer(suffix: str) -> Callable[[IO[bytes], Meta, Columns], None]:
    """The function that writes the format of a suffix, `.npz` or `.parquet`.

    Raises `InvalidArgumentError` for another suffix and `MissingExtraError` for Parquet without pyarrow.
    """
    if suffix == ".parquet":
        _pyarrow()
    try:
        return {".npz": _write_npz, ".parquet": _write_parquet}[suffix]
    except KeyError:
        message = f"no format of games ends in {suffix!r}: use .npz or .parquet"
        raise InvalidArgumentError(message) from None


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


def _write_npz(file: IO[bytes], meta: Meta, columns: Columns) -> None:
    arrays: dict[str, Any] = {"meta": np.array(json.dumps(meta)), **columns}
    np.savez(file, **arrays)


def _read_npz(handle: IO[bytes]) -> tuple[str, Columns]:
    with np.load(handle, allow_pickle=False) as archive:
        columns = {name: archive[name] for name in archive.files}
    return str(columns.pop("meta")), columns


def _write_parquet(file: IO[bytes], meta: Meta, columns: Columns) -> None:
    """Rows of positions are FixedSizeBinary(28): written and read several times as fast as lists of int8."""
    pa, parquet = _pyarrow()
    rows = _turn_rows(meta, columns) if "offsets" in columns else _game_rows(meta, columns)
    table = pa.table({name: _arrow(pa, column) for name, column in rows.items()})
    text = json.dumps(meta)
    # Parquet checks its pages by checksum but not its schema, where this text stands.
    table = table.replace_schema_metadata({"narde": text, "narde.crc32": f"{crc32(text.encode()):08x}"})
    # A dictionary and ranges pay for small whole numbers; positions and values hardly repeat. Snappy takes
    # half the time of zstd, which counts beside games of some ten thousand a second, and half as much room
    # again.
    small = [name for name, column in rows.items() if column.ndim == 1 and column.dtype.kind == "i"]
    options = {"use_dictionary": small, "write_statistics": small, "write_page_checksum": True}
    parquet.write_table(table, file, compression="snappy", **options)


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


def _game_rows(meta: Meta, columns: Columns) -> Columns:
    """One row a game: its number, winner, points and length in turns."""
    number = meta["first"] + np.arange(meta["n"], dtype=np.int64)
    return {"game": number} | {inside: columns[name] for name, inside in _PARQUET_NAMES.items()}


def _turn_rows(meta: Meta, columns: Columns) -> Columns:
    """One row a turn: the columns of its game, its number within the game from 0, and what was recorded."""
    offsets = columns["offsets"]
    lengths = np.diff(offsets)
    rows = {name: np.repeat(column, lengths) for name, column in _game_rows(meta, columns).items()}
    rows["turn"] = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
    rows |= {inside: columns[name] for name, inside in _PARQUET_ROWS.items() if name in columns}
    if "dice" in columns:
        rows |= {"die1": columns["dice"][:, 0], "die2": columns["dice"][:, 1]}
    if "values" in columns:
        rows["value"] = columns["values"]
    return rows


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
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        message = "Parquet needs pyarrow: pip install 'narde[data]', or write .npz"
        raise MissingExtraError(message) from None

"""Games as Parquet: the same games as `.npz`, in columns that other tools read, checked as strictly."""

from __future__ import annotations

import contextlib
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narde import self_play, storage, variants
from narde.errors import InvalidArgumentError, StorageError
from narde.games import cut_games, random_games
from narde.storage import load_games, save_games
from stored import RECORD, assert_same

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("record", [(), RECORD, ("dice",), ("positions", "chosen")])
def test_round_trip(tmp_path: Path, variant: str, record: tuple[str, ...]) -> None:
    games = random_games(20, variant, seed=2**63 + 1, first=5, record=record)
    assert_same(load_games(save_games(games, tmp_path / "games.parquet")), games)
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


@pytest.mark.parametrize("record", [(), RECORD])
def test_no_games(tmp_path: Path, record: tuple[str, ...]) -> None:
    games = random_games(0, "long", seed=1, record=record)
    assert_same(load_games(save_games(games, tmp_path / "games.parquet")), games)


def test_one_row_a_game(tmp_path: Path) -> None:
    games = random_games(20, "short", seed=1, first=100)
    table = parquet.read_table(save_games(games, tmp_path / "games.parquet"))
    assert {field.name: str(field.type) for field in table.schema} == {
        "game": "int64",
        "winner": "int8",
        "points": "int8",
        "length": "int32",
    }
    assert table["game"].to_pylist() == list(range(100, 120))
    assert table["length"].to_pylist() == games.lengths.tolist()


def test_one_row_a_turn(tmp_path: Path) -> None:
    games = random_games(20, "short", seed=1, first=100, record=RECORD)
    assert games.offsets is not None and games.positions is not None and games.dice is not None
    table = parquet.read_table(save_games(games, tmp_path / "games.parquet"))
    kinds = {field.name: str(field.type) for field in table.schema}
    assert kinds["position"] == kinds["chosen"] == "fixed_size_binary[28]"
    assert kinds["die1"] == kinds["die2"] == kinds["winner"] == "int8"
    k = int(games.offsets[7]) + 3  # the fourth turn of the eighth game
    row = table.slice(k, 1).to_pylist()[0]
    assert (row["game"], row["turn"], row["winner"]) == (107, 3, games.winner[7])
    assert np.frombuffer(row["position"], np.int8).tolist() == games.positions[k].tolist()
    assert [row["die1"], row["die2"]] == games.dice[k].tolist()


def test_the_file_speaks_for_itself(tmp_path: Path) -> None:
    path = save_games(random_games(3, "minsport", seed=8), tmp_path / "games.parquet")
    meta = json.loads(parquet.read_schema(path).metadata[b"narde"])
    assert (meta["format"], meta["rules"]["name"], meta["seed"], meta["n"]) == (
        "narde games",
        "minsport",
        8,
        3,
    )


def test_several_row_groups_are_one_run(tmp_path: Path) -> None:
    games = random_games(40, "long", seed=1, record=RECORD)
    path = save_games(games, tmp_path / "games.parquet")
    table = parquet.read_table(path)
    parquet.write_table(table, path, row_group_size=100)
    assert_same(load_games(path), games)


def in_the_older_layout(path: Path) -> None:
    """Write a file again as narde did before: values that might be missing, dictionaries, all in Snappy."""
    table = parquet.read_table(path)
    fields = [field.with_nullable(True) for field in table.schema]
    small = [field.name for field in fields if pa.types.is_integer(field.type)]
    table = table.cast(pa.schema(fields, table.schema.metadata))
    options = {"use_dictionary": small, "write_statistics": small, "write_page_checksum": True}
    parquet.write_table(table, path, compression="snappy", **options)


@pytest.mark.parametrize("record", [(), RECORD])
def test_files_of_the_older_layout_are_read(tmp_path: Path, record: tuple[str, ...]) -> None:
    games = random_games(40, "short", seed=1, record=record)
    path = save_games(games, tmp_path / "games.parquet")
    in_the_older_layout(path)
    assert_same(load_games(path), games)


def test_nothing_is_compressed_where_that_costs_time(tmp_path: Path) -> None:
    games = random_games(40, "long", seed=1, record=RECORD)
    path = save_games(games, tmp_path / "games.parquet")
    found = {
        column["path_in_schema"]: (column["compression"], column["encodings"][-1])
        for column in parquet.read_metadata(path).row_group(0).to_dict()["columns"]
    }
    rows, dice, runs = ("UNCOMPRESSED", "PLAIN"), ("UNCOMPRESSED", "DELTA_BINARY_PACKED"), ("SNAPPY", "PLAIN")
    assert found == {
        **dict.fromkeys(["position", "chosen"], rows),
        **dict.fromkeys(["die1", "die2"], dice),
        **dict.fromkeys(["game", "winner", "points", "length", "turn"], runs),
    }
    assert not any(field.nullable for field in parquet.read_schema(path))


@pytest.mark.parametrize("record", [(), RECORD])
def test_compressed_files_hold_the_same_games(tmp_path: Path, record: tuple[str, ...]) -> None:
    games = random_games(40, "long", seed=1, record=record)
    small = save_games(games, tmp_path / "small.parquet", compression="zstd")
    assert_same(load_games(small), games)
    columns = parquet.read_metadata(small).row_group(0).to_dict()["columns"]
    assert {column["compression"] for column in columns} == {"ZSTD"}
    if record:
        plain = save_games(games, tmp_path / "plain.parquet", compression="none")
        assert 2 * small.stat().st_size < plain.stat().st_size


@pytest.mark.parametrize("compression", ["gzip", "", 3])
def test_other_compressions_are_refused(tmp_path: Path, compression: Any) -> None:
    games = random_games(3, "long", seed=1)
    with pytest.raises(InvalidArgumentError, match=f"compression is {compression!r}: use 'none' or 'zstd'"):
        save_games(games, tmp_path / "games.parquet", compression=compression)
    with pytest.raises(InvalidArgumentError, match="only Parquet files are compressed"):
        save_games(games, tmp_path / "games.npz", compression="zstd")


@pytest.mark.parametrize("size", [1, 4, 11, 12])
def test_a_row_group_is_so_many_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """However the games come: whole, or in parts of the right size or of others."""
    monkeypatch.setattr(storage, "_GROUP", size)
    games = random_games(11, "long", seed=1, first=7, record=RECORD)
    path = save_games(games, tmp_path / "games.parquet")
    assert_same(load_games(path), games)
    groups = parquet.ParquetFile(path)
    found = [
        sorted(set(groups.read_row_group(i, ["game"])["game"].to_pylist()))
        for i in range(groups.num_row_groups)
    ]
    assert found == [list(range(start, min(start + size, 18))) for start in range(7, 18, size)]
    for part in (1, 3, 4, 8):
        parts = [cut_games(games, start, start + part) for start in range(0, 11, part)]
        again = tmp_path / f"{part}.parquet"
        assert storage.write_games(parts, again) == f"{zlib.crc32(path.read_bytes()):08x}"
        assert again.read_bytes() == path.read_bytes()


def test_foreign_parquet(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    parquet.write_table(pa.table({"x": [1, 2]}), path)
    with pytest.raises(StorageError, match="cannot read"):
        load_games(path)


def test_missing_values_are_refused(tmp_path: Path) -> None:
    path = save_games(random_games(3, "long", seed=1), tmp_path / "games.parquet")
    table = parquet.read_table(path)
    winner = pa.array([0, None, 1], pa.int8())
    parquet.write_table(table.set_column(1, "winner", winner), path)
    with pytest.raises(StorageError, match="a column has missing values"):
        load_games(path)


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = save_games(random_games(3, "long", seed=1, record=RECORD), tmp_path / "games.parquet")
    whole = path.read_bytes()
    for length in range(0, len(whole), 61):
        path.write_bytes(whole[:length])
        with pytest.raises(StorageError):
            load_games(path)


WHOLE = random_games(2, "short", seed=1, record=RECORD)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_flipped_bits_never_pass_for_other_games(tmp_path: Path, data: st.DataObject) -> None:
    path = save_games(WHOLE, tmp_path / "games.parquet")
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with contextlib.suppress(StorageError):
        assert_same(load_games(path), WHOLE)  # a bit that nobody reads


def test_npz_files_are_not_compressed(tmp_path: Path) -> None:
    """And may be called so, in self-play as elsewhere."""
    games = random_games(3, "long", seed=1)
    assert save_games(games, tmp_path / "a.npz", compression="none").read_bytes() == (
        save_games(games, tmp_path / "b.npz").read_bytes()
    )
    run = self_play(3, "random", seed=1, out=tmp_path / "run", format="npz", compression="none")
    assert self_play(3, "random", seed=1, out=tmp_path / "run", resume=True).files == run.files

"""Games to disk and back: columns, what a file says of itself, damaged and foreign files, full disks."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narde import Rules, __version__, rules, variants
from narde.errors import InvalidArgumentError, StorageError
from narde.games import Games, random_games
from narde.selfplay import self_play
from narde.storage import load_games, prepare_target, save_games
from stored import COLUMNS, RECORD, assert_same


def stored(games: Games, folder: Path, suffix: str = ".npz") -> Path:
    return save_games(games, folder / f"games{suffix}")


def rewritten(path: Path, **changes: Any) -> Path:
    """The same file with some of its members replaced, None to drop one."""
    with np.load(path) as archive:
        members = dict(archive.items())
    members |= changes
    np.savez(path, **{name: member for name, member in members.items() if member is not None})
    return path


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("record", [(), RECORD, ("dice",), ("positions",)])
def test_round_trip(tmp_path: Path, variant: str, record: tuple[str, ...]) -> None:
    games = random_games(20, variant, seed=2**63 + 1, first=5, record=record)
    assert_same(load_games(stored(games, tmp_path)), games)
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_no_games_and_house_rules(tmp_path: Path) -> None:
    house = replace(rules("nardeon"), name="house", koks=3, last_roll=True, match_lengths=(4,))
    games = random_games(0, house, seed=1, record=RECORD)
    assert_same(load_games(stored(games, tmp_path)), games)


def test_the_file_speaks_for_itself(tmp_path: Path) -> None:
    games = random_games(20, "bkgm", seed=4, first=3)
    with np.load(stored(games, tmp_path), allow_pickle=False) as archive:
        meta = json.loads(str(archive["meta"]))
        assert np.array_equal(archive["winner"], games.winner)
    assert meta["rules"]["head_exception"] == "any_roll"
    told = {key: meta[key] for key in ("format", "schema", "narde", "seed", "first", "n")}
    assert told == {
        "format": "narde games",
        "schema": 1,
        "narde": __version__,
        "seed": 4,
        "first": 3,
        "n": 20,
    }


def test_format_is_told_by_content_not_name(tmp_path: Path) -> None:
    games = random_games(5, "long", seed=1)
    moved = stored(games, tmp_path).rename(tmp_path / "games.bin")
    assert_same(load_games(moved), games)


@pytest.mark.parametrize("name", ["games", "games.csv", "games.NPZ", "games.npz.gz"])
def test_other_suffixes_are_refused_before_work(tmp_path: Path, name: str) -> None:
    for call in (prepare_target, lambda path: save_games(random_games(1, "long", seed=1), path)):
        with pytest.raises(InvalidArgumentError, match=r"use \.npz or \.parquet"):
            call(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


# ---- what does not fit together ----------------------------------------------------------------------


def bad_columns(games: Games) -> dict[str, Games]:
    assert games.positions is not None and games.dice is not None and games.offsets is not None
    wrong_row = games.positions.copy()
    wrong_row[17, 0] += 1
    return {
        r"winner is int64 \(6,\), expected int8 \(6,\)": replace(games, winner=games.winner.astype(np.int64)),
        r"points is int8 \(5,\), expected int8 \(6,\)": replace(games, points=games.points[:-1]),
        r"positions is int8 \(\d+, 27\), expected": replace(games, positions=games.positions[:, :27]),
        "winner has values outside -1 to 1": replace(games, winner=games.winner + np.int8(2)),
        "points has values other than 0, 1, 2, 3": replace(games, points=games.points + np.int8(3)),
        "points is 0 where somebody won, or": replace(games, points=games.points * np.int8(0)),
        "or more where nobody did": replace(games, winner=np.full(6, -1, np.int8)),
        "lengths has values below 1": replace(games, lengths=games.lengths * 0, **dict.fromkeys(COLUMNS[3:])),
        "running sum": replace(games, offsets=games.offsets + np.int64(1)),
        "dice has values outside 1 to 6": replace(games, dice=games.dice + np.int8(5)),
        "positions 17: the (mover|opponent) has": replace(games, positions=wrong_row),
        "columns of turns need offsets": replace(games, offsets=None),
    }


REASONS = list(bad_columns(random_games(6, "short", seed=1, record=RECORD)))


@pytest.mark.parametrize("reason", REASONS)
def test_columns_that_do_not_fit(tmp_path: Path, reason: str) -> None:
    games = random_games(6, "short", seed=1, record=RECORD)
    bad = bad_columns(games)[reason]
    with pytest.raises(InvalidArgumentError, match=f"games cannot be saved: .*{reason}"):
        stored(bad, tmp_path)
    assert list(tmp_path.iterdir()) == []
    path = stored(games, tmp_path)
    columns = {name: getattr(bad, name) for name in COLUMNS}
    rewritten(path, **columns)
    other_meta(path, columns=[name for name, column in columns.items() if column is not None])
    with pytest.raises(StorageError, match=f"cannot use .*{reason}"):
        load_games(path)


def test_points_that_the_rules_do_not_give(tmp_path: Path) -> None:
    """Under minsport's rules nobody wins a koks; a game that is broken off has no winner and no points."""
    games = random_games(6, "minsport", seed=1)
    with pytest.raises(InvalidArgumentError, match=r"points has values other than 0, 1, 2$"):
        stored(replace(games, points=np.full(6, 3, np.int8)), tmp_path)
    broken_off = self_play(6, "random", rules="minsport", seed=1, max_turns=9)
    assert not broken_off.points.any()
    assert_same(load_games(stored(broken_off, tmp_path)), broken_off)


def other_meta(path: Path, **changes: Any) -> Path:
    with np.load(path) as archive:
        meta = json.loads(str(archive["meta"])) | changes
    return rewritten(path, meta=np.array(json.dumps(meta)))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"schema": 2, "narde": "9.1"}, r"schema 2 by narde 9\.1: upgrade narde"),
        ({"format": "chess games"}, "it does not say 'narde games'"),
        (
            {"columns": ["winner", "points"]},
            "it says columns winner, points and holds winner, points, l",
        ),
        ({"n": 7}, "it says 7 games and holds 6"),
        ({"rules": {"match_lengths": [], "koks": 9}}, "koks=9"),
        ({"rules": {"match_lengths": [], "jokers": 2}}, "jokers"),
        ({"seed": "abc"}, "abc"),
    ],
)
def test_meta_that_does_not_fit(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = other_meta(stored(random_games(6, "long", seed=1), tmp_path), **changes)
    with pytest.raises(StorageError, match=reason):
        load_games(path)


# ---- damaged and foreign files -----------------------------------------------------------------------


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"cannot read .*none\.npz: No such file or directory$"):
        load_games(tmp_path / "none.npz")
    with pytest.raises(StorageError, match="cannot read"):
        load_games(tmp_path)


def foreign_npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK",
        b"PK\x03\x04 is no zip",
        b"winner,points\n0,1\n",
        foreign_npz(x=np.arange(3)),
        foreign_npz(meta=np.array("[1, 2]"), winner=np.zeros(1, np.int8)),
        foreign_npz(meta=np.array("not json")),
    ],
)
def test_foreign_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.npz"
    path.write_bytes(content)
    with pytest.raises(StorageError, match="cannot read") as caught:
        load_games(path)
    assert "\n" not in str(caught.value)


def test_pickles_are_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    with path.open("wb") as file:
        np.savez(file, meta=np.array([{"format": "narde games"}], dtype=object))
    with pytest.raises(StorageError, match="cannot read"):
        load_games(path)
    path.write_bytes(pickle.dumps("games"))
    with pytest.raises(StorageError, match="cannot read"):
        load_games(path)


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = stored(random_games(3, "long", seed=1, record=RECORD), tmp_path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(StorageError):
            load_games(path)


WHOLE = random_games(2, "short", seed=1, record=RECORD)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_flipped_bits_never_pass_for_other_games(tmp_path: Path, data: st.DataObject) -> None:
    path = stored(WHOLE, tmp_path)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with contextlib.suppress(StorageError):
        assert_same(load_games(path), WHOLE)  # a bit that nobody reads, such as a date


# ---- a disk that is full -----------------------------------------------------------------------------

_SAVE = """
import sys
from narde.errors import StorageError
from narde.games import random_games
from narde.storage import save_games
try:
    save_games(random_games(20_000, "long", seed=1), sys.argv[1])
except StorageError as fault:
    print(fault)
"""


def save_within(prefix: list[str], target: Path) -> str:
    run = subprocess.run([*prefix, sys.executable, "-c", _SAVE, str(target)], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_file_size_limit(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    if shutil.which("prlimit") is None:
        pytest.skip("prlimit is not installed")
    said = save_within(["prlimit", "--fsize=20000"], tmp_path / f"games{suffix}")
    assert said == f"cannot write {tmp_path}/games{suffix}: File too large\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_full_disk(tmp_path: Path, suffix: str) -> None:
    """A disk of 32 kB in a mount namespace of its own, so that nothing stays mounted."""
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    disk = [
        "unshare",
        "-rm",
        "sh",
        "-c",
        'mount -t tmpfs -o size=32k none "$0" && "$@"; s=$?; ls -A "$0"; exit $s',
    ]
    if subprocess.run([*disk, str(tmp_path), "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    said = save_within([*disk, str(tmp_path)], tmp_path / f"games{suffix}")
    assert said == f"cannot write {tmp_path}/games{suffix}: No space left on device\n"


def test_rules_of_the_meta_are_rules(tmp_path: Path) -> None:
    games = load_games(stored(random_games(2, "nardeon", seed=1), tmp_path))
    assert isinstance(games.rules, Rules) and games.rules == rules("nardeon")

"""`narde games`: what is played, shown and kept, and what is left of it after an interrupt or a full disk."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from narde import rules, variants
from narde.cli import blocks
from narde.cli import games as command
from narde.errors import StorageError
from narde.games import Games, _column, join_games, random_games
from narde.stats import mean_interval, share_interval
from narde.storage import load_games, save_games
from shell import NARDE, Shell, program
from stored import RECORD, assert_same


def names(folder: str = ".") -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def test_the_main_job_as_a_program(tmp_path: Path) -> None:
    result = program("games", "-n", "200", cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith("200 random games a variant, seed 1, ")
    assert lines[2].split() == [
        "variant",
        "games",
        "games/s",
        "turns",
        "starter",
        "%",
        "mars",
        "%",
        "koks",
        "%",
    ]
    assert [line.split()[:2] for line in lines[4:9]] == [[name, "200"] for name in variants()]
    assert lines[-1] == "saved in narde-games: minsport.npz, bkgm.npz, nardeon.npz, long.npz, short.npz"
    assert max(map(len, lines)) <= 80
    for name in variants():
        assert_same(load_games(tmp_path / "narde-games" / f"{name}.npz"), random_games(200, name, seed=1))


def test_figures_are_those_of_the_games(shell: Shell) -> None:
    data = shell("games", "-n", "3000", "--variant", "short", "--json", "--no-save", "--seed", "7").data
    (short,) = data["variants"]
    games = random_games(3000, "short", seed=7)
    expected = {
        "turns_per_game": mean_interval(games.lengths),
        "starter_wins": share_interval(int((games.winner == 0).sum()), 3000),
        "mars": share_interval(int((games.points >= 2).sum()), 3000),
        "koks": share_interval(int((games.points == 3).sum()), 3000),
    }
    for name, estimate in expected.items():
        assert short[name] == {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    assert (data["seed"], data["interrupted"], short["games"], short["file"]) == (7, False, 3000, None)
    rate = short["games_per_second"]
    assert rate["low"] < rate["value"] < rate["high"]
    assert rate["value"] == pytest.approx(3000 / short["seconds"])
    assert names() == []


def test_what_the_rules_do_not_score_is_left_out(shell: Shell) -> None:
    (long,) = shell("games", "-n", "50", "--variant", "long", "--json", "--no-save").data["variants"]
    assert long["koks"] is None and long["mars"]["value"] > 0


def test_one_game_has_no_intervals(shell: Shell) -> None:
    result = shell("games", "-n", "1", "--variant", "long", "--no-save")
    assert result.code == 0
    cells = result.out.splitlines()[4].split()
    assert cells[:2] == ["long", "1"]
    assert "±" not in cells[2] + cells[3]
    (long,) = shell("games", "-n", "1", "--variant", "long", "--no-save", "--json").data["variants"]
    assert long["turns_per_game"]["low"] is None and long["starter_wins"]["low"] >= 0


def test_variants_by_name_each_once(shell: Shell) -> None:
    words = ("--variant", "backgammon", "--variant", "long", "--variant", "short")
    data = shell("games", "-n", "20", *words, "--json").data
    assert [one["variant"] for one in data["variants"]] == ["short", "long"]
    assert [one["file"] for one in data["variants"]] == ["narde-games/short.npz", "narde-games/long.npz"]


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_games_do_not_depend_on_threads_or_blocks(shell: Shell, threads: str) -> None:
    shell("games", "-n", "2e3", "--variant", "bkgm", "--threads", threads, "--out", "games.npz")
    assert_same(load_games("games.npz"), random_games(2000, "bkgm", seed=1))


@pytest.mark.parametrize(
    ("out", "found"),
    [
        ("a.npz", "a.npz"),
        ("deep/down/a.npz", "deep/down/a.npz"),
        ("folder", "folder/long.npz"),
        ("v1.2/", "v1.2/long.npz"),
    ],
)
def test_out_names_a_file_or_a_folder(shell: Shell, out: str, found: str) -> None:
    result = shell("games", "-n", "20", "--variant", "long", "--out", out)
    assert result.out.splitlines()[-1] == f"saved as {found}"
    assert len(load_games(found)) == 20


def test_record_keeps_every_turn(shell: Shell) -> None:
    shell("games", "-n", "30", "--variant", "short", "--record", "--out", "all.npz")
    assert_same(load_games("all.npz"), random_games(30, "short", seed=1, record=RECORD))
    shell("games", "-n", "30", "--variant", "short", "--record", "dice", "--out", "dice.npz")
    assert_same(load_games("dice.npz"), random_games(30, "short", seed=1, record=["dice"]))


def test_parquet(shell: Shell) -> None:
    pytest.importorskip("pyarrow")
    shell("games", "-n", "30", "--format", "parquet", "--variant", "long", "--variant", "short", "--record")
    assert names("narde-games") == ["long.parquet", "short.parquet"]
    assert_same(load_games("narde-games/short.parquet"), random_games(30, "short", seed=1, record=RECORD))


@pytest.mark.parametrize("words", [["--format", "parquet"], ["--variant", "long", "--out", "a.parquet"]])
def test_parquet_without_pyarrow(shell: Shell, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = shell("games", "-n", "30", *words)
    assert (result.code, result.out) == (1, "")
    assert result.err == "narde: error: Parquet needs pyarrow: pip install 'narde[data]', or write .npz\n"
    assert names() == []


def test_unwritable_places_are_known_before_the_work(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").touch()
    monkeypatch.setattr(
        blocks, "random_games", lambda n, rules, **options: n and pytest.fail("games were played")
    )
    result = shell("games", "--out", "file/games")
    assert (result.code, result.out) == (1, "")
    assert result.err == "narde: error: cannot write file/games/minsport.npz: Not a directory\n"
    result = shell("games", "--out", "file")
    assert result.err == "narde: error: cannot write file/minsport.npz: file is not a folder\n"


# ---- interrupted, or out of room ---------------------------------------------------------------------


@pytest.fixture
def blocks_of_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, which otherwise makes them smaller."""
    monkeypatch.setattr(blocks, "_BLOCK_SECONDS", 1e9)


def interrupted_games(after: int, fault: type[BaseException] = KeyboardInterrupt) -> Any:
    """`random_games` that is interrupted in a block after so many games in all."""
    played = 0

    def play(n: int, rules: Any, **options: Any) -> Games:
        nonlocal played
        if played + n > after:
            raise fault
        played += n
        return random_games(n, rules, **options)

    return play


@pytest.mark.usefixtures("blocks_of_a_tenth")
def test_an_interrupt_in_a_block_keeps_the_blocks_before(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "random_games", interrupted_games(after=1250))
    result = shell("games", "-n", "1000", "--variant", "long", "--variant", "short", "--variant", "bkgm")
    assert result.code == 130
    assert result.err == "narde: interrupted: kept 1,200 of 3,000 games\n"
    assert [line.split()[:2] for line in result.out.splitlines()[4:6]] == [
        ["long", "1,000"],
        ["short", "200"],
    ]
    assert names("narde-games") == ["long.npz", "short.npz"]
    assert_same(load_games("narde-games/short.npz"), random_games(200, "short", seed=1))


@pytest.mark.usefixtures("blocks_of_a_tenth")
def test_an_interrupt_of_recorded_games_says_that_it_saves(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "random_games", interrupted_games(after=25))
    result = shell("games", "-n", "100", "--variant", "short", "--record", "--out", "a.npz")
    first, second = result.err.splitlines()
    assert first == "narde: interrupted: saving what is finished; Ctrl-C again gives it up"
    assert second == "narde: interrupted: kept 20 of 100 games"
    assert_same(load_games("a.npz"), random_games(20, "short", seed=1, record=RECORD))


def test_an_interrupt_before_any_game(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "random_games", interrupted_games(after=0))
    assert shell("games", "-n", "1000") == (130, "", "narde: interrupted: played 0 of 5,000 games\n")
    monkeypatch.setattr(blocks, "random_games", interrupted_games(after=0))
    assert '"interrupted": true, "variants": []' in shell("games", "-n", "1000", "--json").out


def test_a_disk_that_fills_up_shows_what_was_played(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(games: Games, target: Path) -> Path:
        if games.rules == rules("short"):
            raise StorageError("cannot write short.npz: No space left on device")
        return target

    monkeypatch.setattr(command, "save_games", save)
    result = shell("games", "-n", "50", "--variant", "long", "--variant", "short", "--variant", "bkgm")
    assert (result.code, result.err) == (1, "narde: error: cannot write short.npz: No space left on device\n")
    assert [line.split()[0] for line in result.out.splitlines()[4:6]] == ["long", "short"]
    assert "saved as narde-games/long.npz" in result.out


def no_memory(n: int, rules: Any, **options: Any) -> Games:
    """`random_games` whose blocks from game 300 on need more memory than there is."""
    if options["first"] >= 300:
        _column((2**62,), np.int8, n)  # more bytes than there are addresses
    return random_games(n, rules, **options)


@pytest.mark.usefixtures("blocks_of_a_tenth")
def test_no_memory_for_more_games_keeps_those_before(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "random_games", no_memory)
    result = shell("games", "-n", "1000", "--variant", "long", "--variant", "short", "--record", "dice")
    told = "out of memory with 300 of 1,000 games of long: ask for fewer, or leave out --record"
    assert (result.code, result.err) == (1, f"narde: error: {told}\n")
    assert names("narde-games") == ["long.npz"]
    assert_same(load_games("narde-games/long.npz"), random_games(300, "long", seed=1, record=["dice"]))


@pytest.mark.usefixtures("blocks_of_a_tenth")
def test_no_memory_for_a_copy_of_all_games(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def join(parts: list[Games]) -> Games:
        if len(parts) > 3:
            raise MemoryError
        return join_games(parts)

    monkeypatch.setattr(blocks, "join_games", join)
    result = shell("games", "-n", "1000", "--variant", "long", "--out", "a.npz")
    told = "out of memory with 200 of 1,000 games of long: ask for fewer"
    assert (result.code, result.err) == (1, f"narde: error: {told}\n")
    assert_same(load_games("a.npz"), random_games(200, "long", seed=1))


def test_no_memory_to_save_loses_no_table(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(games: Games, target: Path) -> Path:
        if target.stem == "short":
            raise MemoryError
        return save_games(games, target)

    monkeypatch.setattr(command, "save_games", save)
    result = shell("games", "-n", "10", "--variant", "long", "--variant", "short")
    told = "out of memory while narde-games/short.npz was written: ask for fewer games"
    assert (result.code, result.err) == (1, f"narde: error: {told}\n")
    assert {"long", "short"} <= {line.split(" ")[0] for line in result.out.splitlines()}
    assert names("narde-games") == ["long.npz"]


@pytest.mark.parametrize("words", [("--record",), ("--format", "npz"), ("--out", "a.npz")])
def test_options_of_files_without_a_file(shell: Shell, words: tuple[str, ...]) -> None:
    told = f"narde: error: {words[0]} and --no-save: use one of them\n"
    assert shell("games", "-n", "1", "--variant", "long", "--no-save", *words) == (2, "", told)


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
def test_a_file_that_may_not_grow_leaves_no_half(tmp_path: Path) -> None:
    words = ("games", "-n", "20000", "--variant", "long", "--out", "games.npz")
    done = subprocess.run(
        ["prlimit", "--fsize=20000", *NARDE, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (1, "narde: error: cannot write games.npz: File too large\n")
    assert list(tmp_path.iterdir()) == []


def test_blocks_are_the_whole_run_and_grow_to_their_time() -> None:
    told: list[int] = []
    played = blocks.play_blocks(blocks.Order(3001, 5, 1, ()), rules("long"), lambda: False, told.append)
    assert not played.stopped
    assert sum(played.sizes) == told[-1] == 3001
    assert len(played.sizes) >= 10 and max(played.sizes) <= 301
    assert np.array_equal(np.cumsum(played.sizes), told)
    assert_same(played.games(), random_games(3001, "long", seed=5))


def test_stopping_between_blocks() -> None:
    told: list[int] = []
    played = blocks.play_blocks(
        blocks.Order(3000, 5, 1, ()), rules("long"), lambda: len(told) == 2, told.append
    )
    assert played.stopped and len(played.blocks) == 2

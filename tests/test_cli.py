"""The command line as a whole: help, errors, exit codes, pipes that close, output that cannot be written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import narde
import narde.cli
from narde.cli import COMMANDS
from narde.errors import StorageError
from playing import random_match
from shell import NARDE, Shell, program

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")


def test_the_command_narde_is_main() -> None:
    (script,) = entry_points(group="console_scripts", name="narde")
    assert script.load() is import_module("narde.__main__").main


def test_as_a_module() -> None:
    assert program("--version") == (0, f"narde {narde.__version__}\n", "")


def test_help_names_every_command(shell: Shell) -> None:
    result = shell("--help")
    assert (result.code, result.err) == (0, "")
    assert all(f"  {name} " in result.out and summary in result.out for name, summary in COMMANDS.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(shell: Shell, name: str) -> None:
    result = shell(name, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"usage: narde {name} ")
    assert "--json" in result.out and "--no-color" in result.out
    assert max(map(len, result.out.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_module_with_its_two_functions(name: str) -> None:
    command = import_module(f"narde.cli.{name}")
    assert callable(command.add_arguments) and callable(command.run)


def test_help_loads_no_command_and_no_optional_library() -> None:
    code = "import sys; from narde.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    unwanted = {"rich", "pyarrow", "narde.cli.arguments", *(f"narde.cli.{name}" for name in COMMANDS)}
    assert unwanted.isdisjoint(done.stdout.split())


def test_nothing_at_all_is_wrong_usage(shell: Shell) -> None:
    result = shell()
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("usage: narde COMMAND")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["roll"], "unknown command 'roll', use one of games, moves, "),
        (["--colour"], "unknown command '--colour'"),
        (["games", "--dice"], r"unrecognized arguments: --dice \(try: narde games --help\)"),
        (["games", "--game", "5"], "unrecognized arguments: --game 5"),
        (["games", "-n", "many"], "argument -n/--games: 'many' is no whole number"),
        (["games", "-n", "2.5"], "argument -n/--games: '2.5' is no whole number"),
        (["games", "-n", "0"], "argument -n/--games: '0' is below 1"),
        (["games", "--threads", "-1"], "argument --threads: '-1' is below 1"),
        (["games", "--threads", "1000000000"], "threads"),
        (["games", "--seed", "-5"], "seed"),
        (["games", "--variant", "chess"], "unknown variant 'chess': use one of minsport, .*, backgammon$"),
        (["games", "--record", "cubes"], "record names 'cubes'"),
        (["games", "--out", "games.csv"], r"--out games\.csv: a file of games ends in \.npz or \.parquet"),
        (["games", "--out", "all.npz"], r"--out all\.npz: one file cannot hold 5 variants, name a folder"),
        (["games", "-n", "1e21"], "argument -n/--games: '1e21' is above the limit, 1099511627776"),
        (["games", "-n", "1e999999999"], "argument -n/--games: '1e999999999' is no whole number"),
        (["games", "--out", ""], "argument --out: the value is empty: give one, or leave the argument out"),
        (["games", "--variant="], "argument --variant: the value is empty"),
        (["selfplay", ""], "argument player: the value is empty"),
        (["selfplay", "pips", "--opponent", " "], "argument --opponent: the value is empty"),
        (["selfplay", "pips", "--out", "", "--record"], "argument --out: the value is empty"),
        (["match", "", "pips"], "argument A: the value is empty"),
        (["rollout", "start", "--checkpoint", ""], "argument --checkpoint: the value is empty"),
        (["rollout", "start", "--evaluator", ""], "argument --evaluator: the value is empty"),
        (["convert", "", ""], r"argument IN \[OUT\]: the value is empty"),
        (["play", "--names", "A", ""], "argument --names: the value is empty"),
        (
            ["games", "--variant", "long", "--format", "parquet", "--out", "a.npz"],
            r"--out a\.npz is no parquet file: leave out --format, or name it \.parquet$",
        ),
        (["games", "--format", "csv"], "argument --format: invalid choice: 'csv'"),
        (["moves"], "the following arguments are required: POSITION DICE"),
        (["moves", "start"], "no roll after 'start': give two dice from 1 to 6"),
        (["moves", "start", "67"], "no roll in 'start 67': give two dice"),
        (["moves", "start", "0", "7"], "no roll in '0 7': give two dice"),
        (["moves", "65"], "no position: give 'start', a position ID or 28 numbers"),
        (["moves", "0,0,15", "65"], "a row has 28 numbers, not 3"),
        (["moves", ",".join(["15"] + ["0"] * 27), "65"], "row 0 is no position: the opponent has 0 checkers"),
        (["moves", " ".join(["9" * 20] * 28), "65"], "checkers, 15 of a side: '9{20}' is too large$"),
        (["moves", " ".join(["9" * 5000] * 28), "65"], "checkers, 15 of a side: '9+... is too large$"),
        (["moves", "nonsense", "65"], "'nonsense' is no ID in any known form"),
        (["moves", "nas2z92z22e2z92z22ec", "65", "--variant", "long"], "is a position of short nardy"),
        (["perft", "--depth", "0"], "argument --depth: '0' is below 1"),
        (["perft", "--depth", "200"], "argument --depth: '200' is above the limit, 100"),
        (["variants", "long"], "unrecognized arguments: long"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(shell: Shell, words: list[str], reason: str) -> None:
    result = shell(*words)
    assert (result.code, result.out) == (2, "")
    assert re.fullmatch(rf"narde: error: .*{reason}.*\n", result.err)
    assert list(Path().iterdir()) == []


def test_errors_of_the_machine_have_exit_code_1(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for fault, reason in [
        (
            StorageError("cannot write a.npz: No space left on device"),
            "cannot write a.npz: No space left on device",
        ),
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError(), "out of memory"),
    ]:

        def fail(words: object, fault: Exception = fault) -> int:
            raise fault

        monkeypatch.setattr(narde.cli, "_run", fail)
        assert shell("games") == (1, "", f"narde: error: {reason}\n")


def test_a_warning_is_one_line(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(arguments: object) -> int:
        warnings.warn("the disk is cold", RuntimeWarning, stacklevel=1)
        return 0

    monkeypatch.setattr("narde.cli.variants.run", run)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert shell("variants") == (0, "", "narde: warning: the disk is cold\n")


def test_an_interrupt_is_one_line_and_exit_code_130(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(narde.cli, "_run", interrupt)
    assert shell("bench") == (130, "", "narde: interrupted\n")


INTERRUPTED_AGAIN = """
import atexit, signal, sys
from narde import cli
from narde.__main__ import main
def press(*_): signal.raise_signal(signal.SIGINT)
def tell_and_press(text): told(text), press()
told, cli._tell = cli._tell, tell_and_press if "telling" in sys.argv else cli._tell
cli._run = (lambda _: exec("press()")) if "exec" in sys.argv else press
atexit.register(press)
sys.exit(main())
"""
"""A program that is interrupted by itself, and again as it ends."""


@posix
@pytest.mark.parametrize("when", ["running", "exec", "telling"])
def test_ctrl_c_again_on_the_way_out_changes_nothing(when: str) -> None:
    """The interpreter also dies of one within an `exec` of text, as of `dataclasses`, that was caught."""
    command = [sys.executable, "-c", INTERRUPTED_AGAIN, when]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    lines = 1 + (when == "telling")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "narde: interrupted\n" * lines)


@posix
@pytest.mark.parametrize("words", [["variants"], ["moves", "start", "65", "--json"]])
def test_a_reader_that_has_gone_is_no_error(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as out:
        done = subprocess.run([*NARDE, *words], stdout=out, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is the disk that is always full")
def test_output_to_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as out:
        done = subprocess.run([*NARDE, "variants"], stdout=out, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "narde: error: standard output: No space left on device\n")


def closed(*words: str) -> tuple[int, str]:
    """The exit code and stderr of a command whose standard output is closed."""
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *NARDE, *words], stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


CLOSED = (1, "narde: error: nothing can be printed: standard output is closed\n")


@posix
def test_output_that_is_closed(tmp_path: Path) -> None:
    assert closed("variants") == CLOSED
    assert closed("moves", "start", "65", "--json") == CLOSED
    played, copied = str(tmp_path / "a.narde"), tmp_path / "b.narde"
    narde.write_record(narde.MatchRecord.of_match(random_match(1, "short", seed=6)), played)
    assert closed("convert", played, "-", "--to", "narde") == CLOSED
    assert closed("convert", played, str(copied)) == (0, "") and copied.exists()  # nothing to print


@posix
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["games", "--help"]])
def test_help_that_cannot_be_printed(words: list[str]) -> None:
    assert closed(*words) == CLOSED
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as out:
            done = subprocess.run([*NARDE, *words], stdout=out, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (
            1,
            "narde: error: standard output: No space left on device\n",
        )


@posix
@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"][: 1 + Path("/dev/full").exists()])
def test_a_complaint_that_cannot_be_written_is_lost(where: str) -> None:
    """It went to standard output where standard error is closed, as if it were the answer."""
    for words, code in [(["games", "-n", "0"], 2), (["replay", "nowhere.narde"], 1), (["variants"], 0)]:
        command = ["sh", "-c", f'"$@" {where}', "sh", *NARDE, *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=180)
        assert (done.returncode, bool(done.stdout)) == (code, not code)


def test_help_names_the_variants(shell: Shell) -> None:
    for name in ("games", "moves"):
        assert "short, or backgammon for short" in " ".join(shell(name, "--help").out.split())


@posix
@pytest.mark.parametrize("name", ["n" * 300, "n" * 300 + ".npz"])
def test_a_name_that_is_too_long_is_named(shell: Shell, name: str) -> None:
    code, _, err = shell("games", "-n", "1", "--variant", "long", "--out", name)
    assert code == 1
    assert re.fullmatch(f"narde: error: cannot write {name}.*: File name too long\n", err)


def test_output_in_a_narrow_encoding() -> None:
    result = program("games", "-n", "10", "--no-save", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (result.code, result.err) == (0, "")
    assert "95.3+-4.4" in result.out
    assert "?" not in result.out

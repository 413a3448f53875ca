"""The command line at a terminal: tables with and without rich, colours, progress, Ctrl-C."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from narde.cli.interrupt import stopping
from narde.games import random_games
from narde.storage import load_games
from shell import NARDE, WITHOUT_RICH, ended, environment, press_ctrl_c
from stored import assert_same

pty = pytest.importorskip("pty", reason="pseudo-terminals of POSIX")

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLOUR = re.compile(r"\x1b\[(?:[0-9]*;)*3[0-9]")


class Terminal:
    """A pseudo-terminal whose screen is read in the background; `end` is what a program gets."""

    def __init__(self) -> None:
        self._reader, self.end = pty.openpty()
        self._seen = io.BytesIO()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the last writer has gone
            while data := os.read(self._reader, 4096):
                self._seen.write(data)

    @property
    def text(self) -> str:
        return self._seen.getvalue().decode("utf-8", "replace").replace("\r\n", "\n")

    def wait_for(self, pattern: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            assert time.monotonic() < deadline, f"{pattern} did not appear in {self.text!r}"
            time.sleep(0.02)

    def close(self) -> str:
        """Close it, if that has not been done, and give all that was shown."""
        if self._thread.is_alive():
            os.close(self.end)
            self._thread.join(60)
            os.close(self._reader)
        return self.text


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    yield opened
    opened.close()


def shown(terminal: Terminal, command: tuple[str, ...], cwd: Path, **changes: str | None) -> str:
    """What a command prints on a terminal, its progress aside."""
    done = subprocess.run(
        command, cwd=cwd, stdout=terminal.end, stderr=subprocess.PIPE, text=True, env=environment(**changes)
    )
    assert (done.returncode, done.stderr) == (0, "")
    return terminal.close()


@contextlib.contextmanager
def running(command: tuple[str, ...], terminal: Terminal, cwd: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command at work, its stderr on a terminal; it does not outlive the test, whatever happens there."""
    streams = {"stdout": subprocess.PIPE, "stderr": terminal.end}
    with subprocess.Popen(command, cwd=cwd, env=environment(), **streams) as run, ended(run):
        yield run


GAMES = ("games", "-n", "100", "--no-save")


def test_rich_draws_within_80_columns(terminal: Terminal, tmp_path: Path) -> None:
    pytest.importorskip("rich")
    screen = shown(terminal, (*NARDE, *GAMES), tmp_path)
    assert "\x1b[1m" in screen and COLOUR.search(screen)
    lines = ESCAPE.sub("", screen).splitlines()
    assert any("─" in line for line in lines)
    assert max(map(len, lines)) <= 80 and "…" not in screen
    assert [line.split()[0] for line in lines[4:9]] == ["minsport", "bkgm", "nardeon", "long", "short"]


def test_rich_shows_the_same_cells_as_plain_text(terminal: Terminal, tmp_path: Path) -> None:
    pytest.importorskip("rich")
    plain = subprocess.run([*NARDE, "variants"], capture_output=True, text=True, env=environment()).stdout
    rich = ESCAPE.sub("", shown(terminal, (*NARDE, "variants"), tmp_path))
    assert [line.split() for line in rich.splitlines()[2:]] == [
        line.split() for line in plain.splitlines()[2:]
    ]


@pytest.mark.parametrize("how", ["option", "variable"])
def test_no_color_has_none(terminal: Terminal, tmp_path: Path, how: str) -> None:
    pytest.importorskip("rich")
    words, changes = (["--no-color"], {}) if how == "option" else ([], {"NO_COLOR": "1"})
    screen = shown(terminal, (*NARDE, "variants", *words), tmp_path, **changes)
    assert "─" in screen and not COLOUR.search(screen)


def test_without_rich_the_table_is_plain(terminal: Terminal, tmp_path: Path) -> None:
    screen = shown(terminal, (*WITHOUT_RICH, *GAMES), tmp_path)
    assert not ESCAPE.search(screen)
    lines = screen.splitlines()
    assert re.fullmatch(r"-+(  -+){6}", lines[3])
    assert max(map(len, lines)) <= 80


def test_a_narrow_terminal_gets_the_plain_table(terminal: Terminal, tmp_path: Path) -> None:
    screen = shown(terminal, (*NARDE, "variants"), tmp_path, COLUMNS="40")
    assert "─" not in screen and "doubles_346" in screen


def test_a_pipe_gets_the_plain_table_with_rich_or_without(tmp_path: Path) -> None:
    runs = [
        subprocess.run([*command, "variants"], capture_output=True, text=True, env=environment())
        for command in (NARDE, WITHOUT_RICH)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert "─" not in runs[0].stdout and not ESCAPE.search(runs[0].stdout)


@pytest.mark.parametrize("command", [NARDE, WITHOUT_RICH], ids=["rich", "plain"])
def test_progress_is_on_stderr_and_goes_away(
    terminal: Terminal, tmp_path: Path, command: tuple[str, ...]
) -> None:
    words = (*command, "games", "-n", "40000", "--variant", "long", "--no-save", "--json")
    done = subprocess.run(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal.end, env=environment())
    screen = terminal.close()
    assert done.returncode == 0
    assert json.loads(done.stdout)["variants"][0]["games"] == 40_000
    assert "40,000" in screen
    assert screen.endswith(("\x1b[2K", "\x1b[?25h", "\r"))  # the line is wiped, the cursor shown


@pytest.mark.parametrize("command", [NARDE, WITHOUT_RICH], ids=["rich", "plain"])
def test_ctrl_c_keeps_what_is_finished(terminal: Terminal, tmp_path: Path, command: tuple[str, ...]) -> None:
    words = (*command, "games", "-n", "1e9", "--variant", "long", "--out", "games.npz", "--json")
    with running(words, terminal, tmp_path) as run:
        terminal.wait_for("[1-9][0-9,]* of 1,000,000,000")
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=60)  # all games would take hours
    screen = terminal.close()
    data = json.loads(out)
    n = data["variants"][0]["games"]
    assert (run.returncode, data["interrupted"]) == (130, True)
    assert f"narde: interrupted: kept {n:,} of 1,000,000,000 games" in screen
    assert "Traceback" not in screen
    kept = load_games(tmp_path / "games.npz")
    assert len(kept) == n > 0
    assert_same(kept, random_games(n, "long", seed=1, threads=2))
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]


def test_ctrl_c_during_perft_keeps_the_depths_that_are_finished(terminal: Terminal, tmp_path: Path) -> None:
    words = (*NARDE, "perft", "nas2z92z2282s3y22zwq", "--depth", "9")
    with running(words, terminal, tmp_path) as run:
        terminal.wait_for("depth 4")
        press_ctrl_c(run)
        out, _ = run.communicate()
    screen = terminal.close()
    assert run.returncode == 130 and "Traceback" not in screen
    stopped = re.search(r"narde: interrupted at depth (\d)\n", screen)
    assert stopped and 4 <= int(stopped[1]) <= 9  # whichever was being counted by then
    assert b"15,264" in out


def test_the_first_ctrl_c_asks_and_the_second_stops() -> None:
    with stopping() as stopped:
        assert not stopped()
        signal.raise_signal(signal.SIGINT)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stopping() as stopped:
            signal.raise_signal(signal.SIGINT)
            assert not stopped()
    finally:
        signal.signal(signal.SIGINT, before)


def test_outside_the_main_thread_nothing_is_handled() -> None:
    answers: list[bool] = []

    def work() -> None:
        with stopping() as stopped:
            answers.append(stopped())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [False]
    assert sys.exc_info() == (None, None, None)

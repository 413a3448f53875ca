"""`narde play` at a pseudo-terminal: typed plays, a wrong one, undo, saving and resuming, Ctrl-C, a terminal
that is closed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from narde.match import Match
from narde.records import MatchRecord, write_record
from narde.terminal.table import load_table
from shell import ended, environment

pty = pytest.importorskip("pty", reason="pseudo-terminals of POSIX")

AT_TERMINAL = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "from narde.cli import main; sys.exit(main())"
)
"""The program with the terminal as its own, so that Ctrl-C and hanging up reach it."""


class Person:
    """Somebody at a terminal of 80 columns at which `narde` runs: reads the screen and types."""

    def __init__(self, folder: Path, *words: str, **changes: str | None) -> None:
        self.line, end = pty.openpty()
        self.screen = ""
        self.read = 0
        command = [sys.executable, "-c", AT_TERMINAL, *words]
        streams = {"stdin": end, "stdout": end, "stderr": end}
        self.run = subprocess.Popen(
            command, cwd=folder, env=environment(**changes), start_new_session=True, **streams
        )
        os.close(end)

    def sees(self, text: str, seconds: float = 60) -> str:
        """What appeared since the last call up to and including the text."""
        deadline = time.monotonic() + seconds
        while (found := self.screen.find(text, self.read)) < 0:
            assert time.monotonic() < deadline, f"{text!r} did not appear in {self.screen[self.read :]!r}"
            if select.select([self.line], [], [], 0.1)[0]:
                self.screen += os.read(self.line, 4096).decode("utf-8", "replace").replace("\r\n", "\n")
        begin, self.read = self.read, found + len(text)
        return self.screen[begin : self.read]

    def types(self, line: str) -> None:
        os.write(self.line, line.encode() + b"\n")

    def presses(self, key: bytes) -> None:
        os.write(self.line, key)

    def interrupts(self) -> None:
        """Ctrl-C and Enter: where the signal comes in just before the wait for a key, CPython acts on it when
        that wait ends. Otherwise nobody reads the Enter."""
        self.presses(b"\x03\n")

    def leaves(self) -> int:
        """The exit code once the program has ended."""
        with ended(self.run):
            with contextlib.suppress(OSError):  # the other end is closed
                while data := os.read(self.line, 4096):
                    self.screen += data.decode("utf-8", "replace").replace("\r\n", "\n")
            return self.run.wait(60)


@pytest.fixture
def sits_down(tmp_path: Path) -> Iterator[object]:
    people: list[Person] = []

    def start(*words: str, **changes: str | None) -> Person:
        people.append(Person(tmp_path, *words, **changes))
        return people[-1]

    yield start
    for person in people:
        with contextlib.suppress(OSError):
            os.close(person.line)
        person.run.kill()
        person.run.wait()


COLOUR = re.compile(r"\x1b\[(?:[0-9]*;)*[34]8;5;[0-9]+m")
NEW = ("play", "person", "--variant", "short", "--names", "Anna", "Boris", "--dice", "hand")


def test_a_game_stopped_by_ctrl_c_and_gone_on_with(sits_down, tmp_path: Path) -> None:
    anna = sits_down(*NEW)
    anna.sees("opening dice of Anna and Boris> ")
    anna.types("31")
    assert COLOUR.search(anna.sees("Anna, 3-1> "))
    anna.types("8/4*")
    assert "'8/4*' is illegal: no opposing checker is hit" in anna.sees("Anna, 3-1> ")
    anna.types("8/5")
    anna.sees("Anna, 3-1: 8/5, left 1> ")
    anna.types("undo")
    anna.sees("Anna, 3-1> ")
    anna.types("8/5")
    anna.sees("left 1> ")
    anna.types("6/5")
    anna.sees("Enter to end the turn> ")
    anna.types("")
    anna.sees("Anna plays 3-1: 8/5 6/5\n")
    anna.sees("Boris: the dice, double or resign> ")
    anna.types("21")
    anna.sees("Boris, 2-1> ")
    anna.types("13/11")
    anna.sees("left 1> ")
    anna.presses(b"6/5")
    anna.interrupts()
    anna.sees("kept; go on with: narde play --resume narde-play.json\nnarde: interrupted\n")
    assert anna.leaves() == 130
    assert [path.name for path in tmp_path.iterdir()] == ["narde-play.json"]
    assert load_table(tmp_path / "narde-play.json").entries == ("13/11",)

    boris = sits_down("play", "--resume", "narde-play.json", NO_COLOR="1")
    assert not COLOUR.search(boris.sees("Boris, 2-1: 13/11, left 1> "))
    boris.types("6/5")
    boris.sees("Enter to end the turn> ")
    boris.types("")
    boris.sees("Boris plays 2-1: 13/11 6/5\n")
    boris.sees("Anna: the dice, double or resign> ")
    boris.presses(b"\x04")
    boris.sees("kept; go on with: narde play --resume narde-play.json\n")
    assert boris.leaves() == 0
    assert "Traceback" not in anna.screen + boris.screen


def test_a_record_is_stepped_through(sits_down, tmp_path: Path) -> None:
    match = Match.begin(1, "short", players=("Anna", "Boris")).start_game().contest("31")
    write_record(MatchRecord.of_match(match.play("8/5 6/5").roll("66").play(0)), tmp_path / "a.mat")
    anna = sits_down("replay", "a.mat")
    assert COLOUR.search(anna.sees("1 of 3: n, p, turn, g game, ? or q> "))
    anna.types("")
    anna.sees("Boris plays 6-6: ")
    anna.sees("2 of 3: ")
    anna.types("p")
    anna.sees("Anna plays 3-1: 8/5 6/5\n")
    anna.types("q")
    assert anna.leaves() == 0 and "Traceback" not in anna.screen


def test_a_terminal_that_is_closed_loses_nothing(sits_down, tmp_path: Path) -> None:
    anna = sits_down(*NEW, "--save", "closed.json", TERM="dumb")
    anna.sees("opening dice")
    anna.types("31")
    anna.sees("Anna, 3-1> ")
    anna.types("8/5")
    assert not COLOUR.search(anna.sees("left 1> "))
    os.close(anna.line)
    assert anna.run.wait(60) in (-signal.SIGHUP, 0, 1)
    table = load_table(tmp_path / "closed.json")
    assert (table.entries, table.game.dice) == (("8/5",), (3, 1))
    assert json.loads((tmp_path / "closed.json").read_text())["match"]["players"] == ["Anna", "Boris"]
    anna.line = os.open(os.devnull, os.O_RDONLY)

"""Some pages of docs show what the commands print, but for times, speeds and the machine."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from narde.cli import COMMANDS
from shell import Shell

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "cli.md").read_text(encoding="utf-8")
OTHERS = ("terminal.md", "rollout.md", "selfplay.md")
PAGES = PAGE + "".join((DOCS / name).read_text(encoding="utf-8") for name in OTHERS)
SESSIONS = re.findall(r"^```console\n(.*?)^```$", PAGES, re.M | re.S)
EXAMPLES = [
    (lines[0], "".join(line + "\n" for line in lines[1:]))
    for session in SESSIONS
    for lines in (part.splitlines() for part in re.split(r"^\$ ", session, flags=re.M)[1:])
]
QUICKER = {"narde bench": ("--repeats", "1")}
CHANGING = {
    "games": r"(?<=0,000 ) +\S+|\d+ threads?",
    "selfplay": r"(?<=,000 ) +\S+",
    "perft": r"\d+\.\d{3}$",
    "selftest": r"^narde .*$|[\d.]+ s$",
    "bench": r"[\d.,]+",
}
"""What depends on the machine, or on how long it took; everything else is compared."""


def typed_and_words(command: str) -> tuple[str, list[str]]:
    """What is typed into a command and its words: `printf '1\\n' | narde play`, or the command alone."""
    words = shlex.split(command)
    if words[0] != "printf":
        return "", words
    assert words[2] == "|"
    return words[1].replace("\\n", "\n"), words[3:]


def shape(command: str, text: str) -> str:
    """The text without what changes, and with rules and runs of blanks made alike."""
    steady = re.sub(CHANGING.get(command, "$^"), "#", text, flags=re.M)
    return re.sub(r"-{2,}", "-", re.sub(r" +", " ", steady))


@pytest.mark.parametrize(("command", "output"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_the_page_shows_what_is_printed(
    shell: Shell, command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed, (program, *words) = typed_and_words(command)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    assert program == "narde"
    result = shell(*words, *QUICKER.get(command, ()))
    assert (result.code, result.err) == (0, "")
    assert shape(words[0], result.out) == shape(words[0], output)


def test_the_page_names_every_command() -> None:
    assert all(f"| `narde {name}" in PAGE for name in COMMANDS)
    assert {typed_and_words(command)[1][1] for command, _ in EXAMPLES} == {*COMMANDS}

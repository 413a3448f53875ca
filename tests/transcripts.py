"""Transcripts of `narde play`: a command, and all that it shows when the answers in it are typed.

`python tests/transcripts.py` writes those in tests/transcripts/ anew, with the same commands and answers.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path

from narde.cli import main

FOLDER = Path(__file__).parent / "transcripts"


def command_of(transcript: str) -> list[str]:
    """The words of the command in its first line, `$ narde play ...`."""
    program, *words = shlex.split(transcript.splitlines()[0].removeprefix("$ "))
    assert program == "narde"
    return words


def answers_in(transcript: str) -> list[str]:
    """What stands behind the prompts."""
    return re.findall(r"^[^>\n]+> (.*)$", transcript, re.M)


def played_again(transcript: str) -> str:
    """The transcript of the same command with the same answers."""
    answers = "".join(f"{answer}\n" for answer in answers_in(transcript))
    before, sys.stdin = sys.stdin, io.StringIO(answers)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    try:
        with redirect_stdout(out):
            assert main(command_of(transcript)) == 0
    finally:
        sys.stdin = before
    return transcript.splitlines()[0] + "\n" + out.buffer.getvalue().decode()


if __name__ == "__main__":
    for path in FOLDER.glob("*.txt"):
        path.write_text(played_again(path.read_text(encoding="utf-8")), encoding="utf-8")

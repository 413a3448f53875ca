"""The command line for tests: as a program of its own, or within the test, which is quicker."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from narde.cli import main

NARDE = (sys.executable, "-m", "narde")
WITHOUT_RICH = (
    sys.executable,
    "-c",
    "import sys; sys.modules['rich'] = None; from narde.cli import main; sys.exit(main())",
)
OF_TERMINALS = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES")
"""Variables that change what is printed: the tests run without them."""


class Result(NamedTuple):
    """What a shell sees of a command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The JSON on stdout; anything on stderr or an exit code but 0 fails the test."""
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out)


def program(*words: str, cwd: Path | None = None, **options: Any) -> Result:
    """Run `python -m narde` as a program."""
    done = subprocess.run(
        [*NARDE, *words], cwd=cwd, capture_output=True, text=True, encoding="utf-8", **options
    )
    return Result(done.returncode, done.stdout, done.stderr)


class Shell:
    """Runs commands within the test; made by the fixture `shell` in a folder of the test's own."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Result:
        self._capsys.readouterr()
        code = main(words)
        return Result(code, *self._capsys.readouterr())


@contextlib.contextmanager
def ended(run: subprocess.Popen[Any], kill: Callable[[], None] | None = None) -> Iterator[None]:
    """Kills a program at the end of the block, and after three minutes: nobody waits for it without end."""
    watch = threading.Timer(180, kill or run.kill)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        watch.join()
        with contextlib.suppress(ProcessLookupError):
            (kill or run.kill)()


def press_ctrl_c(run: subprocess.Popen[Any]) -> None:
    """Until the run has ended: the interpreter drops an exception that comes up in a callback of its own.

    What it prints then must fit into a pipe.
    """
    for _ in range(6):
        run.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(20)
            return
    pytest.fail("Ctrl-C does not end the run")


def environment(**changes: str | None) -> dict[str, str]:
    """The environment with changes, None to take a variable away; a terminal of 80 columns by default."""
    base = {**os.environ, "COLUMNS": "80", "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    return {name: value for name, value in {**base, **changes}.items() if value is not None}

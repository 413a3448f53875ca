"""Where a person reads and types: a terminal, or a pipe, whose lines are then shown as if typed."""

from __future__ import annotations

import contextlib
import io
import sys
from importlib import import_module
from typing import IO, Final

from narde.draw._words import clean, fit

_LONGEST: Final = 1000
"""Characters read of a line at once; the rest counts as the next line."""
_ECHOED: Final = 70


class EndOfInput(Exception):
    """Nobody types any more: the end of a pipe, Ctrl-D, or a terminal that is gone."""


class Console:
    """A dialogue on two streams, by default the program's own.

    `colour` is None to find out whether the boards shall have colours, or tells it.
    """

    def __init__(
        self, *, stdin: IO[str] | None = None, stdout: IO[str] | None = None, colour: bool | None = None
    ) -> None:
        self.stdin = sys.stdin if stdin is None else stdin
        self.stdout = sys.stdout if stdout is None else stdout
        self.colour = colour
        typed = _is_terminal(self.stdin)
        standard = self.stdin is sys.stdin and self.stdout is sys.stdout
        self.is_terminal = _is_terminal(self.stdout)
        self.is_interactive = typed and self.is_terminal
        self._echo = not typed
        self._editing = typed and standard and self.is_terminal
        if isinstance(self.stdin, io.TextIOWrapper):
            self.stdin.reconfigure(errors="replace")
        if self._editing:
            with contextlib.suppress(ImportError):  # there is none on Windows; typing works without
                import_module("readline")

    def say(self, text: str = "") -> None:
        """Show some lines. Raises `OSError` if they cannot be written."""
        print(text, file=self.stdout)

    def ask(self, prompt: str) -> str:
        """What is typed behind the prompt, without blanks around it. Raises `EndOfInput`."""
        try:
            line = self._edited(prompt) if self._editing else self._read(prompt)
        except (EOFError, OSError):
            line = ""
        if not line:
            print(file=self.stdout)
            raise EndOfInput
        words = line.strip()
        if self._echo:
            self.say(fit(clean("line", words), _ECHOED))
        return words

    def _edited(self, prompt: str) -> str:
        return input(prompt) + "\n"

    def _read(self, prompt: str) -> str:
        print(prompt, end="", file=self.stdout, flush=True)
        return self.stdin.readline(_LONGEST) if self.stdin is not None else ""


def _is_terminal(stream: IO[str] | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (ValueError, OSError):
        return False

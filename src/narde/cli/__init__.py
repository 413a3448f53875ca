"""The command line: `main`, the list of commands, and what a shell sees of errors and signals.

A command is a module of this package with `add_arguments(parser)` and `run(arguments)`, which returns the
exit code; it is imported only when called, so that `narde --help` stays quick.
"""

from __future__ import annotations

import argparse
import codecs
import errno
import io
import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from narde.errors import INTERRUPTED, InvalidArgumentError, MissingExtraError, NardeError, StorageError

COMMANDS: Final = {
    "games": "play many random games, show what came of them and keep them on disk",
    "moves": "list the legal plays of a position with a roll",
    "show": "show a position: board, IDs, pips and plays, or draw it",
    "play": "play a match in the terminal, against a person or the program",
    "replay": "step through the record of a match, or show all of it",
    "convert": "turn a record or a position ID into another form",
    "analyze": "weigh a position, its cube and the plays of a roll by an evaluator",
    "rollout": "play a position, or the plays of a roll, out for its equity",
    "bearoff": "tell chances, rolls and effective pips of a race between home boards",
    "selfplay": "play many games between players and keep them in shards to train on",
    "match": "tell by how many points a game one player is better than another",
    "perft": "count the sequences of rolls and plays from a position",
    "variants": "show the rule texts and what they decide",
    "bench": "measure the speed on this machine",
    "selftest": "check this installation against pinned counts",
}
"""Each command, which is a module of this package, and what it does."""

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
PIPE_CLOSED: Final = 128 + 13
"""What a shell reports of a program ended by SIGPIPE."""

_OF_THE_MACHINE: Final = (StorageError, MissingExtraError, MemoryError)
"""Errors that no change of the words typed would mend."""

_NO_OPTION: Final = re.compile(r"-\d+[\s,;]|-[-\w]{25}:")
"""A row or an XGID that begins with a minus, which argparse would take for an option."""


class Closed(io.TextIOBase):
    """Standard output that is closed: to print is an error, where `print` would lose what it is given."""

    @property
    def buffer(self) -> Closed:
        return self

    def write(self, text: object, /) -> NoReturn:
        raise StorageError("nothing can be printed: standard output is closed")


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose complaints are errors of `narde`: one line, exit code 2."""

    def error(self, message: str) -> NoReturn:
        raise InvalidArgumentError(f"{message} (try: {self.prog} --help)")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """The value of an argument, as `argparse` reads it, but an empty one is refused: it comes from a
        shell variable that is not set, and would be taken for the default."""
        if not all(map(str.strip, arg_strings)):
            raise argparse.ArgumentError(action, "the value is empty: give one, or leave the argument out")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help or the version, as `argparse` prints it, but a fault is an error and not passed over."""
        file.write(message)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line with these words, by default the program's own; returns the exit code.

    0 well, 1 failed while running, 2 wrong usage or bad input, 130 interrupted, 141 the reader of the output
    has gone. What cannot be written to standard error is lost.
    """
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stderr(sys.stderr or nowhere):
        return _main(list(sys.argv[1:] if words is None else words))


def _main(words: list[str]) -> int:
    """As `main`, with a standard error: where there is none, `print` would take standard output for it."""
    _accept_any_encoding()
    try:
        with warnings.catch_warnings(), redirect_stdout(sys.stdout or Closed()):
            warnings.showwarning = _warn
            code = _run(words)
        _flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except (NardeError, OSError, MemoryError) as fault:  # OSError: the output cannot be written
        return _complain(fault)
    except KeyboardInterrupt:
        _tell("interrupted")
        return INTERRUPTED
    return code


def _run(words: list[str]) -> int:
    try:
        if words and words[0] in COMMANDS:
            return _run_command(words[0], words[1:])
        return _run_top(words)
    except SystemExit as leave:  # argparse has printed help or the version
        return leave.code if isinstance(leave.code, int) else OK


def _run_command(name: str, words: list[str]) -> int:
    command = import_module(f"narde.cli.{name}")
    parser = Parser(prog=f"narde {name}", description=_sentence(COMMANDS[name]), allow_abbrev=False)
    command.add_arguments(parser)
    words = [f" {word}" if _NO_OPTION.match(word) else word for word in words]
    return int(command.run(parser.parse_intermixed_args(words)))


def _run_top(words: list[str]) -> int:
    """No command: help, the version, or a complaint."""
    from narde import __version__

    width = max(map(len, COMMANDS))
    listed = [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    parser = Parser(
        prog="narde",
        usage="narde COMMAND [OPTIONS]",
        description="Long nardy (narde) and short nardy (backgammon) at the speed of the machine.",
        epilog="\n".join(["commands:", *listed, "", "'narde COMMAND --help' tells more of a command."]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"narde {__version__}")
    _, rest = parser.parse_known_args(words)
    if rest:
        parser.error(f"unknown command {rest[0]!r}, use one of {', '.join(COMMANDS)}")
    parser.print_help(sys.stderr)
    return USAGE


def _sentence(summary: str) -> str:
    return summary[0].upper() + summary[1:] + "."


def _warn(message: Warning | str, *where: Any, **more: Any) -> None:
    """One line on stderr, without the place in the source that means nothing to who types commands."""
    print(f"narde: warning: {message}", file=sys.stderr)


def _complain(fault: BaseException) -> int:
    """One line on stderr, whatever the fault; returns the exit code."""
    text = str(fault) if isinstance(fault, NardeError) else _of_the_system(fault)
    reason = "; ".join(line.strip() for line in text.splitlines())
    _tell(f"error: {reason}")
    _drop_output()
    return USAGE if isinstance(fault, NardeError) and not isinstance(fault, _OF_THE_MACHINE) else FAILED


def _tell(text: str) -> None:
    """A line on stderr, if that can be written: the exit code tells enough."""
    with suppress(OSError):
        print(f"narde: {text}", file=sys.stderr)


def _of_the_system(fault: BaseException) -> str:
    """What the system says, and of which file; other files than standard output have their names."""
    reason = getattr(fault, "strerror", None) or "out of memory"
    name = getattr(fault, "filename", None)
    if name is None and getattr(fault, "errno", None) in (errno.ENOSPC, errno.EFBIG):
        name = "standard output"
    return reason if name is None else f"{name}: {reason}"


def _accept_any_encoding() -> None:
    """Print `+-` for the plus-minus where the encoding of the output has none, and a question mark for any
    other sign that it has not."""
    codecs.register_error("narde", _in_other_signs)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="narde")


def _in_other_signs(fault: UnicodeError) -> tuple[str, int]:
    assert isinstance(fault, UnicodeEncodeError)
    signs = fault.object[fault.start : fault.end]
    return "".join("+-" if sign == "±" else "?" for sign in signs), fault.end


def _flush() -> None:
    """Write out now what is buffered, while an error can still be reported."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Send what cannot be written nowhere: the interpreter would complain of it at its end."""
    try:
        _flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""`python -m narde` and the command `narde`: `narde.cli.main`, and what a person sees who presses Ctrl-C.

A Ctrl-C while Python loads the package `narde` itself, with NumPy, comes before all of this.
"""

from __future__ import annotations

import signal
import sys

from narde.errors import INTERRUPTED


def main() -> int:
    """Run the command line with the program's own words; returns the exit code.

    Once it is interrupted, further ones change nothing: the interpreter would die of them on its way out.
    """
    try:
        from narde.cli import main as run

        code = run()
        if code == INTERRUPTED:
            _ignore_interrupts()
        return code
    except KeyboardInterrupt:  # while that was loaded, or a second one that came while the first was told
        _ignore_interrupts()
        print("narde: interrupted", file=sys.stderr)
        return INTERRUPTED


def _ignore_interrupts() -> None:
    """From now on; one that comes in meanwhile is dropped.

    Also make the interpreter forget one that it has met in an `exec` of text, as `dataclasses` does on
    import: it would kill itself in the end, whoever caught it. To evaluate any text does that.
    """
    while True:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            eval("None")
            return
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main())

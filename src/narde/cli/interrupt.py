"""Ctrl-C during work done in chunks: the first asks to stop after the chunk, the second stops at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType


@contextlib.contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """A function that says whether to stop: true from the first SIGINT on; a second is a `KeyboardInterrupt`.

    It stays false where signals cannot be handled, outside the main thread, or shall be ignored, as in a
    background job of a script.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield lambda: False
        return
    asked = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)

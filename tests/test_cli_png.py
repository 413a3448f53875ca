"""`narde show --png`, which the extra `png` brings."""

from pathlib import Path

import pytest

from shell import Shell

pytest.importorskip("resvg_py")


def test_a_png(shell: Shell) -> None:
    result = shell("show", "start", "65", "--png", "board.png", "--svg", "board.svg")
    assert result.out.endswith("\nsaved as board.svg\nsaved as board.png\n")
    assert Path("board.png").read_bytes().startswith(b"\x89PNG\r\n")

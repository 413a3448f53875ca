"""Tables of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of text, its first column to the left, the others to the right; a cell may have lines."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        lines = self._lines()
        widths = [max(map(len, column)) for column in zip(self.header, *lines, strict=True)]
        ruled = [self.header, ["-" * width for width in widths], *lines]
        return "\n".join(_aligned(cells, widths) for cells in ruled)

    def _lines(self) -> list[list[str]]:
        """The rows, each as the lines of its tallest cell."""
        lines = []
        for row in self.rows:
            cells = [cell.split("\n") for cell in row]
            height = max(map(len, cells))
            lines += [[(cell + [""] * height)[i] for cell in cells] for i in range(height)]
        return lines


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()

"""Reads pictures back: from a text board or an SVG to the checkers that a person would see on it."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import numpy.typing as npt

import narde

SVG = "{http://www.w3.org/2000/svg}"
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def row_of(
    mover: dict[int, int],
    opponent: dict[int, int],
    *,
    bar: tuple[int, int] = (0, 0),
    off: tuple[int, int] = (0, 0),
) -> npt.NDArray[np.int8]:
    """A row from checkers by the mover's point numbers."""
    row = np.zeros(28, np.int8)
    for point, count in mover.items():
        row[point - 1] = count
    for point, count in opponent.items():
        row[point - 1] = -count
    row[24:] = bar[0], -bar[1], off[0], -off[1]
    return row


def read_text(text: str, long: bool) -> list[int]:
    """The row that a text board shows: light checkers counted positive, points as numbered there."""
    lines = text.splitlines()
    rims = [i for i, line in enumerate(lines) if re.search(r"[─═]{6}|[-=]{6}", line)]
    upper, lower = lines[rims[0] + 1 : rims[0] + 6], lines[rims[1] - 5 : rims[1]][::-1]
    left = re.search(r"[┌╒+]", lines[rims[0]])
    assert left
    row = [0] * 28
    for half, numbers in ((upper, lines[rims[0] - 1]), (lower, lines[rims[1] + 1])):
        spots = [m for m in re.finditer(r"\d+", numbers) if m.start() > left.start()][:12]
        for spot in spots:
            row[int(spot[0]) - 1] = _column([line[spot.end() - 2 : spot.end()] for line in half])
        if not long:
            bar = slice(spots[5].end() + 1, spots[6].end() - 3)
            _add(row, 24, _column([line[bar].strip("│| ") for line in half]))
        for line in half:
            _add(row, 26, _discs(line[: left.start()] + line[len(lines[rims[0]]) :]))
    return row if any(row[26:]) else [*row[:26], _off(lines[-1]), -_off(lines[0])]


def _off(line: str) -> int:
    """The checkers off that the narrow board tells in the line of a side."""
    told = re.search(r"\boff ([0-9]+)|(\ball off)", line)
    return 0 if told is None else int(told[1] or 15)


def _add(row: list[int], place: int, count: int) -> None:
    """Checkers of either side on the bar (24, 25) or off (26, 27)."""
    row[place + (count < 0)] += count


def _column(cells: list[str]) -> int:
    """A stack from the edge inwards: discs, or four and the count of all."""
    discs = sum(map(_discs, cells))
    if cells[4].strip(" .·").isdigit():
        assert abs(discs) == 4
        return int(np.sign(discs)) * int(cells[4].strip(" .·"))
    return discs


def _discs(words: str) -> int:
    return sum(words.count(c) for c in "○O") - sum(words.count(c) for c in "●X")


def parse(svg: str) -> Element:
    """The root of an SVG that is well-formed and names no outside resource."""
    assert not re.search(r"href|url\(|<script|<style|@import|<!", svg)
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def part(root: Element, name: str) -> Element:
    """The only group with that `data-part`."""
    found = root.findall(f".//{SVG}g[@data-part='{name}']")
    assert len(found) == 1, name
    return found[0]


def numbers(root: Element) -> dict[str, tuple[float, float]]:
    """Where each point number is written."""
    return {str(t.text): (float(t.attrib["x"]), float(t.attrib["y"])) for t in part(root, "numbers")}


def stacks(root: Element) -> Iterator[tuple[Element, list[Element], int]]:
    """Each stack: its group, the checkers drawn, and how many these and the counts mean to a reader."""
    counts = root.findall(f".//{SVG}g[@data-part='counts']/{SVG}text")
    groups = root.findall(f".//{SVG}g[@data-side]")
    used = 0
    for group in groups:
        drawn = list(group.findall(f"./{SVG}g[@data-part='checkers']/*"))
        labels = [int(label.text or "") for label in counts if _lies_on(label, drawn[-1])]
        assert len(labels) <= 1
        used += len(labels)
        yield group, drawn, (labels or [len(drawn)])[0]
    assert used == len(counts)


def _lies_on(label: Element, checker: Element) -> bool:
    """Whether a count is written on a checker, or right beside one that stands in a tray."""
    place = checker.attrib
    if "cx" in place:
        x, y, reach = float(place["cx"]), float(place["cy"]), 8.0
    else:
        x, y, reach = float(place["x"]) + float(place["width"]) / 2, float(place["y"]) + 5, 24.0
    return float(label.attrib["x"]) == x and abs(float(label.attrib["y"]) - y) < reach


def read_svg(svg: str, light: str) -> list[int]:
    """The row that an SVG board shows by the places of its checkers, as numbered there.

    Those filled with the colour `light` are counted positive.
    """
    root = parse(svg)
    box = [float(n) for n in root.attrib["viewBox"].split()]
    places, row = numbers(root), [0] * 28
    for _, checkers, count in stacks(root):
        (fill,) = {_fill(root, checker) for checker in checkers}
        signed = count if fill == light else -count
        if checkers[0].tag == f"{SVG}rect":
            assert len(checkers) == count
            _add(row, 26, signed)
            continue
        assert len(checkers) == min(count, 5)
        (x,) = {float(c.attrib["cx"]) for c in checkers}
        y = float(checkers[0].attrib["cy"])
        found = [n for n, (nx, ny) in places.items() if nx == x and (ny < box[3] / 2) == (y < box[3] / 2)]
        if found:
            row[int(found[0]) - 1] += signed
        else:
            assert x == box[2] / 2
            _add(row, 24, signed)
    return row


def _fill(root: Element, checker: Element) -> str:
    """The fill that a checker inherits from its group."""
    (group,) = (g for g in root.iter(f"{SVG}g") if checker in list(g))
    return group.attrib["fill"]


def opposite(row: npt.ArrayLike, rules: str) -> list[int]:
    """The row as the other player sees it."""
    return [int(n) for n in narde.flip(row, rules)]

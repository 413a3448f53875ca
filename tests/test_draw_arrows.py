"""Arrows for a play: from the checker that moves to where it lands, apart from each other."""

import re
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import narde
from narde import draw
from pictures import SVG, numbers, parse, part, row_of, stacks

XY = tuple[float, float]
RADIUS = 18


def arrows(svg: str) -> list[tuple[str, str, XY, XY]]:
    """From, to, tail and tip of each arrow."""
    found = []
    for group in part(parse(svg), "play"):
        curve, head = [p.attrib["d"] for p in group.findall(f"{SVG}path")][-2:]
        tail, tip = (_first(path) for path in (curve, head))
        found.append((group.attrib["data-from"], group.attrib["data-to"], tail, tip))
    return found


def _first(path: str) -> XY:
    x, y = re.findall(r"-?[\d.]+", path)[:2]
    return float(x), float(y)


def column(svg: str, number: str) -> XY:
    return numbers(parse(svg))[number]


def distance(a: XY, b: XY) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def top_checker(root: ElementTree.Element, point: str, side: str = "mover") -> XY:
    """The innermost checker of a stack."""
    for group, checkers, _ in stacks(root):
        if (group.attrib["data-point"], group.attrib["data-side"]) == (point, side):
            return float(checkers[-1].attrib["cx"]), float(checkers[-1].attrib["cy"])
    raise AssertionError(f"no checkers of the {side} on {point}")


def test_an_arrow_goes_from_the_top_checker_to_the_free_place() -> None:
    svg = draw.svg(narde.starting_row("short"), "short", moves=[(8, 5), (6, 5)])
    (_, _, tail, tip), (_, _, tail2, tip2) = arrows(svg)
    assert distance(tail, top_checker(parse(svg), "8")) == pytest.approx(RADIUS + 2, abs=0.1)
    assert distance(tail2, top_checker(parse(svg), "6")) == pytest.approx(RADIUS + 2, abs=0.1)
    assert tip[0] == tip2[0] == column(svg, "5")[0]
    assert tip[1] - tip2[1] == 36  # the second lands on the first
    assert tip[1] == pytest.approx(column(svg, "5")[1], abs=40)


@pytest.mark.parametrize("bottom", ["mover", "opponent"])
@pytest.mark.parametrize("numbered", ["mover", "opponent"])
def test_arrows_keep_to_the_moves_from_either_side(bottom: Any, numbered: Any) -> None:
    for game, moves in (("long", [(24, 18)]), ("short", [(24, 18)]), ("short", [(13, 7)])):
        svg = draw.svg(narde.starting_row(game), game, bottom=bottom, numbers=numbered, moves=moves)
        ((start, end, tail, tip),) = arrows(svg)
        own = [str(p) for p in moves[0]]
        his = [str((p + 11) % 24 + 1 if game == "long" else 25 - p) for p in moves[0]]
        assert [start, end] == (own if numbered == "mover" else his)
        assert distance(tail, top_checker(parse(svg), start)) < RADIUS + 3
        assert tip[0] == column(svg, end)[0]


def test_a_checker_goes_on_from_where_it_landed() -> None:
    svg = draw.svg(row_of({24: 14, 16: 1}, {12: 14, 4: 1}), moves=[(24, 22), (22, 20), (20, 18), (18, 16)])
    drawn = arrows(svg)
    for (_, _, _, tip), (_, _, tail, _) in pairwise(drawn):
        assert distance(tip, tail) == pytest.approx(RADIUS + 2, abs=0.1)
    assert drawn[-1][3][1] > drawn[0][3][1]  # 16 is held by one already


def test_arrows_of_one_place_lie_apart() -> None:
    plays = [
        (narde.starting_row(), "long", [(24, 21)] * 4),
        (row_of({24: 13, 18: 2}, {12: 15}), "long", [(24, 18), (24, 18), (18, 16), (18, 16)]),
        (
            row_of({6: 3, 5: 3, 4: 2, 3: 2, 2: 2}, {24: 15}, off=(3, 0)),
            "short",
            [(6, 0), (6, 0), (6, 0), (5, 0)],
        ),
        (row_of({6: 11}, {19: 15}, bar=(4, 0)), "short", [(25, 22)] * 4),
        (row_of({1: 15}, {13: 15}), "long", [(1, 0)] * 4),
    ]
    for row, game, moves in plays:
        drawn = arrows(draw.svg(row, game, moves=moves))
        assert len(drawn) == 4
        for a, b in combinations(drawn, 2):
            assert distance(a[2], b[2]) > 8 or a[:2] != b[:2], "tails"
            assert distance(a[3], b[3]) > 12, "tips"


def test_bar_and_tray_are_ends_too() -> None:
    row = row_of({6: 4, 5: 2, 13: 5}, {1: 2, 19: 13}, bar=(2, 0), off=(2, 0))
    svg = draw.svg(row, "short", moves=[(25, 22), (25, 20), (6, 0)])
    root = parse(svg)
    width = float(root.attrib["viewBox"].split()[2])
    drawn = arrows(svg)
    assert [a[:2] for a in drawn] == [("bar", "22"), ("bar", "20"), ("6", "off")]
    assert all(abs(a[2][0] - width / 2) <= RADIUS + 3 for a in drawn[:2])
    assert drawn[0][2][1] < drawn[1][2][1]  # first the one nearer to where they enter
    (tray,) = (c for g, c, _ in stacks(root) if g.attrib["data-point"] == "off")
    left, top = float(tray[-1].attrib["x"]), float(tray[-1].attrib["y"])
    assert left < drawn[2][3][0] < left + float(tray[-1].attrib["width"])
    assert drawn[2][3][1] < top


def test_a_hit_ends_on_the_blot() -> None:
    row = row_of({8: 15}, {5: 1, 19: 14})
    svg = draw.svg(row, "short", moves=[(8, 5)])
    assert arrows(svg)[0][3] == top_checker(parse(svg), "5", "opponent")


def test_moves_of_afterstates_are_drawn_as_they_come() -> None:
    out = narde.afterstates([narde.starting_row("short")], [(6, 5)], "short", moves=True)
    for moves in out.moves:
        used = [tuple(map(str, m)) for m in moves.tolist() if m != [-1, -1]]
        assert [a[:2] for a in arrows(draw.svg(narde.starting_row("short"), "short", moves=moves))] == used


def test_no_moves_no_arrows() -> None:
    for moves in (None, [], np.full((4, 2), -1)):
        assert draw.svg(narde.starting_row(), moves=moves) == draw.svg(narde.starting_row())


@pytest.mark.parametrize(
    "moves",
    [
        [(24, 18), (24, 18), (24, 18), (24, 18), (24, 18)],
        [(24,)],
        [24, 18],
        [(26, 18)],
        [(0, 5)],
        [(24, -1)],
        [(24, 25)],
        [(23, 18)],
        [(12, 6)],
        [(25, 20)],
        [(24, 18), (17, 16)],
        "24/18",
        [(24.5, 18)],
    ],
    ids=str,
)
def test_moves_that_no_checker_can_make_are_told(moves: Any) -> None:
    with pytest.raises(narde.NardeError):
        draw.svg(narde.starting_row(), moves=moves)

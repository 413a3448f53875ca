"""Short nardy beside other generators, on the same positions with the same rolls, in the same run.

All are called from Python as their users call them. GNU Backgammon's generator answers with keys of its
positions and OpenSpiel's with numbers of actions; turning either into rows is not timed.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

import narde
import peers
from batches import all_rolls
from narde.plays import ROLLS

POSITIONS = 200
STATES = 2_000


@pytest.fixture(scope="module")
def openspiel() -> list[tuple[Any, peers.Row, tuple[int, int]]]:
    """States of OpenSpiel's random games with two different dice: a double is only half a turn to it."""
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the bench extra")
    turns = (turn for turn in peers.openspiel_turns(seed=1) if turn[2][0] != turn[2][1])
    return list(islice(turns, STATES))


def test_gnubg_plays(benchmark: Any) -> None:
    gnubg = pytest.importorskip("gnubg_nn", reason="GNU Backgammon's generator comes with the bench extra")
    batch = all_rolls("short", POSITIONS, 0)
    expected = int(narde.count_afterstates(batch.rows, batch.dice, "short").sum())
    boards = [peers.gnubg_board(row) for row in batch.rows[:: len(ROLLS)]]
    rolls = [(int(a), int(b)) for a, b in ROLLS]
    assert sum(max(1, len(gnubg.moves(board, *roll))) for board in boards for roll in rolls) == expected

    def all_moves() -> None:
        for board in boards:
            for die, other in rolls:
                gnubg.moves(board, die, other)

    benchmark.extra_info |= {"per": "(position, roll)", "units": len(batch), "afterstates": expected}
    benchmark(all_moves)


def test_narde_plays_of_the_positions_given_to_gnubg(benchmark: Any) -> None:
    batch = all_rolls("short", POSITIONS, 0)
    earlier = narde.afterstates(batch.rows, batch.dice, "short")
    expected = int(narde.count_afterstates(batch.rows, batch.dice, "short").sum())
    assert len(earlier.positions) == expected
    benchmark.extra_info |= {"per": "(position, roll)", "units": len(batch), "afterstates": expected}
    benchmark(lambda: narde.afterstates(batch.rows, batch.dice, "short", out=earlier))


def test_openspiel_plays(benchmark: Any, openspiel: list[Any]) -> None:
    states = [state for state, _, _ in openspiel]
    expected = _narde_count(openspiel)
    assert sum(len(peers.openspiel_afterstates(state)) for state in states) == expected

    def all_actions() -> None:
        for state in states:
            state.legal_actions()

    benchmark.extra_info |= {"per": "(position, roll)", "units": len(states), "afterstates": expected}
    benchmark(all_actions)


def test_narde_plays_of_the_positions_of_openspiel(benchmark: Any, openspiel: list[Any]) -> None:
    rows, dice = (np.array(column, np.int8) for column in list(zip(*openspiel, strict=True))[1:])
    earlier, expected = narde.afterstates(rows, dice, "short"), _narde_count(openspiel)
    assert len(earlier.positions) == expected
    benchmark.extra_info |= {"per": "(position, roll)", "units": len(rows), "afterstates": expected}
    benchmark(lambda: narde.afterstates(rows, dice, "short", out=earlier))


def test_openspiel_random_games(benchmark: Any) -> None:
    """In C++ from end to end; the number of games is all that can be asked for."""
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the bench extra")
    benchmark.extra_info |= {"per": "game", "units": 300}
    benchmark.pedantic(peers.openspiel_play_random_games, args=(300, 1), rounds=5, warmup_rounds=1)


def _narde_count(turns: list[tuple[Any, peers.Row, tuple[int, int]]]) -> int:
    _, rows, dice = zip(*turns, strict=True)
    return int(narde.count_afterstates(rows, dice, "short").sum())

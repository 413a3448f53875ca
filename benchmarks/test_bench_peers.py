"""Short nardy beside other generators, on the same positions with the same rolls, in the same run.

All are called from Python as their users call them. GNU Backgammon's generator answers with keys of its
positions and OpenSpiel's with numbers of actions; turning either into rows is not timed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

import narde
import peers
from batches import all_rolls
from narde.plays import ROLLS
from side_by_side import beside

POSITIONS = 200
STATES = 2_000


class Task(NamedTuple):
    """Rows with dice, and the peer's work on the very same, which has been seen to find as many
    afterstates."""

    rows: npt.NDArray[np.int8]
    dice: npt.NDArray[np.int8]
    theirs: Callable[[], None]


@pytest.fixture(scope="module")
def gnubg() -> Task:
    """Positions of random games, each with the 21 rolls, a call for each."""
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="GNU Backgammon's generator comes with the bench extra")
    batch = all_rolls("short", POSITIONS, 0)
    rolls = [(int(a), int(b)) for a, b in ROLLS]
    tasks = [(peers.gnubg_board(row), *roll) for row in batch.rows[:: len(ROLLS)] for roll in rolls]
    found = sum(max(1, len(gnubg_nn.moves(*task))) for task in tasks)
    assert found == narde.count_afterstates(batch.rows, batch.dice, "short").sum()

    def moves_of_all() -> None:
        for board, die, other in tasks:
            gnubg_nn.moves(board, die, other)

    return Task(batch.rows, batch.dice, moves_of_all)


@pytest.fixture(scope="module")
def openspiel() -> Task:
    """States of OpenSpiel's random games with two different dice: a double is only half a turn to it."""
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the bench extra")
    turns = (turn for turn in peers.openspiel_turns(seed=1) if turn[2][0] != turn[2][1])
    states, rows, dice = zip(*islice(turns, STATES), strict=True)
    found = sum(len(peers.openspiel_afterstates(state)) for state in states)
    assert found == narde.count_afterstates(rows, dice, "short").sum()

    def actions_of_all() -> None:
        for state in states:
            state.legal_actions()

    return Task(np.array(rows, np.int8), np.array(dice, np.int8), actions_of_all)


@pytest.mark.parametrize("peer", ["gnubg", "openspiel"])
def test_plays_by(benchmark: Any, request: pytest.FixtureRequest, peer: str) -> None:
    task: Task = request.getfixturevalue(peer)
    benchmark.extra_info |= {"per": "(position, roll)", "units": len(task.rows)}
    benchmark.pedantic(task.theirs, rounds=9, warmup_rounds=1)


@pytest.mark.parametrize("peer", ["gnubg", "openspiel"])
def test_plays_beside(benchmark: Any, request: pytest.FixtureRequest, peer: str) -> None:
    task: Task = request.getfixturevalue(peer)
    earlier = narde.afterstates(task.rows, task.dice, "short")
    benchmark.extra_info |= {"per": "(position, roll)", "units": len(task.rows)}

    def ours() -> None:
        narde.afterstates(task.rows, task.dice, "short", out=earlier)

    beside(benchmark, ours, task.theirs, peer, len(task.rows))

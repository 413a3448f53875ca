"""Short nardy against other generators: GNU Backgammon's, Open Sage's and OpenSpiel's, which share nothing
with ours."""

from itertools import islice

import numpy as np
import pytest

import narde
import peers
from narde import reference
from narde.games import random_games
from narde.plays import ROLLS

SHORT = narde.rules("short")


def ours(rows: list[peers.Row], dice: list[tuple[int, int]]) -> list[set[peers.Row]]:
    """The core's afterstates of a batch, a set a row."""
    out = narde.afterstates(rows, dice, SHORT)
    return [set(map(tuple, out[i].tolist())) for i in range(len(out))]


@pytest.fixture(scope="module")
def turns() -> tuple[list[peers.Row], list[tuple[int, int]]]:
    """Rows of random games with the dice that were rolled, and some of them with all 21 rolls."""
    games = random_games(60, SHORT, seed=7, record=("positions", "dice"))
    assert games.positions is not None and games.dice is not None
    few = games.positions[::40]
    rows = np.concatenate([games.positions, np.repeat(few, len(ROLLS), axis=0)])
    dice = np.concatenate([games.dice, np.tile(ROLLS, (len(few), 1))])
    return list(map(tuple, rows.tolist())), list(map(tuple, dice.tolist()))


def test_gnubg_finds_the_same_afterstates(turns: tuple[list[peers.Row], list[tuple[int, int]]]) -> None:
    pytest.importorskip("gnubg_nn", reason="GNU Backgammon's generator comes with the bench extra")
    rows, dice = turns
    theirs = [peers.gnubg_afterstates(row, roll) for row, roll in zip(rows, dice, strict=True)]
    assert all(len(set(after)) == len(after) for after in theirs)
    assert [set(after) for after in theirs] == ours(rows, dice)


def test_gnubg_counts_the_same_sequences_of_two_turns() -> None:
    pytest.importorskip("gnubg_nn", reason="GNU Backgammon's generator comes with the bench extra")
    rolls = ROLLS.tolist()
    start = narde.starting_row(SHORT).tolist()
    after = [row for roll in rolls for row in peers.gnubg_afterstates(start, roll)]
    assert len(after) == narde.perft(start, 1, SHORT) == 447
    counts = sum(len(peers.gnubg_afterstates(row, roll)) for row in after for roll in rolls)
    assert counts == narde.perft(start, 2, SHORT) == 202_782


def test_open_sage_finds_the_same_afterstates(turns: tuple[list[peers.Row], list[tuple[int, int]]]) -> None:
    pytest.importorskip("bgsage", reason="Open Sage comes with the bench extra")
    rows, dice = (column[::2] for column in turns)
    assert [peers.sage_afterstates(row, roll) for row, roll in zip(rows, dice, strict=True)] == ours(
        rows, dice
    )


def test_openspiel_finds_the_same_afterstates() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the bench extra")
    states, rows, dice = zip(*islice(peers.openspiel_turns(seed=5), 1500), strict=True)
    assert [peers.openspiel_afterstates(state) for state in states] == ours(rows, dice)


def test_openspiel_and_the_reference_agree() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the bench extra")
    for state, row, dice in islice(peers.openspiel_turns(seed=6), 200):
        assert peers.openspiel_afterstates(state) == set(map(tuple, reference.afterstates(row, dice, SHORT)))

"""The core against the reference: the same afterstates, in order, counted, and reached by legal plays."""

from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

import narde
from comparing import differences, rules_for
from narde import reference
from positions import made_turns, played_turns, turns


@settings(max_examples=300, deadline=None)
@given(turn=turns())
def test_core_equals_reference(turn) -> None:
    row, dice, rules = turn
    assert differences(row, dice, rules) == []


@pytest.mark.parametrize("game", ["long", "short"])
def test_core_equals_reference_on_made_rows(game: str) -> None:
    rng = Random(11)
    for row, dice in islice(made_turns(game, seed=11), 250):
        assert differences(row, dice, rules_for(game, rng)) == []


@pytest.mark.parametrize("variant", narde.variants())
def test_core_equals_reference_in_play(variant: str) -> None:
    """Whole games by wall-building, head-heavy and random players, which the core drives."""
    for row, dice in islice(played_turns(_core, variant, seed=3), 400):
        if dice[0] != dice[1] or sum(row[:24]) % 3 == 0:
            assert differences(row, dice, narde.rules(variant)) == []


def _core(row, dice, rules) -> list[tuple[int, ...]]:
    return [tuple(after) for after in narde.afterstates(row, dice, rules, check=False).positions.tolist()]


@pytest.mark.parametrize("variant", narde.variants())
def test_batches_are_their_rows(variant: str) -> None:
    """A batch is its rows side by side, whatever the threads and the memory it is written to."""
    pairs = list(islice(made_turns(narde.rules(variant).game, seed=5), 3000))
    rows, dice = (np.array(column, np.int8) for column in zip(*pairs, strict=True))
    out = narde.afterstates(rows, dice, variant, check=False)
    again = narde.afterstates(rows[::-1], dice[::-1], variant, check=False, threads=3, out=out)
    counts = narde.count_afterstates(rows[::-1], dice[::-1], variant, check=False)
    assert np.array_equal(counts, np.diff(again.offsets))
    for i in range(0, len(rows), 7):
        expected = _core(rows[i], dice[i], variant)
        assert [tuple(after) for after in again[len(rows) - 1 - i].tolist()] == expected


def test_worst_rolls_known() -> None:
    """The rows with the most afterstates known, opponent on one point: none is cut off."""
    points = [4, 5, 7, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24]
    row = np.zeros(28, np.int8)
    row[np.array(points) - 1] = 1
    row[0] = -15
    assert narde.count_afterstates(row, (1, 1), "long")[0] == 2140
    free = [3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24]
    row = np.zeros(28, np.int8)
    row[np.array(free) - 1] = 1
    row[27] = -15
    out = narde.afterstates(row, (1, 1), "long")
    assert len(out.positions) == 2226 == len(np.unique(out.positions, axis=0))
    assert [tuple(after) for after in out.positions.tolist()] == reference.afterstates(row, (1, 1), "long")

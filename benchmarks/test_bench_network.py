"""The network in the core: all afterstates of a turn weighed and the best one chosen; whole games.

Every benchmark first checks what is chosen, which is the same on every machine, and the games' turns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import narde
from batches import SEED, Batch, sensible
from narde import evaluators
from narde.features import features
from narde.network import Network
from side_by_side import beside

GAMES = 200
BATCHES = {"long": 366_171, "short": 166_286}
CHOSEN = {("long", 64): 167_380, ("long", 128): 153_490, ("short", 64): 56_933, ("short", 128): 76_590}
TURNS = {("long", 64): 18_297, ("long", 128): 18_649, ("short", 64): 11_074, ("short", 128): 12_909}
ROWS = 1_024


def turns_of(rules: str) -> Batch:
    """Turns of sensible games, their afterstates counted."""
    batch = sensible(rules, GAMES, BATCHES[rules])
    assert narde.count_afterstates(batch.rows, batch.dice, rules).sum() == batch.afterstates
    return batch


def network_of(rules: str, hidden: int) -> Network:
    """The network of the package, or one with random weights, which costs as much."""
    return evaluators.default(rules) if hidden == 64 else Network.random(hidden, game=rules, seed=1)


@pytest.mark.parametrize("hidden", [64, 128])
@pytest.mark.parametrize("rules", ["long", "short"])
def test_choose(benchmark: Any, rules: str, hidden: int) -> None:
    """Generation, evaluation of all afterstates and choice, a turn after another."""
    batch, network = turns_of(rules), network_of(rules, hidden)
    assert network.choose(batch.rows, batch.dice, rules)[2].sum() == CHOSEN[rules, hidden]
    benchmark.extra_info |= {"per": "afterstate", "units": batch.afterstates, "turns": len(batch)}
    benchmark(network.choose, batch.rows, batch.dice, rules)


@pytest.mark.parametrize("hidden", [64, 128])
@pytest.mark.parametrize("rules", ["long", "short"])
def test_games(benchmark: Any, rules: str, hidden: int) -> None:
    """Whole games that a network plays with itself in the core."""
    play = games_of(rules, network_of(rules, hidden))
    assert play().sum() == TURNS[rules, hidden]
    benchmark.extra_info |= {"per": "game", "units": GAMES}
    benchmark(play)


def games_of(rules: str, network: Network) -> Callable[[], Any]:
    """What plays so many games and gives their lengths."""
    player = narde.player(network)
    return lambda: narde.self_play(GAMES, player, rules, seed=SEED).lengths


@pytest.mark.parametrize("hidden", [64, 128])
def test_evaluate_beside_numpy(benchmark: Any, hidden: int) -> None:
    """Single positions, all summed up from nothing, beside dense products in float32 of the same rows."""
    network, rows = Network.random(hidden, seed=1), turns_of("long").rows[:ROWS]
    w1, b1, w2, b2 = (
        part.astype(np.float32)
        for part in (network.hidden_weights, network.hidden_bias, network.output_weights, network.output_bias)
    )
    inputs, unit = features(rows), np.float32(network.unit)

    def dense() -> Any:
        return 1 / (1 + np.exp(-(np.maximum(inputs @ w1 + b1, 0) @ w2 + b2) * unit))

    assert np.abs(network(rows) - dense()).max() < 1e-3
    benchmark.extra_info |= {"per": "position", "units": ROWS}
    beside(benchmark, lambda: network(rows), dense, "NumPy", ROWS)

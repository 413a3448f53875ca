"""Rollouts of the starting position: 1,296 trials, full variance reduction, no cube, 0 plies.

Every benchmark first checks the equity, which is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import narde
from narde import evaluators
from narde.rollouts import Rollout
from side_by_side import beside

TRIALS = 1_296
BY_NUMPY = 36
EQUITY = {"long": 0.2665882974684511, "short": 0.09870041128856674}


def rollout_of(rules: str, threads: int) -> Callable[[], Rollout]:
    """The rollout by the network of the package, its equity checked."""
    network, row = evaluators.default(rules), narde.starting_row(rules)

    def roll_out() -> Rollout:
        return narde.rollout(row, network, rules, trials=TRIALS, seed=1, threads=threads)

    assert roll_out().equity == pytest.approx(EQUITY[rules], abs=1e-12)
    return roll_out


@pytest.mark.parametrize("rules", ["long", "short"])
def test_rollout(benchmark: Any, rules: str) -> None:
    benchmark.extra_info |= {"per": "trial", "units": TRIALS}
    benchmark.pedantic(rollout_of(rules, 1), rounds=5)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_rollout_in_two_threads(benchmark: Any, rules: str) -> None:
    benchmark.extra_info |= {"per": "trial", "units": TRIALS}
    two, one = (rollout_of(rules, threads) for threads in (2, 1))
    beside(benchmark, two, one, "one thread", TRIALS)


def test_rollout_beside_numpy(benchmark: Any) -> None:
    """A function of NumPy's dense products that says the same as the network: trials in lockstep."""
    network, row = evaluators.default("long"), narde.starting_row("long")
    benchmark.extra_info |= {"per": "trial", "units": TRIALS}

    def dense(rows: Any) -> Any:
        return network.forward(rows).astype(np.float32)

    def by_numpy() -> None:
        narde.rollout(row, dense, trials=BY_NUMPY, seed=1)

    beside(benchmark, rollout_of("long", 1), by_numpy, "NumPy", BY_NUMPY)

"""Random games from the start to the end, nothing recorded: games a second.

Every benchmark compares the number of turns with a pinned one before it times anything: the games of a seed
are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import narde
import peers
from batches import SEED
from side_by_side import beside

GAMES = 5_000
TURNS = {"long": 478_867, "short": 485_760}
OPENSPIEL_GAMES = 100


def random_games(benchmark: Any, rules: str, threads: int) -> Callable[[], narde.Games]:
    """Random games whose turns have been counted, the number of games noted for the report."""
    assert narde.random_games(GAMES, rules, seed=SEED, threads=threads).lengths.sum() == TURNS[rules]
    benchmark.extra_info |= {"per": "game", "units": GAMES, "turns": TURNS[rules]}
    return lambda: narde.random_games(GAMES, rules, seed=SEED, threads=threads)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_random_games(benchmark: Any, rules: str) -> None:
    benchmark(random_games(benchmark, rules, 1))


@pytest.mark.parametrize("rules", ["long", "short"])
def test_random_games_in_two_threads(benchmark: Any, rules: str) -> None:
    two, one = (random_games(benchmark, rules, threads) for threads in (2, 1))
    beside(benchmark, two, one, "one thread", GAMES)


def test_random_games_beside_openspiel(benchmark: Any) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel comes with the bench extra")
    ours = random_games(benchmark, "short", 1)

    def theirs() -> None:
        peers.openspiel_play_random_games(OPENSPIEL_GAMES, seed=1)

    beside(benchmark, ours, theirs, "OpenSpiel", OPENSPIEL_GAMES)

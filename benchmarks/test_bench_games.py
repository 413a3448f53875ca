"""Random games from the start to the end, nothing recorded: games a second.

Every benchmark compares the number of turns with a pinned one before it times anything: the games of a seed
are the same on every machine.
"""

from __future__ import annotations

from typing import Any

import pytest

from batches import SEED
from narde.games import random_games

GAMES = 5_000
TURNS = {"long": 478_867, "short": 485_760}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rules", ["long", "short"])
def test_random_games(benchmark: Any, rules: str, threads: int) -> None:
    games = random_games(GAMES, rules, seed=SEED, threads=threads)
    assert games.lengths.sum() == TURNS[rules]
    benchmark.extra_info |= {"per": "game", "units": GAMES, "turns": TURNS[rules]}
    benchmark(random_games, GAMES, rules, seed=SEED, threads=threads)

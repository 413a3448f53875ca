"""Short nardy beside engines, in the same run, one core each: self-play and rollouts, none looking ahead.

Each engine plays by its own networks, whose games and equities are not quite ours; so much alike as games
of sensible players are is asserted first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from typing import Any

import numpy as np
import pytest

import narde
import peers
from batches import SEED
from narde import evaluators
from narde.rollouts import Rollout
from side_by_side import beside

GAMES, TRIALS = 2_000, 1_296
THEIR_GAMES = {"gnubg-nn": 20, "bgsage": 50}
THEIR_TRIALS, ROUNDS = 36, 3
START = narde.starting_row("short")


def player_of(hidden: int) -> narde.players.Player:
    """The network of the package, or one with random weights, which costs as much a turn."""
    network = narde.Network.random(hidden, game="short", seed=1)
    return narde.player(evaluators.default("short") if hidden == 64 else network)


def games_of_gnubg(seeds: Iterator[int]) -> Callable[[], object]:
    """Games by GNU Backgammon's networks, from a loop in Python, seen to be as long as ours."""
    pytest.importorskip("gnubg_nn", reason="GNU Backgammon's networks come with the bench extra")
    ours, games = narde.self_play(GAMES, "greedy", "short", seed=SEED).lengths, THEIR_GAMES["gnubg-nn"]
    turns = peers.gnubg_play_games(START, 4 * games, next(seeds)) / (4 * games)
    assert abs(turns - ours.mean()) < 4 * ours.std() / math.sqrt(4 * games)
    return lambda: peers.gnubg_play_games(START, games, next(seeds))


def games_of_sage(seeds: Iterator[int]) -> Callable[[], object]:
    """Games by Open Sage in C++, seen to end in gammons as often as ours."""
    pytest.importorskip("bgsage", reason="Open Sage comes with the bench extra")
    gammons = (narde.self_play(GAMES, "greedy", "short", seed=SEED).points > 1).mean()
    games = THEIR_GAMES["bgsage"]
    theirs = peers.sage_play_games(4 * games, next(seeds))
    assert abs(theirs - gammons) < 4 * math.sqrt(gammons * (1 - gammons) / (4 * games))
    return lambda: peers.sage_play_games(games, next(seeds))


@pytest.mark.parametrize("hidden", [64, 128])
@pytest.mark.parametrize("peer", ["gnubg-nn", "bgsage"])
def test_self_play_beside(benchmark: Any, peer: str, hidden: int) -> None:
    """Whole games; those of random weights, here with 128 units, are some turns longer."""
    games_of = {"gnubg-nn": games_of_gnubg, "bgsage": games_of_sage}[peer]
    theirs, player = games_of(count(1000 * hidden)), player_of(hidden)
    benchmark.extra_info |= {"per": "game", "units": GAMES}

    def ours() -> None:
        narde.self_play(GAMES, player, "short", seed=SEED)

    beside(benchmark, ours, theirs, peer, THEIR_GAMES[peer])


def after_the_opening() -> Any:
    """The row after 3-1: 8/5 6/5 from the start, seen by the opponent, who rolls next."""
    after = narde.afterstates(START, (3, 1), "short").positions
    return after[narde.format_plays(START, (3, 1), after, "short").index("8/5 6/5")]


def roll_out() -> Rollout:
    """Ours, seen by the opponent of the player who has moved."""
    network = evaluators.default("short")
    return narde.rollout(after_the_opening(), network, "short", trials=TRIALS, seed=1)


ROLLOUTS: dict[str, Callable[[int], peers.PeerRollout]] = {
    "gnubg": lambda seed: peers.gnubg_rollout(THEIR_TRIALS, seed),
    "bgsage": lambda seed: peers.sage_rollout(narde.flip(after_the_opening(), "short"), THEIR_TRIALS, seed),
}


@pytest.mark.parametrize("peer", ROLLOUTS)
def test_rollout_beside(benchmark: Any, peer: str) -> None:
    """Cubeless, to the end of the game, with variance reduction; time is told for a trial. A trial of ours
    says less, since a network of 64 units tells luck less well: see the standard errors that are noted."""
    if find_spec(peer) is None:  # not imported: GNU Backgammon sets up the whole process when it is
        pytest.skip(f"{peer} comes with the bench extra")
    theirs, ours, seeds = ROLLOUTS[peer](1), roll_out(), count(2)
    assert abs(-ours.equity - theirs.equity) < 4 * math.hypot(ours.standard_error, theirs.standard_error)
    benchmark.extra_info |= {
        "per": "trial",
        "units": TRIALS,
        "error_of_one_trial": ours.standard_error * np.sqrt(TRIALS),
        "error_of_one_of_theirs": theirs.standard_error * np.sqrt(THEIR_TRIALS),
    }
    beside(
        benchmark,
        roll_out,
        lambda: ROLLOUTS[peer](next(seeds)).seconds,
        peer,
        THEIR_TRIALS,
        rounds=ROUNDS,
        measure=lambda rolled_out: rolled_out(),
    )

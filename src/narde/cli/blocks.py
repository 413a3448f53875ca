"""Random games in blocks of a fraction of a second, so that Ctrl-C costs no game that is finished."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from narde.games import Games, join_games, random_games
from narde.rules import Rules

_BLOCK_SECONDS: Final = 0.2
"""About as long does a block take: Ctrl-C is answered at its end."""
_FIRST_BLOCK: Final = 500
_LEAST_BLOCKS: Final = 10
"""So many blocks at least make an interval of games a second worth printing."""


@dataclass(frozen=True)
class Order:
    """What to play of each variant, the games 0 to n - 1 of the seed."""

    n: int
    seed: int
    threads: int
    record: tuple[str, ...]

    def play(self, rules: Rules, first: int, n: int) -> Games:
        """A block of it; raises `InvalidArgumentError` where `random_games` does."""
        return random_games(n, rules, seed=self.seed, threads=self.threads, first=first, record=self.record)


@dataclass(frozen=True)
class Played:
    """The games that were finished, block by block, and whether Ctrl-C ended them."""

    blocks: tuple[Games, ...]
    seconds: tuple[float, ...]
    stopped: bool

    @property
    def sizes(self) -> tuple[int, ...]:
        """Games of each block."""
        return tuple(len(block) for block in self.blocks)

    def games(self) -> Games:
        """All of them as one run, from at least one block."""
        return join_games(self.blocks)


def play_blocks(
    order: Order, rules: Rules, stopped: Callable[[], bool], tell: Callable[[int], None]
) -> Played:
    """Play until all games are finished or `stopped()`; `tell` is given the games finished so far.

    A `KeyboardInterrupt` within a block, of a second Ctrl-C, gives up that block and keeps the others.
    """
    done: list[tuple[Games, float]] = []
    played, seconds, ended = 0, 0.0, False
    try:
        while played < order.n and not stopped():
            begin = time.perf_counter()
            block = order.play(rules, played, _next_size(order.n, played, seconds))
            done.append((block, time.perf_counter() - begin))
            played += len(block)
            seconds += done[-1][1]
            tell(played)
    except KeyboardInterrupt:
        ended = True
    return Played(tuple(block for block, _ in done), tuple(took for _, took in done), ended or stopped())


def _next_size(n: int, played: int, seconds: float) -> int:
    """As many games as fill a block's time at the rate so far, and few enough for several blocks."""
    size = int(played / seconds * _BLOCK_SECONDS) if played else _FIRST_BLOCK
    return min(max(1, min(size, -(-n // _LEAST_BLOCKS))), n - played)

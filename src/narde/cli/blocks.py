"""Random games in blocks of a fraction of a second, so that Ctrl-C costs no game that is finished."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from narde.errors import InvalidArgumentError
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


@dataclass
class Played:
    """The games that were finished, block by block, and whether Ctrl-C ended them.

    short: Whether there was no memory for more of them, or for all of them as one run.
    """

    blocks: list[Games]
    seconds: list[float]
    stopped: bool
    short: bool

    @property
    def sizes(self) -> tuple[int, ...]:
        """Games of each block."""
        return tuple(len(block) for block in self.blocks)

    def games(self) -> Games:
        """All of them as one run, from at least one block; the last ones are given up where there is no
        memory for a copy of all."""
        while len(self.blocks) > 1:
            try:
                return join_games(self.blocks)
            except MemoryError:
                self.short = True
                half = len(self.blocks) // 2
                del self.blocks[half:], self.seconds[half:]
        return self.blocks[0]


def play_blocks(
    order: Order, rules: Rules, stopped: Callable[[], bool], tell: Callable[[int], None]
) -> Played:
    """Play until all games are finished or `stopped()`; `tell` is given the games finished so far.

    A `KeyboardInterrupt` within a block, of a second Ctrl-C, gives up that block and keeps the others, and so
    does a lack of memory.
    """
    done: list[tuple[Games, float]] = []
    played, seconds, ended, short = 0, 0.0, False, False
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
    except (MemoryError, InvalidArgumentError) as fault:
        # `random_games` tells of a lack of memory in its own terms, `first=` among them.
        if not isinstance(fault, MemoryError) and not isinstance(fault.__context__, MemoryError):
            raise
        short = True
    return Played([block for block, _ in done], [took for _, took in done], ended or stopped(), short)


def _next_size(n: int, played: int, seconds: float) -> int:
    """As many games as fill a block's time at the rate so far, and few enough for several blocks."""
    size = int(played / seconds * _BLOCK_SECONDS) if played else _FIRST_BLOCK
    return min(max(1, min(size, -(-n // _LEAST_BLOCKS))), n - played)

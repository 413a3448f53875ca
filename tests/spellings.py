"""Everything that some moves may be typed as, derived from the moves and from nothing else.

The slow twin of reading: a typed play is a multiset of paths, one checker's points each; points between may
be left out. Hits are not looked at here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

Move = tuple[int, int]
Path = tuple[int, ...]
Paths = tuple[Path, ...]
Row = tuple[int, ...]

NAMES = {25: "bar", 0: "off"}


def text_of(paths: Iterable[Path]) -> str:
    """The paths as a person would type them, one after the other."""
    return " ".join("/".join(NAMES.get(point, str(point)) for point in path) for path in paths)


def joinings(moves: Sequence[Move]) -> Iterator[list[Path]]:
    """The moves, from high points to low, joined to paths in every way: each goes on or begins one."""
    if not moves:
        yield []
        return
    *before, (start, end) = moves
    for paths in joinings(before):
        yield [*paths, (start, end)]
        for i, path in enumerate(paths):
            if path[-1] == start:
                yield [*paths[:i], (*path, end), *paths[i + 1 :]]


def shortenings(path: Path) -> list[Path]:
    """The path with any of its points between left out."""
    inner = path[1:-1]
    kept = (some for n in range(len(inner) + 1) for some in combinations(inner, n))
    return [(path[0], *some, path[-1]) for some in kept]


def spellings(moves: Sequence[Move]) -> set[Paths]:
    """Every multiset of paths, in sorted order, that means these moves; their order makes no difference."""
    ways = joinings(sorted(moves, reverse=True))
    return {tuple(sorted(paths)) for joined in ways for paths in product(*map(shortenings, joined))}


def meanings(plays: dict[Row, list[tuple[Move, ...]]]) -> dict[Paths, set[Row]]:
    """For each multiset of paths the afterstates that it may mean, given all plays of a row and a roll."""
    found: dict[Paths, set[Row]] = defaultdict(set)
    for afterstate, sequences in plays.items():
        for moves in sequences:
            for paths in spellings(moves):
                found[paths].add(afterstate)
    return found

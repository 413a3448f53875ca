"""Write the files of `perft/`, one a rule text, by the reference: `python tests/make_perft.py [variant ...]`.

Each file counts the distinct sequences of (roll, afterstate) over the 21 rolls a turn, a lost turn
counting one. The format is plain text for any program: `#` begins a comment, `pos` gives the 28 numbers
of a row, and each `perft <depth> <count>` after it belongs to that row.

The reference counts what takes it less than an hour, a position that is reached in several ways once. The
core, which `test_perft.py` holds to these counts, adds the rest of depth 1 to 3, and depth 4 from the start
of long nardy; they are marked so. To write all files takes some hours.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import narde
from narde import Rules, reference
from positions import Row, row_of

FOLDER = Path(__file__).parent / "perft"
ENOUGH = {"the start": 120_000_000}
FOR_ANY_OTHER = 8_000_000
"""Sequences that the reference counts at most: from the start of short nardy it takes an hour, elsewhere some
minutes."""
DEPTH = 3
BESIDE_THE_PLAYS = ("name", "opening_roll", "next_starter", "cube", "crawford", "match_lengths")
FOR_THE_CORE = 150_000_000
"""Sequences from the start that the core counts at greater depth."""

LONG = {
    "the start": ({24: 15}, {12: 15}),
    "the second player, the starter having played 6-5": ({24: 15}, {12: 14, 1: 1}),
    "the second player, an opposing checker on 16 after 5-5": ({24: 15}, {12: 14, 16: 1}),
    "fourteen on the head, one runner": ({24: 14, 18: 1}, {12: 13, 6: 1, 3: 1}),
    "a first turn whose sixes are blocked": ({24: 15}, {12: 12, 18: 2, 6: 1}),
    "five in a row with the head, nobody ahead": ({24: 11, 23: 1, 22: 1, 21: 1, 20: 1}, {12: 14, 6: 1}),
    "five of six with the head, one opponent ahead": ({24: 11, 22: 1, 21: 1, 20: 1, 19: 1}, {12: 14, 17: 1}),
    "five in a row and spares behind, nobody ahead": (
        {9: 1, 8: 1, 7: 1, 6: 1, 5: 2, 16: 1, 12: 1, 24: 7},
        {11: 12, 10: 2, 14: 1},
    ),
    "a forbidden six in a row to be opened": ({10: 1, 9: 2, 8: 2, 7: 2, 6: 2, 5: 1, 1: 5}, {12: 15}),
    "a six in a row with one opponent ahead": ({10: 2, 9: 2, 8: 2, 7: 2, 6: 2, 5: 2, 1: 3}, {12: 14, 2: 1}),
    "five across the mover's 1 and 24": (
        {3: 1, 2: 1, 1: 1, 24: 6, 23: 1, 7: 2, 8: 3},
        {12: 12, 11: 3},
    ),
    "six across 13 and 12, no prime": (
        {15: 2, 14: 1, 13: 1, 11: 2, 10: 1, 18: 3, 20: 5},
        {8: 10, 4: 5},
    ),
    "two walls, an opponent between them": (
        {3: 1, 2: 1, 1: 1, 24: 2, 23: 1, 22: 1, 17: 1, 16: 1, 15: 2, 14: 1, 21: 2, 18: 1},
        {20: 1, 12: 14},
    ),
    "the most afterstates known of a roll, 1-1": (
        dict.fromkeys((4, 5, 7, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24), 1),
        {1: 15},
    ),
    "blocked nearly everywhere": ({24: 13, 20: 2}, {23: 2, 21: 2, 19: 2, 18: 2, 16: 2, 14: 2, 12: 2, 10: 1}),
    "three outside, opponents inside": (
        {12: 1, 9: 1, 7: 1, 6: 4, 5: 3, 3: 5},
        {4: 2, 2: 3, 1: 1, 22: 9},
    ),
    "one outside home": ({8: 1, 6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 1}, {18: 5, 16: 5, 14: 5}),
    "bearing off past opponents": ({6: 1, 5: 1, 3: 2, 1: 1}, {4: 1, 2: 1, 24: 3, 20: 10}),
    "both bear off": ({6: 2, 5: 2, 4: 2, 3: 1, 2: 1, 1: 1}, {18: 2, 17: 2, 16: 2, 15: 3, 14: 3, 13: 2}),
    "four are left to each": ({6: 1, 4: 1, 3: 1, 2: 1}, {17: 1, 16: 1, 14: 2}),
    "five are left to each, one point held twice": ({5: 3, 2: 2}, {18: 2, 15: 2, 13: 1}),
    "the last checkers": ({3: 1, 1: 1}, {14: 1, 13: 1}),
}
"""Name, mover's and opponent's checkers by the mover's points, 25 being the bar; who is not named is off."""

SHORT = {
    "the start": ({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}),
    "blots everywhere": (
        {24: 1, 22: 1, 18: 1, 16: 1, 13: 2, 11: 1, 9: 1, 8: 2, 6: 3, 4: 1, 3: 1},
        {1: 1, 2: 1, 5: 1, 7: 1, 10: 1, 12: 2, 14: 1, 17: 2, 19: 3, 20: 1, 21: 1},
    ),
    "one on the bar, two points open": (
        {25: 1, 13: 5, 8: 4, 6: 5},
        {24: 2, 22: 2, 21: 1, 20: 2, 19: 2, 12: 6},
    ),
    "two on the bar, blots to hit": ({25: 2, 13: 4, 8: 3, 6: 6}, {24: 1, 23: 2, 21: 1, 19: 4, 17: 3, 12: 4}),
    "three on the bar": (
        {25: 3, 6: 6, 4: 6},
        {24: 2, 23: 2, 22: 2, 20: 2, 19: 2, 12: 5},
    ),
    "a closed board": ({25: 1, 6: 5, 5: 4, 3: 5}, {24: 2, 23: 2, 22: 3, 21: 2, 20: 3, 19: 3}),
    "both on the bar": ({25: 2, 13: 4, 6: 5, 5: 4}, {25: 2, 24: 2, 19: 4, 17: 3, 12: 4}),
    "a six in a row, which is free": ({9: 2, 8: 2, 7: 2, 6: 3, 5: 3, 4: 3}, {1: 2, 12: 5, 17: 3, 19: 5}),
    "the higher die, from the bar": ({25: 1, 2: 2, 1: 12}, {17: 2, 12: 13}),
    "three outside, opponents inside": (
        {10: 1, 8: 1, 7: 1, 6: 4, 5: 3, 3: 5},
        {4: 2, 2: 1, 1: 2, 22: 5, 19: 5},
    ),
    "bearing off against an anchor and a blot": ({6: 3, 5: 2, 3: 2, 2: 3}, {4: 2, 1: 1, 24: 4, 22: 4, 20: 4}),
    "bearing off against the bar": ({6: 2, 4: 2, 3: 1, 2: 1, 1: 1}, {25: 1, 24: 5, 22: 4, 20: 5}),
    "both bear off": ({6: 2, 5: 2, 4: 2, 3: 1, 2: 1, 1: 1}, {24: 2, 23: 2, 22: 2, 21: 3, 20: 3, 19: 2}),
    "four are left to each": ({6: 1, 4: 1, 3: 1, 2: 1}, {19: 1, 20: 1, 22: 1, 24: 1}),
    "a win by way of a hit": ({5: 1}, {1: 1, 19: 14}),
    "the last checkers": ({3: 1, 1: 1}, {24: 1, 22: 1}),
}


def rows_of(game: str) -> Iterator[tuple[str, Row]]:
    """Each position by its name, checked."""
    for name, (own, opponent) in (LONG if game == "long" else SHORT).items():
        row = row_of(Counter(own).elements(), Counter(opponent).elements())
        narde.validate(row, game)
        yield name, row


def moved(level: Counter[Row], rules: Rules) -> Counter[Row]:
    """The positions one turn later, by the number of sequences that lead there."""
    later: Counter[Row] = Counter()
    for row, sequences in level.items():
        for roll in reference.ROLLS:
            for after in reference.afterstates(row, roll, rules):
                later[after] += sequences
    return later


def ruling(row: Row, variant: str) -> Rules:
    """The rules of a variant, equal for all in which a row has the same plays: a first turn is one with 15 on
    the head."""
    rules = narde.rules(variant)
    alike = {name: getattr(narde.rules("long"), name) for name in BESIDE_THE_PLAYS}
    if rules.game == "long" and 15 not in (row[23], -row[11]):
        alike["head_exception"] = "none"
    return replace(rules, **alike) if rules.game == "long" else rules


@cache
def by_core(row: Row, rules: Rules, depth: int) -> int:
    return narde.perft(row, depth, rules)


@cache
def by_reference(row: Row, rules: Rules, enough: int) -> list[int]:
    """The counts of depth 1, 2 ... as long as they are not too many, which the core foretells."""
    level, counts = Counter({row: 1}), []
    while len(counts) < DEPTH and by_core(row, rules, len(counts) + 1) <= enough:
        counts.append(sum(times * reference.perft(row, 1, rules) for row, times in level.items()))
        level = moved(level, rules) if len(counts) < DEPTH else level
    return counts


def entry(name: str, row: Row, variant: str) -> Iterator[str]:
    """The lines of one position."""
    rules = ruling(row, variant)
    counts = by_reference(row, rules, ENOUGH.get(name, FOR_ANY_OTHER))
    yield f"# {name}"
    yield "pos " + " ".join(map(str, row))
    yield from (f"perft {depth} {count}" for depth, count in enumerate(counts, start=1))
    counts = list(counts)
    while len(counts) < DEPTH or (name == "the start" and counts[-1] ** 2 // counts[-2] < FOR_THE_CORE):
        counts.append(by_core(row, rules, len(counts) + 1))
        yield f"perft {len(counts)} {counts[-1]}  # by the core"
    yield ""


def main(variants: list[str]) -> None:
    """Write the file of each variant."""
    for variant in variants:
        lines = [f"# Rules: {variant}. See make_perft.py for the format.", ""]
        for name, row in rows_of(narde.rules(variant).game):
            lines += entry(name, row, variant)
            print(variant, *lines[-1:], name, flush=True)
        (FOLDER / f"{variant}.perft").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or list(narde.variants()))

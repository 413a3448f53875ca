"""Both generators against the counts in `perft/`: all by the core, the smaller ones by the reference."""

from pathlib import Path

import pytest

import narde
from generators import CORE, REFERENCE, Generator
from positions import Row

FOLDER = Path(__file__).parent / "perft"
LIMITS = {"reference": 500, "core": 120_000_000}
"""Sequences that each generator counts in the default run."""
LONG_LIMITS = {"reference": 15_000, "core": 10**11}
"""And in the long run."""

Counts = dict[int, int]


def entries(variant: str) -> list[tuple[Row, Counts]]:
    """Each row of a file with its counts by depth."""
    found: list[tuple[Row, Counts]] = []
    for line in (FOLDER / f"{variant}.perft").read_text(encoding="utf-8").splitlines():
        match line.partition("#")[0].split():
            case ["pos", *numbers]:
                found.append((tuple(map(int, numbers)), {}))
            case ["perft", depth, count]:
                found[-1][1][int(depth)] = int(count)
    return found


def made_by_the_reference(variant: str) -> list[Row]:
    """The rows of which no count up to depth 3 is marked as the core's."""
    blocks = (FOLDER / f"{variant}.perft").read_text(encoding="utf-8").split("pos ")[1:]
    whole = [all("core" not in line for line in block.splitlines()[1:4]) for block in blocks]
    return [row for (row, _), is_whole in zip(entries(variant), whole, strict=True) if is_whole]


def assert_counts(generator: Generator, variant: str, above: int, limit: int, at_least: int = 6) -> None:
    """The generator finds every count of the file from `above` up to the limit."""
    wrong, compared = [], 0
    for row, counts in entries(variant):
        for depth, count in counts.items():
            if above < count <= limit:
                compared += 1
                found = generator.perft(row, depth, variant)
                wrong += [f"{found} for {count} at depth {depth} from {row}"] if found != count else []
    assert not wrong
    assert compared >= at_least


@pytest.mark.parametrize("variant", narde.variants())
def test_counts(generator: Generator, variant: str) -> None:
    assert_counts(generator, variant, 0, LIMITS[generator.name])


@pytest.mark.long
@pytest.mark.parametrize("variant", narde.variants())
def test_greater_counts_by_the_reference(variant: str) -> None:
    assert_counts(REFERENCE, variant, LIMITS["reference"], LONG_LIMITS["reference"])


@pytest.mark.long
@pytest.mark.parametrize("variant", ["bkgm", "long", "short"])
def test_greater_counts_by_the_core(variant: str) -> None:
    assert_counts(CORE, variant, LIMITS["core"], LONG_LIMITS["core"], at_least=1)


def test_every_variant_has_its_file() -> None:
    assert {path.stem for path in FOLDER.glob("*.perft")} == set(narde.variants())
    for variant in narde.variants():
        rows = entries(variant)
        assert len(rows) >= 13
        assert all(list(counts) in ([1, 2, 3], [1, 2, 3, 4]) for _, counts in rows)
        narde.validate([row for row, _ in rows], variant)


@pytest.mark.parametrize("variant", narde.variants())
def test_the_reference_counted_the_start_and_a_dozen_positions_to_depth_3(variant: str) -> None:
    rows = made_by_the_reference(variant)
    assert rows[0] == tuple(narde.starting_row(variant).tolist())
    assert len(rows) >= 13


def test_short_nardy_from_the_start_is_as_other_programs_count_it() -> None:
    start, counts = entries("short")[0]
    assert start == tuple(narde.starting_row("short").tolist())
    assert [counts[depth] for depth in (1, 2, 3)] == [447, 202_782, 116_154_993]


def test_a_count_is_the_sum_of_the_counts_one_turn_later() -> None:
    """Depth 3 from the afterstates that the reference gives, each counted by the core to depth 2."""
    start, counts = entries("long")[0]
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    later = [after for roll in rolls for after in REFERENCE.afterstates(start, roll, "long")]
    assert sum(CORE.perft(after, 2, "long") for after in later) == counts[3]

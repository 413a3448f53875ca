"""A small table out of pytest-benchmark's JSON: `python benchmarks/report.py results.json`.

Times are per unit of work: a (position, roll), a game or a call. On a machine that others use too, the best
round tells more than the median; ratios are between rounds of one run.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

Results = dict[str, dict[str, Any]]


class Ratio(NamedTuple):
    """How many times as long the one benchmark takes for a unit of work as the other, and what is hoped
    for."""

    meaning: str
    slow: str
    fast: str
    goal: float | None


GOALS = {
    "test_generate[long turns]": 80e-9,
    "test_generate[short, 21 rolls]": 180e-9,
    "test_random_games[long-1]": 1 / 150_000,
    "test_random_games[short-1]": 1 / 60_000,
}
"""Seconds a unit of work that should not be exceeded on one core."""

RATIOS = (
    Ratio("long: generating over counting", "test_generate[long turns]", "test_count[long turns]", 3),
    Ratio(
        "short: generating over counting", "test_generate[short, 21 rolls]", "test_count[short, 21 rolls]", 3
    ),
    Ratio("a million: one thread over two", "test_generate_a_million[1]", "test_generate_a_million[2]", 1.7),
    Ratio("long games: one thread over two", "test_random_games[long-1]", "test_random_games[long-2]", None),
    Ratio(
        "short games: one thread over two", "test_random_games[short-1]", "test_random_games[short-2]", None
    ),
    Ratio(
        "long: fresh memory over used",
        "test_generate_into_fresh_memory[long turns]",
        "test_generate[long turns]",
        None,
    ),
    Ratio(
        "plays: GNU Backgammon over narde",
        "test_gnubg_plays",
        "test_narde_plays_of_the_positions_given_to_gnubg",
        None,
    ),
    Ratio(
        "plays: OpenSpiel over narde",
        "test_openspiel_plays",
        "test_narde_plays_of_the_positions_of_openspiel",
        None,
    ),
    Ratio(
        "random games: OpenSpiel over narde",
        "test_openspiel_random_games",
        "test_random_games[short-1]",
        None,
    ),
)


def read(path: Path) -> Results:
    """The benchmarks of a file by name, times per unit of work in seconds."""
    results = {}
    for entry in json.loads(path.read_text(encoding="utf-8"))["benchmarks"]:
        info = entry["extra_info"]
        times = {kind: entry["stats"][kind] / info["units"] for kind in ("median", "min")}
        results[entry["name"]] = {"per": info["per"], **times}
    return results


def spelled(seconds: float) -> str:
    """A time with three digits and its unit: 41.5 ns."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def times_table(results: Results) -> list[str]:
    """A line a benchmark: unit of work, median, best, how many a second at best, and whether the goal is
    met."""
    lines = ["| benchmark | a | median | best | a second | goal |", "|---|---|---:|---:|---:|---|"]
    for name, result in results.items():
        goal = GOALS.get(name)
        verdict = f"{spelled(goal)}: {'met' if result['min'] <= goal else 'missed'}" if goal else ""
        times = f"{spelled(result['median'])} | {spelled(result['min'])} | {1 / result['min']:,.0f}"
        lines.append(f"| {name.removeprefix('test_')} | {result['per']} | {times} | {verdict} |")
    return lines


def ratios_table(results: Results) -> list[str]:
    """A line a ratio of which both benchmarks were run: by medians and by best rounds."""
    lines = ["| ratio | by medians | by best rounds | goal |", "|---|---:|---:|---|"]
    for ratio in RATIOS:
        if ratio.slow in results and ratio.fast in results:
            slow, fast = results[ratio.slow], results[ratio.fast]
            values = [slow[kind] / fast[kind] for kind in ("median", "min")]
            verdict = f"{ratio.goal}: {'met' if values[1] >= ratio.goal else 'missed'}" if ratio.goal else ""
            lines.append(f"| {ratio.meaning} | {values[0]:.2f} | {values[1]:.2f} | {verdict} |")
    return lines


def main() -> None:
    """Print both tables."""
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/report.py results.json")
    results = read(Path(sys.argv[1]))
    print("\n".join([*times_table(results), "", *ratios_table(results)]))


if __name__ == "__main__":
    main()

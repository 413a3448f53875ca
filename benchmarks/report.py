"""A small table out of pytest-benchmark's JSON: `python benchmarks/report.py results.json`.

Times are per unit of work: a (position, roll), an afterstate, a game or a call. On a machine that others use
too, the best round tells more than the median. A ratio compares rounds that were run in turn, and so survives
such noise.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

Results = dict[str, dict[str, Any]]

GOALS: Final = {
    "test_generate[long turns]": 80e-9,
    "test_generate[short, 21 rolls]": 180e-9,
    "test_random_games[long]": 1 / 150_000,
    "test_random_games[short]": 1 / 60_000,
    "test_choose[long-64]": 1 / 28.7e6,
    "test_choose[long-128]": 1 / 17.2e6,
    "test_games[long-64]": 1 / 4_000,
    "test_games[long-128]": 1 / 4_000,
    "test_rollout[long]": 8 / 1_296,
    "test_rollout[short]": 8 / 1_296,
}
"""Seconds a unit of work that should not be exceeded on one core."""

RATIO_GOALS: Final = {
    "test_count[long turns]": 3.0,
    "test_count[short, 21 rolls]": 3.0,
    "test_generate_a_million_in_two_threads": 1.7,
    "test_rollout_in_two_threads[long]": 1.7,
    "test_rollout_in_two_threads[short]": 1.7,
}
"""How many times as long the other should take at least."""


def read(path: Path) -> Results:
    """The benchmarks of a file by name, times per unit of work in seconds."""
    results = {}
    for entry in json.loads(path.read_text(encoding="utf-8"))["benchmarks"]:
        units = entry["extra_info"]["units"]
        times = {kind: entry["stats"][kind] / units for kind in ("median", "min")}
        results[entry["name"]] = {**entry["extra_info"], **times}
    return results


def spelled(seconds: float) -> str:
    """A time with three digits and its unit: 41.5 ns."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def judged(met: bool, goal: str) -> str:
    """A goal and whether it was reached."""
    return f"{goal}, {'reached' if met else 'missed'}"


def times_table(results: Results) -> list[str]:
    """A line a benchmark: unit of work, median, best, how many a second at best, and the goal."""
    lines = ["| benchmark | a | median | best | a second | goal |", "|---|---|---:|---:|---:|---|"]
    for name, result in results.items():
        best, goal = result["min"], GOALS.get(name)
        verdict = judged(best <= goal, f"at most {spelled(goal)}") if goal else ""
        times = f"{spelled(result['median'])} | {spelled(best)} | {1 / best:,.0f}"
        lines.append(f"| {name.removeprefix('test_')} | {result['per']} | {times} | {verdict} |")
    return lines


def ratios_table(results: Results) -> list[str]:
    """A line a benchmark that was run in turn with another."""
    lines = ["| benchmark | in turn with | which takes | goal |", "|---|---|---:|---|"]
    for name, result in results.items():
        if "other" in result:
            ratio, goal = result["other_over_this"], RATIO_GOALS.get(name)
            verdict = judged(ratio >= goal, f"at least {goal}") if goal else ""
            lines.append(f"| {name.removeprefix('test_')} | {result['other']} | {ratio:.2f} x | {verdict} |")
    return lines


def main() -> None:
    """Print both tables."""
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/report.py results.json")
    results = read(Path(sys.argv[1]))
    print("\n".join([*times_table(results), "", *ratios_table(results)]))


if __name__ == "__main__":
    main()

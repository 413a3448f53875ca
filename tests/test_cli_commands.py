"""`narde moves`, `perft`, `variants`, `bench` and `selftest`: what they print and what they mean."""

from __future__ import annotations

from dataclasses import asdict
from math import inf
from typing import Any

import numpy as np
import pytest

import narde
from generators import REFERENCE
from narde import parse, rules, variants
from narde.cli import pinned, selftest
from narde.cli.arguments import question, whole
from narde.cli.output import Table, plus_minus, short_count, thousands
from narde.plays import ROLLS
from narde.rules import Rules
from narde.stats import Estimate
from shell import Shell, program

START_LONG = "nal22225zzw22225zzw7"
START_SHORT_ROW = "-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0,0"
XGID = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


# ---- moves -------------------------------------------------------------------------------------------


def test_moves_as_a_program() -> None:
    assert program("moves", "start", "65") == (0, "24/13\n", "")


def test_moves_are_all_afterstates_in_order(shell: Shell) -> None:
    data = shell("moves", "start", "3", "1", "--variant", "short", "--json").data
    row = narde.starting_row("short")
    assert (data["variant"], data["row"], data["dice"]) == ("short", row.tolist(), [3, 1])
    assert parse(data["id"]).row == tuple(row.tolist())
    assert [play["afterstate"] for play in data["plays"]] == narde.afterstates(
        row, (3, 1), "short"
    ).positions.tolist()
    eight_five = next(play for play in data["plays"] if play["play"] == "8/5 6/5")
    assert sorted(eight_five["moves"]) == [[6, 5], [8, 5]]
    listed = shell("moves", "start", "3", "1", "--variant", "short").out.splitlines()
    assert listed == [play["play"] for play in data["plays"]]


ROW = START_SHORT_ROW.split(",")


@pytest.mark.parametrize(
    "words",
    [
        [START_SHORT_ROW, "31", "--variant", "short"],
        ["--variant", "short", START_SHORT_ROW, "3", "1"],
        [START_SHORT_ROW, "--variant", "short", "1-3"],
        [" ".join(ROW), "3/1", "--variant", "backgammon"],
        [*ROW, "3", "1", "--variant", "short"],
        [f"[{', '.join(ROW)}]", "31", "--variant", "short"],
        [f"XGID={XGID}", "31"],
        [XGID, "31"],
        [XGID],
        ["nas2z92z22e2z92z22ec", "31"],
        ["4HPwATDgc/ABMA", "13"],
    ],
)
def test_positions_and_rolls_as_people_type_them(shell: Shell, words: list[str]) -> None:
    expected = shell("moves", "start", "31", "--variant", "short").out
    assert shell("moves", *words) == (0, expected, "")


def test_a_variant_beside_an_id_replaces_its_rules(shell: Shell) -> None:
    assert shell("moves", START_LONG, "21").out.splitlines() == ["24/21"]
    assert shell("moves", START_LONG, "21", "--variant", "bkgm").out.splitlines() == ["24/23 24/22", "24/21"]


def test_a_forced_pass_is_one_play(shell: Shell) -> None:
    row = np.zeros(28, int)
    row[[24, 18, 19, 20, 21, 22, 23]] = [15, -2, -2, -2, -2, -2, -5]
    assert shell("moves", " ".join(map(str, row)), "65", "--variant", "short") == (0, "pass\n", "")


@pytest.mark.parametrize(
    "text", ["200000", "200_000", "200,000", "2e5", "2E+5", "0.2e6", " 200000 ", "200000.0"]
)
def test_whole_numbers_as_people_type_them(text: str) -> None:
    assert whole(text) == 200_000


def test_a_roll_given_goes_before_the_roll_of_an_id() -> None:
    assert question([XGID, "65"], None, with_dice=True).dice == (6, 5)
    assert question([XGID], None, with_dice=True).dice == (3, 1)


# ---- perft -------------------------------------------------------------------------------------------


def test_perft_of_short_nardy_as_a_program() -> None:
    lines = program("perft", "--variant", "short", "--depth", "3").out.splitlines()
    assert [line.split()[:2] for line in lines[2:]] == [["1", "447"], ["2", "202,782"], ["3", "116,154,993"]]


def test_perft_of_a_position(shell: Shell) -> None:
    data = shell("perft", START_SHORT_ROW, "--variant", "short", "--depth", "2", "--json").data
    assert [(one["depth"], one["sequences"]) for one in data["perft"]] == [(1, 447), (2, 202_782)]
    assert data["id"] == "nas2z92z22e2z92z22ec"
    assert shell("perft", "--json", "--depth", "1").data["perft"][0]["sequences"] == 22


# ---- variants ----------------------------------------------------------------------------------------


def test_variants_as_a_table(shell: Shell) -> None:
    result = program("variants")
    lines = result.out.splitlines()
    assert (result.code, lines[0].split()) == (0, ["option", *variants()])
    assert max(map(len, lines)) <= 80
    shown = {line.split()[0]: line.split()[1:] for line in lines[2:]}
    assert {*asdict(rules("long"))} - {"name"} == {name for name in shown if name != "ahead"}
    assert shown["opening_roll"] == ["keep", "reroll", "reroll", "keep", "keep"]
    assert shown["koks"] == ["0", "0", "0", "0", "3"]
    assert shown["cube"] == ["yes", "no", "no", "no", "yes"]
    assert "1 3 5 7" in result.out


def test_variants_as_json_are_rules(shell: Shell) -> None:
    data = shell("variants", "--json").data
    assert [*data] == [*variants()]
    for name, fields in data.items():
        fields["match_lengths"] = tuple(fields["match_lengths"])
        assert Rules(**fields) == rules(name)


# ---- bench -------------------------------------------------------------------------------------------


def test_bench(shell: Shell) -> None:
    data = shell("bench", "--repeats", "1", "--variant", "long", "--json").data
    (long,) = data["variants"]
    assert (data["threads"], data["repeats"], long["variant"]) == (1, 1, "long")
    assert long["count_ns"] > 0 and long["generate_ns"] > 0
    assert long["games_per_second"] > 1


def test_bench_as_a_program() -> None:
    result = program("bench", "--repeats", "1", "--variant", "short")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0].split() == ["variant", "list", "ns", "count", "ns", "games/s"]
    assert max(map(len, result.out.splitlines())) <= 80


# ---- selftest ----------------------------------------------------------------------------------------


def test_selftest_as_a_program() -> None:
    result = program("selftest")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0].startswith(f"narde {narde.__version__}, core _core")
    assert [line.split()[-1] for line in lines[4:9]] == ["ok"] * 5
    assert "113 checks passed in " in lines[-1]
    assert max(map(len, lines)) <= 80


def test_selftest_tells_what_is_wrong(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = pinned.COUNTS["short"] | {"contact": (408, 194_484)}
    monkeypatch.setattr(selftest, "COUNTS", pinned.COUNTS | {"short": counts})
    result = shell("selftest", "--threads", "2")
    assert result.code == 1
    assert result.err == "narde: short, contact, depth 2: expected 194484, found 194483\n"
    assert "1 of 113 checks failed" in result.out
    data_result = shell("selftest", "--json")
    assert data_result.code == 1 and '"passed": false' in data_result.out


def reference_perft(row: Any, depth: int, variant: str) -> int:
    """Sequences by the slow reference alone."""
    plays = [play for dice in ROLLS.tolist() for play in REFERENCE.afterstates(row, dice, rules(variant))]
    return len(plays) if depth == 1 else sum(reference_perft(play, depth - 1, variant) for play in plays)


PINNED = [
    (variant, name)
    for variant in ("long", "bkgm", "short")
    for name, counts in pinned.COUNTS[variant].items()
    if variant != "bkgm" or counts != pinned.COUNTS["long"][name]
]
"""Of `bkgm` the positions where its first turns make a difference."""


@pytest.mark.parametrize(("variant", "name"), PINNED)
def test_pinned_counts_are_those_of_the_reference(variant: str, name: str) -> None:
    row = parse(pinned.POSITIONS[name]).row
    assert reference_perft(row, 1, variant) == pinned.COUNTS[variant][name][0]


DEEP = [(variant, name) for variant, name in PINNED if pinned.COUNTS[variant][name][1] < 40_000]


@pytest.mark.long
@pytest.mark.parametrize(("variant", "name"), DEEP)
def test_pinned_counts_at_depth_2(variant: str, name: str) -> None:
    """The larger ones were counted so too, once; that takes minutes each."""
    row = parse(pinned.POSITIONS[name]).row
    assert reference_perft(row, 2, variant) == pinned.COUNTS[variant][name][1]


def test_every_variant_has_pinned_counts_and_games() -> None:
    assert {*pinned.COUNTS} == {*pinned.DIGESTS} == {*variants()}
    assert len({*pinned.DIGESTS.values()}) == len(variants()) - 1  # minsport and long play the same games


# ---- tables ------------------------------------------------------------------------------------------


def test_a_table_is_aligned_and_breaks_cells() -> None:
    table = Table(("name", "n"), [("a", "1,000"), ("longer", "one\ntwo")])
    assert str(table) == "name        n\n------  -----\na       1,000\nlonger    one\n          two"


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(50.123, 49.903, 50.343), "50.12±0.22"),
        (Estimate(50.123, 43.1, 57.1), "50.1±7.0"),
        (Estimate(50.123, 20, 80), "50±30"),
        (Estimate(95.6981, 95.6941, 95.7021), "95.698±0.004"),
        (Estimate(3.0, -inf, inf), "3.00"),
        (Estimate(3.0, 3.0, 3.0), "3.00±0.00"),
    ],
)
def test_intervals_show_two_digits(estimate: Estimate, text: str) -> None:
    assert plus_minus(estimate) == text


@pytest.mark.parametrize(
    ("value", "margin", "text"),
    [
        (104_040, 16_050, "104k±16k"),
        (53_286, 4_099, "53.3k±4.1k"),
        (9_876, 123, "9,876±123"),
        (55_732, 801, "55.7k±0.8k"),
    ],
)
def test_rates_in_thousands(value: float, margin: float, text: str) -> None:
    assert thousands(Estimate(value, value - margin, value + margin)) == text


def test_a_rate_of_one_block_has_no_interval() -> None:
    assert thousands(Estimate(104_040, -inf, inf)) == "104.0k"


@pytest.mark.parametrize(("n", "text"), [(200_000, "200,000"), (1_000_000, "1M"), (1_254_321, "1.254M")])
def test_counts_in_few_characters(n: int, text: str) -> None:
    assert short_count(n) == text

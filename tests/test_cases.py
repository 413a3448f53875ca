"""Every worked position of `cases.json`, on both generators, under every rule text that it names."""

import pytest

from cases import ENTRIES, POSITIONS, Entry, final_of, moves_of, row_of, rules_of, settings
from generators import Generator
from narde import Rules, reference

SETTINGS = list(settings())
EXCLUDING = [entry for entry in POSITIONS if "excludes_plays" in entry["expected"]]


@pytest.fixture(params=SETTINGS, ids=[name for name, _, _ in SETTINGS])
def setting(request: pytest.FixtureRequest) -> tuple[Entry, Rules]:
    return request.param[1:]


def test_finals_are_as_worked_out(generator: Generator, setting: tuple[Entry, Rules]) -> None:
    entry, rules = setting
    row, expected = row_of(entry["position"]), entry["expected"]
    afterstates = generator.afterstates(row, entry["dice"], rules)
    finals = {reference.flip(afterstate, rules) for afterstate in afterstates}
    assert len(finals) == len(afterstates)
    assert len(finals) == expected["n_finals"]
    if "finals" in expected:
        assert finals == {final_of(entry, final) for final in expected["finals"]}
    for final in expected.get("contains", []):
        assert final_of(entry, final) in finals, final["play"]
    for final in expected.get("excludes", []):
        assert final_of(entry, final) not in finals, final["play"]
    for points in expected.get("no_final_with_all_occupied", []):
        assert not [final for final in finals if all(final[point - 1] > 0 for point in points)]


@pytest.mark.parametrize("entry", EXCLUDING, ids=lambda entry: entry["id"])
def test_excluded_plays_are_not_generated(generator: Generator, entry: Entry) -> None:
    (rules,) = rules_of(entry)
    plays = generator.plays(row_of(entry["position"]), entry["dice"], rules)
    played = {tuple(sorted(moves)) for sequences in plays.values() for moves in sequences}
    assert not [
        play for play in entry["expected"]["excludes_plays"] if tuple(sorted(moves_of(play))) in played
    ]


def test_dice_may_be_given_in_any_order(generator: Generator, setting: tuple[Entry, Rules]) -> None:
    entry, rules = setting
    row, dice = row_of(entry["position"]), entry["dice"]
    assert generator.afterstates(row, dice, rules) == generator.afterstates(row, dice[::-1], rules)


def test_every_entry_is_used() -> None:
    known = {"n_finals", "finals", "contains", "excludes", "excludes_plays", "no_final_with_all_occupied"}
    for entry in POSITIONS:
        assert set(entry["expected"]) - {"type", "plays"} <= known, entry["id"]
        assert rules_of(entry), entry["id"]
    assert {entry["id"][0] for entry in ENTRIES if entry not in POSITIONS} == {"F"}
    assert len(POSITIONS) == 80
    assert EXCLUDING

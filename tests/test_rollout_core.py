"""Trials within the core and their slow twins, the lockstep loop over NumPy arrays and, for races, a plain
loop: the same bytes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import narde
import slow_races
from narde.board import Rows
from narde.errors import EvaluatorError
from narde.ids import describe_row
from narde.network import Network
from narde.rollouts import in_core, lockstep
from narde.rollouts.asking import plan_of
from narde.rollouts.plan import Plan
from narde.rollouts.trials import dice_of_rolls, strata
from races import race as race_row

FULL_RACE = {"mover": {6: 5, 5: 4, 4: 3, 3: 3}, "opponent": {6: 6, 5: 6, 2: 3}}
"""Nobody has borne off: a mars is possible on either side."""
LATE_RACE = {"mover": {6: 5, 5: 3}, "opponent": {6: 6, 1: 2}}

RULES = {
    "long": narde.rules("long"),
    "short": narde.rules("short"),
    "koks": replace(narde.rules("long"), koks=3),
    "oin alone": replace(narde.rules("long"), mars=1),
}


@pytest.fixture
def in_slow_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lockstep loop leaves nothing to the core."""
    monkeypatch.setattr(lockstep, "play_races", slow_races.play_races)


slow = pytest.mark.usefixtures("in_slow_motion")


def rows_of(rules: narde.Rules) -> dict[str, Rows]:
    """The starting row and two races."""
    races = {"full race": FULL_RACE, "late race": LATE_RACE}
    found = {name: race_row(race["mover"], race["opponent"], rules.game) for name, race in races.items()}
    return {"start": narde.starting_row(rules), **found}


def both(row: Rows, rules: narde.Rules, **options: object) -> tuple[Plan, Plan]:
    """A plan for the core, and one whose evaluator is a function that says the same."""
    network = Network.random(32, game=rules.game, seed=3)
    changes = {"truncate": None, "variance_reduction": True, "bearoff": True, **options}
    plans = [
        plan_of(row, rules, e, seed=7, plies=0, **changes) for e in (network, lambda rows: network(rows))
    ]
    assert [in_core.plays(plan) for plan in plans] == [True, False]
    return plans[0], plans[1]


@slow
@pytest.mark.parametrize(
    ("truncate", "reduced", "bearoff"),
    [(None, True, True), (None, False, False), (3, True, False), (3, False, True)],
    ids=["whole, reduced, tables", "whole", "cut, reduced", "cut, tables"],
)
@pytest.mark.parametrize(
    "name", ["long", "short", *(pytest.param(name, marks=pytest.mark.long) for name in ("koks", "oin alone"))]
)
def test_the_core_plays_the_same_trials(
    name: str, truncate: int | None, reduced: bool, bearoff: bool
) -> None:
    rules = RULES[name]
    for which, row in rows_of(rules).items():
        options = {"truncate": truncate, "variance_reduction": reduced, "bearoff": bearoff}
        core, numpy = both(row[None], rules, **options)
        n = 2 if reduced and which == "start" else 6
        fast, slow = in_core.play_trials(core, 35, 35 + n), lockstep.play_trials(numpy, 35, 35 + n)
        assert fast.tobytes() == slow.tobytes(), which


@slow
def test_a_whole_rollout_of_a_race_by_the_tables_is_the_same_in_both() -> None:
    for rules in (RULES["long"], RULES["short"]):
        row = rows_of(rules)["full race"]
        core, numpy = both(row[None], rules)
        assert in_core.play_trials(core, 0, 36).tobytes() == lockstep.play_trials(numpy, 0, 36).tobytes()


@slow
def test_starts_that_are_over_or_exact_are_the_same_in_both() -> None:
    over = np.zeros(28, np.int8)
    over[[23, 5, 26, 27]] = 1, 14, 0, -15
    for rules in RULES.values():
        exact = race_row({6: 2}, {4: 3}, rules.game)
        core, numpy = both(np.array([over, exact, over]), rules, truncate=2)
        fast, slow = in_core.play_trials(core, 0, 5), lockstep.play_trials(numpy, 0, 5)
        assert fast.tobytes() == slow.tobytes()
        assert fast[0, 0].tolist() == [0, 0, 0, 1, float(rules.koks > 0)]
        assert fast[0, 1, 0] == narde.bearoff(rules).win(exact)


def test_a_network_s_rollouts_are_those_of_a_function_of_it() -> None:
    network = Network.random(16, seed=2)
    row = narde.starting_row("long")
    options = {"trials": 300, "truncate": 4, "seed": 1}
    fast = narde.rollout(row, network, threads=2, **options)
    with ThreadPoolExecutor(2) as pool:
        slow = narde.rollout(row, lambda rows: network(rows), executor=pool, **options)
    assert fast.json() == slow.json()
    assert fast.values.tobytes() == slow.values.tobytes()


@pytest.mark.parametrize("module", [in_core, lockstep], ids=["core", "lockstep"])
def test_trials_that_do_not_end_are_an_error(monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    monkeypatch.setattr(module, "MOST_TURNS", 5)
    start = narde.starting_row("long")
    core, numpy = both(start[None], RULES["long"], variance_reduction=False)
    where = describe_row(start, RULES["long"])
    with pytest.raises(EvaluatorError, match=rf"not over after .* turns, from {where}: .*truncate"):
        module.play_trials(core if module is in_core else numpy, 0, 3)  # type: ignore[attr-defined]


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("truncate", [None, 3])
@pytest.mark.parametrize("game", ["long", "short"])
def test_races_are_played_on_from_any_turn(game: str, truncate: int | None, reduced: bool) -> None:
    """By the core whatever the evaluator, from results that are not 0."""
    rows = np.array(list(rows_of(RULES[game]).values())[1:] * 2)
    options = {"truncate": truncate, "variance_reduction": reduced}
    trials = np.array([70, 71, 72, 1000], np.int64)
    opening = np.concatenate([dice_of_rolls(strata(7, trial, trial + 1)) for trial in trials.tolist()])
    _, plan = both(rows, RULES[game], **options)
    for turn in (0, 1, 2, 3):
        fast = np.random.default_rng(turn).random((4, 5))
        slowly = fast.copy()
        in_core.play_races(plan, rows, turn, trials, opening, fast)
        slow_races.play_races(plan, rows, turn, trials, opening, slowly)
        assert fast.tobytes() == slowly.tobytes()


@pytest.mark.parametrize("game", ["long", "short"])
def test_trials_that_become_races_are_left_to_the_core(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, left = RULES[game], []
    row = narde.starting_row(rules)
    _, plan = both(np.array([row, row]), rules, variance_reduction=False)
    fast = lockstep.play_trials(plan, 30, 35)

    def counted(plan: Plan, rows: Rows, *rest: Any) -> None:
        left.extend(rows)
        slow_races.play_races(plan, rows, *rest)

    monkeypatch.setattr(lockstep, "play_races", counted)
    assert fast.tobytes() == lockstep.play_trials(plan, 30, 35).tobytes()
    assert left
    assert narde.bearoff(rules).covers(np.array(left)).all()


def test_rows_that_are_no_races_are_refused_not_played() -> None:
    rules = RULES["long"]
    row = narde.starting_row(rules)[None]
    _, plan = both(row, rules)
    opening, result = dice_of_rolls(strata(7, 0, 1)), np.zeros((1, 5))
    with pytest.raises(EvaluatorError, match="not over"):
        in_core.play_races(plan, row, 2, np.array([0]), opening, result)


@slow
@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_whole_games_in_bulk_are_the_same_in_both(name: str) -> None:
    rules = RULES[name]
    for row in rows_of(rules).values():
        core, numpy = both(row[None], rules)
        assert in_core.play_trials(core, 0, 72).tobytes() == lockstep.play_trials(numpy, 0, 72).tobytes()
        core, numpy = both(row[None], rules, variance_reduction=False)
        assert in_core.play_trials(core, 0, 720).tobytes() == lockstep.play_trials(numpy, 0, 720).tobytes()

"""`narde.rollout`: against exact solutions and a plain loop, and what must not change what it gives."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import narde
from narde import streams
from narde.board import Rows
from narde.dice import ROLLS, WEIGHTS
from narde.errors import (
    EvaluatorError,
    InvalidArgumentError,
    InvalidPositionError,
    NotationError,
    StorageError,
)
from narde.evaluators import equity, exact_chances, race, swapped
from narde.evaluators.worth import values_to_mover
from narde.network import Network
from narde.rollouts import trials
from narde.rollouts.asking import plan_of
from narde.rollouts.running import Work, run_trials
from narde.scoring import finished
from races import Bent, Solved
from races import race as race_row

SHORT_RACE = race_row({6: 1, 5: 1}, {4: 1, 2: 1})
MARS_RACE = race_row({3: 1, 2: 1, 1: 1}, {6: 14, 5: 1})
"""The opponent has none off, and may lose a mars."""

SOLVED = {game: Solved(game) for game in ("long", "short")}


# ---- the truth ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("row", [SHORT_RACE, MARS_RACE], ids=["plain", "mars"])
def test_a_rollout_meets_the_exact_chances(row: Rows, reduced: bool) -> None:
    solved = SOLVED["long"]
    truth = solved.chances(row)
    found = narde.rollout(row, Bent(solved), seed=4, trials=720, variance_reduction=reduced, bearoff=False)
    assert abs(found.equity - equity(truth, "long")) < 4 * found.standard_error
    assert (abs(found.chances - truth) <= 4 * found.chance_errors + 1e-9).all()
    assert found.standard_error > 1e-4


def test_variance_reduction_reduces_variance() -> None:
    bent = Bent(SOLVED["long"])
    plain, reduced = (
        narde.rollout(SHORT_RACE, bent, seed=1, trials=360, variance_reduction=reduced, bearoff=False)
        for reduced in (False, True)
    )
    assert reduced.standard_error < plain.standard_error / 2


@pytest.mark.parametrize("truncate", [None, 1, 2])
def test_by_a_perfect_evaluator_every_trial_is_exact(truncate: int | None) -> None:
    solved = SOLVED["short"]
    row = race_row({3: 2, 2: 1}, {6: 14, 1: 1}, "short")
    found = narde.rollout(row, solved, "short", seed=2, trials=144, truncate=truncate, bearoff=False)
    assert np.abs(found.values - solved.chances(row)).max() < 1e-6
    assert found.standard_error < 1e-6


def test_without_variance_reduction_a_truncated_trial_is_the_evaluator_s_chance() -> None:
    solved = SOLVED["long"]
    found = narde.rollout(
        SHORT_RACE, solved, seed=2, trials=36, truncate=1, variance_reduction=False, bearoff=False
    )
    for (a, b), value in zip(found.rolls, found.values, strict=True):
        out = narde.afterstates(SHORT_RACE, (a // 6 + 1, a % 6 + 1))
        expected = max(1 - solved.chances(after)[0] for after in out.positions)
        assert value[0] == pytest.approx(expected, abs=1e-6), (a, b)


def test_an_exact_race_is_looked_up() -> None:
    found = narde.rollout(SHORT_RACE, race("long"), seed=1, trials=36)
    assert found.equity == pytest.approx(narde.bearoff("long").equity(SHORT_RACE), abs=1e-12)
    assert found.standard_error == 0


def test_a_race_ends_by_the_tables_whatever_the_evaluator_says() -> None:
    """Seven checkers a side are exact after a turn or two; the pips alone play worse and know less."""
    row = race_row({6: 3, 4: 2, 2: 2}, {5: 4, 3: 3})
    truth = narde.bearoff("long").equity(row)
    found = narde.rollout(row, race("long"), seed=1, trials=144)
    assert found.equity == pytest.approx(truth, abs=0.004)
    assert found.standard_error < 0.002


# ---- the slow twin -----------------------------------------------------------------------------------------


def best_of(
    row: Rows, roll: tuple[int, int], evaluator: Network, rules: narde.Rules
) -> tuple[Rows, np.ndarray]:
    """The best play's afterstate, and its chances to the mover."""
    after = narde.afterstates(row, roll, rules).positions
    chances = np.array(
        [exact_chances(a, rules)[0] if finished(a) else evaluator(a[None])[0] for a in after], np.float32
    )
    best = int(values_to_mover(chances, rules).argmax())  # the first of equals in float32
    return after[best], swapped(chances[best].astype(np.float64))


def played_out(
    row: Rows, seed: int, trial: int, evaluator: Network, rules: narde.Rules, *, reduced: bool, last: int
):
    """One trial, turn by turn, as the documentation tells it."""
    luck = np.zeros(5)
    for turn in range(last):
        if finished(row):
            chances = exact_chances(row, rules)[0].astype(np.float64)
            break
        if turn < 2:
            dice = trials.dice_of_rolls(trials.strata(seed, trial, trial + 1))[0, turn]
        else:
            dice = streams.dice_of(streams.words(seed, streams.DICE, trial, turn))
        after, chosen = best_of(row, tuple(dice), evaluator, rules)
        if reduced:
            every = [best_of(row, tuple(roll), evaluator, rules)[1] for roll in ROLLS]
            lucky = chosen - sum(w * c for w, c in zip(WEIGHTS, every, strict=True)) / 36
            luck += swapped_difference(lucky) if turn % 2 else lucky
        row = after
    else:
        turn = last
        chances = evaluator(row[None])[0].astype(np.float64)
    return (swapped(chances) if turn % 2 else chances) - luck


def swapped_difference(luck: np.ndarray) -> np.ndarray:
    return swapped(luck) - swapped(np.zeros(5))


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("game", ["long", "short", "minsport"])
def test_trials_are_those_of_a_plain_loop(game: str, reduced: bool) -> None:
    rules = narde.rules(game)
    network = Network.random(16, game=rules.game, seed=3)
    row, last = narde.starting_row(rules), 4 if reduced else 40
    options = {"trials": 37, "truncate": last, "variance_reduction": reduced, "bearoff": False}
    found = narde.rollout(row, lambda rows: network(rows), game, seed=11, **options)
    for trial in (0, 20, 36):
        expected = played_out(row, 11, trial, network, rules, reduced=reduced, last=last)
        assert np.allclose(found.values[trial], expected, atol=1e-6)


def test_plies_choose_the_plays_and_leave_the_luck_alone() -> None:
    """After one turn the value is the evaluator's one ply deep, whatever the luck, which 0 plies measure."""
    network = Network.random(16, seed=5)
    row = race_row({6: 4, 5: 2, 2: 1}, {6: 3, 3: 3, 1: 1})
    plain = narde.rollout(row, network, seed=1, trials=36, truncate=1, plies=1, variance_reduction=False)
    deeper = narde.evaluators.lookahead(network, "long", 1)
    expected = []
    for roll in trials.dice_of_rolls(plain.rolls[:, 0]):
        after = narde.afterstates(row, roll).positions
        expected.append(max(-equity(deeper(after), "long")))
    table = narde.rollout(
        row, network, seed=1, trials=36, truncate=1, plies=1, bearoff=False, variance_reduction=False
    )
    assert np.allclose(equity(table.values, "long"), expected, atol=1e-6)


# ---- what must not matter ----------------------------------------------------------------------------------


def test_a_trial_depends_on_seed_and_number_alone() -> None:
    network = Network.random(16, seed=1)
    row = narde.starting_row("long")
    options = {"seed": 3, "truncate": 6}
    whole = narde.rollout(row, network, trials=400, **options)
    part = narde.rollout(row, network, trials=150, threads=2, **options)
    other = narde.rollout(row, network, trials=150, seed=4, truncate=6)
    assert (whole.values[:150] == part.values).all()
    assert not (whole.values[:150] == other.values).all()


def test_positions_come_in_every_form() -> None:
    position = narde.Position(SHORT_RACE)
    forms = [SHORT_RACE, SHORT_RACE.tolist(), position, position.id(), narde.Setup(SHORT_RACE, "long")]
    found = [narde.rollout(form, race("long"), seed=1, trials=1) for form in forms]
    assert len({rollout.json() for rollout in found}) == 1


def test_without_an_evaluator_the_network_of_the_package_plays() -> None:
    start, network = narde.Position.start("short"), narde.evaluators.default("short")
    options = {"seed": 1, "trials": 36, "truncate": 2}
    named = narde.rollout(start, network, **options), narde.rollout_plays(start, (3, 1), network, **options)
    unnamed = narde.rollout(start, **options), narde.rollout_plays(start, (3, 1), **options)
    assert [found.json() for found in named] == [found.json() for found in unnamed]
    assert narde.analyze(start, (3, 1)).json() == narde.analyze(start, (3, 1), network).json()


# ---- ending early ------------------------------------------------------------------------------------------


def test_a_run_ends_once_the_error_is_small_enough() -> None:
    bent = Bent(SOLVED["long"])
    whole = narde.rollout(MARS_RACE, bent, seed=1, trials=1000, bearoff=False)
    early = narde.rollout(MARS_RACE, bent, seed=1, trials=1000, bearoff=False, standard_error=0.02)
    assert early.trials % 144 == 0
    assert 288 <= early.trials < 1000
    assert early.standard_error <= 0.02
    assert (early.values == whole.values[: early.trials]).all()


# ---- checkpoints -------------------------------------------------------------------------------------------


class Stops:
    """An evaluator that raises once `calls` more calls were made since the last report of progress."""

    def __init__(self, other: Bent, calls: int, fault: BaseException) -> None:
        self.other, self.left, self.fault = other, calls, fault

    def __call__(self, rows: Rows) -> np.ndarray:
        if self.left <= 0:
            raise self.fault
        self.left -= 1
        return self.other(rows)


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError("gone")], ids=["ctrl-c", "raises"])
def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path, fault: BaseException) -> None:
    bent = Bent(SOLVED["long"])
    options = {"seed": 1, "trials": 400, "bearoff": False}
    told: list[tuple[int, int]] = []
    narde.rollout(MARS_RACE, bent, checkpoint=tmp_path / "whole.npz", **options)
    stops = Stops(bent, 1000, fault)

    def stop_soon(done: int, total: int) -> None:
        stops.left = 1

    part = tmp_path / "part.npz"
    with pytest.raises(KeyboardInterrupt if isinstance(fault, KeyboardInterrupt) else EvaluatorError):
        narde.rollout(MARS_RACE, stops, checkpoint=part, progress=stop_soon, **options)
    with np.load(part) as kept:
        assert kept["values"].shape == (144, 1, 5)
    again = narde.rollout(MARS_RACE, bent, checkpoint=part, progress=lambda *n: told.append(n), **options)
    assert told == [(144, 400), (288, 400), (400, 400)]
    assert again.json() == narde.rollout(MARS_RACE, bent, **options).json()
    assert part.read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_finished_checkpoint_may_be_gone_on_with(tmp_path: Path) -> None:
    bent, path = Bent(SOLVED["long"]), tmp_path / "kept.npz"
    options = {"seed": 1, "bearoff": False}
    narde.rollout(MARS_RACE, bent, trials=200, checkpoint=path, **options)
    more = narde.rollout(MARS_RACE, bent, trials=300, checkpoint=path, **options)
    assert more.json() == narde.rollout(MARS_RACE, bent, trials=300, **options).json()
    calls = Stops(bent, 1, AssertionError("called"))  # one call to compare it with the file's evaluator
    fewer = narde.rollout(MARS_RACE, calls, trials=200, checkpoint=path, **options)
    assert fewer.trials == 200


@pytest.mark.parametrize(
    "change",
    [{"seed": 2}, {"truncate": 3}, {"variance_reduction": False}, {"bearoff": True}, {"plies": 1}],
    ids=lambda change: next(iter(change)),
)
def test_a_checkpoint_of_another_rollout_is_refused(tmp_path: Path, change: dict) -> None:
    path, bent = tmp_path / "kept.npz", Bent(SOLVED["long"])
    options = {"seed": 1, "trials": 1, "bearoff": False}
    narde.rollout(SHORT_RACE, bent, checkpoint=path, **options)
    name = next(iter(change)).replace("_", " ")
    with pytest.raises(
        StorageError, match=f"another rollout: {name} is .*, not {next(iter(change.values()))}"
    ):
        narde.rollout(SHORT_RACE, bent, checkpoint=path, **{**options, **change})
    held, other = (narde.Position(row).id() for row in (SHORT_RACE, MARS_RACE))
    with pytest.raises(StorageError, match=rf"rollout: it is of the position {held}, not {other}\. Name"):
        narde.rollout(MARS_RACE, bent, checkpoint=path, **options)
    with pytest.raises(StorageError, match=r"another rollout: koks of the rules is 0, not 3\. Name"):
        narde.rollout(SHORT_RACE, bent, replace(narde.rules("long"), koks=3), checkpoint=path, **options)


def test_a_checkpoint_of_another_evaluator_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    narde.rollout(SHORT_RACE, Bent(SOLVED["long"]), seed=1, trials=1, checkpoint=path)
    with pytest.raises(StorageError, match=r"another rollout: it is by another evaluator\. Name"):
        narde.rollout(SHORT_RACE, SOLVED["long"], seed=1, trials=1, checkpoint=path)


def test_a_checkpoint_of_no_numbers_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    narde.rollout(SHORT_RACE, race("long"), seed=1, trials=1, checkpoint=path)
    with np.load(path) as kept:
        columns = {**kept, "values": kept["values"] * np.nan}
    np.savez(path, **columns)
    with pytest.raises(StorageError, match=r"kept\.npz: damaged"):
        narde.rollout(SHORT_RACE, race("long"), seed=1, trials=1, checkpoint=path)


@pytest.mark.parametrize("what", ["meta", "values"])
def test_a_damaged_checkpoint_is_noticed(tmp_path: Path, what: str) -> None:
    path = tmp_path / "kept.npz"
    narde.rollout(SHORT_RACE, race("long"), seed=1, trials=1, checkpoint=path)
    damaged = bytearray(path.read_bytes())
    with np.load(path) as kept:
        damaged[damaged.index(kept[what].tobytes()) + 11] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(StorageError, match=r"kept\.npz: damaged"):
        narde.rollout(SHORT_RACE, race("long"), seed=1, trials=1, checkpoint=path)
    path.write_bytes(damaged[:500])
    with pytest.raises(
        StorageError, match=r"kept\.npz: damaged, .* rollout; name another file, or remove it"
    ):
        narde.rollout(SHORT_RACE, race("long"), seed=1, trials=1, checkpoint=path)


def test_a_folder_that_is_none_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="not a folder"):
        narde.rollout(SHORT_RACE, race("long"), seed=1, checkpoint=tmp_path / "file" / "kept.npz")


# ---- faults ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("evaluator", "complaint"),
    [
        (lambda rows: np.full((len(rows), 5), np.nan, np.float32), "nan"),
        (lambda rows: np.zeros((len(rows), 4), np.float32), r"\(\d+, 4\)"),
        (lambda rows: 1 / 0, "ZeroDivisionError"),
    ],
    ids=["nan", "shape", "raises"],
)
def test_a_faulty_evaluator_stops_the_run_with_the_position(evaluator, complaint: str) -> None:
    with pytest.raises(EvaluatorError, match=rf"(?s){complaint}.*nal2222"):
        narde.rollout(narde.starting_row("long"), evaluator, seed=1, trials=36)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"trials": 0}, "trials is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"truncate": 0}, "truncate is 0"),
        ({"plies": 4}, "plies is 4"),
        ({"threads": 0}, "threads is 0"),
        ({"variance_reduction": "no"}, "variance_reduction is 'no'"),
        ({"bearoff": 1}, "bearoff is 1"),
        ({"standard_error": 0}, "standard_error is 0"),
        ({"standard_error": float("nan")}, "standard_error is nan"),
        ({"standard_error": 10**400}, "standard_error is 1000"),
        ({"progress": 1}, "progress is 1"),
        ({"rules": "short"}, "made for the game"),
    ],
)
def test_bad_options_are_refused(options: dict, complaint: str) -> None:
    with pytest.raises(InvalidArgumentError, match=complaint):
        narde.rollout(SHORT_RACE, race("long"), **{"seed": 1, **options})


def test_bad_positions_are_refused() -> None:
    over = narde.starting_row("long").copy()
    over[:] = 0
    over[0], over[14], over[27] = 15, -0, -15
    with pytest.raises(InvalidPositionError, match="the game is over"):
        narde.rollout(over, race("long"), seed=1)
    with pytest.raises(InvalidPositionError):
        narde.rollout([0] * 28, race("long"), seed=1)
    with pytest.raises(NotationError):
        narde.rollout("no position", race("long"), seed=1)
    with pytest.raises(InvalidArgumentError, match="position is of long nardy"):
        narde.rollout(narde.Position(SHORT_RACE), race("short"), "short", seed=1)


def test_the_outcome_is_told_as_text_and_json() -> None:
    found = narde.rollout(MARS_RACE, Bent(SOLVED["long"]), seed=1, trials=144, bearoff=False)
    lines = str(found).splitlines()
    assert lines[-1].endswith(", 144 trials")
    assert [line.split("  ")[0] for line in lines[2:6]] == ["equity", "win %", "win mars %", "lose mars %"]
    assert repr(found).startswith("<Rollout ")
    assert json.loads(found.json())["chances"]["win_mars"] == found.chances[1]
    assert json.loads(found.json())["interval"] == list(found.interval)


def test_one_trial_has_no_interval() -> None:
    found = narde.rollout(MARS_RACE, Bent(SOLVED["long"]), seed=1, trials=1, bearoff=False)
    assert found.interval == (-np.inf, np.inf)
    assert json.loads(found.json())["interval"] is None


def test_long_runs_ask_less_often_whether_to_end() -> None:
    asked: list[int] = []
    plan = plan_of(SHORT_RACE[None], narde.rules("long"), race("long"), seed=1, truncate=None,
                   variance_reduction=True, plies=0, bearoff=True)  # fmt: skip
    run_trials(plan, 40 * 144, Work(), lambda values: bool(asked.append(len(values) // 144)))
    assert asked[:18] == list(range(2, 20))
    assert asked[18:24] == [20, 21, 23, 25, 27, 29]

"""`narde.rollout_plays` and `narde.analyze`: plays ranked by trials on the same dice, or by an evaluator."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import narde
from narde.errors import (
    IllegalPlayError,
    InvalidArgumentError,
    InvalidDiceError,
    InvalidPositionError,
    StorageError,
)
from narde.evaluators import equity, race, swapped
from narde.network import Network
from narde.rollouts.spread import spread_of
from narde.rollouts.trials import strata
from races import Bent, Solved
from races import race as race_row

ROW = race_row({4: 1, 2: 1, 1: 1}, {6: 14, 5: 1})
"""Who rolls 2-1 has several plays, after which the opponent may lose a mars."""
UNLIKE = ["4/3 2/off", "4/2 1/off", "4/1"]
"""Three of them of different worth: two others are as good as each other."""
SOLVED = Solved("long")


def truth(play: narde.Play) -> float:
    """The exact equity of a play."""
    return float(equity(swapped(SOLVED.chances(play.afterstate)), "long"))


# ---- rollouts ----------------------------------------------------------------------------------------------


def test_plays_are_ranked_with_their_margins() -> None:
    found = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), seed=1, trials=720, top=None, bearoff=False)
    legal = narde.Position(ROW).plays(2, 1)
    assert sorted(rolled.play.notation for rolled in found) == sorted(legal.notation)
    assert [rolled.rollout.equity for rolled in found] == sorted(
        (rolled.rollout.equity for rolled in found), reverse=True
    )
    best = found.best.rollout.equity
    for rolled in found:
        assert rolled.rollout.trials == 720
        assert rolled.behind == pytest.approx(best - rolled.rollout.equity, abs=1e-12)
        assert abs(rolled.rollout.equity - truth(rolled.play)) <= 4 * rolled.rollout.standard_error + 1e-9
        gap = truth(found.best.play) - truth(rolled.play)
        assert abs(rolled.behind - gap) <= 4 * rolled.behind_error + 1e-9


def test_the_joint_deviation_is_that_of_the_differences() -> None:
    found = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), seed=1, trials=360, plays=UNLIKE, bearoff=False)
    points = [equity(rolled.rollout.values, "long") for rolled in found]
    for rolled, own in zip(found, points, strict=True):
        spread = spread_of((points[0] - own)[:, None], strata(1, 0, 360))
        assert rolled.behind_error == pytest.approx(float(spread.error[0]), rel=1e-9, abs=1e-15)
    ratios = [rolled.behind / rolled.behind_error for rolled in found[1:]]
    assert found.clear_by == pytest.approx(min(ratios))
    assert str(found.table(2)).splitlines() == str(found).splitlines()[:4]


def test_a_play_s_trials_are_those_of_the_opponent_s_rollout() -> None:
    network = Network.random(16, seed=2)
    row = narde.starting_row("long")
    found = narde.rollout_plays(row, (6, 5), network, seed=5, trials=37, truncate=5)
    after = found.best.play.afterstate
    alone = narde.rollout(after, network, seed=5, trials=37, truncate=5)
    assert (found.best.rollout.values == swapped(alone.values)).all()


def test_a_run_ends_once_the_best_play_is_clear() -> None:
    options = {"seed": 1, "plays": UNLIKE, "bearoff": False}
    whole = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), trials=1440, **options)
    clear = whole.clear_by / 2
    early = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), trials=1440, clear=clear, **options)
    assert 288 <= early.trials < 1440
    assert early.clear_by >= clear
    none = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), trials=432, clear=1e9, **options)
    assert none.trials == 432


def test_a_run_ends_once_every_error_is_small_enough() -> None:
    found = narde.rollout_plays(
        ROW, (2, 1), Bent(SOLVED), seed=1, trials=5000, standard_error=0.01, bearoff=False
    )
    assert found.trials < 5000
    assert max(rolled.rollout.standard_error for rolled in found) <= 0.01


def test_the_plays_to_roll_out_may_be_named() -> None:
    row = narde.starting_row("short")
    network = Network.random(16, game="short", seed=2)
    options = {"seed": 1, "trials": 36, "truncate": 2}
    named = narde.rollout_plays(row, "31", network, "short", plays=["8/5 6/5", "24/20", 1], **options)
    assert {rolled.play.notation for rolled in named} == {"8/5 6/5", "24/20"}
    worth = narde.analyze(row, "31", network, "short")
    best = narde.rollout_plays(row, "31", network, "short", top=3, **options)
    assert {r.play.notation for r in best} == {analysed.play.notation for analysed in worth[:3]}
    with pytest.raises(IllegalPlayError):
        narde.rollout_plays(row, "31", network, "short", plays=["8/7 6/3 5/4"], **options)


def test_a_play_that_ends_the_game_is_exact() -> None:
    row = race_row({1: 1, 2: 1}, {6: 15})
    found = narde.rollout_plays(row, (6, 5), race("long"), seed=1, trials=3)
    assert (found.best.rollout.equity, found.best.rollout.standard_error) == (2.0, 0.0)
    assert found.clear_by == np.inf


def test_plays_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    options = {"seed": 1, "bearoff": False}
    path = tmp_path / "kept.npz"
    narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), trials=144, checkpoint=path, **options)
    more = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), trials=300, checkpoint=path, **options)
    assert more.json() == narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), trials=300, **options).json()


def test_bad_questions_are_refused() -> None:
    with pytest.raises(InvalidDiceError):
        narde.rollout_plays(ROW, (7, 1), race("long"), seed=1)
    with pytest.raises(InvalidArgumentError, match="top is 0"):
        narde.rollout_plays(ROW, (2, 1), race("long"), seed=1, top=0)
    with pytest.raises(InvalidArgumentError, match="clear is -1"):
        narde.rollout_plays(ROW, (2, 1), race("long"), seed=1, clear=-1)
    for plays in ([], 5, "24/13"):
        with pytest.raises(InvalidArgumentError, match=f"plays is {re.escape(repr(plays))}: pass a list"):
            narde.rollout_plays(ROW, (2, 1), race("long"), seed=1, plays=plays)


def test_rollouts_of_plays_are_told_as_a_table_and_json() -> None:
    found = narde.rollout_plays(ROW, (2, 1), Bent(SOLVED), seed=1, trials=144, bearoff=False)
    head, _, first, *_ = str(found).splitlines()
    assert head.split("  ")[0] == "play"
    assert first.startswith(found.best.play.notation)
    data = json.loads(found.json())
    assert data["dice"] == [2, 1]
    assert data["plays"][0]["equity"] == found.best.rollout.equity
    assert "best " + found.best.play.notation in repr(found)


# ---- analysis ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 1])
def test_an_analysis_ranks_all_plays_by_the_evaluator(plies: int) -> None:
    network = Network.random(16, game="short", seed=4)
    row = narde.starting_row("short")
    found = narde.analyze(row, (3, 1), network, "short", plies=plies)
    deeper = narde.evaluators.lookahead(network, "short", plies)
    legal = narde.Position(row, "short").plays(3, 1)
    expected = -equity(deeper(legal.afterstates), "short")
    assert [a.equity for a in found] == pytest.approx(sorted(expected, reverse=True), abs=1e-6)
    for analysed in found:
        i = legal.index(analysed.play)
        assert analysed.equity == pytest.approx(expected[i], abs=1e-6)
        assert analysed.behind == pytest.approx(expected.max() - expected[i], abs=1e-6)
        assert equity(analysed.chances, "short") == pytest.approx(analysed.equity, abs=1e-12)


def test_an_analysis_knows_the_bear_off_tables() -> None:
    found = narde.analyze(race_row({6: 1, 4: 1, 2: 1}, {5: 2}), (2, 1), race("long"))
    for analysed in found:
        exact = -narde.bearoff("long").equity(analysed.play.afterstate)
        assert analysed.equity == pytest.approx(exact, abs=1e-6)
    plain = narde.analyze(race_row({6: 1, 4: 1, 2: 1}, {5: 2}), (2, 1), race("long"), bearoff=False)
    assert plain.best.equity != found.best.equity


def test_a_checkpoint_of_other_plays_is_refused(tmp_path: Path) -> None:
    options = {"seed": 1, "trials": 1, "bearoff": False, "checkpoint": tmp_path / "kept.npz"}
    narde.rollout_plays(ROW, (2, 1), race("long"), **options)
    with pytest.raises(StorageError, match=r"another rollout: it is of other positions\. Name"):
        narde.rollout_plays(ROW, (3, 1), race("long"), **options)
    with pytest.raises(StorageError, match=r"rollout: it is by the rules 'long', not 'short'\. Name"):
        narde.rollout_plays(narde.Position.start("short"), (3, 1), race("short"), **options)


def test_an_analysis_is_told_as_a_table_and_json() -> None:
    found = narde.analyze(ROW, (2, 1), Bent(SOLVED))
    assert str(found) == f"{found.heading()}\n\n{found.table()}"
    assert found.heading().startswith(f"before the roll: equity {found.equity:+.4f}, win ")
    assert len(str(found.table()).splitlines()) == len(found) + 2
    assert str(found.table(2)).count("\n") == 3
    assert json.loads(found.json())["plays"][1]["behind"] == found[1].behind
    assert repr(found).startswith("<Analysis of ")


@pytest.mark.parametrize(
    ("thing", "remedy"),
    [(narde.Game.begin("long"), r"a Game is no position: pass game\.setup\(\)"),
     (narde.Match.begin(3, "short"), r"a Match is no position: pass match\.game\.setup\(\)")],
    ids=["game", "match"],
)  # fmt: skip
def test_a_game_or_match_is_no_position(thing: narde.Game | narde.Match, remedy: str) -> None:
    for ask in (
        lambda: narde.rollout(thing, seed=1),
        lambda: narde.rollout_plays(thing, (2, 1), seed=1),
        lambda: narde.analyze(thing, None),
    ):
        with pytest.raises(InvalidPositionError, match=remedy):
            ask()


def test_the_setup_of_a_game_is_a_position() -> None:
    setup = narde.Game.begin("long").contest((6, 5)).setup()
    assert narde.analyze(setup, None, race("long")).row.tolist() == list(setup.row)

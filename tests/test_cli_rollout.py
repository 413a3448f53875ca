"""`narde rollout`, `narde analyze` and `narde bearoff`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import narde
from narde.evaluators import race
from narde.network import Network
from narde.rollouts.result import BEYOND
from races import race as race_row
from shell import Shell

PIPS = ("--evaluator", "pips")
THEIRS = "the mover may not double: the cube is the opponent's"
RACE = ",".join(map(str, race_row({6: 1, 4: 1, 2: 1}, {5: 2}).tolist()))


def test_a_rollout_of_a_position(shell: Shell) -> None:
    data = shell("rollout", "start", *PIPS, "-n", "36", "--truncate", "3", "--seed", "4", "--json").data
    expected = narde.rollout(narde.starting_row("long"), race("long"), trials=36, truncate=3, seed=4)
    assert data == json.loads(expected.json())
    told = shell("rollout", "start", *PIPS, "-n", "36", "--truncate", "3", "--seed", "4")
    assert (told.out, told.err) == (f"{expected}\n", "")


def test_a_rollout_of_plays(shell: Shell) -> None:
    options = ["--variant", "short", *PIPS, "-n", "36", "--truncate", "2", "--top", "3"]
    words = ["rollout", "start", "31", *options]
    expected = narde.rollout_plays(
        narde.starting_row("short"), (3, 1), race("short"), "short", trials=36, truncate=2, seed=1, top=3
    )
    assert shell(*words, "--json").data == json.loads(expected.json())
    assert str(expected) in shell(*words).out
    assert shell(*words).out.startswith("3 plays for 3-1, 36 trials each\n")
    assert len(shell(*words, "--all", "--json").data["plays"]) == 16
    dice = shell("rollout", "start", "--dice", "3", "1", *options, "--json")
    assert dice.data == json.loads(expected.json())


def test_few_trials_are_told_with_what_may_surprise(shell: Shell) -> None:
    words = ["rollout", "start", "-n"]
    told = shell(*words, "1").out.splitlines()
    assert re.fullmatch(r"win % +1[01]\d\.\d\d +inf", told[3])
    assert told[-2].endswith(", 1 trial") and told[-1] == BEYOND
    assert shell(*words, "36", *PIPS, "--no-variance-reduction").out.endswith(", 36 trials\n")
    plays = shell("rollout", "start", "65", "--variant", "short", "-n", "1", "--top", "3").out
    assert ", 1 trial each\n" in plays and plays.endswith(f"\n{BEYOND}\n")


def test_a_forced_play_is_rolled_out_too(shell: Shell) -> None:
    told = shell("rollout", "start", "65", *PIPS, "-n", "36", "--truncate", "2").out
    assert told.startswith("the play for 6-5, 36 trials each\n")
    assert "leads" not in told


def test_the_options_of_a_rollout_are_passed_on(shell: Shell) -> None:
    words = ["rollout", RACE, *PIPS, "-n", "600", "--no-bearoff", "--json"]
    whole = shell(*words).data
    assert whole["trials"] == 600
    assert shell(*words, "--error", "0.5").data["trials"] == 288
    assert shell(*words, "--no-variance-reduction").data["standard_error"] > whole["standard_error"]
    assert shell(*words[:-2], "--json").data["standard_error"] == 0
    assert shell(*words, "--plies", "1", "-n", "36", "--threads", "1").data["trials"] == 36
    assert (
        shell("rollout", RACE, "21", *PIPS, "--no-bearoff", "--clear", "0.1", "--json").data["trials"] == 288
    )


def test_a_checkpoint_is_gone_on_with(shell: Shell, tmp_path: Path) -> None:
    words = ["rollout", "start", *PIPS, "--truncate", "2", "--checkpoint", "kept.npz", "--json"]
    shell(*words, "-n", "144")
    assert (tmp_path / "kept.npz").exists()
    assert shell(*words, "-n", "300").data == shell(*words[:-3], "-n", "300", "--json").data


def test_an_evaluator_may_be_a_file(shell: Shell, tmp_path: Path) -> None:
    network = Network.random(16, seed=3)
    network.save(tmp_path / "weights.narde")
    data = shell("analyze", "start", "65", "--evaluator", "weights.narde", "--json").data
    expected = narde.analyze(narde.starting_row("long"), (6, 5), network)
    assert data == json.loads(expected.json())
    wrong = shell("analyze", "start", "65", "--variant", "short", "--evaluator", "weights.narde")
    assert wrong.code == 2
    assert "made for the game" in wrong.err


def test_without_a_name_the_network_of_the_package_weighs(shell: Shell) -> None:
    data = shell("analyze", "start", "31", "--variant", "short", "--json").data
    network = narde.evaluators.default("short")
    assert data == json.loads(narde.analyze(narde.Position.start("short"), (3, 1), network).json())


def test_an_analysis(shell: Shell) -> None:
    words = ["analyze", RACE, "21", *PIPS]
    expected = narde.analyze(race_row({6: 1, 4: 1, 2: 1}, {5: 2}), (2, 1), race("long"))
    assert shell(*words).out == f"{expected}\n"
    assert shell(*words).out.startswith("before the roll: equity ")
    assert len(shell(*words, "--top", "1").out.splitlines()) == 7
    assert shell(*words, "--json").data == json.loads(expected.json())


def test_the_cube_is_told_where_there_is_one(shell: Shell) -> None:
    told = shell("analyze", "start", "--variant", "minsport", *PIPS).out
    assert told.endswith("right: no double, take\n")
    assert "right:" not in shell("analyze", "start", *PIPS).out
    words = ["rollout", "start", *PIPS, "-n", "36", "--truncate", "1"]
    assert "right: no double, take" in shell(*words, "--variant", "minsport").out
    setup = narde.Setup(narde.starting_row("short"), "short", cube_value=2, cube_owner="opponent")
    assert shell("analyze", setup.id(), *PIPS).out.endswith(f"\n\n{THEIRS}\n")
    assert shell("rollout", setup.id(), *words[2:]).out.endswith(f"\n\n{THEIRS}\n")
    assert shell("analyze", setup.id(), *PIPS, "--json").data["cube"] is None


def test_an_analysis_without_a_roll_is_told_as_the_command_tells_it(shell: Shell) -> None:
    expected = narde.analyze(narde.Position.start("minsport"), None, race("long"))
    told = shell("analyze", "start", "--variant", "minsport", *PIPS).out
    assert told == f"{expected}\n"
    assert told.startswith("before the roll: equity ") and "play" not in told


@pytest.mark.parametrize(
    ("facts", "complaint"),
    [({"score": (3, 0)}, "the match is over at 3-0 to 3"),
     ({"score": (1, 0), "crawford": True}, "no Crawford game at (1, 0) to 3")],
)  # fmt: skip
@pytest.mark.parametrize("words", [["rollout"], ["rollout", "--dice", "31"], ["analyze"]], ids=" ".join)
def test_a_score_that_no_game_has_is_refused_before_any_trial(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, facts: dict, complaint: str, words: list[str]
) -> None:
    for name in ("rollout", "rollout_plays"):
        monkeypatch.setattr(f"narde.cli.rollout.{name}", None)
    setup = narde.Setup(narde.starting_row("short"), "short", length=3, **facts)
    result = shell(words[0], setup.id(), *words[1:], *PIPS)
    assert (result.code, result.out) == (2, "")
    assert complaint in result.err and result.err.count("\n") == 1


def test_bearing_off(shell: Shell) -> None:
    data = shell("bearoff", RACE, "--json").data
    row = race_row({6: 1, 4: 1, 2: 1}, {5: 2})
    tables = narde.bearoff("long")
    assert data["chances"]["win"] == float(tables.win(row))
    assert (data["equity"], data["exact"]) == (float(tables.equity(row)), True)
    assert data["mover"]["rolls"] == tables.dist(row).tolist()
    assert data["mover"]["epc"] == float(tables.epc(row))
    assert (data["mover"]["pips"], data["opponent"]["pips"]) == (12, 10)
    told = shell("bearoff", RACE).out
    assert f"equity {data['equity']:+.4f} for the mover, exactly" in told
    assert "effective pips" in told


def test_one_side_may_bear_off_alone(shell: Shell) -> None:
    row = race_row({6: 3, 4: 2, 2: 1}, {}).copy()
    row[18 + 1 - 1], row[27] = -15, 0  # the opponent's last checkers stand just outside his home
    data = shell("bearoff", ",".join(map(str, row.tolist())), "--json").data
    assert data["chances"] is None
    assert data["opponent"] is None
    assert data["mover"]["pips"] == 28
    assert "equity" not in shell("bearoff", ",".join(map(str, row.tolist()))).out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["bearoff", "start"], "does not cover row 0"),
        (["analyze", "start", "65", "--evaluator", "none.narde"], "none.narde"),
        (["rollout", "start", *PIPS, "--plies", "9"], "plies is 9"),
        (["rollout", *PIPS], "no position"),
        (["rollout", "start", *PIPS, "--error", "-1"], "argument --error: '-1' is no number above 0"),
        (["rollout", "start", *PIPS, "--clear", "nan"], "argument --clear: 'nan' is no number above 0"),
        (["rollout", "start", *PIPS, "--clear", "2"], "--clear is about the plays of a roll: give one"),
        (["rollout", "start", *PIPS, "--top", "3"], "--top is about the plays of a roll: give one"),
        (["rollout", "start", *PIPS, "--all"], "--all is about the plays of a roll: give one"),
        (["analyze", "start", *PIPS, "--top", "3"], "--top is about the plays of a roll: give one"),
        (
            ["rollout", "start", "--evaluator", "greedy"],
            "give 'pips' or a file .narde or .onnx, or leave",
        ),
    ],
)
def test_bad_usage_is_one_line(shell: Shell, words: list[str], complaint: str) -> None:
    result = shell(*words)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("narde: error: ")
    assert complaint in result.err
    assert result.err.count("\n") == 1

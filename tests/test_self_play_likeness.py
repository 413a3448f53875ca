"""Runs of self-play that are gone on with by another evaluator of the same name, or over shards of nobody."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from evaluating import rough
from narde import InvalidArgumentError, Network, load_shards
from narde.selfplay import self_play
from narde.selfplay.likeness import answers_of, difference_of

Evaluator = Callable[[np.ndarray], np.ndarray]
RULES = narde.rules("long")


def made(shift: float, sign: int = 1) -> Evaluator:
    """Evaluators of one name."""

    def evaluator(rows: np.ndarray) -> np.ndarray:
        chances = rough(rows)
        chances[:, 0] = 0.5 + sign * (chances[:, 0] - 0.5) / 2 + np.float32(shift)
        chances[:, 1] = 0
        return chances

    return evaluator


def play(out: Path, player: Any, **options: Any) -> narde.Shards:
    return self_play(**{"n": 8, "player": player, "seed": 5, "out": out, "games_per_shard": 4, **options})


def without_answers(manifest: Path) -> None:
    """As an older narde wrote it."""
    data = json.loads(manifest.read_text())
    for seat in ("starter", "second"):
        del data["run"][seat]["answers"]
    manifest.write_text(json.dumps(data))


def test_another_evaluator_of_the_same_name_is_another_run(tmp_path: Path) -> None:
    play(tmp_path, made(0))
    reason = r"starter greedy:<.*made.*evaluator> whose evaluator answers '.*', not '.*': resume it as"
    with pytest.raises(InvalidArgumentError, match=reason):
        play(tmp_path, made(0, sign=-1), resume=True)
    with pytest.raises(InvalidArgumentError, match=r"second greedy:<.*made.*evaluator> whose evaluator"):
        play(tmp_path, made(0), opponent=made(0, sign=-1), resume=True)
    assert play(tmp_path, made(0), opponent=made(0), resume=True).is_complete
    assert play(tmp_path, made(1e-6), resume=True).is_complete, "a machine may round in another way"
    with pytest.raises(InvalidArgumentError, match="starter"):
        play(tmp_path, made(1e-3), resume=True)


def test_a_job_of_another_evaluator_is_of_another_run(tmp_path: Path) -> None:
    play(tmp_path, made(0), shard=(0, 2))
    with pytest.raises(InvalidArgumentError, match="starter"):
        play(tmp_path, made(0, sign=-1), shard=(1, 2))
    play(tmp_path, made(1e-6), shard=(1, 2))
    assert load_shards(tmp_path).is_complete


def test_a_manifest_without_answers_is_gone_on_with(tmp_path: Path) -> None:
    play(tmp_path, made(0))
    without_answers(tmp_path / "manifest.json")
    assert play(tmp_path, made(0), resume=True).is_complete


def test_answers_that_narde_has_not_written_are_other_answers(tmp_path: Path) -> None:
    play(tmp_path, made(0))
    manifest = tmp_path / "manifest.json"
    data = json.loads(manifest.read_text())
    for damage in ({**data["run"]["starter"], "answers": [0]}, "x", None):
        data["run"]["starter"] = damage
        manifest.write_text(json.dumps(data))
        with pytest.raises(InvalidArgumentError, match="starter"):
            play(tmp_path, made(0), resume=True)


def test_who_is_told_by_answers() -> None:
    asked = answers_of(narde.player(made(0)), RULES)
    assert (
        asked is not None
        and len(set(asked.split())) > 4
        and asked == answers_of(narde.players.BearoffPlayer(narde.player(made(0))), RULES)
    )
    for player in ("random", "pips", "greedy", Network.random(4)):
        assert answers_of(narde.player(player), RULES) is None


def test_the_first_answers_that_differ() -> None:
    assert difference_of("0.5 1.0", "0.5 1.00005") is None
    assert difference_of("0.5 1.0", "0.5 1.001") == ("1.0", "1.001")
    assert difference_of("0.5", "0.5 1") == ("nothing", "1")
    assert difference_of("nan", "nan") == ("nan", "nan")


def test_shards_without_a_manifest_are_not_written_over(tmp_path: Path) -> None:
    play(tmp_path, "random")
    (tmp_path / "manifest.json").unlink()
    before = (tmp_path / "shard-000000.npz").read_bytes()
    reason = r"holds shard-000000\.npz but no manifest\.json: name another folder, or remove"
    for shard in ((0, 1), (0, 2)):
        with pytest.raises(InvalidArgumentError, match=reason):
            play(tmp_path, "random", seed=6, shard=shard)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["shard-000000.npz", "shard-000001.npz"]
    assert (tmp_path / "shard-000000.npz").read_bytes() == before
    assert play(tmp_path, "random", resume=True).is_complete
    assert (tmp_path / "shard-000000.npz").read_bytes() == before

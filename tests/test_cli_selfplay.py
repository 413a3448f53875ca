"""`narde selfplay` and `narde match` within the test, and Ctrl-C in a real run."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

import narde
from narde import Network
from narde.cli.progress import Speed
from shell import NARDE, Shell, ended, press_ctrl_c, program


def test_a_run_in_memory(shell: Shell) -> None:
    result = shell("selfplay", "random", "-n", "300", "--seed", "4", "--threads", "2")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("300 games of random, seed 4\n\nvariant  games  games/s ")
    games = narde.random_games(300, seed=4)
    share = f"{100 * (games.winner == 0).mean():.1f}±"
    assert re.search(rf"^long +300 +[\d,]+ +{games.lengths.mean():.2f} +{share}", result.out, re.M)
    assert list(Path().iterdir()) == []


def test_a_run_as_json(shell: Shell) -> None:
    path = Network.random(16, game="short").save("weights.narde")
    words = ("--opponent", "random", "--variant", "short", "-n", "40", "--first", "7", "--json")
    data = shell("selfplay", f"greedy:{path},epsilon=0.1", *words).data
    player = narde.player("greedy:weights.narde,epsilon=0.1")
    games = narde.self_play(40, player, "short", opponent="random", seed=1, first=7)
    assert data["players"] == ["greedy:weights.narde,epsilon=0.1", "random"]
    assert (data["games"], data["played"], data["turns"]) == (40, 40, games.lengths.sum())
    for seat, name in enumerate(("starter", "second")):
        won = games.points[games.winner == seat]
        assert data[f"{name}_won_by_points"] == [int((won == points).sum()) for points in (1, 2, 3)]
    assert (data["folder"], data["shards"]) == (None, None)


def test_shards_are_resumed_and_repaired(shell: Shell) -> None:
    words = (
        "selfplay",
        "greedy",
        "-n",
        "30",
        "--batch",
        "5",
        "--games-per-shard",
        "10",
        "--out",
        "run",
        "--record",
    )
    result = shell(*words)
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith("\n3 shards in run\n")
    shards = narde.load_shards("run")
    assert shards.run["record"] == ["positions", "dice", "chosen", "values"]
    again = shell(*words)
    assert (again.code, again.err) == (
        2,
        "narde: error: run holds a run already: resume it, or name another folder\n",
    )
    shards.files[1].write_bytes(b"")
    repaired = shell(*words, "--resume", "--json")
    data = json.loads(repaired.out)
    assert repaired.code == 0
    assert repaired.err.startswith("narde: warning: run/shard-000001.npz has 0 bytes, the manifest says ")
    assert (data["games"], data["played"], len(data["repaired"])) == (30, 10, 1)
    assert len(list(narde.load_shards("run"))) == 3


def test_the_parts_of_a_job_array(shell: Shell) -> None:
    words = ("selfplay", "random", "-n", "50", "--batch", "5", "--games-per-shard", "10", "--out", "run")
    for part in ("0/2", "1/2"):
        assert shell(*words, "--record", "dice,positions", "--shard", part).code == 0
    assert narde.load_shards("run").is_complete


def test_a_part_without_games_shows_no_shares(shell: Shell) -> None:
    words = ("selfplay", "random", "-n", "10", "--shard")
    assert shell(*words, "0/3").out.endswith("\nlong         0        -      -          -       -       -\n")
    assert shell(*words, "2/3").out.startswith("10 games of random")
    assert shell(*words, "0/3", "--batch", "4").out.startswith("4 games of random")


def test_random_players_record_no_values(shell: Shell) -> None:
    assert shell("selfplay", "random", "-n", "5", "--out", "run", "--record").code == 0
    assert narde.load_shards("run").run["record"] == ["positions", "dice", "chosen"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("selfplay",), "required: player"),
        (("selfplay", "expert"), "no player 'expert'"),
        (("selfplay", "random", "--record"), "--record without --out"),
        (("selfplay", "random", "--resume"), "--resume without --out: name a folder"),
        (("selfplay", "random", "--games-per-shard", "3"), "--games-per-shard without --out"),
        (("selfplay", "random", "--shard", "2/2"), "'2/2' is no part: write I/K"),
        (("selfplay", "random", "--shard", "x"), "'x' is no part"),
        (("selfplay", "random", "--resume"), "name a folder"),
        (("selfplay", "random", "-n", "0"), "below 1"),
        (("selfplay", "random", "--variant", "chess"), "chess"),
        (("selfplay", "random", "--out", "run", "--record", "equity"), "record names 'equity'"),
        (("match", "random"), "required: B"),
        (("match", "random", "expert"), "no player 'expert'"),
    ],
)
def test_wrong_words_are_named(shell: Shell, words: tuple[str, ...], reason: str) -> None:
    result = shell(*words)
    assert (result.code, result.out) == (2, "")
    assert reason in result.err and result.err.count("\n") == 1


def test_a_missing_file_of_weights_is_no_wrong_usage(shell: Shell) -> None:
    result = shell("match", "random", "greedy:nowhere.narde")
    assert result.code == 1
    assert "nowhere.narde" in result.err


def test_games_that_did_not_end_are_told(shell: Shell) -> None:
    words = ("selfplay", "greedy", "--variant", "short", "-n", "40", "--max-turns", "50")
    games = narde.self_play(40, "greedy", "short", seed=1, max_turns=50)
    ended = int((games.winner >= 0).sum())
    assert 0 < ended < 40
    result = shell(*words)
    assert (
        f"\n\n{40 - ended} games not finished after 50 turns, left out of shares and points\n" in result.out
    )
    assert f" {100 * (games.winner == 0).sum() / ended:.0f}±" in result.out
    assert shell(*words, "--json").data["nobody"] == 40 - ended
    none = shell("selfplay", "pips", "--variant", "short", "-n", "1", "--max-turns", "1").out
    assert "  1.00          -       -       -\n\n1 game not finished after 1 turn, left" in none


def test_a_match_of_which_no_game_ends(shell: Shell) -> None:
    words = ("match", "pips", "pips", "--variant", "short", "-n", "4", "--max-turns", "5")
    result = shell(*words)
    assert "\npips against pips      8              -         -    -\n" in result.out
    assert result.out.endswith("\n8 games not finished after 5 turns, left out of shares and points\n")
    data = shell(*words, "--json").data
    assert (data["unfinished"], data["advantage"]["value"], data["elo"]["low"]) == (8, None, None)


def test_speed_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a resumed run found finished does not count for its speed."""
    now = [100.0]
    monkeypatch.setattr("narde.cli.progress.time.monotonic", lambda: now[0])
    speed = Speed(begun=100.0)
    assert speed.at(5_000, 20_000) == "games"
    now[0] += 2
    assert speed.at(7_000, 20_000) == "1,000 games/s, 0:00:13 left"
    assert (speed.done, speed.seconds) == (2_000, 2)


def test_a_match(shell: Shell) -> None:
    words = ("match", "greedy", "random", "-n", "100", "--seed", "3")
    result = shell(*words)
    assert (result.code, result.err) == (0, "")
    found = narde.duel("greedy", "random", 100, seed=3)
    assert f"+{found.advantage.value:.3f}±{found.advantage.margin:.3f}" in result.out
    assert result.out.startswith("100 pairs of games of long, seed 3\n")
    data = shell(*words, "--json").data
    assert data["advantage"]["value"] == found.advantage.value
    assert data["won_by_points"] == found.counts()
    assert (data["games"], data["a"], data["b"]) == (200, "greedy", "random")


def test_a_match_that_one_player_wins_whole(shell: Shell) -> None:
    one, other = (
        shell("match", *players, "-n", "20") for players in (("greedy", "random"), ("random", "greedy"))
    )
    low = narde.duel("greedy", "random", 20, seed=1).elo.low
    assert f"  above {low:+.0f}\n" in one.out
    assert f"  below {-low:+.0f}\n" in other.out


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_ctrl_c_keeps_finished_shards(tmp_path: Path) -> None:
    words = ("selfplay", "random", "-n", "1e8", "--games-per-shard", "2000", "--out", "run", "--threads", "1")
    command = [*NARDE, *words]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        with ended(run):
            while not (tmp_path / "run" / "shard-000001.npz").exists():
                assert run.poll() is None
                time.sleep(0.02)
            press_ctrl_c(run)
        out, err = run.communicate()
    assert (run.returncode, out) == (130, "")
    assert "finished shards are kept in run: the same command with --resume goes on" in err
    shards = narde.load_shards(tmp_path / "run")
    assert len(shards) >= 1 and not shards.is_complete
    assert len(shards[0]) == 2000


def test_as_a_program(tmp_path: Path) -> None:
    done = program("match", "random", "random", "-n", "20", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "random against random" in done.out

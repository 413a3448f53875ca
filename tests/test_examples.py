"""The programs in examples/ run and do what they say, in small."""

import runpy
import sys
from pathlib import Path

import pytest

from narde import evaluators
from narde.network import Network

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(monkeypatch: pytest.MonkeyPatch, name: str, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", [name, *words])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")


@pytest.mark.parametrize("rules", ["long", "short"])
def test_training_makes_a_network(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says how it was made, and has moved away from where it began."""
    words = ["--games", "40", "--hidden", "16", "--batch", "256"]
    made = []
    for rounds in ("1", "3"):
        run(monkeypatch, "train.py", rules, "--rounds", rounds, *words, "--out", str(tmp_path / "a.narde"))
        made.append(Network.load(tmp_path / "a.narde"))
    assert made[0].checksum != made[1].checksum
    assert (made[1].game, made[1].hidden) == (rules, 16)
    assert made[1].note.startswith(f"python examples/train.py {rules} --hidden 16 --rounds 3 --games 40")
    assert capsys.readouterr().out.count("loss") == 4


def test_training_refuses_a_file_that_could_not_be_read_before_it_begins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, "train.py", "long", "--rounds", "1", "--games", "1", "--out", "a.txt")
    told = capsys.readouterr()
    assert told.out == "" and told.err.endswith("error: --out a.txt: name a file .narde\n")


def test_strength_is_told_with_its_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = evaluators.default("long").save(tmp_path / "weights.narde")
    run(monkeypatch, "strength.py", "long", "--player", str(path), "--against", "random", "--games", "40")
    run(monkeypatch, "strength.py", "long", "--against", "network", "--games", "40")
    points, won, even, _ = capsys.readouterr().out.splitlines()
    assert points.startswith("points a game: ")
    assert float(points.split()[3].rstrip(",")) > 1.5
    assert 0.9 < float(won.split()[2].rstrip(",")) <= float(won.split()[-1]) <= 1
    assert even == "points a game: 0.000, 95 % interval 0.000 to 0.000"


def test_without_the_package_gnubg_nn_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    with pytest.raises(SystemExit, match=r"^gnubg needs the package gnubg-nn: pip install .*gnubg-nn$"):
        run(monkeypatch, "strength.py", "short", "--against", "gnubg", "--games", "20")

"""Manifests, weights, checkpoints and games that are no files to read: each is named in one clear line."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import narde
from narde import Network, StorageError, evaluators
from test_self_play_files import play

START = narde.starting_row("long")
PIPS = evaluators.race("long")
ROLLOUT: dict[str, Any] = {"trials": 1, "truncate": 1, "seed": 1, "bearoff": False}

READ: dict[str, Callable[[Path], object]] = {
    "network.narde": Network.load,
    "model.onnx": evaluators.load,
    "games.npz": narde.load_games,
    "games.parquet": narde.load_games,
    "trials.npz": lambda path: narde.rollout(START, PIPS, **ROLLOUT, checkpoint=path),
    "manifest.json": lambda path: narde.load_shards(path.parent),
    "manifest-000001-of-000002.json": lambda path: play(path.parent, shard=(0, 2)),
}
"""What reads each file, by its name."""

every_file = pytest.mark.parametrize(("name", "read"), READ.items(), ids=READ)


def complaint(path: Path, read: Callable[[Path], object]) -> str:
    """The line that refuses the file."""
    with pytest.raises(StorageError) as caught:
        read(path)
    text = str(caught.value)
    assert text.count(str(path)) == 1 and "\n" not in text and len(text) < 400
    return text.replace(str(path), "FILE")


@every_file
def test_a_folder(name: str, read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert "it is a folder" in complaint(tmp_path / name, read)


@every_file
def test_an_empty_file(name: str, read: Callable[[Path], object], tmp_path: Path) -> None:
    if name == "model.onnx":
        pytest.importorskip("onnxruntime")
    (tmp_path / name).touch()
    assert complaint(tmp_path / name, read).startswith("cannot read FILE: ")


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices by name")
@pytest.mark.parametrize("kind", ["pipe", "device"])
@every_file
def test_what_would_be_waited_for(
    kind: str, name: str, read: Callable[[Path], object], tmp_path: Path
) -> None:
    """Nobody writes to the pipe, and the device has no end."""
    if kind == "pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to("/dev/zero")
    assert "no regular file" in complaint(tmp_path / name, read)


@every_file
def test_a_file_that_may_not_be_read(
    name: str, read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's answer is given by hand: it lets the superuser read what nobody may."""
    (tmp_path / name).touch()
    openly = Path.open

    def refusing(self: Path, mode: str = "r", **options: Any) -> Any:
        if self == tmp_path / name and mode == "rb":
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return openly(self, mode, **options)

    monkeypatch.setattr(Path, "open", refusing)
    assert complaint(tmp_path / name, read) == "cannot read FILE: Permission denied"

"""The file of a network: what is written is read, and nothing else is; its layout is that of its page."""

import os
import stat
import struct
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import narde
from narde.errors import InvalidArgumentError, StorageError
from narde.network import Network
from test_network import batch

HEADER = 20


def sealed(body: bytes) -> bytes:
    """A file with the right checksum, whatever else it holds."""
    return body + sha256(body).digest()


@pytest.fixture
def network() -> Network:
    return replace(Network.random(32, game="short", seed=4), note="for tests: ёж")


def refused(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(StorageError, match=r"cannot read .*a\.narde: ") as fault:
        Network.load(path)
    return str(fault.value)


def test_what_is_saved_is_loaded(network: Network, tmp_path: Path) -> None:
    assert network.save(tmp_path / "a.narde") == tmp_path / "a.narde"
    other = Network.load(tmp_path / "a.narde")
    assert (other.game, other.note, other.checksum) == (network.game, network.note, network.checksum)
    rows, dice = batch("short", 200)
    assert np.array_equal(other(rows), network(rows))
    assert np.array_equal(other.choose(rows, dice, "short")[0], network.choose(rows, dice, "short")[0])
    other.save(str(tmp_path / "b.narde"))
    assert (tmp_path / "b.narde").read_bytes() == (tmp_path / "a.narde").read_bytes()


def test_the_layout_is_that_of_the_page(network: Network, tmp_path: Path) -> None:
    """Read without the package, as docs/network.md says."""
    data = network.save(tmp_path / "a.narde").read_bytes()
    magic, version, game, outputs, inputs, hidden, shift1, shift2, note = struct.unpack(
        "<8sHBBHHBBH", data[:HEADER]
    )
    assert (magic, version, game, outputs, inputs, hidden) == (b"\x89narde\r\n", 1, 2, 5, 196, 32)
    assert (shift1, shift2) == (network.hidden_shift, network.output_shift)
    at = HEADER
    for name, dtype in (("hidden_weights", "<i2"), ("hidden_bias", "<i2"), ("output_weights", "<i2")):
        array = getattr(network, name)
        assert np.array_equal(np.frombuffer(data, dtype, array.size, at), array.ravel())
        at += 2 * array.size
    assert np.array_equal(np.frombuffer(data, "<i4", 5, at), network.output_bias)
    assert data[at + 20 : at + 20 + note].decode() == network.note
    assert data[at + 20 + note :] == sha256(data[:-32]).digest() == bytes.fromhex(network.checksum)


def test_every_flipped_byte_is_noticed(network: Network, tmp_path: Path) -> None:
    data = bytearray(network.save(tmp_path / "a.narde").read_bytes())
    for at in [*range(64), *range(64, len(data) - 64, 97), *range(len(data) - 64, len(data))]:
        flipped = data.copy()
        flipped[at] ^= 1 << (at % 8)
        refused(tmp_path / "a.narde", bytes(flipped))


def test_a_file_cut_short_or_longer_is_noticed(network: Network, tmp_path: Path) -> None:
    data = network.save(tmp_path / "a.narde").read_bytes()
    for size in (0, 1, 8, 19, 20, 300, len(data) - 1):
        message = refused(tmp_path / "a.narde", data[:size])
        assert "cut short" in message or "no file of a network's weights" in message
    assert f"{len(data) + 1} bytes of {len(data)}" in refused(tmp_path / "a.narde", data + b"\0")
    assert "more than" in refused(tmp_path / "a.narde", data + bytes(2**19))


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (0, b"PK\3\4", "no file of a network's weights"),
        (5, b"e\n", "no file of a network's weights"),
        (8, b"\2\0", "version 2, not 1: a newer narde may read it"),
        (10, b"\3", "game 3"),
        (11, b"\6", "6 outputs"),
        (12, b"\xc5\0", "197 inputs"),
        (14, b"\0\0", "bytes of"),
        (16, b"\x1f", "a shift is 31"),
        (20, b"\xff\x7f" * 32 * 196, "a sum overflow"),
    ],
)
def test_wrong_contents_are_refused(
    network: Network, tmp_path: Path, at: int, value: bytes, message: str
) -> None:
    """Under a checksum that fits, as another program could write them."""
    body = network.save(tmp_path / "a.narde").read_bytes()[:-32]
    assert message in refused(tmp_path / "a.narde", sealed(body[:at] + value + body[at + len(value) :]))


def test_a_note_that_is_no_text_is_refused(network: Network, tmp_path: Path) -> None:
    body = bytearray(replace(network, note="abc").save(tmp_path / "a.narde").read_bytes()[:-32])
    body[-1] = 0xFF
    assert "utf-8" in refused(tmp_path / "a.narde", sealed(bytes(body)))
    for note in (None, "\ud800", "x" * 2**16):
        with pytest.raises(InvalidArgumentError, match="note"):
            replace(network, note=note)


def test_what_is_no_file_is_refused(network: Network, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        Network.load(tmp_path / "missing.narde")
    with pytest.raises(StorageError, match="no regular file"):
        Network.load(tmp_path)
    (tmp_path / "folder.narde").mkdir()
    with pytest.raises(StorageError, match="folder"):
        network.save(tmp_path / "folder.narde")
    with pytest.raises(InvalidArgumentError):
        Network.load(3)  # type: ignore[arg-type]


def test_an_ending_that_would_not_be_read_is_not_written(network: Network, tmp_path: Path) -> None:
    for write, ending in ((network.save, ".narde"), (network.to_onnx, ".onnx")):
        for name, found in (("a.txt", ".txt"), ("a", "")):
            with pytest.raises(InvalidArgumentError, match=f"ends in '{found}': name a file {ending}"):
                write(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and permission bits of POSIX")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.narde")
    with pytest.raises(StorageError, match="no regular file"):
        Network.load(tmp_path / "pipe.narde")
    assert stat.S_ISFIFO((tmp_path / "pipe.narde").stat().st_mode)


def test_an_old_file_stays_when_writing_fails(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = network.save(tmp_path / "a.narde").read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        narde.Network.random(16).save(tmp_path / "a.narde")
    assert [path.name for path in tmp_path.iterdir()] == ["a.narde"]
    assert (tmp_path / "a.narde").read_bytes() == data


def test_equal_networks_have_equal_checksums(network: Network) -> None:
    assert Network.random(16, seed=1).checksum == Network.random(16, seed=1).checksum
    others = [Network.random(16, seed=2), Network.random(16, seed=1, game="short"), network]
    assert len({other.checksum for other in [*others, replace(network, note="")]}) == 4
    assert network.checksum[:12] in repr(network)


def test_evaluators_are_loaded_by_the_ending_of_their_file(network: Network, tmp_path: Path) -> None:
    found = narde.evaluators.load(network.save(tmp_path / "A.NARDE"))
    assert isinstance(found, Network)
    assert found.checksum == network.checksum
    for name in ("a.txt", "narde"):
        with pytest.raises(InvalidArgumentError, match=r"give a file \.narde or \.onnx"):
            narde.evaluators.load(tmp_path / name)

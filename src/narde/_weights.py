"""Weights of a network as bytes and back: the file format `.narde`, specified in docs/network.md."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde.features import FEATURES

MAGIC: Final = b"\x89narde\r\n"
"""The first bytes: not a text, and changed wherever line ends are."""

VERSION: Final = 1
HEADER: Final = Struct("<8sHBBHHBBH")
"""magic, version, game, outputs, inputs, hidden, hidden_shift, output_shift, bytes of the note."""

OUTPUTS: Final = 5
MOST_HIDDEN: Final = 512
MOST_NOTE: Final = 2**16 - 1
"""Bytes of the note in UTF-8."""

DIGEST: Final = 32
GAMES: Final = ("long", "short")


def arrays_of(hidden: int) -> dict[str, tuple[tuple[int, ...], npt.DTypeLike]]:
    """The arrays in the order of the file: shape and little-endian dtype."""
    return {
        "hidden_weights": ((FEATURES, hidden), "<i2"),
        "hidden_bias": ((hidden,), "<i2"),
        "output_weights": ((hidden, OUTPUTS), "<i2"),
        "output_bias": ((OUTPUTS,), "<i4"),
    }


MOST_BYTES: Final = (
    HEADER.size + 2 * MOST_HIDDEN * (FEATURES + 1 + OUTPUTS) + 4 * OUTPUTS + MOST_NOTE + DIGEST
)


def pack(fields: dict[str, Any]) -> bytes:
    """The file's bytes for the fields of a network, which has checked them."""
    note = fields["note"].encode()
    hidden = len(fields["hidden_bias"])
    game = GAMES.index(fields["game"]) + 1
    shifts = fields["hidden_shift"], fields["output_shift"]
    body: bytes = HEADER.pack(MAGIC, VERSION, game, OUTPUTS, FEATURES, hidden, *shifts, len(note))
    for name, (_, dtype) in arrays_of(hidden).items():
        body += fields[name].astype(dtype).tobytes()
    body += note
    return body + sha256(body).digest()


def unpack(data: bytes) -> dict[str, Any]:
    """The fields of a network from the bytes of a file; raises `ValueError` with what is wrong with them."""
    game, hidden, hidden_shift, output_shift, note_size = _checked_header(data)
    at, fields = HEADER.size, {"game": game, "hidden_shift": hidden_shift, "output_shift": output_shift}
    arrays = arrays_of(hidden)
    sizes = {name: int(np.prod(shape)) * np.dtype(dtype).itemsize for name, (shape, dtype) in arrays.items()}
    total = at + sum(sizes.values()) + note_size + DIGEST
    if len(data) != total:
        raise ValueError(f"it has {len(data)} bytes of {total}: cut short, or longer than it was")
    if sha256(data[:-DIGEST]).digest() != data[-DIGEST:]:
        raise ValueError("it is damaged, its checksum does not match")
    for name, (shape, dtype) in arrays.items():
        stored = np.frombuffer(data, dtype, int(np.prod(shape)), at).reshape(shape)
        fields[name] = stored.astype(stored.dtype.newbyteorder("="))
        at += sizes[name]
    return fields | {"note": data[at : at + note_size].decode()}


def _checked_header(data: bytes) -> tuple[str, int, int, int, int]:
    """Game, hidden units, both shifts and the bytes of the note; raises `ValueError`."""
    if not data.startswith(MAGIC):
        raise ValueError("it is no file of a network's weights")
    if len(data) < HEADER.size:
        raise ValueError("it is cut short within its first line")
    _, version, game, outputs, inputs, hidden, hidden_shift, output_shift, note = HEADER.unpack_from(data)
    if version != VERSION:
        raise ValueError(f"it has version {version}, not {VERSION}: a newer narde may read it")
    if (outputs, inputs) != (OUTPUTS, FEATURES) or not 1 <= game <= len(GAMES):
        raise ValueError(f"it is damaged: {inputs} inputs, {outputs} outputs, game {game}")
    return GAMES[game - 1], hidden, hidden_shift, output_shift, note

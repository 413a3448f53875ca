"""Types of the compiled games and their streams."""

import numpy as np
import numpy.typing as npt

_Int8 = npt.NDArray[np.int8]
_Rules = npt.NDArray[np.void]
_Key = npt.NDArray[np.uint64]

def play_games(
    starter: object,
    second: object,
    start: _Int8,
    rules: _Rules,
    key: _Key,
    first: int,
    max_turns: int,
    winner: _Int8,
    points: _Int8,
    lengths: npt.NDArray[np.int32],
) -> None: ...
def record_games(
    starter: object,
    second: object,
    start: _Int8,
    rules: _Rules,
    key: _Key,
    first: int,
    max_turns: int,
    winner: _Int8,
    points: _Int8,
    lengths: npt.NDArray[np.int32],
    room: int,
    positions: _Int8,
    dice: _Int8,
    chosen: _Int8,
    values: npt.NDArray[np.float32],
) -> int: ...
def fill_words(
    key: _Key,
    stream: int,
    games: npt.NDArray[np.int64],
    turns: npt.NDArray[np.int64],
    out: npt.NDArray[np.uint64],
) -> None: ...
def fill_four_turns(
    key: _Key, stream: int, games: npt.NDArray[np.int64], block: int, out: npt.NDArray[np.uint64]
) -> None: ...
def fill_dice(words: npt.NDArray[np.uint64], different: bool, dice: _Int8) -> None: ...

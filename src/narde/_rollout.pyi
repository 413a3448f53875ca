"""Types of the compiled trials."""

import numpy as np
import numpy.typing as npt

from narde._net import CompiledNetwork

_Int8 = npt.NDArray[np.int8]
_Float64 = npt.NDArray[np.float64]

def play_trials(
    network: CompiledNetwork,
    rules: npt.NDArray[np.void],
    starts: _Int8,
    key: npt.NDArray[np.uint64],
    first: int,
    opening: _Int8,
    last: int,
    truncated: bool,
    reduced: bool,
    rolls: _Float64 | None,
    first_off: _Float64 | None,
    win: _Float64 | None,
    results: _Float64,
) -> int: ...
def play_races(
    rules: npt.NDArray[np.void],
    rows: _Int8,
    turn: int,
    key: npt.NDArray[np.uint64],
    trials: npt.NDArray[np.int64],
    opening: _Int8,
    last: int,
    truncated: bool,
    reduced: bool,
    rolls: _Float64 | None,
    first_off: _Float64 | None,
    win: _Float64 | None,
    results: _Float64,
) -> int: ...

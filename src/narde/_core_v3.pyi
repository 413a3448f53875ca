"""The same functions as in `_core`, compiled for processors with AVX2."""

import numpy as np
import numpy.typing as npt

_Int8 = npt.NDArray[np.int8]
_Int64 = npt.NDArray[np.int64]
_Rules = npt.NDArray[np.void]

def instructions() -> str: ...
def cpu_runs_v3() -> bool: ...
def turn_player() -> object: ...
def count(
    rows: _Int8, dice: _Int8, rules: _Rules, start: int, stop: int, counts: _Int64, check: bool = False
) -> int: ...
def generate(
    rows: _Int8, dice: _Int8, rules: _Rules, start: int, stop: int, offsets: _Int64, positions: _Int8
) -> None: ...

"""Types of the compiled moves of plays."""

import numpy as np
import numpy.typing as npt

_Int8 = npt.NDArray[np.int8]

def moves_of(
    rows: _Int8,
    dice: _Int8,
    rules: npt.NDArray[np.void],
    start: int,
    stop: int,
    offsets: npt.NDArray[np.int64],
    moves: _Int8,
) -> None: ...

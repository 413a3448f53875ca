"""Types of the compiled check of rows."""

import numpy as np
import numpy.typing as npt

def first_invalid(rows: npt.NDArray[np.int8], rules: npt.NDArray[np.void], start: int, stop: int) -> int: ...
def fill_features(rows: npt.NDArray[np.int8], inputs: npt.NDArray[np.float32]) -> None: ...
def first_foreign(
    rows: npt.NDArray[np.int8], positions: npt.NDArray[np.int8], offsets: npt.NDArray[np.int64]
) -> int: ...

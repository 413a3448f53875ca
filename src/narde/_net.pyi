"""Types of the compiled network."""

import numpy as np
import numpy.typing as npt

_Int8 = npt.NDArray[np.int8]
_Int16 = npt.NDArray[np.int16]
_Float32 = npt.NDArray[np.float32]

class CompiledNetwork:
    def __init__(
        self,
        columns: _Int16,
        weights: _Int16,
        bias: _Int16,
        out_weights: _Int16,
        out_bias: npt.NDArray[np.int32],
        scale: float,
        epsilon: int,
    ) -> None: ...
    def evaluate(self, rows: _Int8, start: int, stop: int, chances: _Float32) -> None: ...
    def choose(
        self,
        rows: _Int8,
        dice: _Int8,
        rules: npt.NDArray[np.void],
        start: int,
        stop: int,
        afters: _Int8,
        values: _Float32,
        indices: npt.NDArray[np.int64],
        chances: _Float32,
    ) -> None: ...
    def look_ahead(
        self, rows: _Int8, rules: npt.NDArray[np.void], start: int, stop: int, chances: _Float32
    ) -> None: ...
    def turn_player(self) -> object: ...

def use_avx2(wanted: bool) -> None: ...

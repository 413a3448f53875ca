"""Evaluators that others have trained: ONNX models (extra `onnx`) and PyTorch modules (extra `torch`)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde._files import as_path, read_whole
from narde.board import Rows, W
from narde.errors import EvaluatorError, InvalidArgumentError, StorageError, extra, is_one_of, shown
from narde.evaluators.worth import OUTPUTS
from narde.features import FEATURES, features
from narde.kernels import as_whole_number

MOST_BYTES: Final = 2**31 - 1
"""What an ONNX model can have in one file."""

_TYPES: Final = {
    "tensor(int8)": np.int8,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(float16)": np.float16,
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
}


@dataclass(frozen=True, eq=False)
class OnnxEvaluator:
    """An ONNX model as an evaluator, run by ONNX Runtime on the processor.

    It takes one input: rows (M, 28), or the inputs of `narde.features` (M, 196), in any type of numbers. Its
    first output is the chances (M, 5). A model whose M is fixed is run in chunks of that size. Pickled, it
    takes the model along.

    model: The model as its file holds it.
    threads: Threads within a call; one, so that games and rollouts can be spread over the processors.
    """

    model: bytes = field(repr=False)
    threads: int = 1

    @classmethod
    def load(cls, path: str | PathLike[str], *, threads: int = 1) -> OnnxEvaluator:
        """The evaluator of a file.

        Raises `MissingExtraError`, `InvalidArgumentError` for a model with other inputs or outputs,
        `StorageError` for what is no model."""
        source = as_path(path)
        evaluator = cls(read_whole(source, MOST_BYTES), as_whole_number(threads, "threads", 1, 4096))
        try:
            _ = evaluator._input
        except StorageError as fault:
            raise StorageError(f"cannot read {source}: {fault}") from None
        return evaluator

    @property
    def checksum(self) -> str:
        """SHA-256 of the model."""
        return hashlib.sha256(self.model).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return OnnxEvaluator, (self.model, self.threads)

    def __call__(self, rows: Rows, /) -> npt.NDArray[Any]:
        name, dtype, width, size = self._input
        values = (features(rows) if width == FEATURES else rows).astype(dtype, copy=False)
        if not size:
            return self._run(name, values)
        starts = range(0, len(values), size)
        return np.concatenate([self._chunk(name, values[start : start + size], size) for start in starts])

    def _chunk(self, name: str, values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
        """The chances of a chunk, which is filled up to its size."""
        return self._run(name, np.resize(values, (size, values.shape[1])))[: len(values)]

    def _run(self, name: str, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        chances: npt.NDArray[Any] = self._session.run(None, {name: values})[0]
        return chances

    @cached_property
    def _session(self) -> Any:
        runtime = extra("onnxruntime", "ONNX models need onnxruntime: pip install 'narde[onnx]'")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = self.threads
        options.log_severity_level = 4  # what is wrong is raised
        try:
            return runtime.InferenceSession(self.model, options, providers=["CPUExecutionProvider"])
        except Exception as fault:  # whatever the runtime makes of other bytes
            reason = " ".join(str(fault).split())[:300]
            raise StorageError(f"damaged, or no ONNX model that can be run ({reason})") from None

    @cached_property
    def _input(self) -> tuple[str, npt.DTypeLike, int, int]:
        """The input's name, type and width, and how many rows it takes at once, 0 for any number."""
        inputs, output = self._session.get_inputs(), self._session.get_outputs()[0]
        shapes = [tuple(one.shape) for one in inputs]
        if len(inputs) != 1 or inputs[0].type not in _TYPES or shapes[0][1:] not in ((W,), (FEATURES,)):
            found = ", ".join(f"{one.name} {one.type} {one.shape}" for one in inputs)
            raise InvalidArgumentError(
                f"the model takes {found}: one input of numbers is needed, rows (M, 28) or features (M, 196)"
            )
        if len(output.shape) != 2 or output.shape[1] not in (OUTPUTS, None):
            raise InvalidArgumentError(f"the model gives {output.shape}: chances (M, 5) are needed")
        size = shapes[0][0] if isinstance(shapes[0][0], int) else 0
        return inputs[0].name, _TYPES[inputs[0].type], shapes[0][1], size


@dataclass(frozen=True, eq=False)
class TorchEvaluator:
    """A PyTorch module as an evaluator: it gets `narde.features` (M, 196), or rows, and gives chances (M, 5).

    The module is called without gradients, on its device, and must be in `eval()` mode: else what it says of
    a row could depend on chance or on the rows beside it. Its outputs must be chances from 0 to 1, so that
    one with logits ends in `torch.nn.Sigmoid()`. Pickled, the evaluator takes the module along.

    A call raises `EvaluatorError` in training mode and for what is no tensor, `MissingExtraError`.

    module: A `torch.nn.Module`, or any function of a tensor.
    inputs: `features`: (M, 196) in the type of the module's weights, else float32; `rows`: int8 (M, 28).
    device: Where the tensors go, as PyTorch names it; the module must be there already.
    """

    module: Any = field(repr=False)
    inputs: str = "features"
    device: str = "cpu"

    def __post_init__(self) -> None:
        if not callable(self.module):
            raise InvalidArgumentError(f"module is {shown(self.module)}: pass a torch.nn.Module")
        if not is_one_of(self.inputs, ("features", "rows")):
            raise InvalidArgumentError(f"inputs is {shown(self.inputs)}: use 'features' or 'rows'")

    @property
    def checksum(self) -> str | None:
        """SHA-256 of the module's weights with their names, types and shapes; None for a function."""
        if not hasattr(self.module, "state_dict"):
            return None
        torch, digest = _torch(), hashlib.sha256()
        for name, weights in self.module.state_dict().items():
            if isinstance(weights, torch.Tensor):
                digest.update(f"{name} {weights.dtype} {tuple(weights.shape)}\n".encode())
                digest.update(weights.detach().cpu().reshape(-1).view(torch.uint8).numpy())
        return digest.hexdigest()

    def __call__(self, rows: Rows, /) -> npt.NDArray[Any]:
        torch = _torch()
        if any(part.training for part in getattr(self.module, "modules", tuple)()):
            raise EvaluatorError("the module is in training mode, or a part of it: call its eval() first")
        if self.inputs == "rows":
            values = torch.from_numpy(np.array(rows)).to(self.device)
        else:
            values = torch.from_numpy(features(rows)).to(self.device, self._dtype(torch))
        # Not inference_mode: what a module makes or keeps while in it cannot be trained afterwards.
        with torch.no_grad():
            chances = self.module(values)
        if not isinstance(chances, torch.Tensor):
            raise EvaluatorError(f"the module returned {type(chances)}: let it return one tensor (M, 5)")
        if chances.is_floating_point():  # NumPy has no bfloat16
            chances = chances.float()
        array: npt.NDArray[Any] = chances.detach().cpu().numpy()
        return array

    def _dtype(self, torch: Any) -> Any:
        """The type of the module's weights."""
        weights: Any = getattr(self.module, "parameters", tuple)()
        return next((one.dtype for one in weights if one.is_floating_point()), torch.float32)


def _torch() -> Any:
    return extra("torch", "PyTorch modules need torch: pip install 'narde[torch]'")

"""The PyTorch adapter on a stand-in for PyTorch, which has the same interface for what the adapter asks:
`from_numpy`, `no_grad`, types of numbers, and of a tensor what `Tensor` here has. PyTorch itself, for
which CI has no room, is asked in `test_peers_torch.py`."""

import sys
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

import narde
from narde.errors import EvaluatorError, InvalidArgumentError, MissingExtraError
from narde.evaluators import OnnxEvaluator, TorchEvaluator, best_plays, call
from narde.features import features
from narde.network import Network
from test_network import batch


class Tensor:
    """An array on a device; only on `cpu` is it NumPy's to read."""

    def __init__(self, array: np.ndarray, device: str = "cpu") -> None:
        assert array.flags.writeable, "PyTorch warns of read-only memory"
        self.array, self.device = array, device

    def to(self, device: str, dtype: type | None = None) -> "Tensor":
        return Tensor(self.array.astype(dtype or self.array.dtype), device)

    def is_floating_point(self) -> bool:
        return self.array.dtype.kind == "f"

    def float(self) -> "Tensor":
        return self.to(self.device, np.float32)

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> "Tensor":
        return self.to("cpu")

    def numpy(self) -> np.ndarray:
        assert self.device == "cpu"
        return self.array


class Module:
    """The hidden layer and the outputs of a network as a module in float32."""

    def __init__(self, network: Network, device: str) -> None:
        self.network, self.device = network, device

    def __call__(self, inputs: Tensor) -> Tensor:
        assert inputs.device == self.device
        assert inputs.array.dtype == np.float32
        n = self.network
        hidden = np.maximum(inputs.array @ n.hidden_weights.astype(np.float32) + n.hidden_bias, 0)
        logits = (hidden @ n.output_weights.astype(np.float64) + n.output_bias) * n.unit
        return Tensor((1 / (1 + np.exp(-logits))).astype(np.float32), self.device)


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    calls: list[str] = []

    def no_grad() -> AbstractContextManager[None]:
        calls.append("no_grad")
        return nullcontext()

    stand_in = SimpleNamespace(
        from_numpy=Tensor, no_grad=no_grad, Tensor=Tensor, float32=np.float32, calls=calls
    )
    monkeypatch.setitem(sys.modules, "torch", stand_in)
    return stand_in


@pytest.mark.parametrize("device", ["cpu", "cuda:1"])
def test_a_module_is_an_evaluator(torch: SimpleNamespace, device: str) -> None:
    network = Network.random(32, seed=2)
    evaluator = TorchEvaluator(Module(network, device), device=device)
    rows, dice = batch("long", 100)
    assert np.abs(call(evaluator, rows, "long") - network(rows)).max() < 1e-6
    assert torch.calls == ["no_grad"]
    ours, theirs = best_plays(network, rows, dice, "long"), best_plays(evaluator, rows, dice, "long")
    assert np.abs(ours.chances - theirs.chances).max() < 1e-5


def test_a_module_may_take_rows(torch: SimpleNamespace) -> None:
    rows, _ = batch("short", 10)

    def module(inputs: Tensor) -> Tensor:
        assert inputs.array.dtype == np.int8
        return Tensor(features(inputs.array)[:, :5] / 15)

    evaluator = TorchEvaluator(module, "rows")
    assert np.array_equal(call(evaluator, rows, "short"), features(rows)[:, :5] / np.float32(15))


def test_a_module_with_logits_is_noticed(torch: SimpleNamespace) -> None:
    rows, _ = batch("short", 10)
    with pytest.raises(EvaluatorError, match="chance of"):
        call(TorchEvaluator(lambda inputs: Tensor(inputs.array[:, :5] - 0.5)), rows, "short")


def test_a_module_in_training_mode_is_noticed(torch: SimpleNamespace) -> None:
    rows, _ = batch("short", 10)
    module = Module(Network.random(16, game="short"), "cpu")
    module.modules = lambda: [SimpleNamespace(training=False), SimpleNamespace(training=True)]
    with pytest.raises(EvaluatorError, match=r"call its eval\(\) first"):
        call(TorchEvaluator(module), rows, "short")


def test_what_is_no_tensor_is_noticed(torch: SimpleNamespace) -> None:
    rows, _ = batch("short", 10)
    with pytest.raises(EvaluatorError, match="one tensor"):
        call(TorchEvaluator(lambda inputs: (inputs, inputs)), rows, "short")


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="module"):
        TorchEvaluator("model.pt")
    with pytest.raises(InvalidArgumentError, match="inputs"):
        TorchEvaluator(print, "all")


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "onnx", "onnxruntime"):
        monkeypatch.setitem(sys.modules, name, None)
    rows, _ = batch("long", 2)
    with pytest.raises(MissingExtraError, match=r"pip install 'narde\[torch\]'"):
        call(TorchEvaluator(print), rows, "long")
    with pytest.raises(MissingExtraError, match=r"pip install 'narde\[onnx\]'"):
        call(OnnxEvaluator(b""), rows, "long")
    with pytest.raises(MissingExtraError, match=r"pip install 'narde\[onnx\]'"):
        narde.Network.random(16).to_onnx("never.onnx")

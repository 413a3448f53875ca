"""Networks as ONNX models: run by ONNX Runtime, read back; models of others as evaluators."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from narde.errors import EvaluatorError, InvalidArgumentError, StorageError
from narde.evaluators import OnnxEvaluator, best_plays, call, load
from narde.features import FEATURES, features
from narde.network import Network
from test_network import batch

onnx = pytest.importorskip("onnx", reason="onnx comes with the onnx extra")
onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime comes with the onnx extra")

GAMES = ["long", "short"]
TYPES = ["FLOAT", "DOUBLE", "FLOAT16", "INT64", "INT8"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hidden", [16, 128])
def test_the_model_gives_the_chances_of_the_core(game: str, hidden: int, tmp_path: Path) -> None:
    """Run as anybody would who does not know the package; only the logistic function is rounded."""
    network = Network.random(hidden, game=game, seed=hidden)
    path = network.to_onnx(tmp_path / "a.onnx")
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    rows, dice = batch(game, 1000)
    (chances,) = session.run(["chances"], {"rows": rows})
    assert chances.dtype == np.float32
    assert np.abs(chances - network(rows)).max() < 1e-6
    assert np.abs(chances - network.forward(rows)).max() < 1e-6
    best = best_plays(load(path), rows[:200], dice[:200], game)
    worth = narde.evaluators.equity(network(best.afterstates), game)
    assert (
        np.abs(-worth - network.choose(rows[:200], dice[:200], game)[1])[
            ~narde.finished(best.afterstates)
        ].max()
        < 1e-5
    )


def test_a_model_is_read_back_as_the_very_network(tmp_path: Path) -> None:
    network = replace(Network.random(48, game="short", seed=3), note="ёж")
    other = Network.from_onnx(network.to_onnx(tmp_path / "a.onnx"))
    assert (other.checksum, other.note, other.game) == (network.checksum, "ёж", "short")
    assert network.to_onnx(tmp_path / "b.onnx").read_bytes() == (tmp_path / "a.onnx").read_bytes()


def test_damaged_models_and_models_of_others_are_refused(tmp_path: Path) -> None:
    path = Network.random(16).to_onnx(tmp_path / "a.onnx")
    data = path.read_bytes()
    for bad in (b"", b"no model", data[:100], data[: len(data) // 2]):
        path.write_bytes(bad)
        with pytest.raises(StorageError, match=r"cannot read .*a\.onnx"):
            Network.from_onnx(path)
        with pytest.raises(StorageError, match=r"cannot read .*a\.onnx"):
            OnnxEvaluator.load(path)
    for name, message in (("hidden_weights", "changed"), ("output_bias", "changed")):
        path.write_bytes(changed(data, name))
        with pytest.raises(StorageError, match=message):
            Network.from_onnx(path)
    with pytest.raises(StorageError, match="OnnxEvaluator"):
        Network.from_onnx(saved(tmp_path, made_model(FEATURES, "FLOAT")))
    with pytest.raises(StorageError, match="No such file"):
        load(tmp_path / "missing.onnx")


@pytest.mark.parametrize("name", ["checksum", "hidden_shift", "output_shift", "game", "note"])
@pytest.mark.parametrize("part", ["key", "value"])
def test_damaged_metadata_are_refused(name: str, part: str, tmp_path: Path) -> None:
    model = onnx.load_model(Network.random(16).to_onnx(tmp_path / "a.onnx"))
    (text,) = [text for text in model.metadata_props if text.key == f"narde.{name}"]
    setattr(text, part, "x" + getattr(text, part))
    message = f"no narde.{name}$" if part == "key" else "cannot read .*: "
    with pytest.raises(StorageError, match=message):
        Network.from_onnx(saved(tmp_path, model))


def changed(data: bytes, name: str) -> bytes:
    """The model with another first number in one of its arrays."""
    model = onnx.load_model_from_string(data)
    (one,) = [array for array in model.graph.initializer if array.name == name]
    array = onnx.numpy_helper.to_array(one).copy()
    array.flat[0] += 1
    one.CopyFrom(onnx.numpy_helper.from_array(array, name))
    return model.SerializeToString()


def made_model(width: int, kind: str, rows: int | str = "M", outputs: int = 5) -> Any:
    """A model of another make: the chances are the logistic function of the first five inputs."""
    make, tensor = onnx.helper, onnx.TensorProto
    take = np.eye(width, outputs, dtype=np.float32)
    nodes = [
        make.make_node("Cast", ["x"], ["as_float"], to=tensor.FLOAT),
        make.make_node("MatMul", ["as_float", "take"], ["logits"]),
        make.make_node("Sigmoid", ["logits"], ["y"]),
    ]
    graph = make.make_graph(
        nodes,
        "other",
        [make.make_tensor_value_info("x", getattr(tensor, kind), [rows, width])],
        [make.make_tensor_value_info("y", tensor.FLOAT, [rows, outputs])],
        [onnx.numpy_helper.from_array(take, "take")],
    )
    return make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)


def saved(folder: Path, model: Any) -> Path:
    path = folder / "other.onnx"
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("width", [28, FEATURES])
@pytest.mark.parametrize("kind", TYPES)
def test_models_take_rows_or_features_of_any_type(width: int, kind: str, tmp_path: Path) -> None:
    rows, _ = batch("long", 33)
    inputs = rows if width == 28 else features(rows)
    evaluator = load(saved(tmp_path, made_model(width, kind)))
    expected = 1 / (1 + np.exp(-inputs[:, :5].astype(float)))
    assert np.abs(call(evaluator, rows, "long") - expected).max() < 1e-6
    again = pickle.loads(pickle.dumps(evaluator))
    assert again.checksum == evaluator.checksum == narde.player(evaluator).checksum
    assert np.array_equal(call(again, rows, "long"), call(evaluator, rows, "long"))


@pytest.mark.parametrize("size", [1, 8, 40])
def test_a_model_for_so_many_rows_is_run_in_chunks(size: int, tmp_path: Path) -> None:
    rows, _ = batch("short", 33)
    chunks = load(saved(tmp_path, made_model(28, "INT8", rows=size)))
    whole = load(saved(tmp_path, made_model(28, "INT8")))
    assert np.abs(call(chunks, rows, "short") - call(whole, rows, "short")).max() < 1e-6


def test_models_of_other_shapes_are_refused(tmp_path: Path) -> None:
    for model in (made_model(198, "FLOAT"), made_model(28, "BOOL"), made_model(28, "INT8", outputs=4)):
        with pytest.raises(InvalidArgumentError, match="needed"):
            load(saved(tmp_path, model))


def test_logits_are_no_chances(tmp_path: Path) -> None:
    model = made_model(28, "INT8")
    del model.graph.node[2]
    model.graph.node[1].output[0] = "y"
    rows, _ = batch("long", 9)
    with pytest.raises(EvaluatorError, match="chance of winning"):
        call(load(saved(tmp_path, model)), rows, "long")

"""A network as an ONNX model, and back (extra `onnx`).

The model takes rows (M, 28) int8 as they are and makes the inputs of `narde.features` by standard operators.
Hidden sums are whole numbers that float32 holds, outputs whole numbers that float64 holds, so that only the
logistic function at the end is rounded.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from narde._weights import OUTPUTS, arrays_of
from narde.errors import extra
from narde.features import SIDE

OPSET: Final = 13
IR_VERSION: Final = 8
"""Of the year 2021: every ONNX Runtime since 1.10 runs it."""

MOST_BYTES: Final = 2**21
"""A model of narde has a third of that at most."""

_ROW: Final = 28

_MARK: Final = "narde.network"
_TEXTS: Final = ("game", "note")
_NUMBERS: Final = ("hidden_shift", "output_shift")


def to_model(fields: dict[str, Any], checksum: str) -> bytes:
    """The bytes of the model of a network with these fields; raises `MissingExtraError`."""
    onnx = _onnx()
    make, tensor = onnx.helper, onnx.TensorProto
    rows = make.make_tensor_value_info("rows", tensor.INT8, ["M", _ROW])
    chances = make.make_tensor_value_info("chances", tensor.FLOAT, ["M", OUTPUTS])
    constants = {name: fields[name] for name in arrays_of(1)} | _constants(fields)
    stored = [onnx.numpy_helper.from_array(np.ascontiguousarray(v), name) for name, v in constants.items()]
    nodes = [make.make_node(kind, inputs, [output], **more) for kind, inputs, output, more in _nodes(tensor)]
    graph = make.make_graph(nodes, "narde", [rows], [chances], stored)
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    model.producer_name = "narde"
    texts = {name: str(fields[name]) for name in (*_TEXTS, *_NUMBERS)} | {"checksum": checksum}
    make.set_model_props(model, {_MARK: "1"} | {f"narde.{name}": text for name, text in texts.items()})
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString(deterministic=True))


def from_model(data: bytes) -> tuple[dict[str, Any], str]:
    """The fields of the network of a model and its checksum; raises `ValueError` for what is none of
    narde's."""
    onnx = _onnx()
    try:
        model = onnx.load_model_from_string(data)
        texts = {text.key: text.value for text in model.metadata_props}
        arrays = {one.name: onnx.numpy_helper.to_array(one) for one in model.graph.initializer}
    except Exception as fault:  # whatever the reader of the format makes of damaged bytes
        raise ValueError(f"damaged, or no ONNX model ({shown_line(fault)})") from None
    if texts.get(_MARK) != "1" or not set(arrays_of(1)) <= set(arrays):
        raise ValueError("it is no model that Network.to_onnx wrote: use narde.evaluators.OnnxEvaluator")
    missing = [key for name in (*_TEXTS, *_NUMBERS, "checksum") if (key := f"narde.{name}") not in texts]
    if missing:
        raise ValueError(f"it is damaged or changed, its metadata have no {', '.join(missing)}")
    fields = {name: arrays[name] for name in arrays_of(1)}
    fields |= {name: int(texts[f"narde.{name}"]) for name in _NUMBERS}
    return fields | {name: texts[f"narde.{name}"] for name in _TEXTS}, texts["narde.checksum"]


def shown_line(fault: Exception) -> str:
    """The error on one line."""
    return " ".join(str(fault).split()) or type(fault).__name__


def _constants(fields: dict[str, Any]) -> dict[str, Any]:
    """The other arrays of the graph."""
    codes = [_input_of(column, code) for code in range(4) for column in range(2 * _ROW)]
    numbers = {name: np.float32(value) for name, value in (("zero", 0), ("one", 1), ("two", 2), ("three", 3))}
    unit = np.float32(2.0 ** -(fields["hidden_shift"] + fields["output_shift"]))
    return numbers | {"input_of_code": np.array(codes), "unit": unit}


def _input_of(column: int, code: int) -> int:
    """Which input of `narde.features` a code of a column of `both` is.

    A bar or an off count is one input, the sum of its four codes; in a column of the other sign, where there
    is never anything, it may be any."""
    side, index = divmod(column, _ROW)
    return SIDE * side + (4 * index + code if index < 24 else 96 if index < 26 else 97)


def _nodes(tensor: Any) -> list[tuple[str, list[str], str, dict[str, Any]]]:
    """Operator, inputs, output and attributes, in order."""
    return [
        ("Cast", ["rows"], "signed", {"to": tensor.FLOAT}),
        ("Neg", ["signed"], "negated", {}),
        ("Concat", ["signed", "negated"], "both", {"axis": 1}),
        ("Sub", ["both", "one"], "beyond_one", {}),
        ("Sub", ["both", "two"], "beyond_two", {}),
        ("Sub", ["both", "three"], "beyond_three", {}),
        ("Clip", ["both", "zero", "one"], "first", {}),
        ("Clip", ["beyond_one", "zero", "one"], "second", {}),
        ("Clip", ["beyond_two", "zero", "one"], "third", {}),
        ("Relu", ["beyond_three"], "more", {}),
        ("Concat", ["first", "second", "third", "more"], "codes", {"axis": 1}),
        ("Cast", ["hidden_weights"], "hidden_weights_float", {"to": tensor.FLOAT}),
        ("Cast", ["hidden_bias"], "hidden_bias_float", {"to": tensor.FLOAT}),
        ("Gather", ["hidden_weights_float", "input_of_code"], "weights_of_codes", {"axis": 0}),
        ("MatMul", ["codes", "weights_of_codes"], "products", {}),
        ("Add", ["products", "hidden_bias_float"], "sums", {}),
        ("Relu", ["sums"], "hidden", {}),
        ("Cast", ["hidden"], "hidden_double", {"to": tensor.DOUBLE}),
        ("Cast", ["output_weights"], "output_weights_double", {"to": tensor.DOUBLE}),
        ("Cast", ["output_bias"], "output_bias_double", {"to": tensor.DOUBLE}),
        ("MatMul", ["hidden_double", "output_weights_double"], "output_products", {}),
        ("Add", ["output_products", "output_bias_double"], "outputs", {}),
        ("Cast", ["outputs"], "outputs_float", {"to": tensor.FLOAT}),
        ("Mul", ["outputs_float", "unit"], "logits", {}),
        ("Sigmoid", ["logits"], "chances", {}),
    ]


def _onnx() -> Any:
    message = "ONNX models need onnx: pip install 'narde[onnx]'"
    for part in ("onnx.numpy_helper", "onnx.checker"):
        extra(part, message)
    return extra("onnx", message)

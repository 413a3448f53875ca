"""An evaluator from a file, whose ending says of what kind it is."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Final

from narde._files import as_path
from narde.errors import InvalidArgumentError
from narde.evaluators.calling import Evaluator
from narde.evaluators.models import OnnxEvaluator
from narde.network import Network

_LOADERS: Final[dict[str, Callable[[Path], Evaluator]]] = {
    ".narde": Network.load,
    ".onnx": OnnxEvaluator.load,
}
"""What reads the files of each ending."""

ENDINGS: Final = tuple(_LOADERS)


def load(path: str | PathLike[str]) -> Evaluator:
    """The evaluator of a file: `.narde`, the weights of a `narde.Network`; `.onnx`, any model with rows or
    features for inputs and chances for outputs (extra `onnx`).

    Raises `InvalidArgumentError` for another ending or such a model, `StorageError` for a file that can't be
    read as what it says it is, `MissingExtraError`.
    """
    source = as_path(path)
    try:
        loader = _LOADERS[source.suffix.lower()]
    except KeyError:
        known = " or ".join(ENDINGS)
        raise InvalidArgumentError(f"{source} ends in {source.suffix!r}: give a file {known}") from None
    return loader(source)

"""A small value network that the core evaluates itself: weights, their file, and the slow forward pass.

One hidden layer with positive parts, five outputs, each a logistic function: for the player on roll the
chances of winning at all, winning mars (gammon) or more, winning koks (backgammon), losing mars or more,
losing koks. All weights are whole numbers with a common power of two as unit, so that every machine computes
the same bytes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from narde import _onnx
from narde._files import as_path, read_whole, replacing
from narde._net import CompiledNetwork
from narde._rows import first_invalid
from narde._sums import columns_of, largest_sums
from narde._weights import MOST_BYTES, MOST_HIDDEN, MOST_NOTE, OUTPUTS, pack, unpack
from narde.board import Rows, as_dice, as_rows, validate
from narde.errors import InvalidArgumentError, MissingExtraError, StorageError, is_one_of, shown
from narde.features import FEATURES, features
from narde.kernels import as_flag, as_share, as_threads, as_whole_number, in_chunks, packed
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.streams import threshold_of

MOST_SHIFT: Final = 24
"""hidden_shift + output_shift at most: so 32 bits hold logits of 40, where chances end."""
_ARRAYS: Final = ("hidden_weights", "hidden_bias", "output_weights", "output_bias")
_STEP: Final = 16  # hidden units come in whole vectors
_INT16: Final = 2**15 - 1
_LINE: Final = 64  # bytes of a line of the cache
_CHUNK: Final = 256


class Chosen(NamedTuple):
    """The best plays of N turns.

    afterstates: int8 (N, 28): the rows after them, seen by the player who rolls next.
    values: float32 (N,): what they are worth to the mover.
    indices: int64 (N,): which they are of the row's afterstates as `narde.afterstates` gives them.
    chances: float32 (N, 5), if asked for: those of the player who rolls next, 0 or 1 if the game is over.
    """

    afterstates: Rows
    values: npt.NDArray[np.float32]
    indices: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float32] | None


@dataclass(frozen=True, eq=False)
class Network:
    """An evaluator: call it with rows (M, 28) of games that are not over and get chances (M, 5), float32.

    Raises `InvalidArgumentError` for arrays of other shapes, and for weights with which a sum could overflow.

    game: The board it was made for, `long` or `short`.
    hidden_weights: int16 (196, hidden), in units of 2**-hidden_shift; the inputs are those of
        `narde.features`.
    hidden_bias: int16 (hidden,), in the same units.
    output_weights: int16 (hidden, 5), in units of 2**-output_shift.
    output_bias: int32 (5,), in units of 2**-(hidden_shift + output_shift).
    hidden_shift, output_shift: The powers of two that the units above are made of.
    note: What the network is and how it was made, up to 65,535 bytes of UTF-8; it changes no chances.
    """

    game: str
    hidden_weights: npt.NDArray[np.int16]
    hidden_bias: npt.NDArray[np.int16]
    output_weights: npt.NDArray[np.int16]
    output_bias: npt.NDArray[np.int32]
    hidden_shift: int
    output_shift: int
    note: str = ""

    def __post_init__(self) -> None:
        _check_shapes(self)
        _check_ranges(self)
        for name in _ARRAYS:
            array = np.array(getattr(self, name), order="C")  # a copy that nobody else can change
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __reduce__(self) -> tuple[Any, ...]:
        return Network, tuple(self._fields.values())

    def __repr__(self) -> str:
        return f"<narde.Network for {self.game}, {self.hidden} hidden units, {self.checksum[:12]}>"

    @property
    def _fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the file of the format in docs/network.md, whole or not at all, and return its path.

        Raises `InvalidArgumentError` for another ending than `.narde`, `StorageError` where the system
        refuses."""
        target = _ending_in(".narde", path)
        with replacing(target) as file:
            file.write(pack(self._fields))
        return target

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Network:
        """The network of a file that `save` wrote.

        Raises `StorageError` for a file that is missing, cut short, damaged, of a later narde or of another
        kind."""
        source = as_path(path)
        data = read_whole(source, MOST_BYTES)
        try:
            return cls(**unpack(data))
        except ValueError as fault:
            raise StorageError(f"cannot read {source}: {fault}") from None

    def to_onnx(self, path: str | PathLike[str]) -> Path:
        """Write the network as an ONNX model (extra `onnx`), whole or not at all, and return the path.

        Its input `rows` is int8 (M, 28), its output `chances` float32 (M, 5), the same chances to the
        rounding of one logistic function. Raises `InvalidArgumentError` for another ending than `.onnx`,
        `MissingExtraError`, `StorageError`."""
        target = _ending_in(".onnx", path)
        data = _onnx.to_model(self._fields, self.checksum)
        with replacing(target) as file:
            file.write(data)
        return target

    @classmethod
    def from_onnx(cls, path: str | PathLike[str]) -> Network:
        """The very network that `to_onnx` wrote (extra `onnx`).

        Raises `MissingExtraError`, and `StorageError` for any other file; `narde.evaluators.OnnxEvaluator`
        takes models of other makes."""
        source = as_path(path)
        data = read_whole(source, _onnx.MOST_BYTES)
        try:
            fields, checksum = _onnx.from_model(data)
            network = cls(**fields)
            if network.checksum != checksum:
                raise ValueError("it is damaged or changed, its checksum does not match")
        except MissingExtraError:
            raise
        except ValueError as fault:
            raise StorageError(f"cannot read {source}: {fault}") from None
        return network

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 at the end of its file, in hexadecimal digits: equal for equal networks only."""
        return pack(self._fields)[-32:].hex()

    @classmethod
    def from_floats(cls, game: str, w1: Any, b1: Any, w2: Any, b2: Any) -> Network:
        """The network nearest to float weights: w1 (196, hidden), b1 (hidden,), w2 (hidden, 5), b2 (5,).

        The units are the finest with which no sum can overflow. Hidden layers are filled up to a multiple of
        16."""
        w1, b1, w2, b2 = _as_weights(w1, b1, w2, b2)
        _check_game(game)
        more = -w1.shape[1] % _STEP
        w1, b1, w2 = np.pad(w1, ((0, 0), (0, more))), np.pad(b1, (0, more)), np.pad(w2, ((0, more), (0, 0)))
        for hidden_shift in range(14, -1, -1):
            hidden = _rounded(w1, hidden_shift), _rounded(b1, hidden_shift)
            if (
                max(np.abs(part).max(initial=0) for part in hidden) > _INT16
                or largest_sums(*hidden).max() > _INT16
            ):
                continue
            for output_shift in range(min(14, MOST_SHIFT - hidden_shift), -1, -1):
                output = _rounded(w2, output_shift), _rounded(b2, hidden_shift + output_shift)
                try:
                    return cls(game, *_narrowed(*hidden, *output), hidden_shift, output_shift)
                except InvalidArgumentError:
                    continue
        raise InvalidArgumentError("the weights are too large for 16-bit sums: scale them down")

    @classmethod
    def random(cls, hidden: int = 64, *, game: str = "long", seed: int = 0) -> Network:
        """A network with random weights: for tests, benchmarks, and as a start."""
        size = as_whole_number(hidden, "hidden", 1, MOST_HIDDEN)
        draw = np.random.default_rng(as_whole_number(seed, "seed", 0, 2**64 - 1)).normal
        w2 = draw(0, 1.5 / np.sqrt(size), (size, OUTPUTS))
        return cls.from_floats(
            game, draw(0, 0.2, (FEATURES, size)), draw(0, 0.2, size), w2, np.zeros(OUTPUTS)
        )

    @property
    def hidden(self) -> int:
        """Hidden units."""
        return len(self.hidden_bias)

    @property
    def unit(self) -> float:
        """The unit of the outputs' whole numbers, a power of two."""
        return 2.0 ** -(self.hidden_shift + self.output_shift)

    def __call__(self, rows: npt.ArrayLike, *, threads: int = 1) -> npt.NDArray[np.float32]:
        """The chances of rows (M, 28), float32 (M, 5), each row seen by the player on roll.

        Raises `InvalidPositionError` for rows that are no positions of the network's game.
        """
        batch, single = as_rows(rows)
        _check_rows(batch, rules_of(self.game))
        chances = np.empty((len(batch), OUTPUTS), np.float32)

        def work(start: int, stop: int) -> None:
            self.compiled.evaluate(batch, start, stop, chances)

        for _ in in_chunks(len(batch), _CHUNK * 16, as_threads(threads), work):
            pass
        return chances[0] if single else chances

    def choose(
        self,
        rows: npt.ArrayLike,
        dice: npt.ArrayLike,
        rules: str | Rules,
        *,
        chances: bool = False,
        threads: int = 1,
    ) -> Chosen:
        """The best afterstate of each row (N, 28) with its roll (N, 2), its value to the mover, which of the
        row's afterstates it is, and, with chances=True, its chances. Rows are of games that are not over.

        The value is the equity of the chances under the rules, or the points of a finished game; the first
        of equals in the order of `narde.afterstates` wins. Raises `InvalidArgumentError` for rules of
        another game or with a last roll, and what `narde.afterstates` raises."""
        rule = self._checked_rules(rules)
        (batch, _), (rolls, _) = as_rows(rows), as_dice(dice)
        if len(batch) != len(rolls):
            raise InvalidArgumentError(f"{len(batch)} rows and {len(rolls)} dice: pass as many of both")
        _check_rows(batch, rule)
        n = len(batch)
        found = np.empty_like(batch), np.empty(n, np.float32), np.empty(n, np.int64)
        outputs = np.empty((n if as_flag(chances, "chances") else 0, OUTPUTS), np.float32)

        def work(start: int, stop: int) -> None:
            self.compiled.choose(batch, rolls, packed(rule), start, stop, *found, outputs)

        for _ in in_chunks(n, _CHUNK, as_threads(threads), work):
            pass
        return Chosen(*found, outputs if chances else None)

    def look_ahead(
        self, rows: npt.ArrayLike, rules: str | Rules, *, threads: int = 1
    ) -> npt.NDArray[np.float32]:
        """The chances a turn later, float32 (M, 5): the mean over the 21 rolls, each with its best play; see
        `narde.evaluators.lookahead`. Raises what `choose` raises."""
        rule = self._checked_rules(rules)
        batch, _ = as_rows(rows)
        _check_rows(batch, rule)
        chances = np.empty((len(batch), OUTPUTS), np.float32)

        def work(start: int, stop: int) -> None:
            self.compiled.look_ahead(batch, packed(rule), start, stop, chances)

        for _ in in_chunks(len(batch), _CHUNK // 16, as_threads(threads), work):
            pass
        return chances

    def _checked_rules(self, rules: str | Rules) -> Rules:
        rule = rules_of(rules)
        if rule.last_roll:
            raise InvalidArgumentError("the network knows no last roll: use rules without it")
        if rule.game != self.game:
            raise InvalidArgumentError(f"the network was made for the game {self.game!r}, not {rule.game!r}")
        return rule

    def forward(self, rows: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The slow twin: the same chances by plain matrix products in float64, (M, 5)."""
        batch, single = as_rows(rows)
        _check_rows(batch, rules_of(self.game))
        inputs = features(batch).astype(np.float64)
        hidden = np.maximum(inputs @ self.hidden_weights + self.hidden_bias, 0)
        logits = (hidden @ self.output_weights + self.output_bias) * self.unit
        chances: npt.NDArray[np.float64] = 1 / (1 + np.exp(-logits))
        return chances[0] if single else chances

    @cached_property
    def compiled(self) -> CompiledNetwork:
        """The network as the core takes it."""
        return self.compiled_with(0.0)

    def compiled_with(self, epsilon: float) -> CompiledNetwork:
        """The network as the core takes it, whose player takes any afterstate in a share `epsilon` of
        turns."""
        threshold = threshold_of(as_share(epsilon, "epsilon"))
        columns = _aligned(columns_of(self.hidden_weights).astype(np.int16))
        hidden, output = _aligned(self.hidden_weights), _aligned(self.output_weights.T)
        biases = _aligned(self.hidden_bias), self.output_bias
        return CompiledNetwork(columns, hidden, biases[0], output, biases[1], self.unit, threshold)


def _ending_in(ending: str, path: str | PathLike[str]) -> Path:
    """The path; raises `InvalidArgumentError` for one that `narde.evaluators.load` would refuse."""
    target = as_path(path)
    if target.suffix.lower() != ending:
        raise InvalidArgumentError(f"{target} ends in {target.suffix!r}: name a file {ending}")
    return target


def _aligned(array: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """A C-contiguous copy that begins with a line of the cache, so that no vector lies on two."""
    memory = np.empty(array.nbytes + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    copy = memory[start : start + array.nbytes].view(np.int16).reshape(array.shape)
    copy[...] = array
    return copy


def _rounded(weights: npt.NDArray[np.float64], shift: int) -> npt.NDArray[np.int64]:
    return np.rint(np.clip(weights * 2.0**shift, -(2.0**50), 2.0**50)).astype(np.int64)


def _narrowed(w1: Any, b1: Any, w2: Any, b2: Any) -> tuple[Any, Any, Any, Any]:
    """The whole numbers in the widths of the core; raises `InvalidArgumentError` where they do not fit."""
    if np.abs(w2).max(initial=0) > _INT16 or np.abs(b2).max(initial=0) > 2**30:
        raise InvalidArgumentError("output weights beyond their width")
    return w1.astype(np.int16), b1.astype(np.int16), w2.astype(np.int16), b2.astype(np.int32)


def _as_weights(*weights: Any) -> list[npt.NDArray[np.float64]]:
    """The float weights w1, b1, w2, b2 as arrays that fit together; raises `InvalidArgumentError`."""
    try:
        arrays = [np.asarray(array, np.float64) for array in weights]
    except Exception as fault:  # whatever an object's own __array__ raises
        raise InvalidArgumentError(f"weights are no arrays of numbers: {fault}") from None
    hidden = arrays[1].size
    shapes = [(FEATURES, hidden), (hidden,), (hidden, OUTPUTS), (OUTPUTS,)]
    if [array.shape for array in arrays] != shapes or not hidden:
        found = ", ".join(str(array.shape) for array in arrays)
        raise InvalidArgumentError(
            f"weights have shapes {found}: pass w1 (196, h), b1 (h,), w2 (h, 5), b2 (5,)"
        )
    if not all(np.isfinite(array).all() for array in arrays):
        raise InvalidArgumentError("weights must be finite numbers")
    return arrays


def _check_game(game: str) -> None:
    if not is_one_of(game, ("long", "short")):
        raise InvalidArgumentError(f"game is {shown(game)}: use 'long' or 'short'")


def _check_note(note: str) -> None:
    try:
        size = len(str.encode(note))
    except (TypeError, UnicodeEncodeError):
        raise InvalidArgumentError(f"note is {shown(note)}: pass a text") from None
    if size > MOST_NOTE:
        raise InvalidArgumentError(f"note has {size} bytes: pass a text of up to {MOST_NOTE}")


def _check_shapes(network: Network) -> None:
    _check_game(network.game)
    _check_note(network.note)
    for name in _ARRAYS:
        if not isinstance(getattr(network, name), np.ndarray):
            raise InvalidArgumentError(
                f"{name} is a {type(getattr(network, name)).__name__}: pass a NumPy array"
            )
    hidden = network.hidden_bias.size
    expected = zip(
        _ARRAYS,
        [(FEATURES, hidden), (hidden,), (hidden, OUTPUTS), (OUTPUTS,)],
        [np.int16, np.int16, np.int16, np.int32],
        strict=True,
    )
    for name, shape, dtype in expected:
        array = getattr(network, name)
        if array.shape != shape or array.dtype != dtype:
            found = f"{array.dtype} {array.shape}"
            raise InvalidArgumentError(f"{name} is {found}, expected {np.dtype(dtype)} {shape}")
    if hidden % _STEP or not 0 < hidden <= MOST_HIDDEN:
        raise InvalidArgumentError(f"{hidden} hidden units: use a multiple of {_STEP} up to {MOST_HIDDEN}")
    shifts = [as_whole_number(n, "a shift", 0, 14) for n in (network.hidden_shift, network.output_shift)]
    if sum(shifts) > MOST_SHIFT:
        raise InvalidArgumentError(f"the shifts {shifts} add up to more than {MOST_SHIFT}: use smaller ones")


def _check_ranges(network: Network) -> None:
    """Prove that no sum can overflow: hidden sums in 16 bits, outputs in 32."""
    sums = largest_sums(network.hidden_weights, network.hidden_bias)
    outputs = sums @ np.abs(network.output_weights.astype(np.int64)) + np.abs(
        network.output_bias.astype(np.int64)
    )
    if sums.max() > _INT16 or outputs.max() >= 2**31:
        raise InvalidArgumentError("the weights let a sum overflow: make them with Network.from_floats")


def _check_rows(batch: Rows, rules: Rules) -> None:
    if first_invalid(batch, packed(rules), 0, len(batch)) >= 0:
        validate(batch, rules)

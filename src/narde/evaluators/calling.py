"""An evaluator called, and what it returns checked, so that a fault names the position that shows it."""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from narde._choosing import are_shares
from narde._rows import join_chances, part_rows
from narde._values import is_masked
from narde.board import Rows, W, as_rows
from narde.errors import EvaluatorError, InvalidArgumentError, MissingExtraError, shown
from narde.evaluators.worth import OUTPUTS, equity, exact_chances
from narde.ids import describe_row
from narde.network import Network
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import CHANCE_NAMES, are_over

Chances = npt.NDArray[np.float32]

TOLERANCE: Final = 1e-3
"""How far beyond 0 and 1 chances may lie, as those of half precision do; they are cut to 0 and 1."""


class Evaluator(Protocol):
    """Any callable from rows (M, 28) int8 to chances (M, 5) float32; a plain function will do."""

    def __call__(self, rows: Rows, /) -> npt.NDArray[Any]: ...


def call(evaluator: Evaluator, rows: npt.ArrayLike, rules: str | Rules) -> Chances:
    """The evaluator's chances of rows (M, 28) of games that are not over, checked: float32 (M, 5).

    The evaluator gets the rows read-only, and is not called for none. Raises `EvaluatorError` if it raises
    anything or returns what are no chances, naming the first row for which it does.
    """
    batch, _ = as_rows(rows)
    as_evaluator(evaluator, rules)
    return _called(evaluator, batch, rules)


def _called(evaluator: Evaluator, batch: Rows, rules: str | Rules) -> Chances:
    """The same for rows as `as_rows` gives them."""
    if not len(batch):
        return np.empty((0, OUTPUTS), np.float32)
    if isinstance(evaluator, Network):
        return evaluator(batch)
    seen = batch.view()
    seen.flags.writeable = False
    try:
        chances = evaluator(seen)
    except (EvaluatorError, MissingExtraError):
        raise
    except Exception as fault:
        raise EvaluatorError(_failure(evaluator, seen, rules, fault)) from fault
    return check(chances, batch, rules, evaluator)


def check(
    chances: Any, rows: npt.ArrayLike, rules: str | Rules, evaluator: Evaluator | None = None
) -> npt.NDArray[np.float32]:
    """What an evaluator returned for the rows (M, 28) as float32 (M, 5), cut to 0 and 1: its own array where
    that is so already, not a copy.

    Raises `EvaluatorError` unless it is an array (M, 5) of floats, each a number from 0 to 1.
    """
    batch, _ = as_rows(rows)
    array = _as_array(chances, evaluator)
    if array.shape != (len(batch), OUTPUTS) or array.dtype.kind != "f":
        told = f"{array.dtype} {array.shape}" if array.ndim else shown(chances)  # None: a forgotten return
        raise EvaluatorError(
            f"{_name(evaluator)} returned {told} for {len(batch)} rows, "
            f"the first of them {describe_row(batch[0], rules) if len(batch) else 'missing'}: "
            f"return float32 ({len(batch)}, {OUTPUTS})"
        )
    if array.dtype != np.float32 or not (array.flags.c_contiguous and array.flags.aligned):
        with np.errstate(over="ignore"):  # what float32 cannot hold is no chance, and refused below
            array = np.require(array, np.float32, ["C", "A"])
    if not are_shares(array.reshape(-1)):
        _refuse_bad(array, batch, rules_of(rules), _name(evaluator))
        array = array.clip(0, 1)
    return array


def _as_array(chances: Any, evaluator: Evaluator | None) -> npt.NDArray[Any]:
    """What an evaluator returned as an array, of any shape and type; raises `EvaluatorError`."""
    try:
        array = np.asarray(chances)
    except Exception as fault:  # whatever an object's own __array__ raises
        raise EvaluatorError(
            f"{_name(evaluator)} returned {shown(chances)}, which is no array: {fault}"
        ) from None
    if is_masked(chances):
        raise EvaluatorError(f"{_name(evaluator)} returned masked values: return numbers from 0 to 1")
    return array


def chances_of(evaluator: Evaluator, rows: npt.ArrayLike, rules: str | Rules) -> Chances:
    """The chances of any rows (M, 28): exact where the game is over, the evaluator's elsewhere.

    Raises what `call` raises."""
    batch, _ = as_rows(rows)
    as_evaluator(evaluator, rules)
    over, n_over = are_over(batch)
    if not n_over:
        return _called(evaluator, batch, rules)
    flags = over.view(np.uint8)
    going, done = (np.empty((n, W), np.int8) for n in (len(batch) - n_over, n_over))
    part_rows(batch, flags, going, done)
    chances = np.empty((len(batch), OUTPUTS), np.float32)
    join_chances(_called(evaluator, going, rules), exact_chances(done, rules), flags, chances)
    return chances


def value_of(evaluator: Evaluator, rows: npt.ArrayLike, rules: str | Rules) -> npt.NDArray[np.float64]:
    """The equity of any rows (M, 28) to the player on roll, float64 (M,): exact where the game is over.

    Raises what `call` raises."""
    return equity(chances_of(evaluator, rows, rules), rules)


def as_evaluator(evaluator: Evaluator, rules: str | Rules) -> None:
    """Raise `InvalidArgumentError` for what can't be called, or can't be used under the rules."""
    rule = rules_of(rules)
    if not callable(evaluator):
        raise InvalidArgumentError(f"evaluator is {shown(evaluator)}: pass a function of rows (M, 28)")
    if rule.last_roll:
        raise InvalidArgumentError("a row does not tell who started: use rules without last_roll")
    if getattr(evaluator, "game", rule.game) != rule.game:
        game = shown(evaluator.game)  # type: ignore[attr-defined]
        raise InvalidArgumentError(f"{_name(evaluator)} was made for the game {game}, not {rule.game!r}")


def _refuse_bad(array: Chances, rows: Rows, rules: Rules, name: str) -> None:
    """Raise `EvaluatorError` for the first value that is no chance even with some tolerance."""
    bad = ~((array >= -TOLERANCE) & (array <= 1 + TOLERANCE))  # NaN is neither
    if bad.any():
        row, output = divmod(int(np.argmax(bad)), OUTPUTS)
        raise EvaluatorError(
            f"{name} gave {array[row, output]} as the chance of {CHANCE_NAMES[output]}, for row {row} of "
            f"{len(rows)}: return numbers from 0 to 1\n  row {row} = {describe_row(rows[row], rules)}"
        )


def _failure(evaluator: Evaluator, rows: Rows, rules: str | Rules, fault: Exception) -> str:
    """What went wrong, and in which row, if the evaluator fails on a single row too."""
    start, stop = 0, len(rows)
    while stop - start > 1:
        middle = (start + stop) // 2
        if _fails(evaluator, rows[start:middle]):
            stop = middle
        elif _fails(evaluator, rows[middle:stop]):
            start = middle
        else:
            break
    which = f"row {start}" if stop - start == 1 else f"rows {start} to {stop - 1}, none of them alone"
    return (
        f"{_name(evaluator)} raised {type(fault).__name__}: {shown(str(fault))} in a batch of {len(rows)}, "
        f"at {which}\n  row {start} = {describe_row(rows[start], rules)}"
    )


def _fails(evaluator: Evaluator, rows: Rows) -> bool:
    try:
        evaluator(rows)
    except Exception:
        return True
    return False


def _name(evaluator: Evaluator | None) -> str:
    if evaluator is None:
        return "the evaluator"
    return f"evaluator {getattr(evaluator, '__name__', None) or shown(evaluator)}"

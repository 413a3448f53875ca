"""A rollout on disk: the trials that are finished, and what they are trials of."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from narde._files import opened, prove_writable, replacing
from narde._formats import Meta, read, writer
from narde.dice import ROLLS
from narde.errors import StorageError, shown
from narde.evaluators import best_plays
from narde.ids import describe_row
from narde.rollouts.plan import Plan
from narde.rollouts.spread import Floats
from narde.rules import Rules
from narde.scoring import finished

FORMAT: Final = "narde rollout"
SCHEMA: Final = 1
"""Version of the layout of the file; a reader refuses files of a later one."""

_RULES: Final = " of the rules"
_SECONDS: Final = 1.0  # between two writes


class Checkpoint:
    """A file of finished trials, an `.npz`; it appears whole, again and again while the run goes on."""

    def __init__(self, path: Path) -> None:
        """Raises `StorageError` where no such file is, nor can be written."""
        self.path = path
        self._refused: StorageError | None = None
        try:
            prove_writable(path)
        except StorageError as fault:
            if not _can_be_read(path):
                raise
            self._refused = fault  # of no matter if it holds all that is wanted
        self._meta: Meta = {}
        self._unkept: list[Floats] | None = None
        self._kept_at = time.monotonic()

    def load(self, plan: Plan) -> Floats:
        """The values of the trials in the file, (n, starts, 5), none where there is no file; what is
        kept from here on are trials of the plan.

        Raises `StorageError` for a file that is damaged, or holds trials of something else."""
        self._meta = _meta(plan)
        if not self.path.exists():
            return np.empty((0, len(plan.starts), 5))
        meta, values = self._read()
        faults = _differences(_flat(meta), _flat(self._meta), plan.rules)
        if faults or values.shape[1:] != (len(plan.starts), 5) or values.dtype != np.float64:
            reason = "; ".join(faults) or f"it has {values.dtype} {values.shape}"
            raise StorageError(
                f"{self.path} holds another rollout: {reason}. Name another file, or remove it"
            )
        return values

    def check_writable(self) -> None:
        """Raise `StorageError` where the file is there but cannot be written."""
        if self._refused is not None:
            raise self._refused

    def keep(self, parts: Sequence[Floats]) -> None:
        """Write all parts so far, but not more often than once a second."""
        self._unkept = list(parts)
        if time.monotonic() - self._kept_at >= _SECONDS:
            self.close()

    def close(self) -> None:
        """Write what has not been written yet."""
        if self._unkept is None:
            return
        with replacing(self.path) as file:
            writer(".npz")(file, self._meta, [{"values": np.concatenate(self._unkept)}])
        self._unkept, self._kept_at = None, time.monotonic()

    def _read(self) -> tuple[Meta, Floats]:
        try:
            with opened(self.path) as handle:
                meta, columns = read(handle)
            if not np.isfinite(columns["values"]).all():
                raise ValueError("a trial gave what is no number")
            return meta, columns["values"]
        except StorageError:
            raise
        except Exception:  # whatever the zip and NumPy readers make of damaged bytes
            raise StorageError(
                f"cannot read {self.path}: damaged, or no checkpoint of a rollout; name another file, or "
                "remove it and begin the rollout again"
            ) from None


def _can_be_read(path: Path) -> bool:
    try:
        opened(path).close()
    except StorageError:
        return False
    return True


def _differences(found: Meta, wanted: Meta, rules: Rules) -> list[str]:
    """What the file tells otherwise than the plan, each in words."""
    name = f"name{_RULES}"
    if found.get(name) != wanted[name]:
        return [f"it is by the rules {shown(found.get(name))}, not {shown(wanted[name])}"]
    told = dict.fromkeys([*wanted, *(name for name in found if name.endswith(_RULES))])
    names = [name for name in told if found.get(name) != wanted.get(name)]
    if any(name == "starts" or name.endswith(_RULES) for name in names):
        names = [name for name in names if name != "evaluator"]  # known by these positions' best plays alone
    return [_difference(name, found.get(name), wanted.get(name), rules) for name in names]


def _difference(name: str, found: Any, wanted: Any, rules: Rules) -> str:
    if name == "evaluator":
        return "it is by another evaluator"
    if name != "starts":
        return f"{name.replace('_', ' ')} is {shown(found)}, not {shown(wanted)}"
    if not isinstance(found, list) or len(found) != 1 or len(wanted) != 1:
        return "it is of other positions"
    return f"it is of the position {describe_row(found[0], rules)}, not {describe_row(wanted[0], rules)}"


def _flat(meta: Meta) -> dict[str, Any]:
    """Each choice of the rules for itself, so that a message names the one that differs."""
    rules = meta.get("rules")
    choices = rules if isinstance(rules, dict) else {}
    rest = {name: value for name, value in meta.items() if name != "rules"}
    return {**{f"{name}{_RULES}": value for name, value in choices.items()}, **rest}


def _meta(plan: Plan) -> dict[str, Any]:
    """What the trials are of, as JSON gives it back."""
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "rules": {**asdict(plan.rules), "match_lengths": list(plan.rules.match_lengths)},
        "starts": plan.starts.tolist(),
        "seed": plan.seed,
        "truncate": plan.truncate,
        "variance_reduction": plan.variance_reduction,
        "plies": plan.plies,
        "bearoff": plan.table is not None,
        "evaluator": _likeness(plan),
    }


def _likeness(plan: Plan) -> str:
    """What the evaluator says of the starts' best plays, as a hash: another one hardly says the same."""
    going_on = plan.starts[~finished(plan.starts)]
    rows, dice = np.repeat(going_on, len(ROLLS), axis=0), np.tile(ROLLS, (len(going_on), 1))
    chances = best_plays(plan.evaluator, rows, dice, plan.rules).chances
    return hashlib.sha256(chances.astype("<f4").tobytes()).hexdigest()

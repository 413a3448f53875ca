"""What goes wrong, as exceptions: one family, each member also a `ValueError`.

A message names the row, the reason and the remedy, so that a bug report is a reproduction.
"""

from __future__ import annotations

from collections.abc import Container
from importlib import import_module
from typing import Any, Final, TypeGuard

INTERRUPTED: Final = 128 + 2
"""What a shell reports of a program ended by SIGINT. It stands here since `__main__` must know it before the
command line is loaded."""

_LONGEST: Final = 80


def shown(value: object, longest: int = _LONGEST) -> str:
    """The value as a message shows it: its `repr`, cut where it is long, its type where it has none."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def is_one_of(value: object, names: Container[str]) -> TypeGuard[str]:
    """Whether the value is a text and one of the names; arrays and their like, which may not even be
    comparable, are none."""
    return isinstance(value, str) and value in names


class NardeError(ValueError):
    """Base of every error that `narde` raises on purpose."""


class InvalidRulesError(NardeError):
    """A rule variant that does not exist, or house rules that contradict each other."""


class InvalidPositionError(NardeError):
    """A row that is not a position of the game; `reasons` holds each fault, `index` the row's index."""

    def __init__(self, message: str, *, index: int | None = None, reasons: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.index = index
        self.reasons = reasons


class InvalidDiceError(NardeError):
    """Dice that are not two whole numbers from 1 to 6; `index` is their index in a batch."""

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class IllegalPlayError(NardeError):
    """A play that the rules do not allow; the message lists the nearest legal ones."""


class AmbiguousPlayError(IllegalPlayError):
    """A play whose text fits more than one legal play."""


class IllegalActionError(NardeError):
    """A roll, a cube action or a resignation out of its turn; the message lists what is legal."""


class NotationError(NardeError):
    """Text that is not a play, a position ID or a record in any known form."""


class InvalidArgumentError(NardeError):
    """An option outside its range: `threads`, `seed`, a shape, a dtype, an `out=` of the wrong kind."""


class NotCoveredError(NardeError):
    """A position that the bear-off database does not cover: `reasons` holds each reason, `index` the row's
    index."""

    def __init__(self, message: str, *, index: int | None = None, reasons: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.index = index
        self.reasons = reasons


class EvaluatorError(NardeError):
    """An evaluator raised something, or returned what are no chances; the message names the first such
    row."""


class MissingExtraError(NardeError, ImportError):
    """An optional library is not installed; the message names the pip command that brings it."""


def extra(module: str, message: str) -> Any:
    """A module of an optional library; raises `MissingExtraError` with the message where it is not there."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(message) from None


class StorageError(NardeError, OSError):
    """A file could not be written or read whole; nothing half-written is left under its final name."""


class WorkerLostError(NardeError, RuntimeError):
    """A unit of work that lost its worker again and again, or whose broken executor takes no more work;
    `unit` is its number."""

    def __init__(self, message: str, *, unit: int | None = None) -> None:
        super().__init__(message)
        self.unit = unit

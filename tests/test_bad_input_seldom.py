"""Bad input of the seldom kind: hidden values, odd indices, no memory, things that raise."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from narde import Afterstates, InvalidArgumentError, InvalidDiceError, InvalidPositionError, reference

START = narde.starting_row("long")


class Raising:
    """An index that raises what nobody expects."""

    def __index__(self) -> int:
        raise KeyError("no such number")

    def __repr__(self) -> str:
        return "Raising"


# ---- masked arrays ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        np.ma.array(START, mask=True),
        np.ma.masked_equal(np.stack([START] * 2), 15),
        [np.ma.array(START, mask=True)],
    ],
    ids=["a row", "a batch", "a list"],
)
def test_masked_rows(rows: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: narde.afterstates(rows, (6, 5)),
        lambda: narde.validate(rows),
        lambda: narde.pips(rows),
    ]
    for call in calls:
        with pytest.raises(InvalidPositionError, match=r"rows have masked values: pass rows.filled\("):
            call()


def test_masked_dice() -> None:
    with pytest.raises(InvalidDiceError, match=r"dice have masked values: pass dice.filled\("):
        narde.afterstates(START, np.ma.array([6, 5], mask=[False, True]))


CALLS = """
import sys
import numpy as np
loaded = set(sys.modules)  # NumPy 1.26 loads numpy.ma with itself
import narde

def even(rows):
    return np.full((len(rows), 5), 0.25, np.float32)

narde.self_play(2, even, seed=1)
print("numpy.ma" in sys.modules.keys() - loaded)
print(narde._values.is_masked(np.ma.array([1], mask=True)))
"""


def test_the_question_for_masks_imports_nothing() -> None:
    """Ctrl-C in the middle of an import within a run has left the lock of imports taken."""
    done = subprocess.run([sys.executable, "-c", CALLS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_an_array_that_could_mask_and_does_not() -> None:
    assert len(narde.afterstates(np.ma.array(START), np.ma.array([6, 5])).positions) == 1


# ---- indices ---------------------------------------------------------------------------------------------

NO_INDICES = [slice(0, 1), "a", None, True, np.True_, 1.0, np.arange(2), (0, 1), Raising()]


@pytest.mark.parametrize("wrong", NO_INDICES, ids=repr)
def test_what_is_no_index(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=r"no index of a row: pass a whole number; .*positions\["):
        narde.afterstates(START, (6, 5))[wrong]
    with pytest.raises(InvalidArgumentError, match=r"no index of a play: pass a whole number; index\("):
        narde.Position.start("long").plays((6, 5))[wrong]


@pytest.mark.parametrize("far", [1, -2, 10**30])
def test_an_index_outside(far: int) -> None:
    with pytest.raises(IndexError, match=f"row {far} of 1"):
        narde.afterstates(START, (6, 5))[far]
    with pytest.raises(IndexError, match=f"play {far} of 1"):
        narde.Position.start("long").plays((6, 5))[far]


# ---- out -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "reason"),
    [
        (np.empty((60, 28), np.int8)[::2], "read-only or strided: pass None"),
        (np.empty((30, 28), np.int16), "no memory for rows"),
        (np.empty((30, 27), np.int8), "no memory for rows"),
        (None, "no memory for rows"),
    ],
    ids=["strided", "int16", "narrow", "none"],
)
def test_out_with_memory_of_another_kind(memory: Any, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"out .*{reason}"):
        narde.afterstates(START, (6, 5), out=replace(narde.afterstates(START, (6, 5)), _memory=memory))


def test_out_that_is_read_only() -> None:
    out: Afterstates = narde.afterstates(START, (6, 5))
    out._memory.flags.writeable = False
    with pytest.raises(InvalidArgumentError, match="out cannot be written over, it is read-only"):
        narde.afterstates(START, (6, 5), out=out)


# ---- games -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "record"), [(2**40, ()), (3, ("positions",))])
def test_games_that_no_memory_holds(n: int, record: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine has: only columns of one game at most find memory, or results alone."""
    empty = np.empty

    def refusing(shape: tuple[int, ...], kind: type) -> np.ndarray:
        if shape[0] > 3:
            raise MemoryError("Unable to allocate")
        return empty(shape, kind)

    monkeypatch.setattr("narde.games.np.empty", refusing)
    with pytest.raises(InvalidArgumentError, match=rf"n is {n}: no memory .*Unable.*, play fewer at a time"):
        narde.random_games(n, seed=1, record=record)


@pytest.mark.parametrize("wrong", [None, 5, "games"])
def test_what_is_no_games_is_not_saved(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match=r"games is .*: pass a result of random_games"):
        narde.save_games(wrong, tmp_path / "a.npz")
    assert not list(tmp_path.iterdir())


def test_a_name_that_no_system_takes() -> None:
    with pytest.raises(InvalidArgumentError, match=r"'\\ud800.npz' is no path"):
        narde.save_games(narde.random_games(1, seed=1), "\ud800.npz")


# ---- the reference ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["a", 1.5, -1, None, True, Raising()], ids=repr)
def test_depths_of_the_reference(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=f"^depth is {wrong!r}: pass a whole number of turns"):
        reference.perft(START, wrong)


def test_booleans_of_the_reference() -> None:
    with pytest.raises(InvalidPositionError, match="a row holds whole numbers: True is none"):
        reference.plays([True, *START[1:]], (6, 5))
    with pytest.raises(InvalidDiceError, match="dice are whole numbers: False is none"):
        reference.plays(START, (1, False))


def test_numbers_of_the_reference_that_raise() -> None:
    with pytest.raises(InvalidPositionError, match="a row holds whole numbers: 'no such number'"):
        reference.plays([Raising()] * 28, (6, 5))  # type: ignore[list-item]
    with pytest.raises(InvalidDiceError, match="dice are whole numbers: 'no such number'"):
        reference.plays(START, [Raising()] * 2)  # type: ignore[list-item]


@pytest.mark.parametrize("kind", ["u2", "u4", "u8", "i2", "i4", "i8"])
def test_numbers_in_the_other_byte_order(kind: str) -> None:
    """NumPy 2.0 crashed on comparing unsigned ones with a negative number."""
    dtype = np.dtype(kind).newbyteorder()
    with pytest.raises(InvalidPositionError, match="values beyond int8"):
        narde.afterstates(np.full((2, 28), 300, dtype), (6, 5))
    assert narde.afterstates(START, np.array([6, 5], dtype)).positions.shape == (1, 28)

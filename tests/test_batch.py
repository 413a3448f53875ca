"""The batch API: whatever holds the numbers is read alike, results have fixed types, memory is used again."""

import copy
import pickle
import tracemalloc
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import narde
from corpus import assert_same, made
from narde import Afterstates, InvalidArgumentError, plays, reference
from narde.plays import ROLLS

ROWS, DICE = made("long")
EXPECTED = narde.afterstates(ROWS, DICE, "long")
START = narde.starting_row("long")

any_game = pytest.mark.parametrize("game", ["long", "short"])


class Tensor:
    """What libraries for arrays give: an object that becomes an array when NumPy asks it."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype)


# ---- what rows and dice may be ---------------------------------------------------------------------------

SIGNED = ["int8", "int16", "int32", "int64", ">i2", ">i4", ">i8", "<i2"]
WHOLE = [*SIGNED, "uint8", "uint16", "uint32", "uint64", ">u2", ">u8"]

LAYOUTS = {
    "as it is": lambda a: a.copy(),
    "columns side by side": np.asfortranarray,
    "every second row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "every second column": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "backwards in memory": lambda a: a[::-1].copy()[::-1],
    "mirrored in memory": lambda a: a[:, ::-1].copy()[:, ::-1],
    "transposed": lambda a: a.T.copy().T,
    "part of a wider array": lambda a: np.pad(a, ((1, 2), (3, 4)))[1:-2, 3:-4],
    "lists": lambda a: a.tolist(),
    "tuples": lambda a: tuple(map(tuple, a.tolist())),
    "a list of arrays": list,
    "an object with __array__": Tensor,
    "buffers": lambda a: [array("b", row) for row in a.tolist()],
    "a memoryview": lambda a: memoryview(a.copy()),
}


@pytest.mark.parametrize("dtype", SIGNED)
def test_rows_of_any_integer_dtype(dtype: str) -> None:
    assert_same(narde.afterstates(ROWS.astype(dtype), DICE), EXPECTED)
    assert narde.flip(ROWS.astype(dtype)).tolist() == narde.flip(ROWS).tolist()


@pytest.mark.parametrize("dtype", WHOLE)
def test_dice_of_any_integer_dtype(dtype: str) -> None:
    assert_same(narde.afterstates(ROWS, DICE.astype(dtype)), EXPECTED)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_any_layout(layout: object) -> None:
    assert_same(narde.afterstates(layout(ROWS), layout(DICE)), EXPECTED)
    assert np.array_equal(narde.count_afterstates(layout(ROWS), layout(DICE)), np.diff(EXPECTED.offsets))
    assert np.array_equal(narde.flip(layout(ROWS)), narde.flip(ROWS))
    assert np.array_equal(narde.pips(layout(ROWS)), narde.pips(ROWS))
    narde.validate(layout(ROWS))


def test_rows_on_disk(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", ROWS)
    on_disk = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert isinstance(on_disk, np.memmap)
    assert_same(narde.afterstates(on_disk, DICE), EXPECTED)


def test_inputs_are_left_alone() -> None:
    rows, dice = ROWS.astype(np.int64), DICE.astype(np.int64)
    narde.afterstates(rows, dice, moves=True)
    assert np.array_equal(rows, ROWS)
    assert np.array_equal(dice, DICE)
    assert not ROWS.flags.writeable  # read-only arrays are read all the same


def test_repeated_rows_and_dice_without_memory() -> None:
    """Broadcast views have strides of 0."""
    rows, dice = np.broadcast_to(START, (50, 28)), np.broadcast_to(np.array([6, 5]), (50, 2))
    out = narde.afterstates(rows, dice)
    assert len(out) == 50
    assert out.offsets.tolist() == list(range(51))


# ---- one row, one pair, none -----------------------------------------------------------------------------


def test_one_row_with_many_dice() -> None:
    out = narde.afterstates(START, ROLLS, "short")
    assert_same(out, narde.afterstates(np.tile(START, (21, 1)), ROLLS, "short"))
    assert len(out) == 21


def test_many_rows_with_one_pair() -> None:
    out = narde.afterstates(ROWS, (5, 5))
    assert_same(out, narde.afterstates(ROWS, np.tile((5, 5), (len(ROWS), 1))))


def test_one_row_with_one_pair() -> None:
    for row, dice in [(START, (2, 1)), (START[None], (2, 1)), (START, [[2, 1]]), (START[None], [[2, 1]])]:
        out = narde.afterstates(row, dice)
        assert out.offsets.tolist() == [0, 1]
        assert narde.count_afterstates(row, dice).tolist() == [1]
        assert [tuple(after) for after in out[0].tolist()] == reference.afterstates(START, (2, 1))


@pytest.mark.parametrize("rows", [[], np.empty((0, 28), np.int8), np.empty(0), np.empty((0, 28))])
@pytest.mark.parametrize("dice", [[], np.empty((0, 2), np.int64), (3, 2), np.empty((0, 2), np.uint8)])
def test_no_rows(rows: object, dice: object) -> None:
    out = narde.afterstates(rows, dice, moves=True, threads=3)
    assert (out.positions.shape, out.offsets.tolist(), out.moves.shape) == ((0, 28), [0], (0, 4, 2))
    assert len(out) == 0
    assert narde.count_afterstates(rows, dice).shape == (0,)
    assert narde.flip(rows).shape == (0, 28)
    assert narde.pips(rows).shape == (0, 2)
    narde.validate(rows)


def test_one_row_without_dice() -> None:
    assert len(narde.afterstates(START, np.empty((0, 2), np.int8))) == 0


# ---- what comes back -------------------------------------------------------------------------------------


@any_game
def test_types_of_a_result(game: str) -> None:
    out = narde.afterstates(*made(game), game, moves=True)
    for column, dtype, shape in [
        (out.positions, np.int8, (out.offsets[-1], 28)),
        (out.offsets, np.int64, (401,)),
        (out.moves, np.int8, (out.offsets[-1], 4, 2)),
    ]:
        assert (column.dtype, column.shape) == (dtype, shape)
        assert column.flags.c_contiguous
        assert column.flags.writeable
    assert out.offsets[0] == 0
    assert (np.diff(out.offsets) >= 1).all()
    narde.validate(out.positions, game)
    counts = narde.count_afterstates(*made(game), game)
    assert counts.dtype == np.int64
    assert np.array_equal(counts, np.diff(out.offsets))


def test_a_result_as_a_sequence() -> None:
    rows = list(EXPECTED)
    assert len(rows) == len(EXPECTED) == len(ROWS)
    assert np.array_equal(np.concatenate(rows), EXPECTED.positions)
    assert np.array_equal(EXPECTED[-1], rows[-1])
    assert np.shares_memory(EXPECTED[3], EXPECTED.positions)
    for i in (len(ROWS), -len(ROWS) - 1):
        with pytest.raises(IndexError, match=f"row {i} of 400"):
            EXPECTED[i]


@any_game
def test_moves_lead_to_their_afterstates(game: str) -> None:
    """Played one by one by the reference, whatever the threads."""
    rows, dice = made(game)
    out = narde.afterstates(rows, dice, game, moves=True, threads=2)
    owners = np.repeat(np.arange(len(rows)), np.diff(out.offsets))
    for i, moves, after in zip(
        owners[::3], out.moves.tolist()[::3], out.positions.tolist()[::3], strict=True
    ):
        row = tuple(rows[i].tolist())
        for start, end in moves:
            if start >= 0:
                row = reference.after_move(row, reference.Move(0, start, end))
        assert reference.flip(row, game) == tuple(after)


@pytest.mark.parametrize("threads", [2, 7, 1000])
def test_threads_change_nothing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few rows, so that there are many, and the last is a short one."""
    expected = narde.afterstates(ROWS, DICE, moves=True)
    monkeypatch.setattr(plays, "_CHUNK", 7)
    monkeypatch.setattr(plays, "_MOVES_CHUNK", 9)
    assert_same(narde.afterstates(ROWS, DICE, threads=threads, moves=True), expected)
    assert np.array_equal(narde.count_afterstates(ROWS, DICE, threads=threads), np.diff(EXPECTED.offsets))
    assert narde.perft(START, 2, threads=threads) == narde.perft(START, 2)


def test_more_threads_than_rows() -> None:
    assert_same(narde.afterstates(ROWS[:3], DICE[:3], threads=4096), narde.afterstates(ROWS[:3], DICE[:3]))


def test_known_rows_need_no_check() -> None:
    assert_same(plays.afterstates_of(ROWS, DICE, narde.rules("long")), EXPECTED)


# ---- memory ----------------------------------------------------------------------------------------------


def test_out_is_used_again() -> None:
    large = narde.afterstates(ROWS, DICE)
    small = narde.afterstates(ROWS[:9], DICE[:9], out=large)
    again = narde.afterstates(ROWS, DICE, out=small, threads=2)
    assert np.shares_memory(large.positions, small.positions)
    assert np.shares_memory(large.positions, again.positions)
    assert_same(again, EXPECTED)


def test_out_grows_with_some_to_spare() -> None:
    small = narde.afterstates(ROWS[:200], DICE[:200])
    grown = narde.afterstates(ROWS, DICE, out=small)
    assert_same(grown, EXPECTED)
    assert not np.shares_memory(grown.positions, small.positions)
    more = narde.afterstates(np.vstack([ROWS, ROWS[:4]]), np.vstack([DICE, DICE[:4]]), out=grown)
    assert np.shares_memory(more.positions, grown.positions)
    assert_same(narde.afterstates([], [], out=more), narde.afterstates([], []))


def test_out_may_hold_the_rows() -> None:
    """The afterstates of afterstates, written over the rows that they come from."""
    out = narde.afterstates(ROWS, DICE)
    expected = narde.afterstates(out.positions.copy(), (2, 1))
    grown = narde.afterstates(out.positions, (2, 1), out=out)
    assert_same(grown, expected)
    for rows in (grown.positions[5:50], grown.positions[50:5:-2]):
        expected = narde.afterstates(rows.copy(), (4, 3))
        assert_same(narde.afterstates(rows, (4, 3), out=grown), expected)
        grown = narde.afterstates(ROWS, DICE, out=grown)


def test_out_may_hold_the_dice() -> None:
    out = narde.afterstates(ROWS, DICE)
    dice = out.positions.reshape(-1)[:800].reshape(400, 2)
    dice[:] = DICE
    assert_same(narde.afterstates(ROWS, dice, out=out), EXPECTED)


def test_out_of_other_rules_and_options() -> None:
    short = narde.afterstates(*made("short"), "short", moves=True)
    assert_same(narde.afterstates(ROWS, DICE, out=short), EXPECTED)


def test_out_from_elsewhere() -> None:
    """A result that was copied, stored or made by hand is as good as none."""
    for out in (
        copy.deepcopy(EXPECTED),
        pickle.loads(pickle.dumps(EXPECTED)),
        Afterstates(EXPECTED.positions.copy(), EXPECTED.offsets),
    ):
        assert_same(out, EXPECTED)
        assert_same(narde.afterstates(ROWS, DICE, out=out), EXPECTED)


def test_out_in_other_threads() -> None:
    def chain(seed: int) -> Afterstates:
        out = None
        for n in (50, 400, 10, 400):
            rows, dice = np.roll(ROWS, seed, axis=0)[:n], np.roll(DICE, seed, axis=0)[:n]
            out = narde.afterstates(rows, dice, out=out)
        return out

    expected = [chain(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        for found, same in zip(pool.map(chain, range(8)), expected, strict=True):
            assert_same(found, same)


@pytest.mark.parametrize("out", [EXPECTED.positions, [], 5, "out", (EXPECTED,), True])
def test_out_must_be_a_result(out: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"out is a \w+: pass an earlier result"):
        narde.afterstates(ROWS, DICE, out=out)


def peak_of(call: object) -> tuple[int, Afterstates]:
    """The most memory that the call had in use, in bytes, and its result."""
    tracemalloc.start()
    try:
        out = call()
        return tracemalloc.get_traced_memory()[1], out
    finally:
        tracemalloc.stop()


@any_game
@pytest.mark.parametrize("threads", [1, 2])
def test_memory_stays_at_the_output_plus_a_tenth(game: str, threads: int) -> None:
    rows, dice = (np.tile(column, (50, 1)) for column in made(game))
    peak, out = peak_of(lambda: narde.afterstates(rows, dice, game, threads=threads))
    assert peak < 1.1 * (out.positions.nbytes + out.offsets.nbytes)
    peak, again = peak_of(lambda: narde.afterstates(rows, dice, game, threads=threads, out=out))
    assert peak < again.offsets.nbytes + 0.1 * out.positions.nbytes
    peak, counts = peak_of(lambda: narde.count_afterstates(rows, dice, game, threads=threads))
    assert peak < counts.nbytes + 0.1 * out.positions.nbytes


def test_memory_of_rows_that_have_to_be_converted() -> None:
    """The one copy as int8 comes on top."""
    rows, dice = (np.tile(column, (50, 1)).astype(np.int64) for column in made("long"))
    peak, out = peak_of(lambda: narde.afterstates(rows, dice))
    assert peak < rows.size + dice.size + 1.1 * (out.positions.nbytes + out.offsets.nbytes)

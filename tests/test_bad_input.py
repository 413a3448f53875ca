"""Whatever is wrong with what a user passes in, it is a `NardeError` that names the thing, the reason and the
remedy, and never a crash, another exception or a silent wrong answer."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import narde
from corpus import Hostile, made
from narde import (
    InvalidArgumentError,
    InvalidDiceError,
    InvalidPositionError,
    InvalidRulesError,
    Rules,
)

START = narde.starting_row("long")
ROWS, DICE = made("long")
SHORT = narde.starting_row("short")
HUGE = 10**5000


def row_with(changes: dict[int, int], row: np.ndarray = START) -> np.ndarray:
    """The row with other numbers at some indices."""
    changed = row.copy()
    changed[list(changes)] = list(changes.values())
    return changed


# ---- rows ------------------------------------------------------------------------------------------------

NO_ARRAY_OF_ROWS = {
    "too narrow": (np.zeros((3, 27), int), r"rows have shape \(3, 27\): pass one row \(28,\) or a batch"),
    "too wide": (np.zeros((3, 29), int), r"shape \(3, 29\)"),
    "a number": (5, r"shape \(\): pass"),
    "three dimensions": (np.zeros((2, 3, 28), int), r"shape \(2, 3, 28\)"),
    "rows as columns": (ROWS.T, r"shape \(28, 400\)"),
    "nothing in width": (np.zeros((3, 0), int), r"shape \(3, 0\)"),
    "floats": (
        ROWS.astype(float),
        r"rows have dtype float64: pass whole numbers, e.g. rows.astype\(np.int8\)",
    ),
    "NaN": (np.full((1, 28), np.nan), "dtype float64"),
    "infinity": ([float("inf")] * 28, "dtype float64"),
    "complex": (ROWS.astype(complex), "dtype complex128"),
    "bool": (ROWS > 0, "dtype bool"),
    "a bool among them": ([True, *START[1:]], "rows have True or False among them: pass whole numbers"),
    "bools in an array": ([START, START > 0], "rows have True or False"),
    "text": ("row", "dtype <U3"),
    "texts": (["0"] * 28, "dtype <U1"),
    "bytes": (b"\0" * 28, "dtype "),
    "None": (None, "dtype object"),
    "Nones": ([None] * 28, "dtype object"),
    "objects": (ROWS.astype(object), "dtype object"),
    "dates": (np.zeros(28, "M8[s]"), "dtype datetime64"),
    "records": (np.zeros(28, "i4,f8"), "dtype "),
    "a dict": ({0: 15}, "dtype object"),
    "a set": ({1, 2}, "dtype object"),
    "ragged": ([[0] * 28, [0] * 27], "rows are no array of whole numbers"),
    "huge numbers": ([HUGE] * 28, "dtype object"),
    "an object that refuses": (Hostile(), "rows are no array of whole numbers: requires grad"),
}

NO_ROWS = {
    "above int8": ([START, row_with({}).astype(int) + 128], r"row 1 .*values beyond int8, -128 to 127"),
    "below int8": (ROWS.astype(np.int64) - 129, "row 0 .*values beyond int8"),
    "wrapped": (ROWS.astype(np.uint8), "row 0 .*values beyond int8"),
    "the largest": ([2**63 - 1] * 28, "row 0 .*values beyond int8"),
    "larger": (np.full(28, 2**64 - 1, np.uint64), "row 0 .*values beyond int8"),
}

NO_POSITIONS = {
    "too many": (row_with({0: 1}), ["the mover has 16 checkers, expected 15"]),
    "too few": (row_with({23: 14}), ["the mover has 14 checkers, expected 15"]),
    "none": (np.zeros(28, int), ["the mover has 0 checkers", "the opponent has 0 checkers, expected 15"]),
    "an opponent too many": (row_with({0: -1}), ["the opponent has 16 checkers"]),
    "sums alone": (row_with({0: -1, 1: 1}), ["the mover has 16", "the opponent has 16"]),
    "on the bar": (row_with({23: 14, 24: 1}), ["no bar in long nardy, keep 24 and 25 at 0"]),
    "opponent on the bar": (row_with({11: -14, 25: -1}), ["no bar in long nardy"]),
    "the bars exchanged": (
        row_with({23: 14, 25: 1}),
        ["index 25, the opponent's bar, is 1, expected 0 or less"],
    ),
    "bar below 0": (row_with({11: -14, 24: -1}), ["index 24, the mover's bar, is -1, expected 0 or more"]),
    "off below 0": (row_with({11: -14, 26: -1}), ["index 26, the mover's checkers off, is -1"]),
    "opponent off above 0": (row_with({23: 14, 27: 1}), ["index 27, the opponent's off, is 1"]),
    "off from outside": (row_with({23: 14, 26: 1}), ["the mover has 1 off while others are not in his home"]),
    "opponent off from outside": (
        row_with({11: -12, 27: -3}),
        ["the opponent has 3 off while others are not"],
    ),
    "all that int8 holds": (np.full(28, 127), ["the mover has 3556 checkers"]),
    "the least of int8": (np.full(28, -128), ["the opponent has 3584 checkers", "index 26"]),
}

TAKE_ROWS: dict[str, Callable[[object], object]] = {
    "afterstates": lambda rows: narde.afterstates(rows, (2, 1)),
    "count": lambda rows: narde.count_afterstates(rows, (2, 1), threads=2),
    "validate": narde.validate,
    "flip": narde.flip,
    "pips": narde.pips,
    "perft": lambda rows: narde.perft(rows, 1),
}
take_rows = pytest.mark.parametrize("take", TAKE_ROWS.values(), ids=TAKE_ROWS.keys())
CHECKED = [name for name in TAKE_ROWS if name not in ("flip", "pips")]


def by_name(table: dict[str, tuple]) -> pytest.MarkDecorator:
    """A test for each entry of a table."""
    return pytest.mark.parametrize(("wrong", "reason"), table.values(), ids=table.keys())


@take_rows
@by_name(NO_ARRAY_OF_ROWS)
def test_no_array_of_rows(take: Callable, wrong: object, reason: str) -> None:
    with pytest.raises(InvalidPositionError, match=reason):
        take(wrong)


@take_rows
@by_name(NO_ROWS)
def test_numbers_that_no_row_holds(take: Callable, wrong: object, reason: str) -> None:
    with pytest.raises(InvalidPositionError, match=re.compile(reason, re.DOTALL)):
        take(wrong)


@pytest.mark.parametrize("name", CHECKED)
@by_name(NO_POSITIONS)
def test_no_position(name: str, wrong: np.ndarray, reason: list[str]) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        TAKE_ROWS[name](wrong)
    message = str(caught.value)
    assert message.startswith("row 0 is no position: ")
    assert all(text in message for text in reason)
    assert len(caught.value.reasons) >= len(reason)
    assert str(wrong.tolist()) in message


def test_the_least_of_int8_has_no_opposite() -> None:
    """Its flip would be itself."""
    for call in (narde.flip, narde.pips):
        with pytest.raises(InvalidPositionError, match=r"row 1 .*: -128 has no opposite") as caught:
            call([START, row_with({5: -128})])
        assert caught.value.index == 1
    assert narde.flip(row_with({17: -127}))[5] == 127


def test_the_first_bad_row_of_a_batch_is_named() -> None:
    rows = ROWS.copy()
    rows[[7, 300], 3] += 1
    for call in (
        lambda: narde.validate(rows),
        lambda: narde.afterstates(rows, DICE, threads=3),
        lambda: narde.count_afterstates(rows, (2, 1)),
    ):
        with pytest.raises(InvalidPositionError, match=r"^row 7 is no position") as caught:
            call()
        assert caught.value.index == 7


def test_a_bad_row_is_named_whatever_the_dice() -> None:
    """With the dice that were for it, where there is one roll for it and no more."""
    bad = row_with({0: 1})
    for rows, dice, told in [
        (bad, (2, 1), "dice 0 = 2-1"),
        (bad, [(2, 1)], "dice 0 = 2-1"),
        ([START, bad], (2, 1), "dice 0 = 2-1"),
        ([START, bad], [(6, 6), (2, 1)], "dice 1 = 2-1"),
        (bad, [(6, 6), (2, 1)], None),
        (bad, [], None),
    ]:
        with pytest.raises(InvalidPositionError, match="the mover has 16 checkers, expected 15") as caught:
            narde.afterstates(rows, dice)
        assert (told in str(caught.value)) if told else ("dice" not in str(caught.value))


def test_what_short_nardy_allows() -> None:
    """A bar, and checkers off while others are not home: a checker that was hit comes round again."""
    row = row_with({23: 0, 24: 2, 5: 4, 26: 1}, SHORT)
    assert narde.count_afterstates(row, (2, 1), "short") > 0
    with pytest.raises(InvalidPositionError, match="index 24, the mover's bar, is -2"):
        narde.afterstates(row_with({0: 0, 24: -2}, SHORT), (2, 1), "short")


@given(arrays_of.arrays(np.int8, (5, 28), elements=st.integers(-3, 3)), st.sampled_from(["long", "short"]))
def test_the_quick_check_agrees_with_validate(rows: np.ndarray, game: str) -> None:
    """Rows nearly right: the totals are made 15 by the checkers off."""
    rows[:, 26] = 15 - np.maximum(rows[:, :26], 0).sum(axis=1)
    rows[:, 27] = -15 - np.minimum(rows[:, :26], 0).sum(axis=1)
    reasons = []
    for call in (lambda: narde.validate(rows, game), lambda: narde.afterstates(rows, (2, 1), game)):
        try:
            call()
            reasons.append(())
        except InvalidPositionError as fault:
            reasons.append((fault.index, fault.reasons))
    assert reasons[0] == reasons[1]


# ---- dice ------------------------------------------------------------------------------------------------

NO_DICE = {
    "a 7": ((7, 1), "dice 0 are [7, 1]: each die shows 1 to 6"),
    "a 0": ((0, 1), "dice 0 are [0, 1]"),
    "below 0": ((-1, 1), "dice 0 are [-1, 1]"),
    "one of many": ([(1, 1)] * 9 + [(1, 9)], "dice 9 are [1, 9]"),
    "wrapped": ((257, 1), "dice 0 are [257, 1]"),
    "wrapped below": ((-255, 1), "dice 0 are [-255, 1]"),
    "large": ((2**63 + 1, 1), "dice "),
    "one die": ((1,), "dice have shape (1,): pass one pair (2,) or a batch (N, 2)"),
    "three dice": ((1, 2, 3), "shape (3,)"),
    "a number": (6, "shape ()"),
    "three dimensions": ([[[1, 2]]], "shape (1, 1, 2)"),
    "floats": ((1.0, 2.0), "dice have dtype float64: pass whole numbers, e.g. dice.astype(np.int8)"),
    "NaN": ((float("nan"), 1), "dtype float64"),
    "text": ("65", "dtype <U2"),
    "texts": (("6", "5"), "dtype <U1"),
    "None": (None, "dtype object"),
    "bool": ((True, True), "dtype bool"),
    "a bool among them": ((True, 1), "dice have True or False among them: pass whole numbers"),
    "a bool of NumPy": ([(1, 2), (np.False_, 1)], "dice have True or False"),
    "bools in an array": ([np.array([True, True]), (1, 2)], "dice have True or False"),
    "ragged": ([(1, 2), (3,)], "dice are no array of whole numbers"),
    "huge": ((HUGE, 1), "dtype object"),
    "an object that refuses": (Hostile(), "dice are no array of whole numbers: requires grad"),
}


@by_name(NO_DICE)
def test_no_dice(wrong: object, reason: str) -> None:
    for call in (narde.afterstates, narde.count_afterstates):
        for rows in (START, np.tile(START, (12, 1))):
            with pytest.raises(InvalidDiceError, match=re.escape(reason)):
                call(rows, wrong)


def test_numbers_of_rows_and_dice_must_agree() -> None:
    for rows, dice in [(ROWS, DICE[:-1]), (ROWS[:1], DICE), (ROWS, DICE[:1]), (ROWS[:0], DICE)]:
        text = f"{len(rows)} rows and {len(dice)} dice: pass as many of both, one row (28,) or one pair (2,)"
        with pytest.raises(InvalidArgumentError, match=re.escape(text)):
            narde.afterstates(rows, dice)


# ---- options ---------------------------------------------------------------------------------------------

NO_NUMBERS = [
    -1,
    1.5,
    2.0,
    float("nan"),
    "2",
    None,
    True,
    np.True_,
    [2],
    np.array([2, 3]),
    HUGE,
    -HUGE,
    Hostile(),
    1j,
]
NO_FLAGS = [0, 1, "yes", None, np.array([True, False]), Hostile()]
NO_RULES = ["", "chess", "LONG", "x" * 10**6, None, 5, b"long", ["long"], {"long"}, Rules, Hostile()]

NUMBERS: dict[str, tuple[Callable[[object], object], list]] = {
    "threads": (lambda n: narde.afterstates(START, (2, 1), threads=n), [0, 4097]),
    "threads of count": (lambda n: narde.count_afterstates(START, (2, 1), threads=n), [0, 2**63]),
    "threads of perft": (lambda n: narde.perft(START, 1, threads=n), [0]),
    "threads of games": (lambda n: narde.random_games(1, seed=1, threads=n), [0]),
    "depth": (lambda n: narde.perft(START, n), [101]),
    "n": (lambda n: narde.random_games(n, seed=1), [2**40 + 1]),
    "seed": (lambda n: narde.random_games(1, seed=n), [2**128]),
    "first": (lambda n: narde.random_games(1, seed=1, first=n), [2**62 + 1]),
}


@pytest.mark.parametrize(("take", "beyond"), NUMBERS.values(), ids=NUMBERS.keys())
def test_numbers_out_of_range(take: Callable, beyond: list, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.id.split()[0]
    for wrong in [*NO_NUMBERS, *beyond]:
        with pytest.raises(
            InvalidArgumentError, match=rf"^{name} is .*: pass a whole number from \d+ to \d+$"
        ):
            take(wrong)


def test_numbers_of_any_integer_type() -> None:
    expected = narde.random_games(3, seed=2, threads=2, first=1)
    for kind in (np.int8, np.uint64, np.array):
        games = narde.random_games(kind(3), seed=kind(2), threads=kind(2), first=kind(1))
        assert (games.seed, games.first) == (2, 1)
        assert np.array_equal(games.lengths, expected.lengths)


@pytest.mark.parametrize("wrong", NO_FLAGS, ids=lambda wrong: type(wrong).__name__)
def test_flags(wrong: object) -> None:
    for name in ("moves", "check"):
        with pytest.raises(InvalidArgumentError, match=f"^{name} is .*: pass True or False$"):
            narde.afterstates(START, (2, 1), **{name: wrong})


def test_flags_of_numpy() -> None:
    assert narde.afterstates(START, (2, 1), moves=np.True_).moves is not None


@pytest.mark.parametrize("wrong", NO_RULES, ids=lambda wrong: type(wrong).__name__)
def test_unknown_rules(wrong: object) -> None:
    for call in (
        lambda: narde.afterstates(START, (2, 1), wrong),
        lambda: narde.count_afterstates(START, (2, 1), wrong),
        lambda: narde.perft(START, 1, wrong),
        lambda: narde.random_games(1, wrong, seed=1),
        lambda: narde.flip(START, wrong),
        lambda: narde.validate(START, wrong),
        lambda: narde.starting_row(wrong),
    ):
        with pytest.raises(InvalidRulesError) as caught:
            call()
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("field", ["head_per_turn", "mars", "koks", "match_lengths", "game", "cube", "name"])
def test_impossible_rules_of_any_kind(field: str) -> None:
    for wrong in (HUGE, Hostile(), [HUGE], np.arange(2)):
        with pytest.raises(InvalidRulesError, match=r"rules .* are impossible"):
            replace(narde.rules("long"), **{field: wrong}, prime_rule="sometimes")


@pytest.mark.parametrize("name", ["\ud800", "\0", "a/b\n", "two\r\nlines"])
def test_rules_whose_name_cannot_be_printed(name: str) -> None:
    with pytest.raises(InvalidRulesError, match=r"is no line of text that can be printed$") as caught:
        replace(narde.rules("long"), name=name)
    assert str(caught.value).isprintable()
    assert replace(narde.rules("long"), name="нарды дома").name == "нарды дома"


@pytest.mark.parametrize(
    "wrong", ["moves", ("positions", "rows"), 5, None, [["dice"]], [np.array([1, 2])], [None]]
)
def test_columns_that_cannot_be_recorded(wrong: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"record .* any of positions, dice, chosen"):
        narde.random_games(1, seed=1, record=wrong)


@pytest.mark.parametrize("wrong", [5, "print", True, Hostile()], ids=lambda wrong: type(wrong).__name__)
def test_progress_must_be_called(wrong: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"progress is .*: pass a function of two numbers"):
        narde.random_games(1, seed=1, progress=wrong)


@pytest.mark.parametrize("wrong", [[], (), None, 5, "games", [5], np.zeros(3), narde.random_games(1, seed=1)])
def test_parts_must_be_games(wrong: object) -> None:
    with pytest.raises(InvalidArgumentError, match="pass a list of results of random_games"):
        narde.join_games(wrong)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_threads_that_the_system_refuses() -> None:
    """A process that may have 128 megabytes more cannot start 4096 threads."""
    code = """
import resource, narde
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 2**27
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    narde.random_games(2_100_000, seed=1, threads=4096)
except narde.InvalidArgumentError as fault:
    print(fault)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stdout.startswith("threads is 4096: can't start new thread, pass a smaller number"), ran

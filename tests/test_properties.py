"""What holds of every batch, every build of the core and every way to run it."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

import narde
from corpus import CORES, Int8, Ints, assert_same, assert_same_games, made
from narde import Afterstates, Rules
from narde.kernels import packed
from positions import HOUSE_RULES, SHORT

MANY = 600
ALL_RULES = (*HOUSE_RULES, SHORT)

any_rules = pytest.mark.parametrize("variant", ALL_RULES, ids=lambda variant: variant.name)
any_game = pytest.mark.parametrize("game", ["long", "short"])


@cache
def batch(variant: Rules) -> tuple[Int8, Int8, Afterstates, Ints]:
    """Made rows and dice, all that can be played, and the index of each afterstate's row."""
    rows, dice = made(variant.game, MANY)
    out = narde.afterstates(rows, dice, variant, moves=True)
    return rows, dice, out, np.repeat(np.arange(MANY), np.diff(out.offsets))


# ---- afterstates -----------------------------------------------------------------------------------------


@any_rules
def test_checkers_are_conserved(variant: Rules) -> None:
    """Afterstates are positions of the game, in which the mover has lost no more pips than were rolled."""
    rows, dice, out, owners = batch(variant)
    narde.validate(out.positions, variant)
    before, after = narde.pips(rows, variant)[owners], narde.pips(out.positions, variant)
    walked = before[:, 0] - after[:, 1]
    pips = dice.sum(axis=1) * np.where(dice[:, 0] == dice[:, 1], 2, 1)
    assert (walked >= 0).all()
    assert (walked <= pips[owners]).all()
    gained = after[:, 0] - before[:, 1]
    assert (gained >= 0).all()
    assert gained.any() == variant.hitting


@any_rules
def test_afterstates_are_distinct(variant: Rules) -> None:
    _, _, out, owners = batch(variant)
    assert len(owners) > 10 * MANY
    assert len(set(zip(owners.tolist(), map(bytes, out.positions), strict=True))) == len(owners)


@any_rules
def test_a_pass_is_the_row_flipped(variant: Rules) -> None:
    """Without moves nothing moves, and with moves something does; a pass is alone."""
    rows, _, out, owners = batch(variant)
    passed = (out.moves == -1).all(axis=(1, 2))
    assert 3 < passed.sum() < MANY / 2
    same = (out.positions == narde.flip(rows, variant)[owners]).all(axis=1)
    assert np.array_equal(passed, same)
    assert (np.diff(out.offsets)[owners[passed]] == 1).all()


@any_game
def test_the_order_of_the_dice_does_not_matter(game: str) -> None:
    rows, dice = made(game, MANY)
    turned = narde.afterstates(rows, dice[:, ::-1], game, moves=True)
    assert_same(turned, narde.afterstates(rows, dice, game, moves=True))


@any_game
def test_flip_is_an_involution(game: str) -> None:
    rows = made(game, MANY)[0]
    flipped = narde.flip(rows, game)
    assert np.array_equal(narde.flip(flipped, game), rows)
    assert np.array_equal(narde.pips(flipped, game), narde.pips(rows, game)[:, ::-1])
    assert not np.array_equal(flipped, rows)
    narde.validate(flipped, game)
    assert np.array_equal(narde.flip(rows[5], game), flipped[5])


# ---- the documented order --------------------------------------------------------------------------------


def points_left(moves: list[list[int]], dice: tuple[int, int]) -> list[int]:
    """The points that a play leaves: those of the higher die first, then from high to low.

    A move of a checker that bears off may be by either die: of the two readings the higher one counts, as an
    afterstate stands where the first of its plays does.
    """
    played = [(start, end) for start, end in moves if start >= 0]
    starts = sorted((start for start, _ in played), reverse=True)
    if dice[0] == dice[1] or len(played) < 2:
        return starts
    high, low = max(dice), min(dice)
    first, second = played
    readings = [(first, second), (second, first)]
    fits = [a[0] for a, b in readings if is_by(a, high) and is_by(b, low)]
    return [max(fits), sum(starts) - max(fits)]


def is_by(move: tuple[int, int], die: int) -> bool:
    start, end = move
    return start - end == die if end else start <= die


@any_rules
def test_afterstates_stand_in_the_documented_order(variant: Rules) -> None:
    """By the points that their moves leave, from high to low, read off the moves that come with them."""
    _, dice, out, _ = batch(variant)
    rolls = dice.tolist()
    longest = 0
    for i in range(0, MANY, 7):
        moves = out.moves[out.offsets[i] : out.offsets[i + 1]].tolist()
        keys = [points_left(play, rolls[i]) for play in moves]
        assert keys == sorted(keys, reverse=True)
        assert len({tuple(key) for key in keys}) == len(keys) or variant.hitting
        longest = max(longest, len(keys))
    assert longest > 50


# ---- builds of the core ----------------------------------------------------------------------------------


@pytest.mark.skipif(len(CORES) < 2, reason="this processor, or this build, has one core alone")
@any_rules
def test_builds_of_the_core_agree(variant: Rules) -> None:
    rows, dice, out, _ = batch(variant)
    for core in CORES:
        counts, positions = np.zeros(MANY, np.int64), np.empty_like(out.positions)
        core.count(rows, dice, packed(variant), 0, MANY, counts)
        core.generate(rows, dice, packed(variant), 0, MANY, out.offsets, positions)
        assert np.array_equal(counts, np.diff(out.offsets))
        assert np.array_equal(positions, out.positions)
    assert {core.instructions() for core in CORES} == {"sse2", "avx2"}


DIGEST = """
import hashlib, sys, numpy as np, narde, narde.kernels
games = narde.random_games(200, sys.argv[1], seed=5, record=("positions", "dice", "chosen"))
out = narde.afterstates(games.positions, games.dice, sys.argv[1])
told = b"".join(a.tobytes() for a in (games.winner, games.points, games.chosen, out.positions, out.offsets))
print(narde.kernels.core.__name__, hashlib.sha256(told).hexdigest())
"""


def digest(variant: str, **environment: str) -> list[str]:
    """The core that another process uses, and what comes of games and batches there."""
    run = subprocess.run(
        [sys.executable, "-c", DIGEST, variant],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return run.stdout.split()


def test_the_portable_core_by_choice() -> None:
    """NARDE_CORE=baseline takes it, and the answers are the same."""
    core, told = digest("short", NARDE_CORE="baseline")
    assert core == "narde._core"
    games = narde.random_games(200, "short", seed=5, record=("positions", "dice", "chosen"))
    out = narde.afterstates(games.positions, games.dice, "short")
    columns = (games.winner, games.points, games.chosen, out.positions, out.offsets)
    assert told == hashlib.sha256(b"".join(column.tobytes() for column in columns)).hexdigest()


# ---- many threads, other processes -----------------------------------------------------------------------


def at_once(call: Callable[[int], object], n: int) -> list:
    """The results of n calls in eight threads that share everything."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(call, range(n)))


@any_game
def test_the_core_runs_from_many_threads_at_once(game: str) -> None:
    """On shared rows, dice and rules; every second caller uses threads of its own."""
    rows, dice = made(game, MANY)
    expected = narde.afterstates(rows, dice, game, moves=True)
    for out in at_once(lambda i: narde.afterstates(rows, dice, game, threads=1 + i % 2, moves=True), 16):
        assert_same(out, expected)
    for counts in at_once(lambda i: narde.count_afterstates(rows, dice, game, threads=1 + i % 2), 16):
        assert np.array_equal(counts, np.diff(expected.offsets))
    games = narde.random_games(60, game, seed=1, record=("chosen",))
    for found in at_once(lambda i: narde.random_games(60, game, seed=1, threads=2, record=("chosen",)), 8):
        assert_same_games(found, games)


FORK = """
import os, warnings, numpy as np, narde
warnings.simplefilter("ignore")
narde.plays._CHUNK = 50
games = narde.random_games(20, seed=1, threads=3, record=("positions", "dice"))
call = lambda: narde.afterstates(games.positions, games.dice, threads=3).positions.tobytes()
before = call()
child = os.fork()
if child == 0:
    os._exit(0 if call() == before and narde.perft(narde.starting_row(), 2, threads=3) > 0 else 1)
assert os.waitpid(child, 0)[1] == 0 and call() == before
print("both agree")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_after_threads_works() -> None:
    run = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.returncode) == ("both agree\n", 0), run.stderr

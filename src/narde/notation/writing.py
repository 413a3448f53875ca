"""Plays written: one spelling for each afterstate of a row and a roll.

Points are the mover's, the highest first; the moves of one checker are joined, its points between left out
unless it hits there; equal paths are counted; `*` marks a hit where it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from narde.board import Rows, W, as_dice, as_integers, as_rows, validate
from narde.errors import IllegalPlayError, InvalidArgumentError, InvalidDiceError, InvalidPositionError
from narde.ids import describe_row
from narde.notation.grammar import PASS
from narde.notation.turn import (
    BAR_POINT,
    OFF_POINT,
    Move,
    Path,
    Turn,
    closed,
    no_checker,
    point_name,
    roll_name,
)
from narde.plays import afterstates
from narde.rules import Rules
from narde.rules import rules as rules_of

Moves = tuple[Move, ...]


def format_play(row: npt.ArrayLike, moves: npt.ArrayLike, rules: str | Rules = "long") -> str:
    """The play in the field's notation; the order of the moves makes no difference, no moves are `pass`.

    `row` is one valid row (28,), `moves` (K, 2) whole numbers (from, to), K up to 4, one move a die, 25 the
    bar and 0 off; pairs of -1 are no moves, as in `Afterstates.moves`.

    Raises `InvalidPositionError`, `InvalidArgumentError` for what is no list of moves, and `IllegalPlayError`
    if a checker is not there or a point is closed; whether the dice allow the play is not asked.
    """
    variant = rules_of(rules)
    position, made = one_row(row), _as_moves(moves)
    validate(position, variant)
    turn = Turn.begin(position, (1, 1), variant)
    for start, end in sorted(made, reverse=True):
        reason = no_checker(turn, start, end, 0) or closed(turn, start, end, 0)
        if reason:
            position_id = describe_row(position, variant)
            raise IllegalPlayError(f"moves {list(made)} cannot be made: {reason}\n  position {position_id}")
        turn = turn.move(start, end)
    return spell(made, blots_of(position, variant))


def format_plays(
    row: npt.ArrayLike, dice: npt.ArrayLike, positions: npt.ArrayLike, rules: str | Rules = "long"
) -> list[str]:
    """The notation of each afterstate that a roll leads to from one row (28,), given as `positions` (M, 28).

    No two are the same.

    Raises `InvalidPositionError`, `InvalidDiceError`, and `IllegalPlayError` naming the first row that no
    legal play leads to.
    """
    variant = rules_of(rules)
    position, roll = one_row(row), one_roll(dice)
    legal = legal_moves(position, roll, variant)
    blots = blots_of(position, variant)
    batch, _ = as_rows(positions)
    keys = [after.tobytes() for after in batch]
    stray = next((i for i, key in enumerate(keys) if key not in legal), None)
    if stray is not None:
        raise IllegalPlayError(
            f"afterstate {stray} is none of the {len(legal)} to which the roll leads\n"
            f"  {in_question(position, roll, variant)}\n  afterstate {stray} = {batch[stray].tolist()}"
        )
    return [spell(legal[key], blots) for key in keys]


def spell(moves: Iterable[Move], blots: frozenset[int]) -> str:
    """The one spelling of these moves, whatever their order."""
    unmarked = set(blots)
    words = []
    for path, count in Counter(_paths(moves, blots)).items():
        names = [point_name(path[0])]
        for point in path[1:]:
            names.append(point_name(point) + ("*" if point in unmarked else ""))
            unmarked.discard(point)
        words.append("/".join(names) + (f"({count})" if count > 1 else ""))
    return " ".join(words) or PASS


def _paths(moves: Iterable[Move], stops: frozenset[int]) -> list[Path]:
    """The moves joined to paths, each from the highest point left as far as it goes; `stops` stay named."""
    left = sorted(moves, reverse=True)
    paths = []
    while left:
        path = list(left.pop(0))
        while path[-1] != OFF_POINT and (onward := next((m for m in left if m[0] == path[-1]), None)):
            left.remove(onward)
            path[len(path) if path[-1] in stops else -1 :] = [onward[1]]
        paths.append(tuple(path))
    return paths


def blots_of(row: Rows, rules: Rules) -> frozenset[int]:
    """The points on which an opposing checker can be hit."""
    return frozenset(int(i) + 1 for i in np.flatnonzero(row[:24] == -1)) if rules.hitting else frozenset()


def in_question(row: Rows, roll: tuple[int, int], rules: Rules) -> str:
    """What a play is about, for messages; the position ID gives the row back."""
    return f"position {describe_row(row, rules)}, dice {roll_name(roll)}, rules {rules.name!r}"


# ---- what comes in -----------------------------------------------------------------------------------------


def legal_keys(row: Rows, roll: tuple[int, int], rules: Rules) -> set[bytes]:
    """The bytes of each legal afterstate of a row.

    Raises `InvalidPositionError` for a row that is no position of the game.
    """
    whole = afterstates(row, roll, rules).positions.tobytes()
    return {whole[i : i + W] for i in range(0, len(whole), W)}


def legal_moves(row: Rows, roll: tuple[int, int], rules: Rules) -> dict[bytes, Moves]:
    """The same in their order, each with a shortest sequence of moves to it."""
    found = afterstates(row, roll, rules, moves=True)
    assert found.moves is not None
    ways = (tuple((start, end) for start, end in moves if start >= 0) for moves in found.moves.tolist())
    return {after.tobytes(): way for after, way in zip(found.positions, ways, strict=True)}


def one_row(row: npt.ArrayLike) -> Rows:
    """The row as int8 (28,), not yet validated. Raises `InvalidPositionError` for a batch."""
    batch, single = as_rows(row)
    if not single:
        raise InvalidPositionError(
            f"rows have shape {batch.shape}: a play belongs to one row, pass it as (28,)"
        )
    position: Rows = batch[0]
    return position


def one_roll(dice: npt.ArrayLike) -> tuple[int, int]:
    """The roll, the higher die first."""
    pairs, single = as_dice(dice)
    if not single or not len(pairs):
        raise InvalidDiceError(f"dice have shape {pairs.shape}: a play belongs to one roll, pass it as (2,)")
    return int(pairs[0].max()), int(pairs[0].min())


def _as_moves(moves: npt.ArrayLike) -> Moves:
    """The moves as pairs, those of -1 dropped. Raises `InvalidArgumentError` for anything else."""
    pairs = as_integers(moves, "moves", InvalidArgumentError)
    pairs = pairs.reshape(0, 2) if pairs.size == 0 else pairs
    if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) > 4:
        raise InvalidArgumentError(f"moves have shape {pairs.shape}: pass up to four pairs (from, to)")
    made = tuple((int(start), int(end)) for start, end in pairs if (start, end) != (-1, -1))
    for start, end in made:
        if not OFF_POINT <= end < start <= BAR_POINT:
            raise InvalidArgumentError(f"move ({start}, {end}) is none: from 25 (the bar) down to 0 (off)")
    return made

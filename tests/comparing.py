"""One row, one roll: what the core and the reference say differently."""

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

import narde
from narde import Rules, reference
from positions import HOUSE_RULES, SHORT


def rules_for(game: str, rng: Random) -> Rules:
    """Rules of the game: in long nardy the texts half of the time, any house rules else."""
    if game == "short":
        return SHORT
    if rng.random() < 0.5:
        return narde.rules(rng.choice(["long", "bkgm"]))
    return rng.choice(HOUSE_RULES)


def differences(
    row: Sequence[int], dice: Sequence[int], rules: Rules, slow: Callable = reference.plays
) -> list[str]:
    """Each way in which the core's answer is not that of the reference, or of `brute.plays`; empty if it is
    the same."""
    plays = slow(row, dice, rules)
    expected = list(plays)
    out = narde.afterstates(np.array(row, np.int8), dice, rules, check=False, moves=True)
    found = [tuple(after) for after in out.positions.tolist()]
    where = f"{rules} {tuple(row)} {tuple(dice)}"
    faults = []
    if found != expected:
        faults.append(f"afterstates: {len(found)} for {len(expected)} in {where}")
    if narde.count_afterstates(np.array(row, np.int8), dice, rules, check=False).tolist() != [len(expected)]:
        faults.append(f"count in {where}")
    for after, moves in zip(found, out.moves.tolist(), strict=True):
        played = tuple((start, end) for start, end in moves if start >= 0)
        faults += _bad_moves(played, plays.get(after, []), where)
    return faults


def _bad_moves(moves: tuple[tuple[int, int], ...], legal: Sequence[tuple], where: str) -> list[str]:
    """A play that is not legal or not a shortest one."""
    if moves not in [tuple(tuple(move) for move in play) for play in legal]:
        return [f"play {moves} is not legal in {where}"]
    return [] if len(moves) == min(map(len, legal)) else [f"play {moves} is not the shortest in {where}"]

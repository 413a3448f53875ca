"""A second slow generator, written from the rule texts in another way than the reference, sharing no code.

Each side is a tuple of 26 counts on its own path: [0] off, [1] to [24] its points, [25] the bar. A turn
is a search in breadth: after every die the set of all states that can be reached, for each order of the
dice. Six in a row are found by a regular expression on the opponent's path written as a line of text.
"""

import re
from typing import NamedTuple

from narde import Rules

Side = tuple[int, ...]
Row = tuple[int, ...]
Moves = tuple[tuple[int, int], ...]

NOBODY_AHEAD = re.compile("x{6}[^o]*$")
ANY_PRIME = re.compile("x{6}")


class State(NamedTuple):
    """Both sides amid a turn, and the points left so far, as (die, point)."""

    own: Side
    other: Side
    left: tuple[tuple[int, int], ...]


def across(point: int, game: str) -> int:
    """The number that the other side gives to a point."""
    return 25 - point if game == "short" else (point + 11) % 24 + 1


def sides(row: Row, game: str) -> tuple[Side, Side]:
    """The mover's and the opponent's counts, each on its own path."""
    own = [row[26], *(max(n, 0) for n in row[:24]), row[24]]
    other = [-row[27], *(max(-row[across(point, game) - 1], 0) for point in range(1, 25)), -row[25]]
    return tuple(own), tuple(other)


def row_for_next(own: Side, other: Side, game: str) -> Row:
    """The row as the other side sees it."""
    points = [other[point] - own[across(point, game)] for point in range(1, 25)]
    return (*points, other[25], -own[25], other[0], -own[0])


def line(own: Side, other: Side) -> str:
    """The opponent's path in long nardy, 24 to 1: x the mover, o the opponent, then an o for each one off."""
    signs = {(True, False): "x", (False, True): "o", (False, False): "."}
    path = (signs[own[across(q, "long")] > 0, other[q] > 0] for q in range(24, 0, -1))
    return "".join(path) + "o" * other[0]


def is_forbidden(own: Side, other: Side, rules: Rules) -> bool:
    """Whether six in a row stand that may not."""
    if rules.prime_rule == "free":
        return False
    pattern = NOBODY_AHEAD if rules.prime_rule == "opponent_ahead" else ANY_PRIME
    return pattern.search(line(own, other)) is not None


def head_limit(row: Row, dice: tuple[int, int], rules: Rules) -> int:
    first, double = row[23] == 15, dice[0] == dice[1]
    excepted = {
        "none": (),
        "doubles_346": [(3, 3), (4, 4), (6, 6)],
        "any_double": [dice] if double else [],
        "any_roll": [dice],
    }
    if first and dice in excepted[rules.head_exception]:
        return 2
    return 99 if rules.head_per_turn == 0 else rules.head_per_turn


def stepped(state: State, die: int, limit: int, rules: Rules) -> list[State]:
    """All that one die can make of a state, six in a row apart."""
    highest = max((point for point in range(1, 26) if state.own[point]), default=0)
    tired = rules.game == "long" and sum(point == 24 for _, point in state.left) >= limit
    found = []
    for point in range(1, 26):
        barred = (highest == 25 and point < 25) or (tired and point == 24)
        landing = max(point - die, 0)
        off = landing == 0 and (highest > 6 or (point < die and point < highest))
        guards = state.other[across(landing, rules.game)] if landing else 0
        if state.own[point] and not barred and not off and guards <= rules.hitting:
            found.append(_moved(state, die, point, landing, guards, rules.game))
    return found


def _moved(state: State, die: int, point: int, landing: int, guards: int, game: str) -> State:
    own, other = list(state.own), list(state.other)
    own[point] -= 1
    own[landing] += 1
    if guards:
        other[across(landing, game)] -= 1
        other[25] += 1
    return State(tuple(own), tuple(other), (*state.left, (die, point)))


def after_dice(start: State, order: tuple[int, ...], limit: int, rules: Rules) -> list[list[State]]:
    """The legal ends after one, two ... dice in this order."""
    levels, states = [], [start]
    for die in order:
        reached = {(s.own, s.other, s.left): s for state in states for s in stepped(state, die, limit, rules)}
        allowed = [s for s in reached.values() if not is_forbidden(s.own, s.other, rules)]
        states = allowed if rules.prime_check == "every_step" else list(reached.values())
        levels.append(allowed)
    return levels


def legal_ends(row: Row, dice: tuple[int, int], rules: Rules) -> list[State]:
    """The ends of all legal plays, one for each sequence of moves."""
    high, low = max(dice), min(dice)
    start, limit = State(*sides(row, rules.game), ()), head_limit(row, (high, low), rules)
    orders = {(high,) * 4} if high == low else {(high, low), (low, high)}
    runs = {order: after_dice(start, order, limit, rules) for order in sorted(orders, reverse=True)}
    full = _fullest(list(runs.values())) or [start]
    won = {(s.own, s.other) for s in full if not any(s.own[1:])}
    return full + [
        s for levels in runs.values() for level in levels for s in level if (s.own, s.other) in won
    ]


def _fullest(runs: list[list[list[State]]]) -> list[State]:
    """The ends that use most dice; if only one can be used, those of the run that begins with the higher."""
    for depth in range(len(runs[0]), 0, -1):
        ends = [levels[depth - 1] for levels in runs if levels[depth - 1]]
        if ends:
            return ends[0] if depth == 1 else [state for level in ends for state in level]
    return []


def plays(row: Row, dice: tuple[int, int], rules: Rules) -> dict[Row, set[Moves]]:
    """Each afterstate in the documented order, with every sequence of (from, to) that reaches it."""
    ends = legal_ends(row, dice, rules)
    ends.sort(key=lambda state: [point for _, point in sorted(state.left, reverse=True)], reverse=True)
    found: dict[Row, set[Moves]] = {}
    for state in ends:
        moves = tuple((point, max(point - die, 0)) for die, point in state.left)
        found.setdefault(row_for_next(state.own, state.other, rules.game), set()).add(moves)
    return found

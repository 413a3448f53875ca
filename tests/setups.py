"""Hypothesis strategies for rows, rules and setups: everything valid, whether play can reach it or not."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

import narde
from narde import Rules
from narde.ids import Setup
from narde.ids.setup import LARGEST_CUBE, LARGEST_SCORE

PLACES = [*range(25), 26]
"""Indices of a row where the mover's checkers can be: points, bar, off."""

LONG_POINTS, LONG_HOME = list(range(24)), [*range(6), 26]


@st.composite
def rows(draw: st.DrawFn, rules: str | Rules) -> tuple[int, ...]:
    """Any row that `narde.validate` takes."""
    long = narde.rules(rules).game == "long"
    mine = draw(_checkers([LONG_POINTS, LONG_HOME] if long else [PLACES], frozenset()))
    row = np.bincount(mine, minlength=28).astype(np.int8)
    taken = frozenset(np.flatnonzero(narde.flip(row, rules)[:24]).tolist())
    his = draw(_checkers([LONG_POINTS, LONG_HOME] if long else [PLACES], taken))
    row += narde.flip(np.bincount(his, minlength=28).astype(np.int8), rules)
    narde.validate(row, rules)
    return tuple(row.tolist())


@st.composite
def _checkers(draw: st.DrawFn, areas: list[list[int]], taken: frozenset[int]) -> list[int]:
    """Fifteen places of one side within one of the areas, often few of them and high stacks."""
    free = [place for place in draw(st.sampled_from(areas)) if place not in taken]
    pool = draw(st.lists(st.sampled_from(free), min_size=1, max_size=15))
    return draw(st.lists(st.sampled_from(pool), min_size=15, max_size=15))


_FLAG = st.booleans()
_SHARED: dict[str, Any] = {
    "opening_roll": st.sampled_from(["keep", "reroll"]),
    "next_starter": st.sampled_from(["contest", "winner", "alternate"]),
    "mars": st.sampled_from([1, 2]),
    "koks": st.sampled_from([0, 3]),
    "cube": _FLAG,
    "crawford": _FLAG,
    "match_lengths": st.lists(st.integers(1, 700), max_size=5).map(tuple),
}
_LONG: dict[str, Any] = {
    "head_per_turn": st.integers(0, 4),
    "head_exception": st.sampled_from(["none", "doubles_346", "any_double", "any_roll"]),
    "prime_rule": st.sampled_from(["opponent_ahead", "never", "free"]),
    "prime_check": st.sampled_from(["every_step", "end_of_turn"]),
    "last_roll": _FLAG,
}
_SHORT = {
    "game": "short",
    "hitting": True,
    "head_per_turn": 0,
    "head_exception": "none",
    "prime_rule": "free",
}


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    """Any rules that do not contradict themselves, named `house`."""
    choices = draw(st.fixed_dictionaries(_SHARED))
    choices |= draw(st.one_of(st.fixed_dictionaries(_LONG), st.just(_SHORT)))
    choices["crawford"] &= choices["cube"]
    if choices["head_per_turn"] != 1:
        choices["head_exception"] = "none"
    if choices["prime_rule"] == "free":
        choices["prime_check"] = "every_step"
    return Rules(**choices)


any_rules = st.one_of(st.sampled_from(narde.variants()).map(narde.rules), house_rules())

_SCORES = st.one_of(st.integers(0, 25), st.integers(0, LARGEST_SCORE))
_CUBES = st.integers(0, LARGEST_CUBE.bit_length() - 1).map(lambda exponent: 1 << exponent)
_ROLLS = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def facts(draw: st.DrawFn, rules: Rules) -> dict[str, Any]:
    """Dice, cube, score and offers that can stand together under the rules."""
    length = draw(_SCORES)
    chosen: dict[str, Any] = {"length": length, "score": draw(st.tuples(_SCORES, _SCORES))}
    chosen |= {"crawford": draw(_FLAG)} if length else {"jacoby": draw(_FLAG), "beavers": draw(_FLAG)}
    chosen["max_cube"] = draw(st.one_of(st.none(), _CUBES))
    if rules.cube:
        chosen["cube_value"] = draw(_CUBES)
        chosen["cube_owner"] = draw(st.sampled_from([None, "mover", "opponent"]))
    offers = ["dice", "resign", *(["offer"] if rules.cube else [])]
    match draw(st.sampled_from(offers)):
        case "dice":
            chosen["dice"] = draw(_ROLLS)
        case "resign":
            chosen["resign"] = draw(st.sampled_from([0, 1, 2, 3, -1, -2, -3]))
        case "offer":
            chosen["offer"] = draw(st.sampled_from(["double", "beaver", "raccoon"]))
    return chosen


@st.composite
def setups(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = any_rules) -> Setup:
    """Any setup of the mover as player 1."""
    chosen = draw(rules)
    return Setup(draw(rows(chosen)), chosen, **draw(facts(chosen)))

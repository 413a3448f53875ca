"""Which rules and rows the tables cover, and errors that say why others are not covered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from narde._rows import fill_races, first_invalid
from narde.bearoff_db.homes import HOME, OPPONENT_HOME
from narde.board import BAR, CHECKERS, OFF, OPPONENT_BAR, OPPONENT_OFF, Rows, validate
from narde.errors import InvalidRulesError, NotCoveredError
from narde.ids import describe_row
from narde.kernels import packed
from narde.rules import Rules

Flags = npt.NDArray[np.bool_]
Fault = tuple[Flags, Callable[[npt.NDArray[np.int64]], str]]
"""Which rows have a fault, and a function from such a row to its reason in words."""

_TO_PASS: Final = 12
"""Long nardy: opposing checkers on the mover's points 12 to 1 are on their way through his home board."""


def check_rules(rules: Rules) -> Rules:
    """The rules, if the tables hold under them; raises `InvalidRulesError`."""
    reasons = []
    if rules.prime_rule == "never":
        reasons.append("prime_rule='never' forbids to hold all six points of the home board")
    if rules.last_roll:
        reasons.append("with last_roll=True the chances depend on who started the game, which no row tells")
    if reasons:
        raise InvalidRulesError(
            f"no bear-off database for rules {rules.name!r}: {'; '.join(reasons)}."
            " Ask for dataclasses.replace(rules, ...) without that"
        )
    return rules


def check_rows(batch: Rows, rules: Rules) -> None:
    """Raises `InvalidPositionError` unless every row is a position of the game."""
    if first_invalid(batch, packed(rules), 0, len(batch)) >= 0:
        validate(batch, rules)


def is_covered(batch: Rows, rules: Rules) -> Flags:
    """Whether both sides have all checkers home or off, one of them not all off: bool (N,)."""
    covered = np.empty(len(batch), bool)
    fill_races(np.ascontiguousarray(batch), OPPONENT_HOME[rules.game], covered.view(np.uint8))
    return covered


def is_mover_covered(batch: Rows, rules: Rules) -> Flags:
    """Whether the mover has all checkers home or off and nobody in his way: bool (N,)."""
    covered: Flags = ~np.logical_or.reduce([bad for bad, _ in side_faults(batch, rules)])
    return covered


def check_covered(faults: list[Fault], batch: Rows, rules: Rules) -> None:
    """Raises `NotCoveredError` for the first row with a fault, naming all its reasons."""
    bad = np.flatnonzero(np.logical_or.reduce([at_fault for at_fault, _ in faults]))
    if bad.size:
        i = int(bad[0])
        reasons = tuple(reason(batch[i].astype(np.int64)) for at_fault, reason in faults if at_fault[i])
        text = f"the bear-off database does not cover row {i}: {'; '.join(reasons)}"
        raise NotCoveredError(
            f"{text}\n  row {i} = {describe_row(batch[i], rules)}", index=i, reasons=reasons
        )


def race_faults(batch: Rows, rules: Rules) -> list[Fault]:
    """What keeps two sides from bearing off against each other."""
    return [
        _mover_outside(batch),
        _opponent_outside(batch, rules),
        (
            (batch[:, OFF] == CHECKERS) & (batch[:, OPPONENT_OFF] == -CHECKERS),
            lambda row: "both sides have all checkers off",
        ),
    ]


def side_faults(batch: Rows, rules: Rules) -> list[Fault]:
    """What keeps the mover from bearing off as if he were alone."""
    return [_mover_outside(batch), _in_the_way(batch, rules)]


def _mover_outside(batch: Rows) -> Fault:
    at_home = np.maximum(batch[:, HOME], 0).sum(axis=1)
    return (
        at_home + batch[:, OFF] != CHECKERS,
        lambda row: (
            f"{CHECKERS - np.maximum(row[HOME], 0).sum() - row[OFF]} of the mover's checkers are not"
            " in his home board"
        ),
    )


def _opponent_outside(batch: Rows, rules: Rules) -> Fault:
    home = OPPONENT_HOME[rules.game]
    at_home = np.minimum(batch[:, home], 0).sum(axis=1)
    return (
        at_home + batch[:, OPPONENT_OFF] != -CHECKERS,
        lambda row: (
            f"{CHECKERS + np.minimum(row[home], 0).sum() + row[OPPONENT_OFF]} of the opponent's"
            " checkers are not in his home board"
        ),
    )


def _in_the_way(batch: Rows, rules: Rules) -> Fault:
    """Opposing checkers that may still stand on a point of the home board while the mover bears off."""
    opposing = batch[:, :_TO_PASS] < 0
    if rules.game == "short":
        points = np.arange(1, _TO_PASS + 1)
        highest = np.where(batch[:, :BAR] > 0, np.arange(1, BAR + 1), 0).max(axis=1, initial=0)
        opposing &= points < highest[:, np.newaxis]
    met = opposing.any(axis=1) | (batch[:, OPPONENT_BAR] < 0)
    return (
        met & (batch[:, OFF] < CHECKERS),
        lambda row: "opposing checkers are still to pass the mover's home board",
    )

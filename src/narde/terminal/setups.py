"""Positions with their setting: as IDs, and what a picture of them says."""

from __future__ import annotations

from typing import Final

from narde.cube import Cube, Score
from narde.errors import InvalidArgumentError
from narde.ids import Setup
from narde.ids.setup import Form
from narde.scoring import RESULT_NAMES

FORMS: Final[tuple[Form, ...]] = ("narde", "gnubg", "xgid", "ogid")
"""Every form of ID, this package's own first."""


def ids_of(setup: Setup) -> dict[str, str]:
    """The setup in every form of ID that can hold it."""
    found: dict[str, str] = {}
    for form in FORMS:
        try:
            found[form] = setup.id(form)
        except InvalidArgumentError:
            continue
    return found


def cube_of(setup: Setup) -> Cube | None:
    """The cube of a setup as a picture shows it, an open offer included; None by rules without one."""
    if not setup.rules.cube:
        return None
    if setup.offer == "beaver":  # the double was taken and doubled at once
        return Cube(2 * setup.cube_value, "opponent", "beaver")
    if setup.offer == "raccoon":  # and so was the beaver; the opponent answers
        return Cube(4 * setup.cube_value, "mover", "double")
    return Cube(setup.cube_value, setup.cube_owner, setup.offer)


def title_of(setup: Setup) -> str:
    """The score, the mover's points first, and an offer to resign; empty where nothing was said of them."""
    words = []
    if setup.length or setup.score != (0, 0):
        crawford = ", Crawford" if setup.crawford else ""
        words.append(f"{Score(setup.score, setup.length or None)}{crawford}")
    if setup.resign:
        who = "mover" if setup.resign > 0 else "opponent"
        words.append(f"the {who} offers to lose: {RESULT_NAMES[setup.rules.game][abs(setup.resign)]}")
    return ", ".join(words)

"""`Setup`: what it takes, what it refuses, and that it behaves as a value."""

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import (
    InvalidArgumentError,
    InvalidDiceError,
    InvalidPositionError,
    InvalidRulesError,
    Rules,
    Setup,
)
from narde.cube import Cube
from narde.ids.setup import LARGEST_CUBE, LARGEST_SCORE
from setups import setups

SHORT, LONG = narde.starting_row("short"), narde.starting_row("long")


def test_a_setup_says_nothing_by_default() -> None:
    setup = Setup(LONG)
    assert setup.facts() == {}
    assert (setup.row, setup.rules) == (tuple(LONG.tolist()), narde.rules("long"))
    assert repr(setup) == f"Setup({setup.row}, 'long')"


def test_rows_dice_and_rules_in_any_form() -> None:
    setup = Setup(SHORT.tolist(), narde.rules("short"), dice=np.array([2, 5]))
    assert setup == Setup(SHORT.astype(np.int64), "backgammon", dice=(5, 2))
    assert type(setup.row[0]) is int and setup.dice == (5, 2)


@settings(max_examples=40)
@given(setups())
def test_a_setup_is_a_value(setup: Setup) -> None:
    assert pickle.loads(pickle.dumps(setup)) == copy.deepcopy(setup) == dataclasses.replace(setup) == setup
    assert len({setup, dataclasses.replace(setup), dataclasses.replace(setup, player=2)}) == 2
    assert eval(repr(setup), {"Setup": Setup, "Rules": Rules}) == setup
    with pytest.raises(dataclasses.FrozenInstanceError):
        setup.player = 2  # type: ignore[misc]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"cube_value": 3}, "cube_value=3 is no power of two"),
    ({"cube_value": 0}, "cube_value=0 is no power of two"),
    ({"cube_value": 2 * LARGEST_CUBE}, "no power of two from 1 to"),
    ({"cube_value": 2.0}, "cube_value=2.0"),
    ({"cube_value": True}, "cube_value=True"),
    ({"cube_value": None}, "cube_value=None"),
    ({"max_cube": 48}, "max_cube=48"),
    ({"cube_owner": "me"}, "cube_owner='me' is none of None, 'mover', 'opponent'"),
    ({"length": -1}, "length=-1"),
    ({"length": LARGEST_SCORE + 1}, "length="),
    ({"length": None}, "length=None"),
    ({"score": (1, 2, 3)}, "score="),
    ({"score": [1, 2]}, "score="),
    ({"score": (1, -2)}, "score="),
    ({"crawford": 1, "length": 3}, "crawford=1 is none of False, True"),
    ({"crawford": True}, "only a match has a Crawford game"),
    ({"jacoby": True, "length": 3}, "jacoby=True"),
    ({"beavers": True, "length": 3}, "beavers=True"),
    ({"offer": "triple"}, "offer='triple'"),
    ({"offer": "double", "dice": (1, 2)}, "before the roll"),
    ({"resign": 4}, "resign=4"),
    ({"resign": True}, "resign=True"),
    ({"player": 0}, "player=0 is none of 1, 2"),
    ({"crawford": np.array([0, 1])}, "crawford=array"),
    ({"cube_value": 3, "player": 0}, "player=0 is none of 1, 2; cube_value=3"),
]


@pytest.mark.parametrize(("facts", "reason"), BAD, ids=lambda value: str(value)[:50])
def test_what_a_setup_refuses(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        Setup(SHORT, "short", **facts)
    assert reason in str(caught.value)


@pytest.mark.parametrize("facts", [{"cube_value": 2}, {"cube_owner": "mover"}, {"offer": "double"}], ids=str)
def test_no_cube_under_rules_without_one(facts: dict[str, Any]) -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"have no cube, use dataclasses.replace\(rules, cube=True\)"
    ):
        Setup(LONG, "long", **facts)
    with_cube = dataclasses.replace(narde.rules("long"), cube=True)
    assert Setup(LONG, with_cube, **facts).facts() == facts


def test_rows_dice_and_rules_that_are_none() -> None:
    with pytest.raises(InvalidPositionError, match="expected 15"):
        Setup([0] * 28)
    with pytest.raises(InvalidPositionError, match="not a batch of 2"):
        Setup(np.stack([LONG, LONG]))
    with pytest.raises(InvalidDiceError, match="0"):
        Setup(LONG, dice=(0, 1))
    with pytest.raises(InvalidDiceError, match="batch of 2"):
        Setup(LONG, dice=[(1, 2), (3, 4)])
    with pytest.raises(InvalidDiceError, match="batch of 0"):
        Setup(LONG, dice=[])
    with pytest.raises(InvalidRulesError, match="unknown variant"):
        Setup(LONG, "hyper")


@given(st.sampled_from([1, 2, 64]), st.sampled_from([None, "mover", "opponent"]))
def test_the_facts_of_the_cube_are_those_of_narde_cube(value: int, owner: Any) -> None:
    cube = Cube(value, owner)
    setup = Setup(SHORT, "short", cube_value=cube.value, cube_owner=cube.owner)
    assert Cube(setup.cube_value, setup.cube_owner) == cube
    if owner != "opponent":
        answered = cube.double().beaver()
        beavered = Setup(
            SHORT, "short", cube_value=answered.value, cube_owner=answered.owner, offer=answered.offer
        )
        assert narde.parse(beavered.id()) == beavered

"""XGID and OGID checked against `gammonview`, which reads both and writes OGID."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde.ids import Setup, parse
from setups import setups

gvformat = pytest.importorskip("gvformat", reason="pip install gammonview")
position = pytest.importorskip("gvanalysis.position", reason="pip install gammonview")

SHORT = narde.rules("short")
OWNERS = {None: "centered", "mover": "player", "opponent": "opponent"}


@st.composite
def short_setups(draw: st.DrawFn) -> Setup:
    """Setups that both packages know: no offers, cubes to 64, either player on roll."""
    setup = draw(setups(st.just(SHORT)))
    score = st.integers(0, 25)
    facts: dict[str, Any] = {"offer": None, "resign": 0, "player": draw(st.sampled_from([1, 2]))}
    facts |= {"cube_value": 1 << draw(st.integers(0, 6)), "length": draw(score)}
    facts |= {"crawford": bool(setup.crawford and facts["length"])}
    facts |= {} if facts["length"] == 0 else {"jacoby": False, "beavers": False}
    return dataclasses.replace(setup, score=draw(st.tuples(score, score)), **facts)


def mover_board(setup: Setup) -> list[int]:
    """gammonview's board: the opponent's bar, the mover's points 1 to 24, his bar; bars unsigned."""
    return [-setup.row[25], *setup.row[:24], setup.row[24]]


@settings(max_examples=40)
@given(short_setups())
def test_gammonview_reads_our_xgid(setup: Setup) -> None:
    seen = position.parse_xgid(setup.id("xgid"))
    assert seen.board == mover_board(setup)
    assert (seen.die1, seen.die2) == (setup.dice or (0, 0))
    assert (seen.cube_value, seen.cube_owner) == (setup.cube_value, OWNERS[setup.cube_owner])
    assert seen.mover_is_white == (setup.player == 1)
    if setup.length:
        assert (seen.away1, seen.away2) == tuple(setup.length - points for points in setup.score)
        assert seen.is_crawford == setup.crawford


@settings(max_examples=40)
@given(short_setups())
def test_gammonview_reads_our_ogid(setup: Setup) -> None:
    text = setup.id("ogid")
    assert gvformat.looks_like_ogid(text)
    seen = gvformat.parse_ogid(text)
    assert seen.board == mover_board(setup)
    assert sorted((seen.die1, seen.die2)) == sorted(setup.dice or (0, 0))
    assert (seen.cube_value, seen.cube_owner) == (setup.cube_value, OWNERS[setup.cube_owner])
    assert seen.on_roll == ("W" if setup.player == 1 else "B")
    assert (seen.match_length, seen.crawford) == (setup.length, setup.crawford)
    assert (seen.score_white, seen.score_black) == setup.score[:: 1 if setup.player == 1 else -1]


@settings(max_examples=40)
@given(short_setups())
def test_gammonview_writes_the_same_ogid(setup: Setup) -> None:
    ours = setup.id("ogid")
    white, black = setup.score[:: 1 if setup.player == 1 else -1]
    theirs = gvformat.board_to_ogid(
        mover_board(setup),
        mover_is_white=setup.player == 1,
        cube_value=setup.cube_value,
        cube_owner=OWNERS[setup.cube_owner],
        dice=setup.dice,
        game_state=ours.split(":")[5],
        score_white=white,
        score_black=black,
        match_length=setup.length,
        crawford=setup.crawford,
    )
    assert ours == theirs
    assert parse(theirs).id("ogid") == ours


@settings(max_examples=40)
@given(short_setups())
def test_a_pending_double_is_seen_from_the_doubler(setup: Setup) -> None:
    setup = dataclasses.replace(setup, offer="double", dice=None)
    seen = position.state_from_ogid(setup.id("ogid"))
    assert seen.force_cube
    assert seen.board == mover_board(setup)
    assert (seen.cube_value, seen.cube_owner) == (setup.cube_value, OWNERS[setup.cube_owner])

"""`Position`: the door, a value that can be hashed, copied, pickled and pasted, and how a position stands."""

import copy
import dataclasses
import operator
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import InvalidPositionError, InvalidRulesError, NotationError, Position, Rules, reference
from positions import OPPONENT_HOME, rolls, row_of
from positions import rows as made_rows
from setups import any_rules, rows

LONG, SHORT = narde.rules("long"), narde.rules("short")
START = Position.start()


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = any_rules) -> Position:
    """Any position by any rules, whether play can reach it or not."""
    chosen = draw(rules)
    return Position(draw(rows(chosen)), chosen)


games = st.sampled_from([LONG, SHORT])
made = st.one_of(
    st.builds(Position, made_rows("long")), st.builds(Position, made_rows("short"), st.just(SHORT))
)


# ---- the door ----------------------------------------------------------------------------------------------


def test_a_row_comes_in_however_it_is_written() -> None:
    row = narde.starting_row("short")
    ways = [row, row.tolist(), tuple(row.tolist()), row.astype(np.int64), row[::-1].copy()[::-1], list(row)]
    assert {Position(way, "short") for way in ways} == {Position.start("short")}
    assert Position(row, "backgammon").rules is narde.rules("short")
    assert Position(narde.starting_row()) == START


def test_every_reason_is_told() -> None:
    row = [0] * 28
    row[3], row[24], row[26], row[12] = 12, 1, 1, -16
    with pytest.raises(InvalidPositionError) as caught:
        Position(row)
    reasons = ("the mover has 14", "the opponent has 16", "no bar in long nardy")
    assert caught.value.index == 0
    assert all(any(reason in told for told in caught.value.reasons) for reason in reasons)
    assert len(caught.value.reasons) == len(reasons)
    assert all(told in str(caught.value) for told in caught.value.reasons)
    assert str(row) in str(caught.value)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([narde.starting_row()], r"one row, not a batch \(1, 28\)"),
        ([], r"one row, not a batch \(0, 28\)"),
        ([15.0] * 28, "dtype float64"),
        ("nal22225zzw22225zzw7", "dtype"),
        (None, "dtype object"),
        ([1, 2], "shape"),
        ([1000] * 28, "beyond int8"),
        (START, "dtype object"),
    ],
    ids=["batch", "empty", "floats", "text", "none", "two", "large", "position"],
)
def test_what_is_no_row(row: object, reason: str) -> None:
    with pytest.raises(InvalidPositionError, match=reason):
        Position(row)  # type: ignore[arg-type]


def test_rules_that_are_none() -> None:
    with pytest.raises(InvalidRulesError, match="unknown variant"):
        Position(START.row, "hyper")


# ---- a value -----------------------------------------------------------------------------------------------


@given(positions())
def test_round_trips(position: Position) -> None:
    again = [
        Position(position.row, position.rules),
        pickle.loads(pickle.dumps(position)),
        pickle.loads(pickle.dumps(position, protocol=0)),
        copy.copy(position),
        copy.deepcopy([position])[0],
        dataclasses.replace(position),
        eval(repr(position), {"narde": narde}),
        position.flip().flip(),
    ]
    assert {*again, position} == {position}
    assert {hash(other) for other in again} == {hash(position)}
    read = Position.from_id(position.id())  # house rules that are those of a text come back with its name
    assert dataclasses.replace(read.rules, name=position.rules.name) == position.rules
    assert np.array_equal(read.row, position.row)
    assert not any(other.row.flags.writeable for other in again)


@given(positions(games), st.data())
def test_equal_where_row_and_rules_are(position: Position, data: st.DataObject) -> None:
    other = data.draw(positions(games))
    same = position.row.tolist() == other.row.tolist() and position.rules == other.rules
    assert (position == other) is same
    assert (position != other) is not same


def test_other_rules_make_another_position() -> None:
    assert Position.start("long") != Position.start("minsport")
    assert Position.start("long") != Position(START.row, dataclasses.replace(LONG, name="club"))
    assert START.row.tobytes() != START
    assert START not in [None, "nal22225zzw22225zzw7", 0]


def test_nothing_can_be_changed() -> None:
    row = narde.starting_row()
    position = Position(row)
    row[0] = 7
    assert position == START
    with pytest.raises(ValueError, match="read-only"):
        position.row[0] = 1
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        position.row.flags.writeable = True
    with pytest.raises(dataclasses.FrozenInstanceError):
        position.rules = SHORT  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        position.dice = (6, 5)  # type: ignore[attr-defined]


def test_a_pickle_of_another_row_is_checked() -> None:
    """What comes out of a file is data from outside too."""
    damaged = pickle.dumps(START, protocol=0).replace(b"I15\n", b"I14\n")
    with pytest.raises(InvalidPositionError, match="the mover has 14 checkers"):
        pickle.loads(damaged)


def test_another_process_has_the_same_positions() -> None:
    """A fresh interpreter reads, plays and hands back; strings hash differently there, so no hash travels."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        played = pool.submit(operator.methodcaller("play", "24/13", 6, 5), START).result(timeout=60)
        plays = pool.submit(operator.methodcaller("plays", 6, 5), START).result(timeout=60)
    assert played == START.play("24/13", 6, 5)
    assert hash(played) == hash(START.play("24/13", 6, 5))
    assert plays == START.plays(6, 5)


def test_repr_is_the_id_unless_that_loses_a_name() -> None:
    assert repr(START) == "narde.Position.from_id('nal22225zzw22225zzw7')"
    house = Position(START.row, Rules(koks=3))
    assert repr(house) == f"narde.Position.from_id({house.id()!r})"
    assert eval(repr(house), {"narde": narde}) == house
    club = Position(START.row, Rules(name="club", koks=3))
    assert repr(club).startswith("narde.Position([0, ")
    assert eval(repr(club), {"narde": narde}) == club


def test_repr_where_no_id_holds_the_rules() -> None:
    lengths = Position(START.row, Rules(match_lengths=tuple(range(1, 700))))
    assert eval(repr(lengths), {"narde": narde}) == lengths


# ---- IDs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["narde", "gnubg", "xgid", "ogid"])
@settings(max_examples=25)
@given(data=st.data())
def test_ids_of_every_form_come_back(form: str, data: st.DataObject) -> None:
    position = data.draw(positions(st.just(SHORT)))
    text = position.id(form, dice=(2, 5), length=7, score=(3, 1))
    assert Position.from_id(text) == position
    setup = narde.parse(text)
    assert (setup.dice, setup.length, setup.score) == ((5, 2), 7, (3, 1))
    assert Position(setup.row, setup.rules) == position


def test_ids_that_cannot_be() -> None:
    with pytest.raises(NotationError, match="no ID in any known form"):
        Position.from_id("hello")
    with pytest.raises(narde.InvalidArgumentError, match="short nardy alone"):
        START.id("xgid")
    with pytest.raises(narde.InvalidArgumentError, match=r"form=\['xgid'\] is none of narde, xgid"):
        START.id(["xgid"])
    with pytest.raises(narde.InvalidArgumentError, match="cube_value=3"):
        Position.start("short").id(cube_value=3)


# ---- how it stands -----------------------------------------------------------------------------------------


@given(positions())
def test_pips_flip_and_results_are_those_of_the_batch_functions(position: Position) -> None:
    row, rules = position.row, position.rules
    assert position.pips == tuple(narde.pips(row, rules).tolist())
    assert position.flip().pips == position.pips[::-1]
    assert position.flip().row.tolist() == list(reference.flip(row.tolist(), rules))
    assert position.is_over is bool(narde.finished(row))
    assert position.result == (int(narde.results(row, rules)) if position.is_over else None)
    assert (position.result is None) is (position.result_name is None) is not position.is_over


@given(positions(games))
def test_all_home(position: Position) -> None:
    on_board = position.row[:24]
    mover = not (on_board[6:] > 0).any() and position.row[24] == 0
    home = [point - 1 for point in OPPONENT_HOME[position.rules.game]]
    opponent = not (np.delete(on_board, home) < 0).any() and position.row[25] == 0
    assert position.all_home == (mover, opponent)


def reach(row: list[int], rules: Rules) -> set[int]:
    """The mover's points on which his checkers stand or can come to stand."""
    return {point for point in range(1, 25) if any(checkers > 0 for checkers in row[point - 1 : 25])}


@given(st.one_of(positions(games), made))
def test_a_race_is_where_no_point_can_be_both_sides(position: Position) -> None:
    rules = position.rules
    theirs = reach(position.flip().row.tolist(), rules)
    across = {"long": lambda point: (point + 11) % 24 + 1, "short": lambda point: 25 - point}[rules.game]
    assert position.is_race is reach(position.row.tolist(), rules).isdisjoint(map(across, theirs))
    assert position.flip().is_race is position.is_race


@st.composite
def races(draw: st.DrawFn) -> Position:
    """Each side on its last twelve points (long nardy), or past the other one (short nardy)."""
    rules = draw(games)
    cut = 12 if rules is LONG else draw(st.integers(1, 23))
    own = draw(st.lists(st.integers(1, cut), min_size=15, max_size=15))
    opponent = draw(st.lists(st.integers(cut + 1, 24), min_size=15, max_size=15))
    return Position(row_of(own, opponent), rules)


@settings(deadline=None)
@given(position=races(), dice=rolls)
def test_in_a_race_the_opponent_makes_no_difference(position: Position, dice: tuple[int, int]) -> None:
    assert position.is_race
    alone = position.row.clip(0)
    alone[27] = -15
    assert Position(alone, position.rules).plays(*dice).notation == position.plays(*dice).notation


def test_races_known() -> None:
    assert not START.is_race
    assert Position(row_of([12] * 15, [24] * 15)).is_race
    assert not Position(row_of([12] * 14 + [13], [24] * 15)).is_race
    assert Position(row_of([1], [13])).is_race
    assert Position(row_of([], [1] * 15)).is_race
    assert not Position(row_of([25], [1]), "short").is_race
    assert Position(row_of([11], [12] * 2), "short").is_race
    assert not Position(row_of([12], [11] * 2), "short").is_race


@pytest.mark.parametrize(
    ("row", "rules", "result", "name"),
    [
        (row_of([24] * 15, []), "long", -2, "mars"),
        (row_of([24] * 15, []), Rules(koks=3), -3, "koks"),
        (row_of([1] * 14, []), "long", -1, "oin"),
        (row_of([], [13] * 14), "nardeon", 1, "oin"),
        (row_of([], []), Rules(last_roll=True), 0, "draw"),
        (row_of([1] * 14, []), "short", -1, "single"),
        (row_of([18] * 15, []), "short", -2, "gammon"),
        (row_of([24] * 15, []), "short", -3, "backgammon"),
        (row_of([], [25] * 15), "short", 3, "backgammon"),
        (row_of([1], [13]), "long", None, None),
    ],
)
def test_results_known(row, rules, result, name) -> None:
    position = Position(row, rules)
    assert (position.result, position.result_name) == (result, name)
    assert position.is_over is (result is not None)


# ---- the prime rule in set-up positions --------------------------------------------------------------------

WALL = row_of([8, 7, 6, 5, 4, 3, *[24] * 9], [12] * 15)
"""Six of the mover's in a row and no opponent ahead: play cannot lead there."""


def test_an_illegal_prime_is_shown_and_not_refused() -> None:
    assert Position(WALL).has_illegal_prime
    assert Position(WALL).flip().has_illegal_prime
    assert not Position(WALL, dataclasses.replace(LONG, prime_rule="free")).has_illegal_prime
    assert not START.has_illegal_prime
    ahead = Position(row_of([8, 7, 6, 5, 4, 3, *[24] * 9], [*[12] * 14, 13]))
    assert not ahead.has_illegal_prime
    assert Position(ahead.row, dataclasses.replace(LONG, prime_rule="never")).has_illegal_prime


@given(st.builds(Position, made_rows("long")))
def test_illegal_primes_are_those_of_the_reference(position: Position) -> None:
    sides = (tuple(position.row.tolist()), reference.flip(position.row.tolist(), position.rules))
    assert position.has_illegal_prime is not all(reference.primes_allow(row, LONG) for row in sides)


# ---- pictures ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["long", "short"])
def test_pictures_are_those_of_draw(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    position = Position.start(rules)
    row = position.row
    print(position)
    assert capsys.readouterr().out == narde.draw.text(row, rules, colour=False) + "\n"
    assert position.text(dice=(6, 5), width=50) == narde.draw.text(row, rules, dice=(6, 5), width=50)
    assert position.svg(title="Start") == narde.draw.svg(row, rules, title="Start")
    assert position._repr_svg_() == narde.draw.svg(row, rules)


def test_text_has_no_colours_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in f"{START}"
    assert "\x1b" in START.text()


def test_png() -> None:
    pytest.importorskip("resvg_py")
    assert START.png(width=200) == narde.draw.png(START.row, "long", width=200)

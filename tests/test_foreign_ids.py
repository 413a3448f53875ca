"""GNUBG ID, XGID and OGID: published vectors, round trips of everything they hold, and what they refuse."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import InvalidArgumentError, InvalidPositionError, NotationError, Rules, reference
from narde.ids import Setup, parse
from narde.ids.setup import DEFAULTS
from setups import setups

SHORT = narde.rules("short")
START = narde.starting_row("short")
BOARD = "-b----E-C---eE---c-e----B-"

PAIRS = [
    # One position by several programs. GNUBG's manual, its mailing list, backgammonforums.com.
    (f"XGID={BOARD}:0:0:1:53:1:2:1:3:10", "4HPwATDgc/ABMA:8IluACAACAAE"),
    ("4HPwATDgc/ABMA", f"XGID={BOARD}:0:0:1:00:0:0:0:0:10"),
    # Plies of games on OpenGammon in both of its notations, as the tests of gammonview 3.1.0 (MIT) list them.
    (
        "XGID=-aaa-CBBB--AdB---b-cabA-AA:0:0:1:31:0:0:0:5:8",
        "013ccehhiijjkkk:44566688ddddmno:N0N:31:B:R:0:0:5:12",
    ),
    (
        "XGID=-aaa-CBBB--AdB---b-cabBA--:0:0:-1:52:0:0:0:5:8",
        "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13",
    ),
    (
        "XGID=-CDbC-D-----A----a-ccbbb--:1:-1:-1:21:2:0:0:5:8",
        "djjjjlllnnnnooo:2233445556668mm:B1N:21:W:R:2:0:5:97",
    ),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_programs_mean_one_position(one: str, other: str) -> None:
    first, second = parse(one), parse(other)
    assert dataclasses.replace(first, max_cube=None) == dataclasses.replace(second, max_cube=None)


def test_example_of_the_gnubg_manual() -> None:
    """Its match key: 2-4 in a 9-point match, player 0 holds a 2-cube, player 1 has just rolled 5-2."""
    setup = parse("4HPwATDgc/ABMA:QYkqASAAIAAA")
    told = {"dice": (5, 2), "cube_value": 2, "cube_owner": "opponent", "length": 9, "score": (4, 2)}
    assert setup.facts() == told
    assert setup.id("gnubg") == "4HPwATDgc/ABMA:QYkqASAAIAAE"  # bit 66 is newer than the manual


def test_a_position_of_the_gnubg_mailing_list() -> None:
    setup = parse(
        " GNU Backgammon  Position ID: g9vBASSYZ8wBBg\n                 Match ID   : cIkmAQAAAAAA\n"
    )
    assert setup == parse("GNUBg ID: g9vBASSYZ8wBBg:cIkmAQAAAAAA")
    assert (setup.dice, setup.length, setup.score) == ((5, 1), 9, (0, 0))


def test_the_double_of_an_xgid_names_the_doubler() -> None:
    setup = parse(f"XGID={BOARD}:1:-1:-1:D:0:0:1:0:10")
    assert setup.facts() == {
        "cube_value": 2,
        "cube_owner": "mover",
        "offer": "double",
        "jacoby": True,
        "player": 2,
    }
    assert parse("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11").facts() == {
        "length": 3,
        "offer": "double",
        "player": 2,
    }


def test_bars_and_borne_off_checkers_of_an_xgid() -> None:
    points = [2, 0, 1, 0, 2, 1, 3, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, -1, -3, -4, -2, 0]
    bottom = parse("XGID=bB-A-BAC-A----B-----acdb-C:0:0:1:00:0:0:0:0:10")
    assert bottom.row == (*points, 3, -2, 0, -3)
    top = parse("XGID=bB-A-BAC-A----B-----acdb-C:0:0:-1:00:0:0:0:0:10")
    assert top.row == (*(-n for n in reversed(points)), 2, -3, 3, 0)


def told_by(form: str) -> dict[str, st.SearchStrategy[Any]]:
    """Facts that the form holds, beyond those of every form."""
    flag = st.booleans()
    exponents = st.integers(0, 15 if form == "gnubg" else 30)
    cube = exponents.map(lambda exponent: 1 << exponent)
    limit = st.one_of(st.none(), exponents.filter(lambda exponent: exponent != 10).map(lambda n: 1 << n))
    return {
        "cube_value": cube,
        "max_cube": limit if form == "xgid" else st.none(),
        "jacoby": flag if form != "ogid" else st.just(False),
        "beavers": flag if form == "xgid" else st.just(False),
        "offer": st.sampled_from([None, "double"] if form == "ogid" else [None, "double", "beaver"]),
        "resign": st.sampled_from([0, 1, 2, 3, -1, -2, -3] if form == "gnubg" else [0]),
    }


@pytest.mark.parametrize("form", ["gnubg", "xgid", "ogid"])
@settings(max_examples=60)
@given(data=st.data())
def test_what_a_form_holds_round_trips(form: str, data: st.DataObject) -> None:
    setup = data.draw(setups(st.just(SHORT)))
    score = st.integers(0, 32767 if form == "gnubg" else 10**6)
    facts = data.draw(st.fixed_dictionaries(told_by(form)))
    facts |= {"length": data.draw(st.one_of(st.just(0), score)), "score": data.draw(st.tuples(score, score))}
    money = facts["length"] == 0
    facts |= {} if money else {"jacoby": False, "beavers": False}
    facts |= {"crawford": setup.crawford and not money, "player": data.draw(st.sampled_from([1, 2]))}
    facts |= {"dice": setup.dice if facts["offer"] is None else None}
    facts |= {"offer": "double" if facts["offer"] and facts["resign"] else facts["offer"]}
    setup = dataclasses.replace(setup, **facts)
    text = setup.id(form)
    assert text.isascii() and text == text.strip()
    assert parse(text) == setup
    assert parse(text).id(form) == text


@given(setups(st.just(SHORT)))
@settings(max_examples=20)
def test_a_raccoon_round_trips_through_an_xgid(setup: Setup) -> None:
    setup = dataclasses.replace(setup, offer="raccoon", dice=None, resign=0, max_cube=None)
    assert parse(setup.id("xgid")) == setup


@pytest.mark.parametrize("form", ["gnubg", "xgid", "ogid"])
@pytest.mark.parametrize("player", [1, 2])
def test_rows_of_a_random_game_round_trip(form: str, player: int) -> None:
    random = np.random.default_rng(3)
    row = tuple(START.tolist())
    while max(row[26], -row[27]) < 15:
        setup = Setup(row, "short", dice=random.integers(1, 7, 2), player=player)
        assert parse(setup.id(form)) == setup
        row = random.permutation(reference.afterstates(row, setup.dice, "short"))[0].tolist()
    over = Setup(row, "short", player=player)
    assert parse(over.id(form)) == over


def test_foreign_forms_are_for_short_nardy() -> None:
    for form in ("gnubg", "xgid", "ogid"):
        with pytest.raises(InvalidArgumentError, match="short nardy alone"):
            Setup(narde.starting_row("long"), "long").id(form)
    with pytest.raises(InvalidArgumentError, match="none of narde, xgid, ogid, gnubg"):
        Setup(START, "short").id("fen")  # type: ignore[arg-type]


def test_rules_are_not_carried() -> None:
    house = dataclasses.replace(SHORT, name="club", crawford=False)
    assert parse(Setup(START, house).id("xgid")).rules == Rules(**dataclasses.asdict(SHORT))


@pytest.mark.parametrize(
    ("form", "facts"),
    [
        ("gnubg", {"cube_value": 1 << 16}),
        ("gnubg", {"length": 40000}),
        ("gnubg", {"score": (0, 40000)}),
        ("gnubg", {"offer": "raccoon"}),
        ("gnubg", {"offer": "beaver", "resign": 1}),
        ("xgid", {"resign": -2}),
        ("ogid", {"resign": 1}),
        ("ogid", {"offer": "beaver"}),
    ],
)
def test_what_a_form_cannot_hold_is_refused(form: Any, facts: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError):
        Setup(START, "short", **facts).id(form)


def test_options_without_a_place_are_left_out() -> None:
    options = {"max_cube": 64, "jacoby": True, "beavers": True}
    setup = Setup(START, "short", dice=(2, 1), **options)
    carried = {"gnubg": ["jacoby"], "xgid": [*options], "ogid": []}
    for form, names in carried.items():
        left = {name: DEFAULTS[name] for name in options if name not in names}
        assert parse(setup.id(form)) == dataclasses.replace(setup, **left)  # type: ignore[arg-type]


GOOD = "0:0:1:31:0:0:0:0:10"
BAD = {
    f"XGID={BOARD}:0:0:1:31:0:0:0": "fields",
    f"XGID={BOARD}:{GOOD}:1": "fields",
    f"XGID={BOARD[1:]}:{GOOD}": "25 characters",
    f"XGID=A{BOARD[1:]}:{GOOD}": "wrong player",
    f"XGID={BOARD[:-1]}a:{GOOD}": "wrong player",
    f"XGID={BOARD.replace('E', '?')}:{GOOD}": "none of",
    f"XGID={BOARD}:x:0:1:31:0:0:0:0:10": "no number",
    f"XGID={BOARD}:31:0:1:31:0:0:0:0:10": "cube 31 is out of range",
    f"XGID={BOARD}:0:2:1:31:0:0:0:0:10": "owner 2 is out of range",
    f"XGID={BOARD}:0:0:0:31:0:0:0:0:10": "turn 0 is out of range",
    f"XGID={BOARD}:0:0:1:71:0:0:0:0:10": "dice '71'",
    f"XGID={BOARD}:0:0:1:30:0:0:0:0:10": "dice '30'",
    f"XGID={BOARD}:0:0:1:31:0:0:4:0:10": "flags 4",
    f"XGID={BOARD}:0:0:1:31:0:0:2:7:10": "flags 2",
    f"XGID={BOARD}:0:0:1:31:-1:0:0:7:10": "score",
    f"XGID={BOARD}:0:0:1:31:0:0:0:-7:10": "length",
    f"XGID={BOARD}:0:0:1:31:9999999999:0:0:0:10": "no number",
    "4HPwATDgc/ABMB": "base64",
    "4HPwATDgc/ABM/": "base64",
    "4HPwATDgc/ABMA:cAkAAAAAAAB/": "no meaning",
    "4HPwATDgc/ABMA:IAkAAAAAAAAA": "do not exist",
    "4HPwATDgc/ABMA:cA8AAAAAAAAA": "do not exist",
    "4HPwATDgc/ABMA:cIkAAAAAAAAA": "do not exist",
    "4HPwATDgc/ABMA:cAEAAAAAAAAA": "decides, but on nothing",
    "4HPwATDgc/ABMA:8AkAAAAAAAAA": "only a match has a Crawford game",
    "11ccccchhhjjjjj:66666888dddddoo:XXX:31:B": "no ID in any known form",
    "OGID=11ccccchhhjjjjj:66666888dddddoo:X0N:31:B": "cube",
    "11ccccchhhjjjjj:66666888dddddoo:N99N:31:B": "cube",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:79:B": "dice",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:31:X": "colour",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:XX": "state",
    "11ccccchhhjjjjp:66666888dddddoo:N0N:31:B": "wrong player",
    "11ccccchhhjjjjj:06666888dddddoo:N0N:31:B": "wrong player",
    "11ccccchhhjjjjjj:66666888dddddoo:N0N:31:B": "up to 15 checkers",
    "11ccccchhhjjjjr:66666888dddddoo:N0N:31:B": "no ID in any known form",
    "OGID=11ccccchhhjjjjr:66666888dddddoo:N0N:31:B": "does not list",
    "OGID=11ccccchhhjjjjj": "1 fields",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:x:0:7": "no number",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:0:0:7X": "no number",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:0:0:7:0:20": "20",
    "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:0:0:7:0:15:1": "fields",
}


@pytest.mark.parametrize(("text", "reason"), BAD.items())
def test_bad_ids_say_why(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert reason in str(caught.value)
    assert text.rpartition("ID=")[2][:20] in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"XGID={BOARD.replace('B', 'C')}:{GOOD}", "more than 15 checkers"),
        (f"XGID={BOARD.replace('e', 'P')}:{GOOD}", "more than 15 checkers"),
        ("66ccccchhhjjjjj:66666888dddddoo:N0N:31:B", "both sides"),
        ("/////////////w", "more than 30 checkers"),
        ("AACA/z//fwAAAA", "both sides"),
    ],
)
def test_ids_in_good_form_without_a_position(text: str, reason: str) -> None:
    with pytest.raises(InvalidPositionError, match=reason):
        parse(text)

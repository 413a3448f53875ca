"""Match equity tables: looking up, take points, the forms of files, and text that is no table."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narde.cube import Score
from narde.errors import InvalidArgumentError, NardeError, NotationError, StorageError
from narde.met import GameOdds, MatchEquityTable, compute_met, parse_met, published_met, read_met, write_met

PUBLISHED = published_met()

GNU = """<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name>Small</name><description>Two points</description><length>2</length></info>
  <pre-crawford-table type="explicit">
    <row> <me>0.50</me> <me>0.70</me> </row>
    <row> <me>0.30</me> <me>0.50</me> </row>
  </pre-crawford-table>
  <post-crawford-table player="both" type="explicit"> <row> <me>0.5</me> <me>0.48</me> </row>
  </post-crawford-table>
</met>
"""

XG = """[Current]
Name=Small
[PreCrawford]
Size=2
1=0.50 0.70
2=0.30 0.50
[PostCrawford]
Size=2
Data=0.5 0.48
"""

CSV = "# name: Small\naway,1,2\n1,0.5,0.7\n2,0.3,0.5\npost_crawford,0.5,0.48\n"

JSON = '{"name": "Small", "equities": [[0.5, 0.7], [0.3, 0.5]], "post_crawford": [0.5, 0.48]}'


@pytest.mark.parametrize(
    "text", [GNU, XG, CSV, JSON, "\ufeff" + CSV], ids=["gnu", "xg", "csv", "json", "bom"]
)
def test_every_form_is_read(text):
    table = parse_met(text)
    assert (table.name, table.length) == ("Small", 2)
    assert table.equities.tolist() == [[0.5, 0.7], [0.3, 0.5]]
    assert table.post_crawford.tolist() == [0.5, 0.48]


@pytest.mark.parametrize("rules", ["long", "bkgm"])
@pytest.mark.parametrize("suffix", [".csv", ".json", ".xml"])
def test_tables_round_trip(tmp_path, suffix, rules):
    table = compute_met(5, GameOdds.from_rates(starter_wins=0.57, mars=0.31), rules, name="Five")
    path = tmp_path / f"table{suffix}"
    write_met(table, path)
    back = read_met(path)
    assert (back.name, back.equities.tolist(), back.post_crawford.tolist()) == (
        "Five",
        table.equities.tolist(),
        table.post_crawford.tolist(),
    )
    if suffix != ".xml" and rules == "bkgm":
        assert back.starting.tolist() == table.starting.tolist()
        assert back.starting_post.tolist() == table.starting_post.tolist()
    else:
        assert back.starting is None
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "no other file is left"


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(StorageError, match="can't read"):
        read_met(tmp_path / "none.csv")
    (tmp_path / "bad.csv").write_text("away,1\n")
    with pytest.raises(NotationError, match=r"bad.csv: no match equity table: it needs the lines"):
        read_met(tmp_path / "bad.csv")
    with pytest.raises(InvalidArgumentError, match="end the name in"):
        write_met(PUBLISHED, tmp_path / "table.met")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(StorageError, match="cannot write"):
        write_met(PUBLISHED, tmp_path / "folder.csv")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.csv", "folder.csv"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it needs the lines"),
        (CSV.replace("0.48", "x"), "could not convert"),
        (CSV.replace("2,0.3,0.5\n", ""), "the line `2` is missing"),
        (CSV.replace("0.7", "0.9"), "equal players"),
        (CSV.replace("0.48", "48"), "chances, not percent"),
        (CSV.replace("0.7", "nan"), "chances, not percent"),
        ("{}", "equities"),
        ("[" * 100_000, "no match equity table"),
        ("{" + '"a":[' * 100_000, "no match equity table"),
        (GNU.replace("</met>", ""), "the XML is broken"),
        (GNU.replace("<met>", "<!ENTITY a 'b'><met>"), "entities"),
        (GNU.replace('type="explicit">\n', 'type="zadeh">\n'), "compute one with compute_met"),
        (XG.replace("[PostCrawford]", "[Other]"), "postcrawford"),
        (XG.replace("2=0.30 0.50", ""), "no match equity table"),
        (XG.replace("Size=2\n1", "Size=999999999\n1"), "no match equity table"),
    ],
)
def test_what_is_no_table_is_named(text, fault):
    with pytest.raises(NotationError, match=fault):
        parse_met(text)


def test_tables_for_unequal_players_are_refused():
    row = "<row><me>0.5</me><me>0.4</me></row>"
    second = f'<post-crawford-table player="1" type="explicit">{row}</post-crawford-table>'
    with pytest.raises(NotationError, match="unequal players"):
        parse_met(GNU.replace("</met>", second + "</met>"))


@settings(max_examples=300)
@given(st.one_of(st.text(), st.text("[]{}<>metrow/=,\n#1.05 ", max_size=60), st.just(None), st.binary()))
def test_any_text_gives_a_table_or_an_error_of_ours(text):
    try:
        parse_met(text)
    except NardeError:
        return
    raise AssertionError("no random text is a table")


@settings(max_examples=200)
@given(st.data())
def test_a_damaged_file_gives_a_table_or_an_error_of_ours(data):
    text = data.draw(st.sampled_from([GNU, XG, CSV, JSON]))
    at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 40))
    try:
        table = parse_met(text[:at] + data.draw(st.text(max_size=3)) + text[at + length :])
    except NardeError:
        return
    assert np.isfinite(table.equities).all()


def test_looking_up():
    assert PUBLISHED.equity(3, 5) == 0.64795
    assert PUBLISHED.equity(1, 2) == 0.67736, "the Crawford game"
    assert PUBLISHED.equity(2, 1, post_crawford=True) == 0.48803
    assert PUBLISHED.equity(1, 2, post_crawford=True) == 1 - 0.48803
    assert PUBLISHED.equity(3, 5, post_crawford=True) == 0.64795, (
        "nobody needs one point: no Crawford game yet"
    )
    assert (PUBLISHED.equity(0, 3), PUBLISHED.equity(3, -2)) == (1.0, 0.0)
    with pytest.raises(InvalidArgumentError, match="covers matches to 25"):
        PUBLISHED.equity(26, 3)
    with pytest.raises(InvalidArgumentError, match="knows no starters"):
        PUBLISHED.equity(3, 3, starts=True)


def test_scores_are_looked_up():
    assert PUBLISHED.equity_at(Score((2, 0), 5)) == PUBLISHED.equity(3, 5)
    assert PUBLISHED.equity_at(Score((2, 0), 5), 1) == PUBLISHED.equity(5, 3)
    assert PUBLISHED.equity_at(Score((4, 3), 5, crawford=True)) == 0.67736
    assert PUBLISHED.equity_at(Score((4, 3), 5)) == 1 - 0.48803
    with pytest.raises(InvalidArgumentError, match="money"):
        PUBLISHED.equity_at(Score((4, 3)))


def test_starters_are_looked_up():
    table = compute_met(4, GameOdds.from_rates(starter_wins=0.6, mars=0.2), "bkgm")
    for a in range(1, 5):
        for b in range(1, 5):
            both = table.equity(a, b, starts=True), table.equity(a, b, starts=False)
            assert both[0] > both[1]
            assert np.isclose(sum(both) / 2, table.equity(a, b))
            assert np.isclose(both[1], 1 - table.equity(b, a, starts=True))
            for starts, chance in zip((True, False), both, strict=True):
                assert np.isclose(table.equity(a, b, post_crawford=True, starts=starts), chance), "no cube"


def test_take_points_by_hand():
    """At 2-away, 2-away a doubled game is for the match: the take point is the equity after a drop."""
    assert np.isclose(PUBLISHED.take_point(2, 2), PUBLISHED.equity(2, 1))
    assert np.isclose(PUBLISHED.cash_point(2, 2), PUBLISHED.equity(1, 2))
    assert np.isclose(PUBLISHED.take_point(2, 2, cube_life=1.0), PUBLISHED.take_point(2, 2)), (
        "the cube is dead"
    )
    risk = PUBLISHED.equity(4, 2) - PUBLISHED.equity(4, 1)
    gain = PUBLISHED.equity(2, 3) - PUBLISHED.equity(4, 2)
    assert np.isclose(PUBLISHED.take_point(4, 3), risk / (risk + gain))
    assert np.isclose(PUBLISHED.take_point(4, 3), 1 - PUBLISHED.cash_point(3, 4))


def test_take_points_far_from_the_end_are_those_of_money():
    """25 % with a dead cube and 20 % with a live one, without mars (Janowski)."""
    assert np.isclose(PUBLISHED.take_point(25, 25), 0.25, atol=0.01)
    assert np.isclose(PUBLISHED.take_point(25, 25, cube_life=1.0), 0.20, atol=0.01)
    assert 0.20 < PUBLISHED.take_point(25, 25, cube_life=0.7) < 0.25
    assert PUBLISHED.take_point(25, 25, opponent_mars=0.3) > PUBLISHED.take_point(25, 25)
    assert PUBLISHED.take_point(25, 25, mars=0.3) < PUBLISHED.take_point(25, 25)
    with pytest.raises(InvalidArgumentError, match=r"mars is 1\.3"):
        PUBLISHED.take_point(25, 25, mars=1.3)


@pytest.mark.parametrize(("a", "b"), [(2, 2), (3, 2), (2, 4), (5, 7), (9, 4)])
def test_a_redouble_is_taken_where_it_is_worth_the_drop(a, b):
    """What the owner of a live cube can do with it, for one redouble to a cube that is dead."""
    cube = 4 if max(a, b) > 4 else 2
    after = PUBLISHED.after(a, b)
    redoubled = [after(False, 4 * cube), after(True, 4 * cube)]
    assert max(a, b) <= 4 * cube, "the redoubled cube is dead or nearly so"
    cash = (after(True, 2 * cube) - redoubled[0]) / (redoubled[1] - redoubled[0]) if 2 * cube < a else 1.0
    height = after(True, 2 * cube)
    lost = after(False, 2 * cube)
    point = cash * (after(False, cube) - lost) / (height - lost)
    assert np.isclose(PUBLISHED.take_point(a, b, cube, cube_life=1.0), min(1.0, point))


def test_mars_values():
    """4-away, 4-away with the cube at 2: a mars wins the match."""
    assert np.isclose(PUBLISHED.mars_value(4, 4, 2), (1 - 0.66870) / (0.66870 - 0.33130))
    assert PUBLISHED.mars_value(1, 1) == 0.0
    assert np.isclose(PUBLISHED.mars_value(25, 25), 0.5, atol=0.01)


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda: PUBLISHED.equity("3", 3), "away is '3'"),
        (lambda: PUBLISHED.equity(3, 1.5), "opponent_away is 1.5"),
        (lambda: PUBLISHED.mars_value(0, 3), "away is 0"),
        (lambda: PUBLISHED.take_point(3, 3, 0), "cube is 0"),
        (lambda: PUBLISHED.take_point(3, 3, cube_life=3), "cube_life is 3"),
        (lambda: PUBLISHED.cash_point(3, 3, mars="x"), "mars is 'x'"),
    ],
)
def test_questions_that_make_no_sense(ask, complaint):
    with pytest.raises(InvalidArgumentError, match=complaint):
        ask()


def test_money_equity():
    assert np.isclose(PUBLISHED.money_equity(PUBLISHED.equity(2, 5), 3, 5), 1.0)
    assert np.isclose(PUBLISHED.money_equity(PUBLISHED.equity(3, 3), 3, 5, 2), -1.0)
    assert np.isclose(PUBLISHED.money_equity(0.5, 4, 4, 2), 0.0)


@pytest.mark.parametrize(
    "arguments",
    [
        ([[0.5, 0.6]], [0.5, 0.4]),
        ([[0.5]], [0.5, 0.4]),
        ([], []),
        ([["a"]], [0.5]),
        ([[0.5]], [0.5], "", "", [[0.6]]),
    ],
)
def test_tables_that_cannot_be(arguments):
    with pytest.raises(InvalidArgumentError):
        MatchEquityTable(*arguments)


def test_tables_are_read_only_copies():
    values = np.array([[0.5]])
    table = MatchEquityTable(values, np.array([0.5]), name="one")
    values[0, 0] = 0.7
    assert table.equity(1, 1) == 0.5 and repr(table) == "<MatchEquityTable 'one' to 1>"
    with pytest.raises(ValueError, match="read-only"):
        table.equities[0, 0] = 0.6
    assert json.loads(json.dumps(table.equities.tolist())) == [[0.5]]

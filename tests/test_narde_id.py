"""The narde ID: round trips, one spelling, and what its check character must notice."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import narde
from narde import InvalidPositionError, NardeError, NotationError, Rules, reference
from narde.ids import Setup, describe_row, house, parse
from narde.ids.alphabet import ALPHABET, LARGEST_NUMBER, Reader, with_check, write_number
from narde.ids.house import same_game, write_rules
from setups import any_rules, rows, setups

START = "nal22225zzw22225zzw7"


@given(setups())
def test_any_setup_round_trips(setup: Setup) -> None:
    text = setup.id()
    assert set(text) <= set(ALPHABET)
    assert parse(text) == parse(text.upper()) == setup


@given(st.data())
def test_rows_and_ids_are_one_to_one(data: st.DataObject) -> None:
    rules = data.draw(any_rules)
    one, other = data.draw(rows(rules)), data.draw(rows(rules))
    assert (Setup(one, rules).id() == Setup(other, rules).id()) == (one == other)


@pytest.mark.parametrize("variant", narde.variants())
def test_every_row_of_a_random_game_round_trips(variant: str) -> None:
    random = np.random.default_rng(7)
    row = tuple(narde.starting_row(variant).tolist())
    while max(row[26], -row[27]) < 15:
        setup = Setup(row, variant, dice=random.integers(1, 7, 2))
        assert parse(setup.id()) == setup
        row = random.permutation(reference.afterstates(row, setup.dice, variant))[0].tolist()


@given(setups(), st.data())
def test_a_changed_character_is_noticed(setup: Setup, data: st.DataObject) -> None:
    text = setup.id()
    at = data.draw(st.integers(0, len(text) - 1))
    for character in set(ALPHABET) - {text[at]}:
        with pytest.raises(NotationError):
            parse(text[:at] + character + text[at + 1 :])


@given(setups())
def test_swapped_lost_and_doubled_characters_are_noticed(setup: Setup) -> None:
    text = setup.id()
    for at in range(len(text)):
        slips = {text[:at] + text[at + 1 :], text[:at] + text[at] + text[at:]}
        slips.add(text[:at] + text[at : at + 2][::-1] + text[at + 2 :])
        for slip in slips - {text}:
            with pytest.raises(NotationError):
                parse(slip)


@pytest.mark.parametrize("distance", range(1, 31))
def test_any_two_characters_of_a_plain_id_may_not_change_places(distance: int) -> None:
    text = Setup(middle_row(), "long", length=7, score=(3, 5)).id()
    for at in range(len(text) - distance):
        swapped = list(text)
        swapped[at], swapped[at + distance] = swapped[at + distance], swapped[at]
        if swapped != list(text):
            with pytest.raises(NotationError):
                parse("".join(swapped))


def middle_row() -> list[int]:
    """A long-nardy row with checkers on many points."""
    row = [0] * 28
    for index, checkers in {
        23: 6,
        19: 2,
        17: 1,
        14: 2,
        9: 1,
        7: 1,
        5: 2,
        11: -8,
        4: -3,
        1: -2,
        21: -2,
    }.items():
        row[index] = checkers
    return row


@given(st.text(ALPHABET, min_size=17, max_size=60))
def test_what_reads_is_spelled_so(text: str) -> None:
    whole = with_check("na" + text)
    try:
        setup = parse(whole)
    except NardeError:
        return
    assert setup.id() == whole


@given(any_rules)
def test_all_that_rules_decide_is_carried(rules: Rules) -> None:
    setup = Setup(narde.starting_row(rules), rules)
    back = parse(setup.id()).rules
    assert same_game(back, rules)
    assert back.name in (*narde.variants(), "house")


def test_the_name_of_rules_makes_no_other_id() -> None:
    renamed = dataclasses.replace(narde.rules("bkgm"), name="Friday")
    assert write_rules(renamed) == write_rules(narde.rules("bkgm")) == ("b", "")


def test_every_field_of_rules_has_its_place() -> None:
    """A field added to `Rules` must get a number in the specification."""
    fields = {field.name for field in dataclasses.fields(Rules)}
    assert fields == {*house._FIELDS, "name", "game", "hitting"}


def test_match_lengths_that_no_id_holds() -> None:
    row = narde.starting_row("long")
    for lengths in (tuple(range(1, 500)), (LARGEST_NUMBER + 1,)):
        house_rules = dataclasses.replace(narde.rules("long"), match_lengths=lengths)
        with pytest.raises(narde.InvalidArgumentError, match="match length"):
            Setup(row, house_rules).id()
        assert describe_row(row, house_rules) == str(row.tolist())
    many = dataclasses.replace(narde.rules("long"), name="house", match_lengths=tuple(range(1, 480)))
    assert parse(Setup(row, many).id()).rules == many


def test_player_is_left_out() -> None:
    row = narde.starting_row("short")
    assert Setup(row, "short", player=2).id() == Setup(row, "short", player=1).id()


@given(st.one_of(st.integers(0, 600), st.integers(0, LARGEST_NUMBER)))
def test_numbers(number: int) -> None:
    text = write_number(number)
    reader = Reader(text)
    assert reader.number("number") == number
    assert not reader
    assert len(text) == 2 if number < 512 else len(text) in (4, 6)


@pytest.mark.parametrize("text", ["j2" + "22", "jz" * 4, "k", "jz"], ids=["zeros", "large", "half", "open"])
def test_bad_numbers(text: str) -> None:
    with pytest.raises(NotationError):
        Reader(text).number("number")


def test_describe_row() -> None:
    row = narde.starting_row("long")
    assert describe_row(row) == START
    row[0] = 1
    assert describe_row(row) == str(row.tolist())
    assert describe_row(np.stack([row, row])).startswith("[[1, 0,")
    assert describe_row("rubbish") == "'rubbish'"
    assert describe_row(row, "no such rules") == str(row.tolist())
    assert len(describe_row("x" * 1000)) <= 200


@given(st.one_of(st.none(), st.text(), st.lists(st.integers(-200, 200)), st.binary()))
@settings(max_examples=50)
def test_describe_row_raises_nothing(rubbish: object) -> None:
    assert isinstance(describe_row(rubbish), str)  # type: ignore[arg-type]


def test_a_sound_id_of_no_position_says_why() -> None:
    both = with_check("nal" + "zzzz" + "2" * 12)
    with pytest.raises(InvalidPositionError, match="more than 15"):
        parse(both)

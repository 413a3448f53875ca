"""A match in a dialogue: whose turn it is, what is typed, what is kept, who plays for the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from unicodedata import category

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narde.board import starting_row
from narde.cube import MoneyOptions
from narde.dice import SeededDice
from narde.errors import InvalidArgumentError, InvalidDiceError
from narde.game import Game
from narde.games import random_games
from narde.ids import Setup
from narde.match import Match
from narde.rules import rules, variants
from narde.terminal.players import PERSON, player
from narde.terminal.table import HAND, Table
from playing import HOUSES
from positions import row_of
from talking import play_on, spoken, table_of


@pytest.mark.parametrize("variant", variants())
def test_two_random_players_play_the_games_of_random_games(variant: str) -> None:
    table = table_of(variant, seats=("random", "random"), seed=20)
    _, shown = spoken(table)
    session, _ = spoken(table)
    recorded = random_games(1, variant, seed=20, record=("positions", "dice", "chosen"))
    game = session.table.match.games[0]
    assert [turn.row.tolist() for turn in game.turns] == recorded.positions.tolist()
    assert [turn.dice for turn in game.turns] == [tuple(dice) for dice in recorded.dice.tolist()]
    assert [turn.afterstate.tolist() for turn in game.turns] == recorded.chosen.tolist()
    assert game.result.winner == (game.starter if recorded.winner[0] == 0 else 1 - game.starter)
    assert shown.count(" plays ") + shown.count("no legal play") == recorded.lengths[0]
    assert shown.splitlines()[-1] == f"{('Anna', 'Boris')[game.result.winner]} wins the match to 1 by 1-0"


def given_up_and_resumed(name: str, folder: Path, length: int, hurry: float) -> None:
    """Persons who type all sorts of things, stop and go on: what is kept is what was played, and the dice are
    those of the seed as if nobody had stopped."""
    random = Random(name)
    seats = random.choice([(PERSON, PERSON), (PERSON, "random"), ("random", PERSON)])
    match = play_on(table_of(HOUSES[name], length, seats, seed=7), folder / "kept.json", random, hurry)
    assert match.winner is not None
    for number, game in enumerate(match.games):
        contest = game.first_starter is None
        if contest:
            assert Game.begin(game.rules).open(SeededDice(7, number)).starter == game.starter
        dice = SeededDice(7, number, turn=int(contest and game.rules.opening_roll == "keep"))
        assert all(e.dice == dice.roll() for e in game.events if e.action == "roll")


@pytest.mark.parametrize("name", HOUSES)
def test_given_up_and_resumed_anywhere_nothing_is_lost(name: str, tmp_path: Path) -> None:
    given_up_and_resumed(name, tmp_path, 3 if name == "short" else 1, hurry=0.6)


@pytest.mark.long
@pytest.mark.parametrize("name", HOUSES)
def test_whole_games_given_up_and_resumed(name: str, tmp_path: Path) -> None:
    given_up_and_resumed(name, tmp_path, 1, hurry=0)


@pytest.mark.parametrize("dice", ["hand", "file"])
def test_dice_from_a_hand_or_a_file(dice: str, tmp_path: Path) -> None:
    random, file = Random(dice), tmp_path / "dice.txt"
    file.write_text("\n".join(f"{random.randint(1, 6)} {random.randint(1, 6)}" for _ in range(4000)))
    table = table_of("short", 3, dice=HAND if dice == "hand" else str(file))
    match = play_on(table, tmp_path / "kept.json", random, hurry=0.6)
    thrown = [e.dice for game in match.games for e in game.events if e.action in ("contest", "roll")]
    assert match.winner is not None and len(thrown) > 4
    if dice == "file":
        words = file.read_text().split()
        assert thrown == [(int(words[i]), int(words[i + 1])) for i in range(0, 2 * len(thrown), 2)]


def test_dice_that_come_to_an_end(tmp_path: Path) -> None:
    file = tmp_path / "dice.txt"
    file.write_text("65 21")
    table = table_of("long", dice=str(file))
    with pytest.raises(InvalidDiceError, match=r"dice\.txt end after 2 rolls: add more"):
        spoken(table, "1", "1", "1")
    file.write_text("65 21 54")
    session, _ = spoken(table, "1", "1")
    assert session.table.game.dice == (5, 4)


def test_a_turn_entered_in_pieces_counts_when_it_is_ended() -> None:
    table = table_of("short", dice=HAND)
    session, shown = spoken(table, "31", "8/5", "6/5")
    assert session.table.game.mover == 0 and "Anna, 3-1: 8/5 6/5, Enter to end the turn> " in shown
    session, shown = spoken(table, "31", "8/5", "6/5", "24/23")
    assert "the turn is complete: Enter ends it, undo takes a move back" in shown
    session, shown = spoken(table, "31", "8/5", "6/5", "")
    assert session.table.game.mover == 1 and "Anna plays 3-1: 8/5 6/5\n" in shown


def test_undo_goes_back_move_by_move_to_the_beginning_of_the_turn() -> None:
    session, shown = spoken(table_of("short", dice=HAND), "31", "8/5", "6/5", "undo", "u", "undo", "q")
    assert "nothing to take back: you have entered nothing in this turn" in shown
    assert session.table.entries == () and session.table.game.dice == (3, 1)
    assert shown.count("Anna, 3-1: 8/5, left 1> ") == 2


def test_a_number_takes_the_place_of_what_was_entered() -> None:
    _, shown = spoken(table_of("short", dice=HAND), "31", "8/5", "7")
    assert "Anna plays 3-1: 13/10 8/7\n" in shown
    _, shown = spoken(table_of("short", dice=HAND), "31", "17", "0", "9999999")
    assert "no play 17: the plays have the numbers 1 to 16\n" in shown and "no play 0:" in shown


def test_confirm_shows_a_whole_play_before_it_counts() -> None:
    table = table_of("short", dice=HAND)
    session, shown = spoken(table, "31", "13/9", "undo", "4", "", confirm=True)
    assert "Anna, 3-1: 13/9, Enter to end the turn> undo\n" in shown
    assert "Anna plays 3-1: 24/21 6/5\n" in shown and session.table.game.mover == 1


def test_the_cube_is_asked_for_where_the_rules_have_one() -> None:
    table = table_of("short", 5, dice=HAND)
    _, shown = spoken(table, "31", "8/5 6/5", "double", "take", "66", "1", "double", "drop")
    assert "Boris: the dice, double or resign> double\nBoris doubles to 2\n" in shown
    assert "Anna: take or drop> take\nAnna takes\n" in shown
    assert "Anna doubles to 4\n" in shown and "Anna wins 2 points: by a drop, cube at 2\n" in shown
    assert "Match to 5: Anna leads Boris 2-0\nEnter for the next game, or quit> " in shown
    _, shown = spoken(table_of("long", 5, dice=HAND), "65", "1", "double")
    assert "no 'double' now: two dice, such as 65, resign, help, quit" in shown


def test_beavers_and_automatic_doubles_in_a_money_session() -> None:
    money = MoneyOptions(beavers=True, automatic_doubles=1)
    table = Table(Match.begin(None, "short", players=("A", "B"), money=money), (PERSON, PERSON), 1, HAND)
    session, shown = spoken(table, "44", "44", "31", "1", "double", "beaver", "take", "q")
    assert "A throws 4, B 4: a tie, the cube goes to 2\n" in shown
    assert shown.count("the cube goes to") == 1 and "A throws 4, B 4: a tie\n" in shown
    assert "A: take, drop or beaver> beaver\nA beavers to 8\n" in shown
    assert "B: take or drop> take\n" in shown
    assert session.table.game.cube.value == 8


def test_resigning_is_offered_and_answered() -> None:
    table = table_of("short", 3, dice=HAND)
    _, shown = spoken(table, "31", "resign koks", "resign gammon", "refuse", "resign", "accept", "q")
    assert "nobody can resign a 'koks': use one of single, gammon, backgammon\n" in shown
    assert "Anna offers to lose a gammon\n" in shown and "Boris: accept or refuse> refuse\n" in shown
    assert "Boris wins 1 point: single, resigned\n" in shown
    _, shown = spoken(table_of("long", 3, (PERSON, "random"), seed=4), "resign 3", "resign 2")
    assert "kind=3 is no value to resign: use one of 1 oin, 2 mars\n" in shown
    assert "random accepts" not in shown and "Boris accepts\nBoris wins 2 points: mars, resigned\n" in shown


def test_the_winner_starts_the_next_game_where_the_rules_say_so() -> None:
    _, shown = spoken(table_of("bkgm", 3, dice=HAND), "31", "resign", "accept", "", "q")
    assert "Anna throws 3, Boris 1: Anna starts\n" in shown
    assert "Boris wins 1 point: oin, resigned\n" in shown and "\nBoris starts\n" in shown


def test_the_crawford_game_has_no_cube() -> None:
    table = table_of("minsport", 2, dice=HAND)
    _, shown = spoken(table, "65", "resign", "accept", "", "65", "1", "double", "q")
    assert "Match to 2: Boris leads Anna 1-0, Crawford game\n" in shown
    assert "no 'double' now" in shown


def test_a_forced_pass_is_not_asked_for() -> None:
    session, shown = spoken(table_of("short", seats=("random", "random"), seed=3))
    passes = sum(turn.notation == "pass" for turn in session.table.match.games[0].turns)
    assert shown.count(": no legal play\n") == passes > 0
    row = row_of(own=[25, 3], opponent=[19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24])
    table = table_of("short", dice=HAND)
    game = replace(table.match.start_game().games[0], starter=0, mover=0, row=np.array(row, np.int8))
    _, shown = spoken(replace(table, match=replace(table.match, games=(game,))), "65", "q")
    assert "Anna rolls 6-5: no legal play\n" in shown and "Boris: the dice, double or resign> q\n" in shown


def test_the_person_sits_below_whichever_player_he_is() -> None:
    _, first = spoken(table_of("long", seats=(PERSON, "random"), seed=4), "q")
    _, second = spoken(table_of("long", seats=("random", PERSON), seed=4), "q")
    boards = [[line for line in shown.splitlines() if "pips" in line] for shown in (first, second)]
    assert "● Boris" in boards[0][0] and "○ Anna" in boards[0][1]
    assert "○ Anna" in boards[1][0] and "● Boris" in boards[1][1]


def test_what_may_be_asked_at_any_time() -> None:
    table = table_of("short", 3, dice=HAND)
    typed = ("score", "plays", "id", "31", "id", "plays", "board", "?", "nonsense", "roll")
    _, shown = spoken(table, *typed)
    said = [part.split("\n", 1)[1].rsplit("\n", 1)[0] for part in shown.split("> ")[1:]]
    assert said[0] == "Match to 3: 0-0" and said[1] == "no plays: there are no dice to play"
    setup = Setup(starting_row("short"), "short", length=3)
    assert said[2] == setup.id()
    assert said[4] == Setup(setup.row, "short", length=3, dice=(3, 1)).id()
    assert said[5].startswith(" 1  24/23 24/21 ") and said[5].endswith("  16  6/2")
    assert said[6].startswith("Game 1, 0-0 to 3\n● Boris") and said[6].endswith(
        "○ Anna · 167 pips · to play 3-1"
    )
    assert said[7].startswith("Type a play as 24/18 13/8") and "  undo    take back" in said[7]
    assert said[8].startswith("'nonsense' in 'nonsense' is no move")
    assert said[9] == "no 'roll' now: a play or its number, undo, resign, help, quit"


def test_who_can_sit_there() -> None:
    long = rules("long")
    assert player(PERSON, 1, long) is None
    for name in ("random", "pips", "pips,epsilon=0.5"):
        assert str(player(name, 1, long).player) == name
    with pytest.raises(InvalidArgumentError, match="no player 'gnubg': name random, pips, greedy,"):
        player("gnubg", 1, long)
    with pytest.raises(InvalidArgumentError, match="seed=-1"):
        player("random", -1, long)


def test_names_that_could_disturb_the_screen() -> None:
    table = table_of("long", players=("\x1b[31mEvil\n\x07", "B" * 300), dice=HAND)
    _, shown = spoken(table, "65", "\x1b[2J", "q")
    assert "\x1b" not in shown and "\x07" not in shown
    assert max(map(len, shown.splitlines())) <= 100


WORDS = st.sampled_from(
    ["31", "66", "1", "8/5", "6/5", "bar/20", "undo", "double", "take", "resign", "accept", "plays", "?", ""]
)


@given(st.lists(WORDS | st.text(max_size=120).filter(lambda text: "save" not in text.lower()), max_size=25))
@settings(max_examples=60, deadline=None)
def test_whatever_is_typed_is_answered(lines: list[str]) -> None:
    """Nothing that is typed ends the program but `quit` and the end of the input."""
    session, shown = spoken(table_of("short", 3, dice=HAND), *(line.replace("\n", " ") for line in lines))
    harmful = ("Cc", "Cs", "Zl", "Zp")
    assert not [char for char in shown if char != "\n" and category(char) in harmful]
    assert Table.from_json(session.table.to_json()) == session.table


def test_a_draw_by_the_last_roll_is_said() -> None:
    house = replace(rules("long"), name="last roll", last_roll=True)
    session, shown = spoken(table_of(house, seats=("random", "random"), seed=2))
    assert session.table.match.games[0].result.winner is None
    assert "\nThe game is a draw\nMatch to 1: 0-0\nEnter for the next game" in shown

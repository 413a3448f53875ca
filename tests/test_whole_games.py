"""Whole games and matches by random players under every variant: records replay, the core plays the same."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narde import reference
from narde.board import validate
from narde.cube import MoneyOptions, Score
from narde.dice import SeededDice
from narde.errors import NardeError, NotationError
from narde.game import Event, Game
from narde.games import random_games
from narde.match import Match
from narde.rules import variants
from narde.scoring import points_by_kind, result_kinds
from playing import HOUSES, random_game, random_match

LENGTHS = [1, 3, 5, 7]


def states(game):
    """The game after each of its events, from the first."""
    state = Game.begin(game.rules, score=game.score, money=game.money, starter=game.first_starter)
    yield state
    for event in game.events:
        state = state.replay([event])
        yield state


@pytest.mark.parametrize("name", HOUSES)
def test_every_turn_of_a_random_game_is_legal(name):
    house = HOUSES[name]
    game = random_game(house, seed=5)
    assert game.result is not None
    for turn in game.turns[::3]:
        validate(turn.row, house)
        assert tuple(turn.afterstate.tolist()) in reference.afterstates(turn.row.tolist(), turn.dice, house)
    for turn, following in pairwise(game.turns):
        assert following.row.tolist() == turn.afterstate.tolist() and following.player == 1 - turn.player
    assert {turn.player for turn in game.turns} == {0, 1} or len(game.turns) < 2


@pytest.mark.parametrize("name", HOUSES)
def test_an_undone_event_and_a_record_give_the_same_game(name):
    game = random_game(HOUSES[name], seed=8)
    assert Game.from_json(json.loads(json.dumps(game.to_json()))) == game
    last = game.undo()
    assert last.result is None and last.events == game.events[:-1]
    again = last.replay(game.events[-1:])
    assert again == game and hash(again) == hash(game) and again.result == game.result
    assert again != last and game != 5


@pytest.mark.parametrize("name", ["bkgm", "short", "cube"])
def test_rows_dice_and_cube_are_replayed_event_by_event(name):
    game = random_game(HOUSES[name], seed=3)
    for state, event in zip(states(game), game.events, strict=False):
        assert event.action in state.actions
        assert event.player == state.actor
        assert state.rolled == len(state.turns) + (state.dice is not None)


@pytest.mark.parametrize("name", HOUSES)
def test_a_game_goes_on_from_saved_dice(name):
    dice = SeededDice(4)
    game = Game.begin(HOUSES[name]).open(dice)
    for _ in range(3):
        game = (game if game.dice else game.roll(dice)).play(0)
    resumed = SeededDice(4, turn=game.rolled)
    assert [resumed.roll() for _ in range(4)] == [dice.roll() for _ in range(4)]


@pytest.mark.parametrize("name", [*variants(), "koks", "last roll"])
def test_a_game_replays_what_the_core_played(name):
    """Same seed and game number, same choices: the same rows, dice, winner and points."""
    house = HOUSES[name]
    played = random_games(6, house, seed=21, first=40, record=["positions", "dice", "chosen"])
    kept = house.opening_roll == "keep"
    for i, (start, end) in enumerate(pairwise(played.offsets.tolist())):
        dice = SeededDice(21, 40 + i)
        game = Game.begin(house).open(dice) if kept else Game.begin(house, starter=0)
        for turn in range(start, end):
            game = game if game.dice else game.roll(dice)
            assert game.row.tolist() == played.positions[turn].tolist()
            assert game.dice == tuple(played.dice[turn].tolist())
            game = game.play(played.chosen[turn])
        winner = {0: game.starter, 1: 1 - game.starter, -1: None}[int(played.winner[i])]
        assert (game.result.winner, game.result.points) == (winner, played.points[i])


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_match(name, seed):
    """The score is the sum of the results, the Crawford game comes once, the starters are by the rules."""
    house, length = HOUSES[name], LENGTHS[seed]
    match = random_match(length, house, seed)
    assert match.winner is not None and match.actions == () and match.game is None
    score, crawfords = Score(length=length), 0
    for number, game in enumerate(match.games):
        assert game.score == score
        assert game.first_starter == expected_starter(house, match.games[:number])
        check_result(game)
        crawfords += score.crawford
        assert not (score.crawford and any(event.action == "double" for event in game.events))
        score = score.after(game.result.winner, game.result.points, crawford=house.crawford)
    assert score == match.score and score.points[match.winner] == length
    assert crawfords <= house.crawford
    assert Match.from_json(json.loads(json.dumps(match.to_json()))) == match


def expected_starter(house, games):
    """F04: next_starter=winner only in bkgm, else a new contest; house rules may alternate."""
    if not games or house.next_starter == "contest":
        return None
    last = games[-1]
    return last.result.winner if house.next_starter == "winner" else 1 - last.starter


def check_result(game):
    """The points of a game by its row and by the doubles counted in its history."""
    done = [event.action for event in game.events]
    ties = done.count("contest") - (game.first_starter is None)
    doubles = done.count("take") + done.count("beaver") + min(ties, game.money.automatic_doubles)
    kind, turned = game.result.kind, "take" in done
    if game.result.how == "played":
        won = int(result_kinds(game.row, game.rules))
        assert kind == abs(won)
        assert game.result.winner == (None if won == 0 else game.mover if won > 0 else 1 - game.mover)
    elif game.result.how == "resigned":
        assert (game.result.winner, kind) == (1 - game.events[-2].player, game.events[-2].kind)
    else:
        assert (game.result.winner, kind) == (1 - game.events[-1].player, 1)
    counted = min(kind, 1) if game.money.jacoby and not turned else kind
    assert game.result.points == int(points_by_kind(game.rules)[counted]) * 2**doubles


def test_draws_come_up_and_are_played_again():
    match = random_match(5, HOUSES["last roll"], seed=0)
    drawn = [i for i, game in enumerate(match.games) if game.result.kind == 0]
    for seed in range(1, 40):
        if drawn:
            break
        match = random_match(5, HOUSES["last roll"], seed)
        drawn = [i for i, game in enumerate(match.games) if game.result.kind == 0]
    first = drawn[0]
    assert match.games[first].result.points == 0
    assert match.games[first + 1].score.points == match.games[first].score.points
    assert match.games[first + 1].first_starter is None, "nobody won, so a contest decides"


def test_a_money_session_with_every_option():
    money = MoneyOptions(jacoby=True, beavers=True, automatic_doubles=1)
    session = random_match(None, "short", seed=6, games=12, money=money, players=("Ann", "Bob"))
    assert session.winner is None and session.actions == ("start_game",)
    won = [0, 0]
    for game in session.games:
        won[game.result.winner] += game.result.points
        check_result(game)
        assert game.money == money
    assert session.score == Score(tuple(won))
    assert any(event.action == "beaver" for game in session.games for event in game.events)
    assert Match.from_json(json.loads(json.dumps(session.to_json()))) == session


DAMAGED = random_match(3, "short", seed=12).to_json()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_record_is_another_match_or_an_error_that_names_its_place(data):
    values = json.loads(json.dumps(DAMAGED))
    game = data.draw(st.integers(0, len(values["games"]) - 1))
    events = values["games"][game]
    number = data.draw(st.integers(0, min(30, len(events) - 1)))
    junk = st.one_of(st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(0, 9), max_size=3))
    field = data.draw(st.sampled_from(["action", "player", "dice", "kind", "afterstate", "x", None]))
    if field is None:
        del events[number]
    else:
        events[number][field] = data.draw(junk)
    try:
        Match.from_json(values)
    except NotationError as fault:
        # Other dice of the opening contest may be a contest too, after which a later event is at fault.
        place = re.search(rf"game {game}, event (\d+)", str(fault))
        assert field is None or (place is not None and int(place[1]) >= number)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*DAMAGED, "x"]), inner, max_size=5)
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_match_or_an_error_of_ours(values):
    for kind in (Match, Game):
        try:
            kind.from_json(values)
        except NardeError:
            continue


def test_faults_of_a_record_are_named():
    game = Game.begin("long").contest("65").play(0)
    for events, fault in [
        ([Event("roll", 0, (6, 5))], "event 0.*contest"),
        ([*game.events, Event("play", 1)], "event 2.*may roll or resign"),
        ([*game.events, Event("roll", 0, (6, 5))], "event 2.*it happened otherwise"),
        ([{"action": "contest", "dice": 7}], "event 0.*no event"),
        ([game.events[0], Event("play", 0, (6, 5), None, (0,) * 28)], "event 1.*24/13"),
    ]:
        with pytest.raises(NotationError, match=fault):
            Game.begin("long").replay(events)


@pytest.mark.long
@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_whole_matches(name, seed):
    match = random_match(LENGTHS[seed % 4], HOUSES[name], seed)
    for game in match.games:
        check_result(game)
    assert Match.from_json(json.loads(json.dumps(match.to_json()))) == match

"""`Match`: lengths, starters, the Crawford game, money sessions, and a state machine of all that is legal."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from narde.cube import MoneyOptions, Score
from narde.dice import SeededDice
from narde.errors import IllegalActionError, InvalidArgumentError, InvalidRulesError, NotationError
from narde.game import Event
from narde.match import Match
from narde.rules import rules, variants
from playing import HOUSES, random_match


def with_results(match, *results):
    """The match after games that were resigned: (loser, kind) each."""
    for loser, kind in results:
        match = match.start_game()
        while "resign" not in match.actions or match.game.mover != loser:
            if "contest" in match.actions:
                match = match.contest("61" if loser == 0 else "16")
            elif "roll" in match.actions:
                match = match.roll("61")
            else:
                match = match.play(0)
        match = match.resign(kind).accept()
    return match


def test_match_lengths():
    """F15; nardeon l53: 1, 3, 5 or 7 points. The other texts have any length."""
    for length in (1, 3, 5, 7):
        assert Match.begin(length, "nardeon").length == length
    for length in (2, 4, 6, 9, 0, "5", True):
        with pytest.raises(InvalidArgumentError, match=r"1, 3, 5, 7|length"):
            Match.begin(length, "nardeon")
    for name in ("minsport", "bkgm", "long", "short"):
        for length in (1, 2, 25, 1000):
            assert Match.begin(length, name).score == Score(length=length)
        for length in (0, -1, 2.5, True, "5"):
            with pytest.raises(InvalidArgumentError, match="length"):
                Match.begin(length, name)
    assert Match.begin(None, "nardeon").length is None, "a money session"


@pytest.mark.parametrize("name", variants())
def test_who_starts_the_next_game(name):
    """F04: the winner only by bkgm l7; the other texts are silent, so a contest as in backgammon."""
    match = Match.begin(7, name)
    assert match.next_starter is None
    match = with_results(match, (0, 1))
    assert match.next_starter == (1 if name == "bkgm" else None)
    match = with_results(match, (1, 1))
    assert match.next_starter == (0 if name == "bkgm" else None)
    assert match.start_game().actions == (("roll", "resign") if name == "bkgm" else ("contest",))


def test_the_sides_may_alternate():
    match = Match.begin(9, HOUSES["koks"]).start_game().contest("16")
    first = match.game.starter
    for _ in range(4):
        loser = match.actor
        match = match.resign().accept()
        assert match.next_starter == 1 - first and match.games[-1].result.winner == 1 - loser
        match, first = match.start_game(), 1 - first
        assert match.game.starter == first


def test_the_crawford_game():
    """minsport l19: in the first game in which a player needs one point nobody doubles; later both may."""
    match = with_results(Match.begin(5, "minsport"), (1, 2), (1, 2))
    assert match.score == Score((4, 0), 5, crawford=True)
    crawford = match.start_game().contest("16").play(0)
    assert crawford.actions == ("roll", "resign")
    after = with_results(match, (0, 1))
    assert after.score == Score((4, 1), 5) and after.score.post_crawford
    game = after.start_game().contest("16").play(0)
    assert "double" in game.actions
    assert game.actor == 0
    assert game.double().drop().winner == 0


def test_points_of_the_cube_and_the_end():
    match = Match.begin(5, "minsport", players=("Ann", "Bob")).start_game().contest("16").play(0)
    match = match.double().take().roll("61").play(0)
    assert match.actor == 1 and match.score == Score(length=5)
    match = match.double().take().resign(2).accept()
    assert match.winner == 0 and match.score.points == (5, 0), "8 points, counted to the match length"
    assert match.games[0].result.points == 8 and match.games[0].result.name(match.rules) == "mars"
    with pytest.raises(IllegalActionError, match="player 0 has won the match"):
        match.start_game()
    with pytest.raises(IllegalActionError, match="no roll between games: nothing is legal"):
        match.roll("65")


def test_out_of_turn():
    match = Match.begin(3, "long")
    assert match.actions == ("start_game",) and match.actor is None and match.game is None
    for action in ("roll", "contest", "play"):
        with pytest.raises(IllegalActionError, match=f"no {action} between games: start_game is legal"):
            getattr(match, action)("65")
    for action in ("double", "take", "beaver", "drop", "resign", "accept", "refuse"):
        with pytest.raises(IllegalActionError, match="between games"):
            getattr(match, action)()
    started = match.start_game()
    with pytest.raises(IllegalActionError, match="a game is in progress; legal: contest"):
        started.start_game()
    assert started.undo() == match
    with pytest.raises(IllegalActionError, match="has just begun"):
        match.undo()


def test_undo_goes_back_over_games():
    match = random_match(3, "short", seed=2)
    total = sum(len(game.events) for game in match.games)
    steps = 0
    while match.games:
        before, match = match, match.undo()
        steps += 1
        assert len(before.games) - len(match.games) in (0, 1)
        if steps > 12 and len(match.games) > 1:
            match = replace(match, games=match.games[:1])
    assert 12 < steps <= total + 3 and match == Match.begin(3, "short")


def test_matches_that_cannot_begin():
    for arguments in [
        {"players": ("Ann",)},
        {"players": (1, 2)},
        {"players": None},
        {"players": 5},
        {"money": MoneyOptions(jacoby=True)},
    ]:
        with pytest.raises(InvalidArgumentError):
            Match.begin(5, "short", **arguments)
    with pytest.raises(InvalidArgumentError, match="cube"):
        Match.begin(None, "long", money=MoneyOptions(beavers=True))
    with pytest.raises(InvalidRulesError):
        Match.begin(5, "chess")


def test_house_rules_and_names_are_recorded():
    house = replace(rules("long"), name="Friday club", koks=3, match_lengths=(4,))
    match = Match.begin(4, house, players=("Аня", "Ваня")).start_game(SeededDice(1))
    back = Match.from_json(json.loads(json.dumps(match.to_json())))
    assert back == match and back.rules == house and back.players == ("Аня", "Ваня")
    assert Match.begin(5, "long").to_json()["rules"] == "long"
    posing = replace(rules("long"), name="long", koks=3)
    assert Match.from_json(Match.begin(5, posing).to_json()).rules == posing


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({}, "no match: KeyError"),
        (
            {"length": 5, "rules": "long", "players": ["a", "b"], "money": {}, "games": [[{}]]},
            "game 0, event 0",
        ),
        ({"length": 4, "rules": "nardeon", "players": ["a", "b"], "money": {}, "games": []}, "1, 3, 5, 7"),
        (
            {"length": 1, "rules": "long", "players": ["a", "b"], "money": {}, "games": [[], []]},
            "game 1, .*progress",
        ),
    ],
)
def test_faults_of_a_record_are_named(values, fault):
    with pytest.raises(NotationError, match=fault):
        Match.from_json(values)


def test_a_record_cannot_go_on_after_the_match_is_won():
    match = random_match(1, "long", seed=3)
    with pytest.raises(NotationError, match="has won the match"):
        match.replay([[Event("contest", dice=(6, 5))]])


class MatchMachine(RuleBasedStateMachine):
    """A match under any rules beside its own small account of the score, the cube and whose turn it is."""

    @initialize(
        name=st.sampled_from(sorted(HOUSES)),
        length=st.sampled_from([None, 1, 3, 5, 7]),
        seed=st.integers(0, 2**32),
    )
    def begin(self, name, length, seed):
        self.house, self.length = HOUSES[name], length
        money = (
            MoneyOptions(beavers=True, automatic_doubles=1) if length is None and self.house.cube else None
        )
        self.match, self.dice = Match.begin(length, self.house, money=money), SeededDice(seed)
        self.beavers = money is not None
        self.won = [0, 0]
        self.new_game()

    def new_game(self):
        self.stake, self.turner, self.answer = 1, None, None

    def may(self, action):
        return hasattr(self, "match") and action in self.match.actions

    @precondition(lambda self: self.may("start_game"))
    @rule()
    def start(self):
        self.match = self.match.start_game(self.dice)
        self.new_game()
        ties = sum(e.action == "contest" for e in self.match.game.events) - (
            self.match.game.first_starter is None
        )
        self.stake *= 2 ** min(ties, self.beavers)

    @precondition(lambda self: self.may("roll"))
    @rule(choice=st.integers(0, 10_000))
    def roll_and_play(self, choice):
        mover = self.match.actor
        self.match = self.match.roll(self.dice)
        self.played(mover, choice)

    @precondition(lambda self: self.may("play"))
    @rule(choice=st.integers(0, 10_000))
    def play(self, choice):
        self.played(self.match.actor, choice)

    def played(self, mover, choice):
        assert self.match.actor == mover and self.match.actions == ("play", "resign")
        self.match = self.match.play(choice % len(self.match.game.legal))
        if self.match.game is not None:
            assert self.match.actor == 1 - mover

    @precondition(lambda self: self.may("double") and self.stake < 64)
    @rule()
    def double(self):
        mover = self.match.actor
        assert self.turner in (None, mover) and self.house.cube and not self.match.score.crawford
        self.match, self.answer = self.match.double(), 1 - mover
        assert self.match.actor == self.answer

    @precondition(lambda self: self.may("take"))
    @rule()
    def take(self):
        mover = self.match.game.mover
        self.match = self.match.take()
        self.stake, self.turner, self.answer = self.stake * 2, 1 - mover, None
        assert self.match.actor == mover

    @precondition(lambda self: self.may("beaver"))
    @rule()
    def beaver(self):
        assert self.beavers and self.answer == 1 - self.match.game.mover
        self.match = self.match.beaver()
        self.stake, self.answer = self.stake * 2, self.match.game.mover

    @precondition(lambda self: self.may("drop"))
    @rule()
    def drop(self):
        loser, self.match = self.answer, self.match.drop()
        self.score(1 - loser, self.stake)

    @precondition(lambda self: self.may("resign"))
    @rule(kind=st.integers(1, 3))
    def resign(self, kind):
        loser, kind = self.match.actor, kind if self.house.koks else min(kind, 2)
        assert self.match.resign(kind).refuse().actions == self.match.actions
        self.match = self.match.resign(kind).accept()
        worth = {1: 1, 2: self.house.mars, 3: self.house.koks}[kind]
        self.score(1 - loser, worth * self.stake)

    @precondition(lambda self: hasattr(self, "match") and not self.match.actions)
    @rule()
    def nothing_more_is_legal(self):
        with pytest.raises(IllegalActionError, match="has won the match"):
            self.match.start_game()

    def score(self, winner, points):
        assert self.match.games[-1].result.points == points
        self.won[winner] += points if self.length is None else min(points, self.length - self.won[winner])

    @invariant()
    def agree(self):
        if not hasattr(self, "match"):
            return
        game = self.match.games[-1] if self.match.games else None
        if game is not None and game.result is not None and game.result.how == "played":
            self.won = list(self.match.score.points)
        assert list(self.match.score.points) == self.won
        assert (self.match.winner is None) == (self.length not in self.won)
        assert (self.match.actions == ()) == (self.match.winner is not None)
        if self.match.game is not None:
            assert self.match.game.cube.value == self.stake
            self.refuse_all_else()

    def refuse_all_else(self):
        every = {"double", "take", "drop", "beaver", "accept", "refuse", "resign"}
        for action in every - set(self.match.actions):
            with pytest.raises(IllegalActionError):
                getattr(self.match, action)()


TestMatchMachine = MatchMachine.TestCase
TestMatchMachine.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)

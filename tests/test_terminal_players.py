"""Players of the program at the board: their plays are those of self-play, and how they answer offers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import narde
from narde import InvalidArgumentError, Network, streams
from narde.evaluators import default
from narde.game import Game
from narde.players import Player
from narde.rules import rules
from narde.terminal.players import PERSON, ProgramPlayer, player
from playing import long_end
from shell import Shell
from talking import spoken, table_of


@pytest.mark.parametrize("variant", ["long", "short"])
@pytest.mark.parametrize("name", ["pips", "pips,temperature=0.2,epsilon=0.3"])
def test_plays_are_chosen_by_seed_game_and_turn(variant: str, name: str) -> None:
    session, _ = spoken(table_of(variant, seats=(name, "random"), seed=3))
    seats, game = (narde.player(name), narde.player("random")), session.table.match.games[0]
    assert game.result is not None
    for number, turn in enumerate(game.turns):
        word = streams.words(3, streams.CHOICES, [0], [number])
        chosen = seats[turn.player].choose(turn.row[None], np.array([turn.dice]), rules(variant), word)
        assert turn.afterstate.tolist() == chosen[0].tolist()


def test_a_network_plays_from_its_file(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Network.random(16).save("weights.narde")
    session, _ = spoken(table_of("long", seats=("greedy:weights.narde", "random"), seed=2))
    network = Network.random(16)
    for turn in session.table.match.games[0].turns:
        if turn.player == 0:
            best = network.choose(turn.row[None], np.array([turn.dice], np.int8), "long")[0]
            assert turn.afterstate.tolist() == best[0].tolist()
    refused = shell("play", "greedy:weights.narde", "--variant", "short", "--no-save")
    assert refused.code == 2 and "was made for the game 'long', not 'short'" in refused.err


@pytest.mark.parametrize("variant", ["minsport", "short"])
def test_greedy_alone_is_the_network_of_the_package(variant: str) -> None:
    found = player("greedy,epsilon=0.25", 1, rules(variant)).player
    assert str(found) == "greedy,epsilon=0.25"
    assert found.evaluator is default(variant)
    session, _ = spoken(table_of(variant, seats=("greedy", "random"), seed=8))
    turn = next(turn for turn in session.table.match.games[0].turns if turn.player == 0)
    best = default(variant).choose(turn.row[None], np.array([turn.dice], np.int8), variant)[0]
    assert turn.afterstate.tolist() == best[0].tolist()


def test_a_saved_match_without_its_weights_is_read_but_not_gone_on_with(shell: Shell, tmp_path: Path) -> None:
    from narde.terminal.table import save_table

    save_table(table_of("long", seats=(PERSON, "greedy:gone.narde")), tmp_path / "match.json")
    assert "no turns" in shell("replay", str(tmp_path / "match.json")).err
    resumed = shell("play", "--resume", str(tmp_path / "match.json"))
    assert resumed.code == 1 and "cannot read gone.narde: No such file" in resumed.err


@dataclass(frozen=True)
class Sure(Player):
    """Gives every afterstate one value, to who has played it."""

    value: float
    has_values = True
    checksum = None

    def choose(self, rows, dice, rules, words):
        raise NotImplementedError

    weigh = choose

    def values_of(self, chosen, rules):
        return np.full(len(chosen), self.value, np.float32)


def answer(game: Game, value: float) -> str:
    """What a player does who gives the side not on roll this value."""
    action, argument = ProgramPlayer(Sure(value), 1).act(game, 0)
    assert argument is None and action in game.actions
    return action


def test_a_double_is_dropped_by_who_expects_to_lose_more_than_half_a_point() -> None:
    doubled = Game.begin("short", starter=0).double()
    assert [answer(doubled, value) for value in (-0.6, -0.5, 0.3)] == ["drop", "take", "take"]
    beavered = narde.Match.begin(None, "short", money=narde.MoneyOptions(beavers=True)).start_game()
    beavered = beavered.contest("31").play(0).double().beaver().game
    assert beavered.actor == beavered.mover
    assert [answer(beavered, value) for value in (0.6, 0.5, -0.3)] == ["drop", "take", "take"]


def test_a_resignation_is_accepted_for_what_is_expected() -> None:
    offered = Game.begin("short", starter=0).roll("31").resign(1)
    assert [answer(offered, value) for value in (-0.2, 1.0, 1.2)] == ["accept", "accept", "refuse"]
    assert answer(Game.begin("short", starter=0).roll("31").resign(2), 1.2) == "accept"


def test_the_race_decides_of_pips_and_nothing_of_random() -> None:
    house = rules("minsport")
    ahead = long_end({1: 2}, {6: 10})
    for name, expected in (("pips", "drop"), ("random", "take")):
        game = Game.begin(house, starter=0)
        doubled = type(game)(**{**vars(game), "row": ahead}).double()
        assert player(name, 1, house).act(doubled, 0) == (expected, None)
    with pytest.raises(InvalidArgumentError, match="no player 'gnubg'"):
        player("gnubg", 1, house)

"""The networks that come with the package: there, what they say, and that they play sensibly."""

from dataclasses import replace

import numpy as np
import pytest

import narde
from narde import evaluators, streams

GAMES = ["long", "short"]


@pytest.mark.parametrize("rules", [*narde.variants(), replace(narde.rules("long"), koks=3)], ids=str)
def test_every_rules_have_a_network_of_their_board(rules: str | narde.Rules) -> None:
    network: narde.Network = evaluators.default(rules)
    assert network.game == narde.rules(rules).game
    assert network is evaluators.default(network.game)
    assert network.note.startswith(f"python examples/train.py {network.game} ")
    assert network.hidden == 64


@pytest.mark.parametrize("game", GAMES)
def test_what_they_say_has_sense(game: str) -> None:
    """On roll is better than not; mars is rarer than winning, koks than mars; far ahead is nearly won."""
    network, start = evaluators.default(game), narde.starting_row(game)
    win, win_mars, win_koks, lose_mars, lose_koks = network(start).tolist()
    assert 0.5 < win < 0.62
    assert win > win_mars > win_koks
    assert 1 - win > lose_mars > lose_koks
    ahead = np.zeros(28, np.int8)
    ahead[0], ahead[26] = 2, 13
    ahead[11 if game == "long" else 23] = -15
    assert network(ahead)[0] > 0.99
    assert evaluators.equity(network(ahead), game) > 1.9


@pytest.mark.parametrize("game", GAMES)
def test_they_beat_a_player_by_pips(game: str) -> None:
    """On the same dice from both seats; every number is the same on every machine."""
    network, pips = evaluators.default(game), evaluators.race(game)
    won = [won_by_first(network, pips, game, 40), 40 - won_by_first(pips, network, game, 40)]
    assert min(won) >= 34


def won_by_first(first: evaluators.Evaluator, second: evaluators.Evaluator, game: str, games: int) -> int:
    """Games won by the one who begins each."""
    alive, turn, won = np.arange(games), 0, 0
    rows = np.tile(narde.starting_row(game), (games, 1))
    while len(alive):
        dice = streams.dice_of(streams.words(5, streams.DICE, alive, [turn]), turn == 0)
        rows = evaluators.best_plays((first, second)[turn % 2], rows, dice, game).afterstates
        over = narde.finished(rows)
        won += int(over.sum()) * (turn % 2 == 0)
        rows, alive, turn = rows[~over], alive[~over], turn + 1
    return won

"""Duels: paired dice with the seats exchanged, and figures worked out by hand."""

import math

import numpy as np
import pytest

import narde
from evaluating import rough
from narde import Duel, InvalidArgumentError, duel, self_play
from narde.stats import mean_interval, ratio_interval, share_interval

LONG = narde.rules("long")


def result(points: list[tuple[int, int]]) -> Duel:
    return Duel("a", "b", LONG, 1, 0, np.array(points, np.int8), 100)


@pytest.mark.parametrize("rules", ["long", "short"])
def test_pairs_are_the_games_of_self_play_with_the_seats_exchanged(rules: str) -> None:
    found = duel("random", rough, 30, rules, seed=4, first=9)
    for seat, players in enumerate((("random", rough), (rough, "random"))):
        games = self_play(30, players[0], rules, opponent=players[1], seed=4, first=9, record="dice")
        expected = [int(p) if w == seat else -int(p) for w, p in zip(games.winner, games.points, strict=True)]
        assert found.points[:, seat].tolist() == expected
    assert (found.a, found.b, found.first, len(found)) == ("random", "greedy:<evaluating.rough>", 9, 30)


def test_a_player_is_even_with_itself() -> None:
    found = duel("random", "random", 40, seed=4)
    assert (found.points.sum(axis=1) == 0).all()
    assert (found.advantage.value, found.advantage.margin, found.elo.value) == (0, 0, 0)


def test_nothing_but_the_seed_changes_the_result() -> None:
    expected = duel(rough, "random", 20, seed=4)
    found = duel(rough, "random", 20, seed=4, threads=3, batch=7)
    assert (np.array_equal(found.points, expected.points), found.turns) == (True, expected.turns)


def test_the_two_players_exchanged() -> None:
    one, other = duel("random", rough, 20, seed=4), duel(rough, "random", 20, seed=4)
    assert np.array_equal(one.points, -other.points[:, ::-1])
    assert one.advantage.value == -other.advantage.value
    assert one.elo.value == pytest.approx(-other.elo.value)


def test_the_figures_of_a_small_duel() -> None:
    """Pairs of 2, 0, 1.5 and -0.5 points a game; of four pairs two are won whole, two shared."""
    found = result([(2, 2), (1, -1), (1, 2), (1, -2)])
    assert found.advantage == mean_interval([2, 0, 1.5, -0.5])
    wins = mean_interval([1, 0.5, 1, 0.5])
    assert (found.wins.value, found.wins.low) == (wins.value, wins.low)
    assert found.wins.high == 1, "a share is no more than 1"
    assert found.elo.value == pytest.approx(400 * math.log10(3))
    assert found.elo.low == pytest.approx(400 * math.log10(wins.low / (1 - wins.low)))
    assert found.elo.high == math.inf
    assert found.counts() == {"a": [3, 3, 0], "b": [1, 1, 0]}
    assert "greedy" not in repr(found) and "+0.750±" in repr(found)
    assert found.data()["games"] == 8


def test_games_that_nobody_won_count_half() -> None:
    assert result([(0, 0), (0, 0)]).wins.value == 0.5
    assert result([(1, 0), (0, 0)]).wins.value == 0.625
    assert result([(0, 1)]).data()["nobody"] == 1


def test_games_that_did_not_end_count_nowhere() -> None:
    points = np.array([(2, 0), (1, -1), (0, 0)], np.int8)
    ended = np.array([(True, False), (True, True), (False, False)])
    found = Duel("a", "b", LONG, 1, 0, points, 100, ended)
    assert (found.advantage, found.wins.value) == (ratio_interval([2, 0], [1, 2]), 2 / 3)
    assert (found.unfinished, found.data()["unfinished"]) == (3, 3)
    assert repr(found).endswith("points a game in 3 games, 3 games not finished>")
    won = Duel("a", "b", LONG, 1, 0, points[:1], 100, ended[:1])
    assert won.wins == share_interval(1, 1)


def test_a_duel_of_which_no_game_ends() -> None:
    found = duel("pips", "pips", 4, "short", seed=1, max_turns=5)
    assert (found.unfinished, repr(found)) == (8, "<narde.Duel pips against pips: 8 games not finished>")
    assert all(math.isnan(figure.value) for figure in (found.advantage, found.wins, found.elo))
    assert (found.elo.low, found.elo.high) == (-math.inf, math.inf)


def test_a_player_who_always_wins_is_not_certain_to() -> None:
    found = result([(1, 2)] * 10)
    assert found.wins == share_interval(10, 10)
    assert (found.elo.value, found.elo.high) == (math.inf, math.inf)
    assert found.elo.low == pytest.approx(400 * math.log10(found.wins.low / (1 - found.wins.low)))
    assert result([(-1, -1)] * 10).elo.high == pytest.approx(-found.elo.low)


def test_the_interval_covers_the_truth() -> None:
    """Short duels of a random player who is even with another: by chance 57 of 60 intervals hold 0."""
    held = 0
    for i in range(60):
        # He who explores in every turn mixes the words: as random, but with other choices.
        found = duel("random", "greedy,epsilon=1", 25, seed=7, first=25 * i)
        held += found.advantage.low <= 0 <= found.advantage.high
    assert 52 <= held <= 60


def test_progress_counts_the_games_of_both_halves() -> None:
    calls: list[tuple[int, int]] = []
    duel("random", "random", 30, seed=1, batch=10, progress=lambda *numbers: calls.append(numbers))
    assert (calls[0], calls[-1]) == ((0, 60), (60, 60))
    assert (30, 60) in calls


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2**36 + 1}, "n is 68719476737"),
        ({"b": "expert"}, "no player"),
        ({"seed": -1}, "seed"),
        ({"progress": 1}, "progress"),
    ],
)
def test_wrong_arguments_are_named(change: dict, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=reason):
        duel(**{"a": "random", "b": "random", "n": 1, "seed": 1, **change})

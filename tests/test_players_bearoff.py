"""The player who bears off perfectly, against the tables and against those who do not."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import narde
from boards import GAMES, race_rows, random_homes
from corpus import assert_same_games
from evaluating import rough
from narde import InvalidArgumentError, InvalidRulesError
from narde.dice import ROLLS
from narde.players import BearoffPlayer
from shell import Shell

LONG = narde.rules("long")


def races(game: str, fewest: int, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Races of the mover's so many checkers at home, each with all 21 rolls, and choice words."""
    n = 60
    rows = race_rows(random_homes(1, n, fewest, most), random_homes(2, n, 1, 6), game)
    words = narde.streams.words(3, narde.streams.CHOICES, np.arange(21 * n), 0)
    return np.repeat(rows, 21, axis=0), np.tile(np.array(ROLLS, np.int8), (n, 1)), words


def late_turns(game: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of games of the network, half of them near their end, with their dice and choice words."""
    games = narde.self_play(12, "greedy", game, seed=8, record=["positions", "dice"])
    turns = np.diff(games.offsets).cumsum()[:, None] - 1 - np.arange(30)
    late = turns.ravel()
    words = narde.streams.words(3, narde.streams.CHOICES, np.arange(len(late)), 0)
    return games.positions[late], games.dice[late], words


@pytest.mark.parametrize(
    "name",
    [
        "bearoff",
        "bearoff,ply=1",
        "bearoff:pips",
        "bearoff:random",
        "bearoff:pips,temperature=0.5,epsilon=0.25",
    ],
)
def test_it_gives_its_name_back(name: str) -> None:
    player = narde.player(name)
    assert str(player) == name
    assert narde.player(str(player)) == player
    again = pickle.loads(pickle.dumps(player))
    assert (again, str(again)) == (player, name)


def test_names_that_come_to_the_same(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert narde.player("bearoff:greedy") == narde.player("bearoff")
    assert narde.player("bearoff:pips", epsilon=0.25) == narde.player("bearoff:pips,epsilon=0.25")
    path = narde.Network.random(16).save(tmp_path / "a,b.narde")
    player = narde.player(f"bearoff:greedy:{path},epsilon=0.5")
    assert str(player) == f"bearoff:greedy:{path},epsilon=0.5"
    assert player.checksum == narde.Network.random(16).checksum


@pytest.mark.parametrize("name", ["bearoff:", "bearoff:expert", "bearoffs", "bearoff:random,ply=1"])
def test_wrong_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match=r"no player .*: name random, .*bearoff|random has no ply"):
        narde.player(name)


@pytest.mark.parametrize("wrong", ["pips", None, rough])
def test_the_other_must_be_a_player(wrong: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"other is .*: pass a player, as narde.player\('pips'\)"):
        BearoffPlayer(wrong)


@pytest.mark.parametrize("name", ["bearoff:bearoff", "bearoff:bearoff:pips", "bearoff:" * 2000 + "pips"])
def test_a_name_within_itself_is_refused(name: str, shell: Shell) -> None:
    with pytest.raises(InvalidArgumentError, match=r"player 'bearoff:bearoff.* names bearoff within bearoff"):
        narde.player(name)
    code, _, err = shell("selfplay", name, "-n", "2")
    assert (code, err.count("\n")) == (2, 1) and "names bearoff within bearoff: name it once" in err


def test_a_player_within_itself_is_refused() -> None:
    player = BearoffPlayer(narde.player("pips"))
    for make in (lambda: BearoffPlayer(player), lambda: player.__init__(player)):  # type: ignore[misc]
        with pytest.raises(InvalidArgumentError, match="other is a bearoff player, too"):
            make()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("fewest", "most"), [(1, 6), (15, 15)])
def test_it_never_leaves_more_than_another_in_a_race(game: str, fewest: int, most: int) -> None:
    """By the tables, exact up to six checkers, and with none off the highest equity is what is played for."""
    db, rules = narde.bearoff(game), narde.rules(game)
    rows, dice, words = races(game, fewest, most)
    left = db.equity(narde.player("bearoff").choose(rows, dice, rules, words))
    for other in ("greedy", "pips", "random"):
        gain = db.equity(narde.player(other).under(rules).choose(rows, dice, rules, words)) - left
        assert gain.min() >= -1e-11, other
        assert gain.max() > 0.01, other


@pytest.mark.parametrize("game", GAMES)
def test_outside_the_tables_it_plays_and_weighs_as_the_other(game: str) -> None:
    rules, db = narde.rules(game), narde.bearoff(game)
    other = narde.player(rough, epsilon=0.25)
    player = BearoffPlayer(other)
    rows, dice, words = late_turns(game)
    chosen, values = player.weigh(rows, dice, rules, words)
    known, told = db.covers_mover(rows), db.covers(chosen)
    assert 0 < known.sum() < len(rows) and 0 < told.sum() < len(rows)
    assert np.array_equal(chosen, player.choose(rows, dice, rules, words))
    assert np.array_equal(chosen[known], db.best_plays(rows[known], dice[known]))
    assert np.array_equal(chosen[~known], other.choose(rows, dice, rules, words)[~known])
    assert np.array_equal(values[told], -db.equity(chosen[told]).astype(np.float32))
    assert np.array_equal(values[~told], other.values_of(chosen[~told], rules))


def test_the_mover_is_covered_where_there_is_a_best_play() -> None:
    for game in GAMES:
        db = narde.bearoff(game)
        rows = late_turns(game)[0]
        for row, is_covered in zip(rows, db.covers_mover(rows), strict=True):
            assert db.covers_mover(row) == is_covered
            try:
                db.best_plays(row, (2, 1))
                answered = True
            except narde.NotCoveredError:
                answered = False
            assert answered == is_covered


def test_games_and_duels() -> None:
    """The same bytes whoever works; all of a game's rows are positions, and a duel gives the name."""
    run = {"seed": 3, "record": ["chosen", "values"], "batch": 25}
    games = narde.self_play(100, "bearoff:pips", **run)
    assert_same_games(games, narde.self_play(100, narde.player("bearoff:pips"), threads=2, **run))
    short = narde.self_play(100, "bearoff", "short", record=["chosen"], seed=1)
    narde.validate(short.chosen, "short")
    assert narde.duel("bearoff:pips", "pips", 5, seed=2).a == "bearoff:pips"
    with pytest.raises(InvalidArgumentError, match="player bearoff:random weighs nothing"):
        narde.self_play(1, "bearoff:random", seed=1, record=["values"])


def test_the_command_line_knows_it(shell: Shell) -> None:
    told = shell("match", "bearoff", "greedy", "-n", "2", "--seed", "1")
    assert "bearoff against greedy" in told.out


def test_rules_without_tables_are_refused_before_a_game() -> None:
    with pytest.raises(InvalidRulesError, match="no bear-off database"):
        narde.self_play(1, "bearoff:random", replace(LONG, name="house", prime_rule="never"), seed=1)

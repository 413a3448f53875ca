"""Players that users write: what they return is checked, and what is wrong is named with game and turn."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import narde
from corpus import assert_same_games
from narde import IllegalPlayError, InvalidArgumentError, self_play
from narde.players import BearoffPlayer, GreedyPlayer, Player, RandomPlayer

RUN: dict[str, Any] = {"seed": 3, "first": 5, "batch": 8}
Spoil = Callable[[np.ndarray, np.ndarray], Any]


class Own(Player):
    """Plays by pips, until in its third turn something happens to what it returns; is never asked for
    nothing."""

    has_values = True
    checksum = None

    def __init__(self, spoil: Spoil = lambda rows, found: found, what: str = "chosen") -> None:
        self.spoil, self.what, self.asked = spoil, what, 0
        self.pips = narde.player("pips")

    def __str__(self) -> str:
        return "own"

    def choose(self, rows: Any, dice: Any, rules: Any, words: Any) -> Any:
        return self.weigh(rows, dice, rules, words)[0]

    def weigh(self, rows: Any, dice: Any, rules: Any, words: Any) -> Any:
        assert len(rows)
        chosen, values = self.pips.weigh(rows, dice, rules, words)
        self.asked += 1
        if self.asked == 3:
            chosen, values = (
                (self.spoil(rows, chosen), values)
                if self.what == "chosen"
                else (chosen, self.spoil(rows, values))
            )
        return chosen, values

    def values_of(self, chosen: Any, rules: Any) -> Any:
        assert len(chosen)
        return self.pips.values_of(chosen, rules)


class Shy(RandomPlayer):
    """The first of the afterstates, always."""

    def choose(self, rows: Any, dice: Any, rules: Any, words: Any) -> Any:
        out = narde.afterstates(rows, dice, rules)
        return out.positions[out.offsets[:-1]]


class First(Player):
    """The same, with nothing besides `choose`."""

    choose = Shy.choose


class Proud(GreedyPlayer):
    """Weighs each afterstate at 7 points."""

    def weigh(self, rows: Any, dice: Any, rules: Any, words: Any) -> Any:
        chosen, values = super().weigh(rows, dice, rules, words)
        return chosen, np.full_like(values, 7)


def test_a_player_derived_from_one_of_the_core_is_asked() -> None:
    games = self_play(6, Shy(), **RUN, record=["positions", "dice", "chosen"])
    out = narde.afterstates(games.positions, games.dice)
    assert np.array_equal(games.chosen, out.positions[out.offsets[:-1]])
    proud = Proud(narde.Network.random(16, seed=1), "proud")
    for player in (proud, pickle.loads(pickle.dumps(proud))):
        assert set(self_play(6, player, **RUN, record=["values"]).values.tolist()) == {7}


def test_choose_is_enough(tmp_path: Path) -> None:
    first = First()
    assert (str(first), first.has_values, first.checksum) == ("First", False, None)
    record = ["positions", "chosen"]
    expected = self_play(6, Shy(), **RUN, record=record)
    assert_same_games(self_play(6, first, **RUN, record=record), expected)
    for _ in range(2):  # known again by its name
        assert self_play(6, First(), **RUN, out=tmp_path, resume=True).n == 6
    with pytest.raises(InvalidArgumentError, match="player First weighs nothing"):
        self_play(6, first, **RUN, record=["values"])


def test_values_are_weighed_by_values_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(First, "has_values", True)
    with pytest.raises(InvalidArgumentError, match=r"First weighs nothing \(it has no values_of\)"):
        self_play(6, First(), **RUN, record=["values"])
    monkeypatch.setattr(First, "values_of", lambda self, chosen, rules: np.full(len(chosen), 2, np.float32))
    assert set(self_play(6, First(), **RUN, record=["values"]).values.tolist()) == {2}


def test_a_class_is_no_player() -> None:
    with pytest.raises(InvalidArgumentError, match=r"player is the class First: .* First\(\)"):
        self_play(6, First, **RUN)


def test_a_turn_without_a_play_is_chosen_too() -> None:
    games = self_play(8, First(), "short", **RUN, record=["positions", "dice", "chosen"])
    passed = (games.chosen == narde.flip(games.positions, "short")).all(axis=1)
    out = narde.afterstates(games.positions[passed], games.dice[passed], "short")
    assert passed.any() and set(np.diff(out.offsets).tolist()) == {1}


def test_a_player_of_a_user_plays_as_what_it_asks() -> None:
    record = ["positions", "chosen", "values"]
    expected = self_play(6, "pips", **RUN, record=record)
    assert_same_games(self_play(6, Own(), **RUN, record=record), expected)
    expected = self_play(6, "bearoff:pips", **RUN, record=record)
    assert_same_games(self_play(6, BearoffPlayer(Own()), **RUN, record=record), expected)
    assert len(self_play(0, Own(), seed=1, record=["chosen", "values"])) == 0


WRONG: dict[str, tuple[Spoil, str]] = {
    "nothing": (lambda rows, found: None, "returned None as afterstates in turn 2 of games 5 to 12"),
    "a list": (lambda rows, found: found.tolist(), "return int8 (8, 28)"),
    "other numbers": (lambda rows, found: found.astype(int), "returned int64 (8, 28) as afterstates"),
    "too few": (lambda rows, found: found[1:], "returned int8 (7, 28)"),
    "a row": (lambda rows, found: found[0], "returned int8 (28,)"),
}


@pytest.mark.parametrize("within", [False, True], ids=["alone", "within bearoff"])
@pytest.mark.parametrize(("spoil", "reason"), WRONG.values(), ids=WRONG)
def test_what_is_no_batch_of_rows(within: bool, spoil: Spoil, reason: str) -> None:
    player = BearoffPlayer(Own(spoil)) if within else Own(spoil)
    reason = reason.partition(" in turn")[0] if within else reason
    with pytest.raises(InvalidArgumentError, match=re.escape(reason)) as caught:
        self_play(8, player, **RUN)
    assert str(caught.value).startswith("player own returned ")


def with_row(index: int, row: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Spoil:
    """One row of those chosen replaced, by what is made of the row before and of the choice."""

    def spoil(rows: np.ndarray, found: np.ndarray) -> np.ndarray:
        found[index] = row(rows[index], found[index])
        return found

    return spoil


ILLEGAL = {
    "not turned round": lambda row, found: narde.flip(found),
    "no play": lambda row, found: narde.flip(row),
    "the start": lambda row, found: narde.starting_row(),
    "no position": lambda row, found: np.zeros(28, np.int8),
}


@pytest.mark.parametrize("record", [[], ["values"]], ids=["chosen", "weighed"])
@pytest.mark.parametrize("row", ILLEGAL.values(), ids=ILLEGAL)
def test_what_is_no_afterstate(row: Any, record: list[str]) -> None:
    reason = (
        r"player own chose what is no afterstate in game 11, turn 2, row 6 of 8\n  row 6 = \S+, dice \d-\d\n"
    )
    with pytest.raises(IllegalPlayError, match=reason + r"  chosen = \["):
        self_play(8, Own(with_row(6, row)), **RUN, record=record)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (with_row(4, lambda row, found: np.nan), "gave the value nan in game 9, turn 2, row 4 of 8"),
        (with_row(4, lambda row, found: np.inf), "gave the value inf in game 9"),
        (lambda rows, found: found.astype(float), "returned float64 (8,) as values in turn 2"),
        (lambda rows, found: found[:, None], "returned float32 (8, 1) as values"),
        (lambda rows, found: None, "returned None as values"),
    ],
)
def test_what_are_no_values(spoil: Spoil, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=re.escape(f"player own {reason}")):
        self_play(8, Own(spoil, "values"), **RUN, record=["values"])
    assert len(self_play(8, Own(spoil, "values"), **RUN)) == 8


def test_what_a_player_is_given_is_not_written_to() -> None:
    def overwrite(rows: np.ndarray, found: np.ndarray) -> np.ndarray:
        rows[:] = 0
        return found

    with pytest.raises(ValueError, match="read-only"):
        self_play(8, Own(overwrite), **RUN)


def test_memory_that_a_player_uses_again_is_copied() -> None:
    memory, values = np.empty((8, 28), np.int8), np.empty(8, np.float32)

    class Sparing(Own):
        def weigh(self, *arguments: Any) -> Any:
            chosen, worth = super().weigh(*arguments)
            memory[: len(chosen)], values[: len(chosen)] = chosen, worth
            return memory[: len(chosen)], values[: len(chosen)]

    record = ["positions", "chosen", "values"]
    expected = self_play(8, "pips", **RUN, record=record)
    assert_same_games(self_play(8, Sparing(), **RUN, record=record), expected)


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (lambda chosen, values: None, "None from weigh"),
        (lambda chosen, values: chosen[:2], "one array from weigh"),
        (lambda chosen, values: (chosen, values, values), "3 things from weigh"),
    ],
)
def test_what_are_no_two_arrays(pair: Any, reason: str) -> None:
    class Odd(Own):
        def weigh(self, *arguments: Any) -> Any:
            return pair(*super().weigh(*arguments))

    with pytest.raises(InvalidArgumentError, match=re.escape(f"player own returned {reason}")) as caught:
        self_play(8, Odd(), **RUN, record=["values"])
    assert str(caught.value).endswith(
        " from weigh in turn 0 of games 5 to 12: return two arrays, afterstates and values"
    )


def masked(rows: np.ndarray, found: np.ndarray) -> np.ndarray:
    return np.ma.array(found, mask=found == found.flat[0])


@pytest.mark.parametrize(
    ("player", "what"),
    [
        (Own(masked), "afterstates"),
        (BearoffPlayer(Own(masked)), "afterstates"),
        (Own(masked, "values"), "values"),
    ],
    ids=["chosen", "chosen within bearoff", "values"],
)
def test_masked_arrays(player: Player, what: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"player own returned masked {what}"):
        self_play(8, player, **RUN, record=["values"])
    assert len(self_play(8, Own(lambda rows, found: np.ma.array(found)), **RUN)) == 8


@pytest.mark.parametrize("wrap", [lambda player: player, BearoffPlayer], ids=["alone", "within bearoff"])
def test_under_that_gives_no_player(wrap: Any) -> None:
    class Lost(Own):
        def under(self, rules: Any) -> Any:
            return None

    with pytest.raises(InvalidArgumentError, match="player own returned None from under: return a player"):
        self_play(8, wrap(Lost()), **RUN)


@pytest.mark.parametrize("checksum", [7, b"7", ["7"]])
def test_a_checksum_that_is_no_text(checksum: Any, tmp_path: Path) -> None:
    own = Own()
    own.checksum = checksum
    with pytest.raises(InvalidArgumentError, match=r"player own has the checksum .*7.*: use a text or None"):
        self_play(8, own, **RUN, out=tmp_path)
    assert not list(tmp_path.iterdir())

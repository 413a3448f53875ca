"""How games end and what they score, from rows where both sides have little left to do."""

from dataclasses import replace

import numpy as np
import pytest

import narde
from corpus import results_from
from narde import Rules, random_games, rules
from positions import BAR, Row, row_of

LONG, SHORT = rules("long"), rules("short")
KOKS = replace(LONG, koks=3)
PLAIN = replace(LONG, mars=1)
ANSWERED = replace(LONG, last_roll=True)
ANSWERED_KOKS = replace(KOKS, last_roll=True)
REROLLED = replace(LONG, opening_roll="reroll")

LAST = [1]
"""One checker left, which any roll bears off."""
HEAD, HOME = [12] * 15, [18, 17, 16, 15, 14, 13] * 2 + [13] * 3
"""In long nardy the opponent's head, and all fifteen at his home."""

ENDS: dict[str, tuple[Row, Rules, set[tuple[int, int, int]]]] = {  # all that may come: winner, points, turns
    "one off": (row_of(LAST, [13] * 14), LONG, {(0, 1, 1)}),
    "mars": (row_of(LAST, HOME), LONG, {(0, 2, 1)}),
    "mars, not koks": (row_of(LAST, HOME), KOKS, {(0, 2, 1)}),
    "koks as mars": (row_of(LAST, HEAD), LONG, {(0, 2, 1)}),
    "koks": (row_of(LAST, HEAD), KOKS, {(0, 3, 1)}),
    "koks by one at his 19": (row_of(LAST, [13] * 14 + [7]), KOKS, {(0, 3, 1)}),
    "no koks by one at his 18": (row_of(LAST, [13] * 14 + [6]), KOKS, {(0, 2, 1)}),
    "mars not counted": (row_of(LAST, HEAD), PLAIN, {(0, 1, 1)}),
    "the second player wins": (row_of([24] * 15, [13]), LONG, {(1, 2, 2)}),
    "the second player wins koks": (row_of([24] * 15, [13]), KOKS, {(1, 3, 2)}),
    "a draw": (row_of(LAST, [13]), ANSWERED, {(-1, 0, 2)}),
    "a draw, or two of three off": (row_of(LAST, [13] * 3), ANSWERED, {(-1, 0, 2), (0, 1, 2)}),
    "no answer without last roll": (row_of(LAST, [13]), LONG, {(0, 1, 1)}),
    "the answer falls short": (row_of(LAST, [13] * 5), ANSWERED, {(0, 1, 2)}),
    "the answer saves mars": (row_of(LAST, [13] * 15), ANSWERED, {(0, 1, 2)}),
    "mars after the answer": (row_of(LAST, HEAD), ANSWERED, {(0, 2, 2)}),
    "koks after the answer": (row_of(LAST, HEAD), ANSWERED_KOKS, {(0, 3, 2)}),
    "the answer may leave 19": (
        row_of(LAST, [18] * 14 + [7]),
        ANSWERED_KOKS,
        {(0, 1, 2), (0, 2, 2), (0, 3, 2)},
    ),
    "nobody answers the second player": (row_of([24] * 15, [13]), ANSWERED, {(1, 2, 2)}),
    "two or three off, no answer": (row_of([1] * 3, [13]), REROLLED, {(0, 1, 1), (1, 1, 2)}),
    "two or three off, answered": (
        row_of([1] * 3, [13]),
        replace(REROLLED, last_roll=True),
        {(-1, 0, 2), (1, 1, 2)},
    ),
    "single": (row_of(LAST, [24] * 14), SHORT, {(0, 1, 1)}),
    "gammon": (row_of(LAST, [24] * 14 + [7]), SHORT, {(0, 2, 1)}),
    "backgammon in the home board": (row_of(LAST, [24] * 14 + [6]), SHORT, {(0, 3, 1)}),
    "backgammon on the bar": (row_of(LAST, [24] * 14 + [BAR]), SHORT, {(0, 3, 1)}),
    "backgammon as gammon": (row_of(LAST, [24] * 14 + [6]), replace(SHORT, koks=0), {(0, 2, 1)}),
    "one off saves backgammon": (row_of(LAST, [24] * 13 + [BAR]), SHORT, {(0, 1, 1)}),
}


@pytest.mark.parametrize(("row", "variant", "expected"), ENDS.values(), ids=ENDS.keys())
def test_ends(row: Row, variant: Rules, expected: set[tuple[int, int, int]]) -> None:
    """The rows are positions, and in 200 games every result occurs that can."""
    start = np.array(row, np.int8)
    narde.validate(start, variant)
    assert set(map(tuple, results_from(start, variant, seed=31, n=200).tolist())) == expected


def test_a_game_without_an_end_is_won_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert results_from(narde.starting_row(), LONG, seed=1, n=2, max_turns=3).tolist() == [[-1, 0, 3]] * 2
    monkeypatch.setattr(narde.games, "MAX_TURNS", 90)
    games = random_games(60, seed=1, record=("positions", "chosen"))
    cut = games.lengths == 90
    assert 5 < cut.sum() < 55
    assert (games.winner[cut] == -1).mean() > 0.8
    assert ((games.winner == -1) == (games.points == 0)).all()
    assert ((games.chosen[games.offsets[1:] - 1, 27] == -15) == (games.winner >= 0)).all()

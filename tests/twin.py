"""Random games played slowly: the dice and choices of `random_games` from NumPy's Philox, the ends of games
from the rule texts."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from corpus import words
from narde import Rules, reference, starting_row

Row = tuple[int, ...]
Afterstates = Callable[[Row, Sequence[int], Rules], Sequence[Row]]

MOVER_OFF, OPPONENT_OFF, BAR = 26, 27, 24
MANY = 1200
"""More turns than the games of the tests have."""


class Played(NamedTuple):
    """One game: its turns as columns, and its result."""

    positions: list[Row]
    dice: list[tuple[int, int]]
    chosen: list[Row]
    winner: int
    points: int


def below(word: int, n: int) -> int:
    """A number below n from 64 random bits."""
    return word * n >> 64


def first_roll(word: int, rules: Rules) -> tuple[int, int]:
    """The starter's dice: those of the contest, "so the first turn of a game is never a double" (long l18),
    or rolled again."""
    if rules.opening_roll == "reroll":
        return later_roll(word)
    r = below(word, 30)
    first, other = r // 5 + 1, [die for die in range(1, 7) if die != r // 5 + 1]
    return first, other[r % 5]


def later_roll(word: int) -> tuple[int, int]:
    r = below(word, 36)
    return r // 6 + 1, r % 6 + 1


def game(seed: int, number: int, rules: Rules, afterstates: Afterstates, start: Row | None = None) -> Played:
    """Game `number` of the seed."""
    dice_words, choice_words = words(seed, number, 0, MANY), words(seed, number, 1, MANY)
    row = start or tuple(starting_row(rules).tolist())
    positions, rolls, chosen = [], [], []
    for turn in range(MANY):
        dice = later_roll(dice_words[turn]) if turn else first_roll(dice_words[turn], rules)
        choices = afterstates(row, dice, rules)
        positions.append(row)
        rolls.append(dice)
        chosen.append(choices[below(choice_words[turn], len(choices))])
        row = chosen[-1]
        if is_over(row, turn, rules):
            return Played(positions, rolls, chosen, *result(row, turn, rules))
    raise AssertionError("the game does not end")


def is_over(row: Row, turn: int, rules: Rules) -> bool:
    """Whether the game ends with this turn, the row being the next player's.

    With `last_roll` the second player still answers the starter's last play; that turn is the game's last.
    """
    has_just_finished, opponent_has_finished = row[OPPONENT_OFF] == -15, row[MOVER_OFF] == 15
    starter_played = turn % 2 == 0
    if has_just_finished and not opponent_has_finished:
        return not (rules.last_roll and starter_played)
    return has_just_finished or opponent_has_finished


def result(row: Row, turn: int, rules: Rules) -> tuple[int, int]:
    """The winner (0 the starter, 1 the other, -1 nobody) and the points."""
    played, next_ = turn % 2, 1 - turn % 2
    if row[OPPONENT_OFF] == -15 and row[MOVER_OFF] == 15:
        return -1, 0
    if row[OPPONENT_OFF] == -15:
        return played, points(row, rules)
    return next_, points(reference.flip(row, rules), rules)


def points(loser: Row, rules: Rules) -> int:
    """What is won against the mover of this row: 1; 2 for mars, "has borne off none" (long l77); with koks 3
    if he also stands on his own 24 to 19 or, in short nardy, on the bar (short l34)."""
    if loser[MOVER_OFF] > 0:
        return 1
    behind = loser[BAR] > 0 or any(loser[point - 1] > 0 for point in range(19, 25))
    return rules.koks if rules.koks and behind else rules.mars

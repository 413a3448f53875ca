"""Turns entered move by move, against every sequence of moves that the reference finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from narde import reference
from narde.board import flip
from narde.errors import AmbiguousPlayError, IllegalPlayError, NardeError, NotationError
from narde.position import Plays, Position
from narde.rules import Rules, rules
from narde.terminal.turn import PartialTurn
from positions import house_rules, made_turns, row_of

Sequences = list[list[tuple[tuple[int, int], ...]]]
"""For each play, every sequence of moves that leads there."""

NAMES = {0: "off", 25: "bar"}


def written(move: tuple[int, int]) -> str:
    return "/".join(NAMES.get(point, str(point)) for point in move)


def few_plays(variant: str | Rules, seed: int, n: int) -> Iterator[tuple[Plays, Sequences]]:
    """Turns with not too many plays and, for each of these, every sequence of moves that leads there by the
    reference, which takes its time over a double."""
    game = rules(variant).game
    turns = ((Position(row, variant).plays(*dice), row, dice) for row, dice in made_turns(game, seed))
    few = ((plays, row) for plays, row, dice in turns if len(plays) < (8 if dice[0] == dice[1] else 40))
    for plays, row in islice(few, n):
        found = reference.plays(row, plays.dice, variant)
        yield plays, [found[tuple(after)] for after in plays.afterstates.tolist()]


def beginning_with(sequences: Sequences, moves: tuple) -> list[int]:
    """The plays that have a sequence beginning so."""
    return [i for i, ways in enumerate(sequences) if any(way[: len(moves)] == moves for way in ways)]


def checked_walk(plays: Plays, sequences: Sequences, random: Random) -> None:
    """Enter one sequence move by move; at each step what is open, and every other move, is as the reference
    says."""
    i = random.randrange(len(plays))
    way = random.choice(sequences[i])
    partial = PartialTurn.begin(plays)
    for n, move in enumerate(way):
        refuse_or_follow(partial, sequences, random.randint(1, 25), random.choice(plays.dice))
        entered = partial.enter(written(move))
        if entered.moves != way[: n + 1]:  # written so it can be several moves: 2/off by a 1 and a 1
            assert len(entered.moves) > n + 1 or sorted(entered.moves) == sorted(way[: n + 1])
            return
        partial = entered
        assert partial.open == beginning_with(sequences, partial.moves)
    assert partial.chosen == i and i in partial.open
    assert (flip(partial.row, plays.position.rules) == plays.afterstates[i]).all()


def refuse_or_follow(partial: PartialTurn, sequences: Sequences, start: int, die: int) -> None:
    """A single move is taken as one or more moves that begin a legal sequence, or refused."""
    move = (start, max(start - die, 0))
    try:
        after = partial.enter(written(move))
    except AmbiguousPlayError:
        return
    except NardeError as fault:
        assert not beginning_with(sequences, (*partial.moves, move)), fault
    else:
        assert beginning_with(sequences, after.moves)


@pytest.mark.parametrize("variant", ["long", "bkgm", "short"])
def test_entered_move_by_move(variant: str) -> None:
    random = Random(variant)
    for plays, sequences in few_plays(variant, random.randrange(2**32), 80):
        checked_walk(plays, sequences, random)


def test_entered_by_house_rules() -> None:
    random = Random(5)
    for house in house_rules():
        for plays, sequences in few_plays(house, random.randrange(2**32), 4):
            checked_walk(plays, sequences, random)


@pytest.mark.parametrize("variant", ["long", "short"])
def test_a_whole_play_is_one_entry(variant: str) -> None:
    random = Random(variant)
    for row, dice in islice(made_turns(rules(variant).game, seed=8), 60):
        plays = Position(row, variant).plays(*dice)
        i = random.randrange(len(plays))
        whole = PartialTurn.begin(plays).enter(plays[i].notation)
        assert whole.chosen == i and whole.entries == (plays[i].notation,)


START = Position.start("short")


def test_what_is_told_on_the_way() -> None:
    partial = PartialTurn.begin(START.plays(3, 1))
    assert (partial.entries, partial.moves, partial.dice_left, partial.chosen) == ((), (), "3 1", None)
    one = partial.enter("8/5")
    assert (one.notation, one.dice_left, one.chosen) == ("8/5", "1", None)
    assert [partial.plays[i].notation for i in one.open] == ["24/23 8/5", "8/7 8/5", "8/5 6/5", "8/4"]
    assert one.row[7] == 2 and one.row[4] == 1 and partial.row[7] == 3
    two = one.enter("6/5")
    assert (two.notation, two.dice_left, two.entries) == ("8/5 6/5", "", ("8/5", "6/5"))
    assert two.chosen == partial.plays.index("8/5 6/5")
    assert PartialTurn.of(partial.plays, two.entries).chosen == two.chosen


def test_a_double_has_four_moves() -> None:
    partial = PartialTurn.begin(START.plays(1, 1)).enter("8/7(2)")
    assert (partial.notation, partial.dice_left) == ("8/7(2)", "1 1")
    assert partial.enter("6/5(2)").chosen == partial.plays.index("8/7(2) 6/5(2)")


def test_one_checker_with_the_dice_in_one_entry() -> None:
    assert PartialTurn.begin(START.plays(6, 5)).enter("24/13").chosen is not None
    assert PartialTurn.begin(START.plays(2, 2)).enter("13/9").dice_left == "2 2"


def test_two_dice_that_bear_off_the_same_checker() -> None:
    row = row_of(own=[5, 4, 3], opponent=[20])
    partial = PartialTurn.begin(Position(row, "short").plays(6, 5)).enter("5/off")
    assert partial.dice_left == "5 or 6"
    assert partial.enter("4/off").chosen is not None


def test_both_dice_must_be_playable() -> None:
    """24/18 with 6-5 on the first turn: the 5 must follow with the same checker, one leaves the head."""
    partial = PartialTurn.begin(Position.start("long").plays(6, 5)).enter("24/18")
    with pytest.raises(IllegalPlayError, match="only one checker may leave the head"):
        partial.enter("24/19")
    assert partial.enter("18/13").chosen == 0


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        ("8/6", IllegalPlayError, "8/6 is 2 pips, which 3-1 does not make\n.*\n.*nearest of 16 legal plays"),
        ("20/17", IllegalPlayError, "no checker on 20"),
        ("pass", IllegalPlayError, "a pass is allowed only when no die can be played"),
        ("65: 24/13", NotationError, "for another roll: the dice are 3-1"),
        ("hello", NotationError, "'hello' in 'hello' is no move: write 24/18"),
        ("5/8", IllegalPlayError, "goes backwards"),
        ("", IllegalPlayError, "a pass is allowed only"),
        ("8/5*", IllegalPlayError, "no opposing checker is hit there"),
    ],
)
def test_wrong_entries(text: str, error: type[NardeError], reason: str) -> None:
    with pytest.raises(error, match=reason):
        PartialTurn.begin(START.plays(3, 1)).enter(text)


def test_a_wrong_second_entry_names_what_goes_on() -> None:
    partial = PartialTurn.begin(START.plays(3, 1)).enter("8/5")
    with pytest.raises(IllegalPlayError) as caught:
        partial.enter("13/10")
    assert "'13/10' is illegal after 8/5: 13/10 is 3 pips, which 1 does not make" in str(caught.value)
    assert "the plays that go on: 24/23 8/5, 8/7 8/5, 8/5 6/5, 8/4" in str(caught.value)
    for text in ("", "pass", "8/5*"):
        with pytest.raises(IllegalPlayError):
            partial.enter(text)


def test_a_move_that_would_leave_a_die_unplayed() -> None:
    """6/off by the 6 could be made, but then 4/1 is closed: both dice play as 6/3 4/off alone."""
    partial = PartialTurn.begin(Position(row_of([6, 4], [1, 1, 9]), "short").plays(6, 3))
    with pytest.raises(IllegalPlayError, match="it uses one die where both can be played"):
        partial.enter("6/off")
    with pytest.raises(IllegalPlayError, match=r"illegal after 6/3: .*\n.*go on: 6/3 4/off"):
        partial.enter("6/3").enter("3/off")
    assert partial.enter("6/3").enter("4/off").chosen == 0


def test_a_hit_on_the_way_is_named() -> None:
    """8/4 with 3-1 can hit on 5 or on 7: the point between must be named."""
    row = row_of(own=[8, 8, 2], opponent=[7, 5, 24, 24])
    partial = PartialTurn.begin(Position(row, "short").plays(3, 1))
    with pytest.raises(AmbiguousPlayError, match="Name the point between"):
        partial.enter("8/4")
    assert partial.enter("8/7*/4").chosen is not None
    double = PartialTurn.begin(Position(row_of([8, 8, 2], [6, 24, 24]), "short").plays(1, 1))
    assert double.enter("8/6*").notation == "8/6*"

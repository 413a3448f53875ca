"""Other move generators of short nardy (backgammon), called so that their answers are rows like ours.

Both come with the `bench` extra: GNU Backgammon's generator in `gnubg-nn`, and OpenSpiel's backgammon. Each
library is imported where it is used, so that this module can be read without them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

Row = tuple[int, ...]
"""A row of 28 numbers, seen by the player on roll; see `narde.board`."""

CHECKERS = 15


def _row(own: Sequence[int], opponent: Sequence[int]) -> Row:
    """The row of checkers on points 1 to 24 and the bar (25 numbers each), the opponent's in his own
    numbering."""
    points = [own[i] - opponent[23 - i] for i in range(24)]
    return (*points, own[24], -opponent[24], CHECKERS - sum(own), sum(opponent) - CHECKERS)


# ---- GNU Backgammon ----------------------------------------------------------------------------------------


def gnubg_board(row: Sequence[int]) -> list[list[int]]:
    """A row as `gnubg_nn` takes it: the opponent's 24 points and bar, then the mover's, each in his own
    numbering."""
    own = [max(int(row[i]), 0) for i in range(24)]
    opponent = [max(-int(row[23 - i]), 0) for i in range(24)]
    return [[*opponent, -int(row[25])], [*own, int(row[24])]]


def gnubg_afterstates(row: Sequence[int], dice: Sequence[int]) -> list[Row]:
    """The afterstates by `gnubg_nn.moves`, which gives none where we have one, the pass."""
    import gnubg_nn

    board = gnubg_board(row)
    keys = gnubg_nn.moves(board, int(dice[0]), int(dice[1]))
    after = [gnubg_nn.board_from_position_key(key) for key in keys] or [board]
    return [_row(opponent, own) for opponent, own in after]


# ---- OpenSpiel ---------------------------------------------------------------------------------------------


@cache
def _backgammon() -> Any:
    import pyspiel

    return pyspiel.load_game("backgammon")


def openspiel_row(state: Any, mover: int) -> Row:
    """The row of an OpenSpiel state as player `mover` sees it; 100 stands for the bar there."""
    sides = []
    for player in (mover, 1 - mover):
        numbering = range(24) if player == 1 else range(23, -1, -1)
        sides.append([*(state.board(player, i) for i in numbering), state.board(player, 100)])
    return _row(*sides)


def openspiel_afterstates(state: Any) -> set[Row]:
    """The afterstates of a state where a player has rolled; a double is two actions of two moves each
    there."""
    mover = state.current_player()
    after: set[Row] = set()
    for action in state.legal_actions():
        child = state.child(action)
        if child.current_player() == mover:
            after |= openspiel_afterstates(child)
        else:
            after.add(openspiel_row(child, 1 - mover))
    return after


def openspiel_turns(seed: int) -> Iterator[tuple[Any, Row, tuple[int, int]]]:
    """Turns of endless random games of OpenSpiel: the state when the dice have fallen, its row and its
    dice."""
    choice = random.Random(seed)
    while True:
        state, mid_double = _backgammon().new_initial_state(), False
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choice.choices(outcomes, chances)[0])
                mid_double = False
                continue
            if not mid_double:
                yield state.clone(), openspiel_row(state, state.current_player()), _openspiel_dice(state)
            state.apply_action(choice.choice(state.legal_actions()))
            mid_double = True


def _openspiel_dice(state: Any) -> tuple[int, int]:
    """The dice of a state; they are nowhere but in its text and its tensors."""
    first, second = str(state).split("Dice: ")[1][:2]
    return int(first), int(second)


def openspiel_play_random_games(n: int, seed: int) -> None:
    """Play n random games in C++ alone, as the roll-outs of one step of OpenSpiel's own tree search."""
    import pyspiel

    state = _backgammon().new_initial_state()
    state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=n, seed=seed)
    options = {"uct_c": 1.0, "max_simulations": 1, "max_memory_mb": 100, "solve": False}
    bot = pyspiel.MCTSBot(_backgammon(), evaluator, **options, seed=seed, verbose=False)
    bot.mcts_search(state)

"""Other programs for short nardy (backgammon): their legal plays as rows like ours, their games and rollouts.

All come with the `bench` extra: GNU Backgammon's generator and networks in `gnubg-nn`, the whole of it in
`gnubg`, Open Sage in `bgsage`, and OpenSpiel's backgammon. Each library is imported where it is used, so that
this module can be read without them.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

Row = tuple[int, ...]
"""A row of 28 numbers, seen by the player on roll; see `narde.board`."""

CHECKERS = 15


class PeerRollout(NamedTuple):
    """What a peer's rollout found for the player who has just moved, and how long it took."""

    equity: float
    standard_error: float
    seconds: float


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


def gnubg_play_games(start: Sequence[int], n: int, seed: int) -> int:
    """Play n games from a row by the best plays of `gnubg_nn` without looking ahead; returns their turns.

    It keeps what it has weighed, so that games of the same seed take less time when played again.
    """
    import gnubg_nn

    dice, turns, first = random.Random(seed), 0, gnubg_board(start)
    for _ in range(n):
        board, roll = first, dice.sample(range(1, 7), 2)  # the first roll of a game is no double
        while sum(board[0]) and sum(board[1]):
            _, key = gnubg_nn.best_move(board, *roll, b=1)
            board, roll = gnubg_nn.board_from_position_key(key), dice.choices(range(1, 7), k=2)
            turns += 1
    return turns


def gnubg_rollout(trials: int, seed: int) -> PeerRollout:
    """GNU Backgammon's rollout of 3-1: 8/5 6/5 from the start; 0 plies, variance reduction, one thread.

    `gnubg_nn.rollout` of 1.1.0a11 is of no use here: it never reads the position that it is given, but
    writes it over the number of games and whatever lies beyond, so that it crashes or answers for no
    position at all.
    """
    program = Path(__file__).with_name("gnubg_rollout.py")
    command = [sys.executable, str(program), str(trials), str(seed)]
    with tempfile.TemporaryDirectory() as home:  # not the settings of whoever runs this
        plain = os.environ | {"HOME": home, "LC_ALL": "C"}
        told = subprocess.run(command, env=plain, capture_output=True, text=True, check=True).stdout
    kind = f"Full cubeless rollout with variance reduction\n {{8}}{trials} games"
    found = re.search(rf"Rollout +8/5 6/5 .*?CL +(\S+)\n.*?CL +(\S+)]\n +{kind}.*took (\S+) s", told, re.S)
    assert found, told
    return PeerRollout(*map(float, found.groups()))


# ---- Open Sage ---------------------------------------------------------------------------------------------


def sage_board(row: Sequence[int]) -> list[int]:
    """A row as Open Sage takes it: the opponent's bar, the 24 points with his checkers below 0, the mover's
    bar."""
    return [-int(row[25]), *map(int, row[:24]), int(row[24])]


def sage_afterstates(row: Sequence[int], dice: Sequence[int]) -> set[Row]:
    """The afterstates by Open Sage's generator, which gives none where we have one, the pass."""
    import bgbot_cpp

    board = sage_board(row)
    after = bgbot_cpp.possible_moves(board, int(dice[0]), int(dice[1])) or [board]
    return {_sage_row(bgbot_cpp.flip_board(list(board))) for board in after}


def _sage_row(board: Sequence[int]) -> Row:
    """The row of a board that is seen by the player on roll."""
    own = [*(max(checkers, 0) for checkers in board[1:25]), board[25]]
    opponent = [*(max(-checkers, 0) for checkers in board[24:0:-1]), board[0]]
    return _row(own, opponent)


def sage_rollout(row: Sequence[int], trials: int, seed: int) -> PeerRollout:
    """Open Sage's rollout of a row that its owner has reached by a play; 0 plies, which it counts as 1,
    variance reduction, one thread."""
    import bgbot_cpp
    from bgsage.weights import default_weights

    weights = default_weights()
    nets = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
    rollout = bgbot_cpp.create_rollout(
        *nets, n_trials=trials, n_threads=1, seed=seed, parallelize_trials=False
    )
    start = time.perf_counter()
    found = rollout.rollout_position(sage_board(row))
    return PeerRollout(found.equity, found.std_error, time.perf_counter() - start)


def sage_play_games(n: int, seed: int) -> float:
    """Play n games in C++ alone by Open Sage's 17 networks for pairs of plans, without looking ahead, in one
    thread; returns the share of gammons and backgammons."""
    import bgbot_cpp
    from bgsage.weights import default_weights

    weights = default_weights()
    nets = (weights.weight_paths_list[:17], weights.hidden_sizes_list[:17])
    games = bgbot_cpp.play_games_pair_vs_self(*nets, n_games=n, seed=seed, n_threads=1)
    more = games.p1_gammons + games.p2_gammons + games.p1_backgammons + games.p2_backgammons
    assert games.p1_wins + games.p2_wins + more == games.n_games == n
    return float(more / n)


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

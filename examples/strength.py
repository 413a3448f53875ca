"""How well an evaluator plays: points a game against another, on the same dice from both seats.

    python examples/strength.py short --against gnubg --games 2000

`narde match` does this for players by name. Here any evaluators can be compared: `network`, that of the
package; a file of weights; `pips`; `random`; for short nardy `gnubg`, the networks of GNU Backgammon without
looking ahead (package gnubg-nn).
"""

from __future__ import annotations

import argparse

import numpy as np

import narde
from narde import evaluators, streams


def by_chance(rows: np.ndarray) -> np.ndarray:
    """Chances that say nothing: any afterstate may be the best."""
    return np.random.default_rng(len(rows)).random((len(rows), 5), np.float32)


def by_gnubg(rows: np.ndarray) -> np.ndarray:
    """GNU Backgammon's chances of the player on roll, who is the second side of its boards."""
    import gnubg_nn

    own, others = np.maximum(rows, 0), np.maximum(-rows[:, [*range(23, -1, -1), 25]], 0)
    boards = zip(others.tolist(), own[:, :25].tolist(), strict=True)
    return np.array([gnubg_nn.probabilities(list(board), 0) for board in boards], np.float32)


def evaluator_of(name: str, rules: str) -> evaluators.Evaluator:
    named = {
        "network": evaluators.default(rules),
        "pips": evaluators.race(rules),
        "random": by_chance,
        "gnubg": by_gnubg,
    }
    return named[name] if name in named else evaluators.load(name)


def points_of_first(
    players: list[evaluators.Evaluator], rules: narde.Rules, seed: int, games: int
) -> np.ndarray:
    """The points of the player who begins each game: int (games,)."""
    alive, points, turn = np.arange(games), np.zeros(games, int), 0
    rows = np.tile(narde.starting_row(rules), (games, 1))
    while len(alive):
        words = streams.words(seed, streams.DICE, alive, [turn])
        dice = streams.dice_of(words, turn == 0 and rules.opening_roll == "keep")
        rows = evaluators.best_plays(players[turn % 2], rows, dice, rules).afterstates
        over = narde.finished(rows)
        points[alive[over]] = narde.results(rows[over], rules) * (1 if turn % 2 else -1)
        rows, alive, turn = rows[~over], alive[~over], turn + 1
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description="Points a game of one evaluator against another.")
    parser.add_argument("rules", choices=narde.variants())
    parser.add_argument("--player", default="network")
    parser.add_argument("--against", default="pips", help="network, pips, random, gnubg or a file")
    parser.add_argument("--games", type=int, default=2_000, help="an even number; each dice are used twice")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = narde.rules(options.rules)
    one, other = (evaluator_of(name, options.rules) for name in (options.player, options.against))
    pairs = options.games // 2
    seats = np.stack(
        [
            points_of_first([one, other], rules, options.seed, pairs),
            -points_of_first([other, one], rules, options.seed, pairs),
        ]
    )
    for what, values in (("points a game", seats), ("games won", seats > 0)):
        mean, error = values.mean(), 1.96 * values.mean(axis=0).std(ddof=1) / pairs**0.5
        print(f"{what}: {mean:.3f}, 95 % interval {mean - error:.3f} to {mean + error:.3f}")


if __name__ == "__main__":
    main()

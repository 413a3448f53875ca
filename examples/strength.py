"""How well an evaluator plays: points a game against another, on the same dice from both seats.

    python examples/strength.py short --against gnubg --games 2000

`narde match` does this for players by name. Here any evaluators can be compared: `network`, that of the
package; a file of weights; `pips`; `random`; for short nardy `gnubg`, the networks of GNU Backgammon without
looking ahead (package gnubg-nn).
"""

from __future__ import annotations

import argparse
from importlib import import_module

import numpy as np

import narde
from narde import evaluators


def by_gnubg(rows: np.ndarray) -> np.ndarray:
    """GNU Backgammon's chances of the player on roll, who is the second side of its boards."""
    import gnubg_nn

    own, others = np.maximum(rows, 0), np.maximum(-rows[:, [*range(23, -1, -1), 25]], 0)
    boards = zip(others.tolist(), own[:, :25].tolist(), strict=True)
    return np.array([gnubg_nn.probabilities(list(board), 0) for board in boards], np.float32)


def player_of(name: str, rules: str) -> narde.players.Player:
    if name == "gnubg":
        try:
            import_module("gnubg_nn")
        except ImportError:
            raise SystemExit("gnubg needs the package gnubg-nn: pip install gnubg-nn") from None
    named = {"network": evaluators.default(rules), "gnubg": by_gnubg, "pips": "pips", "random": "random"}
    return narde.player(named.get(name, f"greedy:{name}"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Points a game of one evaluator against another.")
    parser.add_argument("rules", choices=narde.variants())
    parser.add_argument("--player", default="network")
    parser.add_argument("--against", default="pips", help="network, pips, random, gnubg or a file")
    parser.add_argument("--games", type=int, default=2_000, help="an even number; each dice are used twice")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    one, other = (player_of(name, options.rules) for name in (options.player, options.against))
    found = narde.duel(one, other, options.games // 2, options.rules, seed=options.seed)
    for what, figure in (("points a game", found.advantage), ("games won", found.wins)):
        print(f"{what}: {figure.value:.3f}, 95 % interval {figure.low:.3f} to {figure.high:.3f}")


if __name__ == "__main__":
    main()

"""Train a small network from nothing by self-play: the networks that come with narde were made so.

    OPENBLAS_NUM_THREADS=1 python examples/train.py long --out long.narde

Each round plays games with the network so far, greedy but for a share of random turns, and fits it to what
came of them: TD(lambda) returns, the mean of the outcome and of the network's own later chances. Same seed
and machine, same weights; the matrix products of another machine may round otherwise.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import narde
from narde import Network, evaluators
from narde.features import FEATURES, features

MAX_TURNS = 2_000


def returns(network: Network, games: narde.Games, trace: float) -> np.ndarray:
    """The TD(lambda) return of every position: float32 (T, 5).

    Going back from the end, a position's return is that of the next one with the other player's eyes, a mean
    of its return, `trace` of it, and of what the network says. A koks is counted whether the rules score it
    or not.
    """
    own = network(games.positions)
    targets = np.empty_like(own)
    after = evaluators.exact_chances(games.chosen[games.offsets[1:] - 1], replace(games.rules, koks=3))
    for back in range(1, games.lengths.max() + 1):
        longer = np.flatnonzero(games.lengths >= back)
        at = games.offsets[longer + 1] - back
        targets[at] = evaluators.swapped(after[longer])
        after[longer] = trace * targets[at] + (1 - trace) * own[at]
    return targets


class Model:
    """The network in float32 with Adam's means (Kingma and Ba 2015)."""

    def __init__(self, hidden: int, seed: int) -> None:
        draw = np.random.default_rng(seed).normal
        shapes = (FEATURES, hidden), (hidden,), (hidden, 5), (5,)
        sizes = 0.1, 0.0, 0.1, 0.0
        self.weights = [
            draw(0, size, shape).astype(np.float32) for size, shape in zip(sizes, shapes, strict=True)
        ]
        self.means = [np.zeros_like(w) for w in self.weights]
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def network(self, game: str, note: str = "") -> Network:
        return replace(Network.from_floats(game, *self.weights), note=note)

    def step(self, inputs: np.ndarray, targets: np.ndarray, rate: float) -> float:
        """One step down the cross entropy of a batch; returns it."""
        w1, b1, w2, b2 = self.weights
        hidden = np.maximum(inputs @ w1 + b1, 0)
        with np.errstate(over="ignore"):
            chances = 1 / (1 + np.exp(-(hidden @ w2 + b2)))
        error = (chances - targets) / len(inputs)
        back = (error @ w2.T) * (hidden > 0)
        self._move([inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0)], rate)
        chances = chances.clip(1e-6, 1 - 1e-6)
        return float(-(targets * np.log(chances) + (1 - targets) * np.log(1 - chances)).sum(1).mean())

    def _move(self, gradients: list[np.ndarray], rate: float) -> None:
        self.steps += 1
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for w, m, v, g in zip(self.weights, self.means, self.squares, gradients, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= rate * m / (np.sqrt(v) + 1e-8)


def fit(
    model: Model, positions: np.ndarray, targets: np.ndarray, rate: float, order: np.ndarray, batch: int
) -> float:
    """One pass over the positions in that order; returns the mean loss."""
    inputs, losses = np.empty((batch, FEATURES), np.float32), []
    for start in range(0, len(order) - batch + 1, batch):
        which = order[start : start + batch]
        losses.append(model.step(features(positions[which], out=inputs), targets[which], rate))
    return float(np.mean(losses))


def score(ours: Network, theirs: Any, rules: narde.Rules, seed: int, n: int) -> tuple[float, float]:
    """Share of games won and points a game against another player, in both seats on the same dice."""
    won, points = 0, 0
    for seat, players in enumerate(((ours, theirs), (theirs, ours))):
        games = narde.self_play(n, players[0], rules, opponent=players[1], seed=seed)
        won += int((games.winner == seat).sum())
        points += int(np.where(games.winner == seat, games.points, -games.points.astype(int)).sum())
    return won / (2 * n), points / (2 * n)


def train(options: argparse.Namespace) -> Network:
    """All rounds; progress goes to standard output."""
    rules = narde.rules(options.rules)
    model, shuffle = Model(options.hidden, options.seed), np.random.default_rng(options.seed)
    player: Any = "random"  # plays the first games
    earlier, begun = player, time.process_time()
    for number in range(options.rounds):
        done = number / options.rounds
        network = model.network(rules.game)
        first, record = number * options.games, ("positions", "chosen")
        games = narde.self_play(
            options.games, player, rules, seed=options.seed, first=first, record=record, max_turns=MAX_TURNS
        )
        targets = returns(network, games, 1.0 if number == 0 else options.trace)
        rate = options.rate * (0.03 + 0.97 * (1 + np.cos(np.pi * done)) / 2)
        loss = fit(model, games.positions, targets, rate, shuffle.permutation(len(targets)), options.batch)
        network = model.network(rules.game)
        player = narde.player(network, epsilon=options.epsilon * (1 - done))
        line = f"{number:3d}  {time.process_time() - begun:6.0f} s  loss {loss:.4f}"
        if number % 10 == 9:
            won, points = score(network, earlier, rules, options.seed + 1, 2_000)
            line += f"  against {number - 9}: {won:.3f} won, {points:+.3f} points"
            earlier = network
        print(line, flush=True)
        if options.out and number % 10 == 9:
            model.network(rules.game, note_of(options)).save(options.out)
    return model.network(rules.game, note_of(options))


def note_of(options: argparse.Namespace) -> str:
    chosen = " ".join(
        f"--{name} {value}" for name, value in vars(options).items() if name not in ("rules", "out")
    )
    return f"python examples/train.py {options.rules} {chosen} (narde {narde.__version__})"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a network by self-play.")
    parser.add_argument("rules", choices=narde.variants())
    parser.add_argument("--out", help="the file to write, .narde")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--games", type=int, default=10_000, help="games a round")
    parser.add_argument(
        "--epsilon", type=float, default=0.1, help="share of random turns at first; none at last"
    )
    parser.add_argument("--trace", type=float, default=0.7, help="lambda")
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.out and Path(options.out).suffix.lower() != ".narde":
        parser.error(f"--out {options.out}: name a file .narde")
    network = train(options)
    if options.out:
        print(network.save(options.out), network.checksum)


if __name__ == "__main__":
    main()

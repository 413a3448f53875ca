"""Games and matches played by players who choose at random among all that is legal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from narde.dice import SeededDice
from narde.game import Game
from narde.match import Match
from narde.rules import rules, variants

HOUSES = {
    **{name: rules(name) for name in variants()},
    "koks": replace(rules("long"), name="koks", koks=3, next_starter="alternate"),
    "last roll": replace(rules("long"), name="last roll", last_roll=True, next_starter="winner"),
    "cube": replace(rules("bkgm"), name="cube", cube=True, crawford=True, last_roll=True, koks=3),
    "plain": replace(rules("short"), name="plain", crawford=False, koks=0, opening_roll="reroll"),
}
"""Every variant and house rules that no text has."""

RARE = {"double": 0.15, "resign": 0.01, "drop": 0.3, "beaver": 0.3, "accept": 0.5}
"""How likely a random player is to do these where he may; else he rolls, plays, takes or refuses."""


def random_step(state, random: Random, dice):
    """The game or match after one random legal action."""
    actions = [name for name in state.actions if random.random() < RARE.get(name, 1.0)]
    action = random.choice([name for name in actions if name in RARE] or actions)
    game = getattr(state, "game", state)
    if action in ("contest", "roll", "start_game"):
        return getattr(state, action)(dice)
    if action == "play":
        return state.play(random.randrange(len(game.legal)))
    if action == "resign":
        return state.resign(random.randint(1, 3 if game.rules.koks else 2))
    return getattr(state, action)()


def random_game(house, seed: int, **begin) -> Game:
    """A whole random game."""
    game, random, dice = Game.begin(house, **begin), Random(seed), SeededDice(seed)
    while game.actions:
        game = random_step(game, random, dice)
    return game


def random_match(length, house, seed: int, games: int | None = None, **begin) -> Match:
    """A whole random match, or so many games of a money session."""
    match, random, dice = Match.begin(length, house, **begin), Random(seed), SeededDice(seed)
    while match.actions and (games is None or len(match.games) < games or match.game is not None):
        match = random_step(match, random, dice)
    return match


def long_end(mover: dict[int, int], opponent: dict[int, int]) -> np.ndarray:
    """A row of long nardy at the end of a game: checkers by each side's own points, the rest off."""
    row = np.zeros(28, np.int8)
    for point, checkers in mover.items():
        row[point - 1] += checkers
    for point, checkers in opponent.items():
        row[(point + 11) % 24] -= checkers
    row[26], row[27] = 15 - sum(mover.values()), sum(opponent.values()) - 15
    return row

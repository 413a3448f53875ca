"""The names of players: `random`, `pips`, `greedy`, `greedy:weights.narde`, `bearoff`, `bearoff:pips`, with
options after commas."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from narde.errors import InvalidArgumentError, shown
from narde.evaluators import Evaluator, default, load, race
from narde.network import Network
from narde.players.base import Player
from narde.players.greedy import GreedyPlayer
from narde.players.perfect import BEAROFF, BearoffPlayer
from narde.players.uniform import RandomPlayer

_OPTIONS: Final[dict[str, Callable[[str], float]]] = {"ply": int, "temperature": float, "epsilon": float}
_KNOWN: Final = "random, pips, greedy, greedy:FILE, bearoff or bearoff:PLAYER"
_OPTION: Final = re.compile(r"\s*[a-z]\w*\s*=.*")
_GREEDY: Final = "greedy:"
_BY_RULES: Final = {"pips": race, "greedy": default}


def player(player: str | Player | Evaluator, **options: float) -> Player:
    """The player of a name, or the greedy player of an evaluator; a player itself is given back.

    "random" takes any afterstate, "pips" goes by the pips of a race, "greedy" by the network that comes with
    the package, "greedy:weights.narde" by the evaluator in that file (see `narde.evaluators.load`).
    "bearoff" bears off perfectly by the bear-off tables and plays as "greedy" before that, "bearoff:pips" as
    "pips", and so with any name. Options stand after commas, "pips,epsilon=0.05", or are passed by name:
    `ply` (0), `temperature` (0), `epsilon` (0), see `GreedyPlayer`.

    Raises `InvalidArgumentError` for an unknown name or option, and what `narde.evaluators.load` raises.
    """
    if isinstance(player, str):
        label, *words = _split(player)
        return _named(label, _read_options(player, words) | _checked(options))
    if isinstance(player, Player):
        if options:
            raise InvalidArgumentError(f"{player} has its options: pass a name or an evaluator with others")
        return player
    if isinstance(player, type) and issubclass(player, Player):
        name = player.__name__
        raise InvalidArgumentError(f"player is the class {name}: pass a player of it, as {name}()")
    if not callable(player):
        raise InvalidArgumentError(f"player is {shown(player)}: name {_KNOWN}, or pass an evaluator")
    return _greedy(player, f"{_GREEDY}<{_name_of(player)}>", _checked(options))


def _named(label: str, options: dict[str, Any]) -> Player:
    first, colon, other = label.partition(":")
    if first == BEAROFF:
        if other.partition(":")[0] == BEAROFF:
            raise InvalidArgumentError(f"player {shown(label)} names bearoff within bearoff: name it once")
        return BearoffPlayer(_named(other if colon else "greedy", options))
    if label == "random":
        if options:
            raise InvalidArgumentError(f"the player random has no {', '.join(options)}: leave it out")
        return RandomPlayer()
    if label in _BY_RULES:
        return _greedy(_BY_RULES[label], label, options)
    if not label.startswith(_GREEDY) or label == _GREEDY:
        raise InvalidArgumentError(f"no player {shown(label)}: name {_KNOWN}")
    return _greedy(load(label.removeprefix(_GREEDY)), label, options)


def _greedy(evaluator: Any, label: str, options: dict[str, Any]) -> Player:
    return GreedyPlayer(evaluator, label, **options)


def _split(name: str) -> list[str]:
    """The label and the options at the end; a file may have commas in its name."""
    parts = name.split(",")
    count = len(parts)
    while count > 1 and _OPTION.fullmatch(parts[count - 1]):
        count -= 1
    return [",".join(parts[:count]).strip(), *parts[count:]]


def _read_options(name: str, words: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for word in words:
        key, text = word.split("=", 1)
        key = key.strip()
        if key in options:
            raise InvalidArgumentError(f"{shown(name)} says {key} twice: say it once")
        options |= _checked({key: text})
        try:
            options[key] = _OPTIONS[key](text)
        except ValueError:
            raise InvalidArgumentError(f"{word.strip()} in {shown(name)}: give a number") from None
    return options


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    for key in options:
        if key not in _OPTIONS:
            raise InvalidArgumentError(f"no option {shown(key)} of a player: use {', '.join(_OPTIONS)}")
    return options


def _name_of(evaluator: Any) -> str:
    """A function by its name, another object by its class."""
    named = evaluator if hasattr(evaluator, "__qualname__") else type(evaluator)
    return f"{named.__module__}.{named.__qualname__}" if not isinstance(evaluator, Network) else "Network"

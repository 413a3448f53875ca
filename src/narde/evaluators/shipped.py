"""The trained networks that come with the package, one for each game; how good they are says
docs/network.md."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from narde.network import Network
from narde.rules import Rules
from narde.rules import rules as rules_of

FOLDER: Final = Path(__file__).parent.parent / "weights"


def default(rules: str | Rules = "long") -> Network:
    """The network that comes with the package for the game of the rules: a sensible player, no strong one.

    It was trained under `long` and `short`; other rules of the same board use it too. Raises `StorageError`
    if the package's file is missing or damaged.
    """
    return _load(rules_of(rules).game)


@lru_cache
def _load(game: str) -> Network:
    return Network.load(FOLDER / f"{game}.narde")

"""Match equity tables: read and written, used for take points and equities, and computed for any game."""

from __future__ import annotations

from narde.met.files import parse_met, published_met, read_met, write_met
from narde.met.model import CUBE_LIFE, OPENING_SPREAD, compute_met
from narde.met.odds import GameOdds
from narde.met.table import MatchEquityTable

__all__ = [
    "CUBE_LIFE",
    "OPENING_SPREAD",
    "GameOdds",
    "MatchEquityTable",
    "compute_met",
    "parse_met",
    "published_met",
    "read_met",
    "write_met",
]

"""Plays as text, written in one way and read in many: `24/13`, `6/off(2)`, `bar/22 13/8*`, `13/7*/3`.

docs/notation.md has the grammar.
"""

from narde.notation.reading import Play, parse_play
from narde.notation.writing import format_play, format_plays

__all__ = ["Play", "format_play", "format_plays", "parse_play"]

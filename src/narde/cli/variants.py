"""`narde variants`: the rule texts beside one another, option by option."""

from __future__ import annotations

import argparse
from dataclasses import asdict, fields
from typing import Final

from narde.cli import OK
from narde.cli.arguments import add_output_options
from narde.cli.output import Table, show, show_json
from narde.rules import Rules, rules, variants

_WIDEST: Final = 11
"""Longer values are broken at an underscore, so that five of them fit beside one another."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the table; returns the exit code."""
    presets = [rules(name) for name in variants()]
    if arguments.json:
        show_json({preset.name: asdict(preset) for preset in presets})
        return OK
    options = [field.name for field in fields(Rules) if field.name != "name"]
    rows = [(option, *(_cell(getattr(preset, option)) for preset in presets)) for option in options]
    show(Table(("option", *variants()), rows), no_color=arguments.no_color)
    return OK


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "any"
    text = str(value)
    return text.replace("_", "_\n") if len(text) > _WIDEST else text

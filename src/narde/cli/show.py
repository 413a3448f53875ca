"""`narde show`: a position as a board, with its IDs, its pips and the plays for a roll."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from narde import draw
from narde._files import as_path, prove_writable, replacing
from narde.cli import OK
from narde.cli.arguments import START, add_output_options, add_variant, whole_setup
from narde.cli.output import show_json
from narde.draw._terminal import width_for
from narde.errors import InvalidArgumentError
from narde.ids import Setup
from narde.position import Plays, Position
from narde.terminal.recorded import is_file, load_record
from narde.terminal.screen import in_columns
from narde.terminal.setups import cube_of, ids_of, title_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "words",
        metavar="POSITION",
        nargs="*",
        help="'start', a position ID or the 28 numbers of a row, then, if you like, a roll;"
        " or the file of a match, to see where it stands",
    )
    add_variant(parser)
    parser.add_argument(
        "--dice", metavar="DIE", nargs="+", help="the roll, as 65 or 6 5 (default: that of the ID)"
    )
    parser.add_argument("--ids", action="store_true", help="only the IDs, one a line")
    parser.add_argument("--plays", action="store_true", help="only the plays, one a line")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="write the board as an SVG picture too")
    parser.add_argument("--png", metavar="FILE", type=Path, help="write it as a PNG picture (extra png)")
    add_output_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the position; returns the exit code."""
    setup = _setup(arguments)
    plays = Position(setup.row, setup.rules).plays(setup.dice) if setup.dice else None
    if arguments.plays and plays is None:
        raise InvalidArgumentError("--plays: no roll, give two dice as in --dice 6 5")
    saved = _draw(arguments, setup)
    if arguments.json:
        show_json(_data(setup, plays))
        return OK
    if arguments.ids:
        print("\n".join(f"{form:5} {text}" for form, text in ids_of(setup).items()))
    if arguments.plays and plays is not None:
        print("\n".join(plays.notation))
    if not arguments.ids and not arguments.plays:
        print("\n".join([_board(setup, colour=False if arguments.no_color else None), *_lines(setup, plays)]))
        for path in saved:
            print(f"saved as {path}")
    return OK


def _setup(arguments: argparse.Namespace) -> Setup:
    """The position that the words name: where the match in a file stands, or the one that they describe."""
    words: list[str] = arguments.words
    if len(words) != 1 or words[0] == START or not is_file(words[0]):
        return whole_setup(words, arguments.variant, arguments.dice)
    if arguments.variant is not None or arguments.dice is not None:
        raise InvalidArgumentError(f"{words[0]} is a file: leave out --variant and --dice, it has its own")
    games = load_record(words[0]).to_games()
    if not games:
        raise InvalidArgumentError(f"{words[0]}: no game has begun there")
    return games[-1].setup()


def _draw(arguments: argparse.Namespace, setup: Setup) -> list[Path]:
    """Write the pictures that are wanted, each whole or not at all; returns their paths."""
    options: dict[str, Any] = {"dice": setup.dice, "cube": cube_of(setup), "title": title_of(setup)}
    kinds = ((arguments.svg, _svg, ".svg"), (arguments.png, draw.png, ".png"))
    wanted = [(_picture_file(path, ending), picture) for path, picture, ending in kinds if path is not None]
    for target, picture in wanted:
        prove_writable(target)
        drawn = picture(setup.row, setup.rules, **options)
        with replacing(target) as file:
            file.write(drawn)
    return [target for target, _ in wanted]


def _picture_file(path: Path, ending: str) -> Path:
    """The path; raises `InvalidArgumentError` where its ending is that of the other kind of picture."""
    if path.suffix.lower() in {".svg", ".png"} - {ending}:
        raise InvalidArgumentError(f"{path} ends in {path.suffix}: that of --{ending[1:]} is {ending}")
    return as_path(path)


def _svg(*position: Any, **options: Any) -> bytes:
    return draw.svg(*position, **options).encode()


def _board(setup: Setup, *, colour: bool | None) -> str:
    cube = cube_of(setup)
    return draw.text(setup.row, setup.rules, title=title_of(setup), dice=setup.dice, cube=cube, colour=colour)


def _lines(setup: Setup, plays: Plays | None) -> list[str]:
    """What is said below the board."""
    position = Position(setup.row, setup.rules)
    state = position.result_name if position.is_over else "race" if position.is_race else "contact"
    lines = ["", f"{'rules':8}{setup.rules.name}", f"{'pips':8}{'-'.join(map(str, position.pips))}, {state}"]
    if position.has_illegal_prime:
        lines.append(f"{'note':8}a side holds six points in a row against the prime rule")
    lines += [f"{form:8}{text}" for form, text in ids_of(setup).items()]
    if plays is not None:
        roll = "-".join(map(str, plays.dice))
        count = f"{len(plays)} play{'s' if len(plays) > 1 else ''}"
        digits = len(str(len(plays)))
        listed = [f"{number:{digits}}  {text}" for number, text in enumerate(plays.notation, 1)]
        lines += ["", f"{count} for {roll}:", *in_columns(listed, width_for(None, None))]
    return lines


def _data(setup: Setup, plays: Plays | None) -> dict[str, Any]:
    position = Position(setup.row, setup.rules)
    data = {
        "variant": setup.rules.name,
        "ids": ids_of(setup),
        "row": setup.row,
        "pips": position.pips,
        "race": position.is_race,
        "illegal_prime": position.has_illegal_prime,
        "result": position.result_name,
        **{name: value for name, value in setup.facts().items() if name != "dice"},
        "dice": setup.dice,
    }
    if plays is None:
        return data
    listed = [
        {"play": play.notation, "moves": play.moves, "afterstate": play.afterstate.tolist()} for play in plays
    ]
    return {**data, "plays": listed}

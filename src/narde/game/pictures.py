"""What is shown of a game: the board with dice, cube and score, and a line for the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from narde.errors import InvalidArgumentError, shown

if TYPE_CHECKING:
    from narde.game.state import GameState

COLOURS: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
"""Of player 0's and of player 1's checkers."""


def options_of(game: GameState, names: tuple[str, str], options: dict[str, Any]) -> dict[str, Any]:
    """The options for `narde.draw`, those given before those of the game. Player 0 sits at the bottom."""
    if not isinstance(names, tuple | list) or len(names) != 2:
        raise InvalidArgumentError(f"names={shown(names)}: name player 0 and player 1")
    mover = game.mover or 0
    told = {
        "title": str(game.score),
        "dice": game.dice and sorted(game.dice, reverse=True),
        "cube": game.cube if game.rules.cube else None,
        "names": (names[mover], names[1 - mover]),
        "mover": COLOURS[mover],
        "bottom": COLOURS[0],
    }
    return told | options


def line_of(game: GameState) -> str:
    """A game in one line: its rules and score, how long it is, and who must do what, or how it ended."""
    turns = sum(event.action == "play" for event in game.events)
    if game.result is not None:
        won = f"player {game.result.winner} has won {game.result.points}, {game.result.name(game.rules)}"
        end = "a draw" if game.result.winner is None else won
    else:
        who = "both players" if game.actor is None else f"player {game.actor}"
        end = f"{who} may {' or '.join(game.actions)}"
    return f"<narde.Game {game.rules.name!r}, {game.score}, {turns} turn{'s' * (turns != 1)}: {end}>"

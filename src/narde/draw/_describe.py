"""The position in sentences, for those who hear a picture instead of seeing it."""

from __future__ import annotations

from narde.draw._view import BAR_POINT, OFF_POINT, Player, View

_GAMES = {"long": "Long nardy", "short": "Short nardy (backgammon)"}


def heading(view: View) -> str:
    """One line: the title, or the game and whose turn it is."""
    turn = f"{view.mover.name} {view.mover.status}".strip()
    return view.title or f"{_GAMES[view.game]}: {turn}"


def described(view: View) -> str:
    """Where every checker is, in the numbering of the picture, and what goes on."""
    sentences = [f"{_GAMES[view.game]} board, points as numbered in the picture."]
    for player, sign in ((view.bottom, 1), (view.top, -1)):
        sentences.append(_side(view, player, sign))
    if view.cube:
        sentences.append(f"The cube is centred at {view.cube}.")
    if view.moves:
        steps = (f"{_place(view, a)}/{_place(view, b)}" for a, b in view.moves)
        sentences.append(f"Arrows show the play {' '.join(steps)}.")
    return " ".join(sentences)


def _side(view: View, player: Player, sign: int) -> str:
    """One sentence on one side."""
    stacks = [
        f"{sign * view.points[p - 1]} on {view.numbers[p - 1]}"
        for p in _path(view, sign)
        if sign * view.points[p - 1] > 0
    ]
    others = [f"{n} {where}" for n, where in ((player.bar, "on the bar"), (player.off, "off")) if n]
    colour = "light" if player.light else "dark"
    facts = [f"{player.pips} pips", player.status, f"owns the cube at {player.cube}" if player.cube else ""]
    return (
        f"{player.name} ({colour} checkers, {', '.join(filter(None, facts))}): {', '.join(stacks + others)}."
    )


def _path(view: View, sign: int) -> list[int]:
    """The points in the order in which a side passes them."""
    down = list(range(24, 0, -1))
    if sign > 0:
        return down
    return down[12:] + down[:12] if view.game == "long" else down[::-1]


def _place(view: View, point: int) -> str:
    """A point of a move as the picture numbers it."""
    return {BAR_POINT: "bar", OFF_POINT: "off"}.get(point) or str(view.numbers[point - 1])

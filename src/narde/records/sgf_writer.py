"""`.sgf` files written: the Smart Game Format for backgammon (GM[6]), one game tree a game."""

from __future__ import annotations

from collections.abc import Iterator

from narde.game import Game
from narde.notation import parse_play
from narde.records.builder import rebuilt
from narde.records.foreign import check_backgammon
from narde.records.model import GameRecord, MatchRecord
from narde.records.sgf_reader import PLAYERS, TAGS, TEXTS
from narde.records.sgf_tree import escaped
from narde.records.steps import Step, steps_of


def write_sgf(record: MatchRecord) -> str:
    """The record in the Smart Game Format, after it was found sound.

    Tied opening contests, refused resignations, the time of day and tags without a property of their own have
    no place in the form and are left out. Raises `InvalidArgumentError` for rules that it cannot tell, and
    `RecordError` for a record that is not sound.
    """
    check_backgammon(record, ".sgf", cubeless=True)
    builder = rebuilt(record)
    games = zip(builder.games, builder.record.games, strict=True)
    return "".join(_tree(record, number, *each) for number, each in enumerate(games))


def _tree(record: MatchRecord, number: int, game: Game, told: GameRecord) -> str:
    """The tree of the game of that number, from 0."""
    properties = [*_root(record, number, game, told)]
    root = "".join(f"{name}[{value}]" for name, value in properties if value)
    lines = [f"(;{root}", *_nodes(game, steps_of(number + 1, game, told.turns))]
    return "\n".join(lines) + ")\n"


def _root(record: MatchRecord, number: int, game: Game, told: GameRecord) -> Iterator[tuple[str, str]]:
    white, black = game.score.points
    yield from (("FF", "4"), ("GM", "6"), ("CA", "UTF-8"))
    yield "MI", f"length:{record.length or 0}][game:{number}][ws:{white}][bs:{black}"
    yield from (("PW", escaped(record.players[0])), ("PB", escaped(record.players[1])))
    yield "DT", (told.date or record.date).partition("T")[0]
    if number == 0:
        yield from ((key, escaped(getattr(record, name))) for key, name in TEXTS.items())
        yield from ((key, escaped(text)) for key, text in record.tags if key in TAGS)
        yield "GC", escaped(record.comment)
    yield "RU", ":".join(_customs(record, game))
    ties = sum(event.action == "contest" for event in game.events) - (game.starter is not None)
    if automatic := min(ties, record.money.automatic_doubles):
        yield "CV", str(2**automatic)
    if game.result is not None:
        how = "R" if game.result.how == "resigned" else ""
        yield "RE", f"{PLAYERS[game.result.winner or 0]}+{game.result.points}{how}"
    yield "C", escaped(told.comment)


def _customs(record: MatchRecord, game: Game) -> Iterator[str]:
    if record.length is not None and record.rules.crawford:
        yield "Crawford"
    if game.score.crawford:
        yield "CrawfordGame"
    if record.money.jacoby:
        yield "Jacoby"
    if not record.rules.cube:
        yield "NoCube"


def _nodes(game: Game, steps: Iterator[Step]) -> list[str]:
    """The nodes of a game; a comment stands in the last one of its turn."""
    nodes: list[str] = []
    for step in steps:
        node = _node(step)
        nodes += [node] if node else []
        if step.comment and node:
            nodes[-1] += f"C[{escaped(step.comment)}]"
        elif step.comment:
            nodes.append(f";C[{escaped(step.comment)}]")
    if game.result is None and game.dice is not None:
        nodes.append(_unplayed(game))
    return nodes


def _node(step: Step) -> str:
    """The node of a step; a roll is written with its play, a contest, an offer and a refusal not at all."""
    before, action = step.before, step.event.action
    letter = PLAYERS[step.event.player or 0]
    if action == "play":
        dice = before.dice or (0, 0)
        play = parse_play(step.text, before.row, dice, before.rules)
        pairs = "".join(_letter(step.event.player or 0, point) for move in play.moves for point in move)
        return f";{letter}[{dice[0]}{dice[1]}{pairs}]"
    if action in ("double", "beaver", "take", "drop"):
        return f";{letter}[{'double' if action == 'beaver' else action}]"
    return _unplayed(before) if action in ("accept", "concede") and before.dice is not None else ""


def _unplayed(game: Game) -> str:
    """A roll that was not played."""
    dice = game.dice or (0, 0)
    return f";PL[{PLAYERS[game.mover or 0]}]DI[{dice[0]}{dice[1]}]"


def _letter(player: int, point: int) -> str:
    """A point of a player, 25 the bar and 0 off, as a letter: a to x from White's 1 to his 24, y, z."""
    if point in (0, 25):
        return "y" if point else "z"
    return chr(ord("a") - 1 + (25 - point if player else point))

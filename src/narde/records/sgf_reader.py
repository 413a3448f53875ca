"""`.sgf` files read: the Smart Game Format for backgammon (GM[6]), as GNU Backgammon and others write it.

The analysis in them is skipped, and of variations the first is read. White is player 0, Black player 1. Every
turn is replayed by the rules.
"""

from __future__ import annotations

import re
from typing import Any, Final

from narde.cube import MoneyOptions, Score
from narde.errors import NardeError, NotationError
from narde.records.builder import Builder
from narde.records.errors import RecordError
from narde.records.foreign import short_rules
from narde.records.guess import with_customs
from narde.records.model import MatchRecord
from narde.records.plain import date_of, one_line
from narde.records.sgf_tree import BrokenTreeError, Node, nodes
from narde.records.stated import end_game, take_beaver

PLAYERS: Final = "WB"
TEXTS: Final = {"EV": "event", "RO": "round", "PC": "place", "AN": "annotator"}
"""Properties of the first game that are facts of the record."""
TAGS: Final = ("AP", "WR", "BR", "SO", "US", "GN", "ON")
"""Properties of the first game that are kept as tags."""

_SETUP: Final = ("AB", "AW", "AE", "CP", "CO", "CV")
_RESULT: Final = re.compile(r"([WB])\+([0-9]{1,9})(?:\.0)?(R?)[A-Za-z]*")
_ROLL: Final = re.compile(r"([1-6])([1-6])((?:[a-z]{2}){0,4})")
_TIE: Final = (1, 1)
"""What a tied contest is recorded with where the file tells only that there was one."""


def read_sgf(text: str) -> MatchRecord:
    """The record of a text in the Smart Game Format.

    Raises `RecordError` with the line, the reason and the sound part. As to the Jacoby rule and beavers that
    no property tells of, see `with_customs`.
    """
    found: list[Node] = []
    broken: BrokenTreeError | None = None
    try:
        found.extend(nodes(text))
    except BrokenTreeError as fault:
        broken = fault
    roots = [node for node in found if node.root]
    if not roots:
        raise RecordError(str(broken or "no game"), line=broken.line if broken else 1)
    return with_customs(lambda guess: _Reader(roots, guess).read(found, broken))


class _Reader:
    """The state of reading: the builder, and the root of the game that is on."""

    def __init__(self, roots: list[Node], guess: MoneyOptions) -> None:
        try:
            self.builder = Builder(_head(roots, guess))
        except NardeError as refused:
            raise RecordError(str(refused), line=roots[0].line) from None
        self.root: Node | None = None

    def read(self, found: list[Node], broken: BrokenTreeError | None) -> MatchRecord:
        """The record of all nodes."""
        for node in found:
            with self.builder.guarded(node.line):
                self.start_game(node) if node.root else self.read_node(node)
                self.read_comment(node.get("C"))
        self.builder.line = broken.line if broken else self.builder.line
        if broken:
            raise self.builder.fault(broken)
        with self.builder.guarded(self.builder.line):
            self.end_game()
        return self.builder.record

    def start_game(self, root: Node) -> None:
        """The first node of a game: its score, and the cube after automatic doubles."""
        if root.get("GM") not in ("", "6"):
            raise NotationError(f"a game of kind GM[{one_line(root.get('GM'))[:20]}]: backgammon is GM[6]")
        self.end_game()
        self.root = root
        date = date_of(root.get("DT")) or ""
        self.builder.start_game("" if date == self.builder.head.date else date)
        points, told = _points(root), self.builder.score.points
        if points is not None and points != told:
            raise NotationError(f"the score is {points}, says the file; by the games before it is {told}")
        for _ in range(_automatic_doubles(root)):
            self.builder.contest(_TIE)
        _refuse_setup(root, except_for="CV")

    def end_game(self) -> None:
        """The result that the root of the game states."""
        result = _RESULT.fullmatch(self.root.get("RE").strip()) if self.root else None
        if result:
            end_game(self.builder, PLAYERS.index(result[1]), int(result[2]))

    def read_node(self, node: Node) -> None:
        """A move or a roll."""
        _refuse_setup(node)
        for player, letter in enumerate(PLAYERS):
            if node.properties.get(letter):
                self.read_move(player, node.get(letter).strip())
        if "DI" in node.properties and len(node.get("DI")) == 2:
            mover = PLAYERS.find(node.get("PL")[:1].upper() or "?")
            self.read_roll(self.builder.game.mover or 0 if mover < 0 else mover, node.get("DI"))

    def read_move(self, player: int, move: str) -> None:
        """A roll with its play, or a cube action."""
        builder = self.builder
        if move in ("double", "take", "drop"):
            action = "beaver" if move == "double" and builder.game.cube.offer == "double" else move
            builder.check_actor(player, action)
            builder.act(action)
        elif found := _ROLL.fullmatch(move):
            self.read_roll(player, move[:2])
            builder.play(_play(player, found[3]))
        else:
            raise NotationError(f"{one_line(move)[:40]!r} is no move: write 31hefe, double, take or drop")

    def read_roll(self, player: int, dice: str) -> None:
        """A roll, unless a node before has told it already."""
        found = _ROLL.fullmatch(dice)
        if not found:
            raise NotationError(f"{one_line(dice)[:20]!r} is no roll")
        pair = int(found[1]), int(found[2])
        take_beaver(self.builder, player)
        game = self.builder.game
        if game.mover != player or game.dice is None or sorted(game.dice) != sorted(pair):
            self.builder.roll(player, pair)

    def read_comment(self, text: str) -> None:
        if text:
            for line in text.split("\n"):
                self.builder.comment(one_line(line))


def _head(roots: list[Node], guess: MoneyOptions) -> MatchRecord:
    """The facts of the record, which stand in the root of its first game."""
    first = roots[0]
    length = int(_info(first).get("length", "0"))
    told = {word.strip().lower() for word in first.get("RU").split(":")}
    comment = [one_line(line) for line in first.get("GC").split("\n")]
    facts: dict[str, Any] = {name: one_line(first.get(key)) for key, name in TEXTS.items()}
    money = MoneyOptions()
    if not length:
        automatic = max(map(_automatic_doubles, roots))
        money = MoneyOptions(
            jacoby="jacoby" in told or guess.jacoby, beavers=guess.beavers, automatic_doubles=automatic
        )
    return MatchRecord(
        rules=short_rules(crawford=not length or "crawford" in told, cube="nocube" not in told),
        start=Score(_points(first) or (0, 0), length or None, "crawfordgame" in told),
        players=(one_line(first.get("PW")), one_line(first.get("PB"))),
        money=money,
        date=date_of(first.get("DT")) or "",
        tags=tuple((key, one_line(first.get(key))) for key in TAGS if first.get(key)),
        comment="\n".join(comment),
        **facts,
    )


def _info(root: Node) -> dict[str, str]:
    """The pairs of the property MI that are numbers: length, game, ws, bs."""
    pairs = (value.partition(":") for value in root.properties.get("MI", ()))
    return {key.strip().lower(): text for key, _, text in pairs if re.fullmatch("[0-9]{1,9}", text)}


def _points(root: Node) -> tuple[int, int] | None:
    """The score of White and Black before the game, where it is told."""
    info = _info(root)
    return (int(info["ws"]), int(info["bs"])) if {"ws", "bs"} <= set(info) else None


def _automatic_doubles(root: Node) -> int:
    """How often the cube had been turned before the first roll."""
    text = root.get("CV")
    value = int(text) if re.fullmatch("[0-9]{1,9}", text) else 1
    return value.bit_length() - 1 if value & (value - 1) == 0 and value else 0


def _refuse_setup(node: Node, *, except_for: str = "") -> None:
    """Raise `NotationError` for properties that put checkers or the cube where no play has brought them."""
    if found := [name for name in _SETUP if name in node.properties and name != except_for]:
        raise NotationError(f"{found[0]} sets up a position or the cube by hand, not from the start")


def _play(player: int, letters: str) -> str:
    """The play of pairs of letters, a to x the points from White's 1 to his 24, y the bar, z off."""
    points = [_point(player, letter) for letter in letters]
    moves = [f"{start}/{end}" for start, end in zip(points[::2], points[1::2], strict=True)]
    return " ".join(moves) or "pass"


def _point(player: int, letter: str) -> str:
    """The point of a letter in the player's own numbers."""
    whites = ord(letter) - ord("a") + 1
    return {"y": "bar", "z": "off"}.get(letter) or str(25 - whites if player else whites)

"""The Smart Game Format itself: the nodes of the main lines of its game trees, one after the other.

Only what its version FF[4] says of any game is known here; `sgf_reader` knows backgammon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from narde.errors import NotationError

_TOKEN: Final = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[([^\]\\]*(?:\\.[^\]\\]*)*)\])", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\n?)(.?)", re.DOTALL)


@dataclass
class Node:
    """One node: the line on which it begins, whether it is the first of its tree, and its properties."""

    line: int
    root: bool
    properties: dict[str, list[str]] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """The first value of a property, or nothing."""
        return (self.properties.get(name) or [""])[0]


class BrokenTreeError(NotationError):
    """Text that is no game tree from a line on."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class _Token(NamedTuple):
    line: int
    mark: str | None
    name: str | None
    value: str | None


def nodes(text: str) -> Iterator[Node]:
    """The nodes of the main line of every tree: where it branches, of the first variation.

    Raises `BrokenTreeError` where the text is no tree or breaks off, after the nodes before that place.
    """
    walk = _Walk()
    try:
        for token in _tokens(text):
            if token.mark and (ready := walk.take_node()):
                yield ready
            walk.step(token)
    except BrokenTreeError:
        if ready := walk.take_node():
            yield ready
        raise


class _Walk:
    """Where in the tree the walk is."""

    def __init__(self) -> None:
        self.depth = 0
        self.main = self.root = False
        self.node: Node | None = None
        self.values: list[str] = []

    def take_node(self) -> Node | None:
        """The node that is complete now."""
        ready, self.node = self.node, None
        return ready

    def step(self, token: _Token) -> None:
        """Go on by one token."""
        if token.mark == "(":
            if self.depth == 0:
                self.main = self.root = True
            self.depth += 1
        elif token.mark == ")":
            self.depth -= 1
            self.main = False
        elif token.mark == ";" and self.main:
            self.node = Node(token.line, self.root)
            self.root = False
        elif self.node is not None:
            self.read_property(self.node, token)

    def read_property(self, node: Node, token: _Token) -> None:
        """The name of a property or one of its values."""
        if token.name is not None:
            name = "".join(filter(str.isupper, token.name))  # FF[3] allowed small letters between
            self.values = node.properties.setdefault(name, [])
        elif token.value is not None and node.properties:
            self.values.append(_ESCAPE.sub(lambda found: found[2], token.value))


def _tokens(text: str) -> Iterator[_Token]:
    """Parentheses, semicolons, names and values; what stands between trees is skipped."""
    place = depth = 0
    line = 1
    while True:
        start = text.find("(", place) if depth == 0 else place
        if start < 0:
            break
        line += text.count("\n", place, start)
        found = _TOKEN.match(text, start)
        if found is None:
            raise _broken(text, start, line)
        line += text.count("\n", start, found.start(found.lastindex or 0))
        yield _Token(line, found[1], found[2], found[3])
        line += text.count("\n", found.start(found.lastindex or 0), found.end())
        place = found.end()
        depth += (found[1] == "(") - (found[1] == ")")
    if place == 0:
        raise BrokenTreeError("no game tree: the Smart Game Format begins with an opening parenthesis", 1)


def _broken(text: str, place: int, line: int) -> BrokenTreeError:
    blank = len(text[place:]) - len(text[place:].lstrip())
    line += text.count("\n", place, place + blank)
    rest = text[place + blank : place + blank + 100]
    if not rest:
        return BrokenTreeError("the text breaks off: a closing parenthesis is missing", line)
    if rest.startswith("["):
        return BrokenTreeError(f"the value {rest[:20]!r} has no closing bracket", line)
    return BrokenTreeError(f"{rest[:20]!r} is no part of a game tree", line)


def escaped(value: str) -> str:
    """A value as it is written between brackets."""
    return value.replace("\\", "\\\\").replace("]", "\\]")

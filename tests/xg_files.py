"""Small `.xg` files in the form of eXtreme Gammon: a header, and packed records of 2560 bytes.

Only what says how the match went is filled in; the analysis stays empty.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from narde.game import Game
from narde.notation import parse_play
from narde.records import MatchRecord, Step, replay

SIZE = 2560
HEADER = struct.pack("<4sIII", b"RGMH", 1, 8232, 0).ljust(8232, b"\0")
MATCH, GAME, CUBE, MOVE, GAME_END, MATCH_END = range(6)


class Record:
    """One record of a kind, filled at places."""

    def __init__(self, kind: int) -> None:
        self.data = bytearray(SIZE)
        self.data[8] = kind

    def put(self, place: int, form: str, *values: object) -> Record:
        struct.pack_into("<" + form, self.data, place, *values)
        return self

    def text(self, place: int, text: str) -> Record:
        data = text.encode("utf-16-le")
        self.data[place : place + len(data)] = data
        return self


def xg_file(record: MatchRecord) -> bytes:
    """The bytes of an `.xg` file of a match of short nardy."""
    records = [_match(record)]
    steps = list(replay(record))
    for number, game in enumerate(record.to_games(), 1):
        records += _game(number, game, [step for step in steps if step.game == number])
    records.append(Record(MATCH_END))
    return HEADER + zlib.compress(b"".join(bytes(each.data) for each in records))


def _match(record: MatchRecord) -> Record:
    match = Record(MATCH).put(92, "i", record.length or 99999).put(612, "i", 10)
    match.put(100, "3B", record.rules.crawford, record.money.jacoby, record.money.beavers)
    match.text(880, record.players[0]).text(1138, record.players[1])
    return match.text(622, record.event).text(1396, record.place).put(128, "d", 46143.0)  # 2026-05-01


def _game(number: int, game: Game, steps: list[Step]) -> Iterator[Record]:
    head = Record(GAME).put(12, "2i", *game.score.points).put(20, "B", game.score.crawford)
    yield head.put(48, "i", number)
    for step in steps:
        if step.event.action == "double":
            answer = next(s.event.action for s in steps if s.before == step.after)
            yield Record(CUBE).put(12, "3i", _side(step.player), 1, ("drop", "take").index(answer))
        elif step.event.action == "play":
            yield _move(step)
    result = game.result
    if result is not None:
        kinds = {"dropped": 0, "resigned": 100 + result.kind, "played": result.kind}
        yield Record(GAME_END).put(24, "3i", _side(result.winner), result.points, kinds[result.how])


def _move(step: Step) -> Record:
    """A roll and the play, as the one candidate that there is."""
    dice = step.before.dice
    play = parse_play(step.text, step.before.row, dice, step.before.rules)
    moves = [point - 1 for move in play.moves for point in move]
    move = Record(MOVE).put(64, "i", _side(step.player)).put(100, "2i", *dice).put(120, "i", 1)
    return move.put(1024, "8b", *moves, *[-1] * (8 - len(moves)))


def _side(player: int | None) -> int:
    return -1 if player else 1

"""Records of games and matches: kept as text, read back through the rules, exchanged with other programs."""

from narde.records.errors import RecordError
from narde.records.files import FORMS, decode_record, encode_record, read_record, write_record
from narde.records.model import ACTIONS, GameRecord, MatchRecord, Turn
from narde.records.steps import Step, replay

__all__ = [
    "ACTIONS",
    "FORMS",
    "GameRecord",
    "MatchRecord",
    "RecordError",
    "Step",
    "Turn",
    "decode_record",
    "encode_record",
    "read_record",
    "replay",
    "write_record",
]

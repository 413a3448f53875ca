"""Fuzzing of the readers of records with atheris: `python tests/fuzz/fuzz_records.py -runs=100000`.

Any bytes must give a record or a `NardeError`, and both the record and the sound part of a fault must come
back from their own text. The first byte chooses the form. The arguments are those of libFuzzer, and the files
of tests/data are the seeds.
"""

import json
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["narde.records"]):
    from narde import NardeError
    from narde.game import Game
    from narde.records import MatchRecord, decode_record, encode_record
    from narde.records.document_writer import write_document

DATA = Path(__file__).parents[1] / "data"
FORMS = ("narde", "json", "mat", "sgf", "gva")
LIMITS = ["-max_len=1600", "-timeout=60", "-rss_limit_mb=1024"]
SEED_SIZE = 600
"""Bytes of a file that are enough for a head and some turns: replaying whole matches takes the time."""


def check_bytes(data: bytes) -> None:
    """The rest of the bytes in the form of the first one is refused, or is a record."""
    form = FORMS[data[0] % len(FORMS)] if data else FORMS[0]
    try:
        record = decode_record(data[1:], form)
    except NardeError as refused:
        record = getattr(refused, "record", None)
    if record is not None:
        assert decode_record(encode_record(record)) == record


def load_readers() -> None:
    """Load every reader while atheris looks on; the package itself loads them when they are used."""
    with atheris.instrument_imports(include=["narde.records"]):
        for form in FORMS:
            check_bytes(bytes([FORMS.index(form)]))


def seeds() -> list[bytes]:
    """Files of every form, their form as the first byte."""
    texts = []
    for number, form in enumerate(FORMS):
        for path in sorted(DATA.glob(f"*/*.{form}")):
            text = path.read_bytes()
            text = compact(json.loads(text)) if form == "json" else text[:SEED_SIZE]
            texts.append(bytes([number]) + text)
    game = Game.begin("short").contest("31").play("8/5 6/5").double().take().roll("66").play(0)
    return [*texts, bytes([FORMS.index("gva")]) + compact(write_document(MatchRecord.of_game(game)))]


def compact(values: object) -> bytes:
    """JSON of as few bytes as can be: a part of it would be none."""
    return json.dumps(values, separators=(",", ":")).encode()


def main() -> None:
    load_readers()
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(seeds()):
            (Path(folder) / str(number)).write_bytes(data)
        atheris.Setup([*sys.argv, *LIMITS, folder], check_bytes)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Fuzzing of `narde.parse` with atheris: `python tests/fuzz/fuzz_parse.py -runs=200000`.

Any text must give a setup, whose IDs read back to it, or a `NardeError`. The arguments are those of
libFuzzer, and the vectors of the narde ID are the seeds.
"""

import dataclasses
import json
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["narde.ids"]):
    from narde import NardeError
    from narde.ids import parse
    from narde.ids.alphabet import ALPHABET, with_check
    from narde.ids.forms import FORMS

VECTORS = Path(__file__).parents[1] / "data" / "narde_id_vectors.json"
LIMITS = ["-max_len=200", "-timeout=60", "-rss_limit_mb=512"]


def check_bytes(data: bytes) -> None:
    """The text of the bytes, and the narde ID of its characters with a sound check character."""
    text = data.decode("utf-8", errors="replace")
    check(text)
    check(with_check("na" + "".join(filter(ALPHABET.count, text.lower()))))


def check(text: str) -> None:
    """The text is refused, or every form of its setup reads back."""
    try:
        setup = parse(text)
    except NardeError:
        return
    assert parse(setup.id()) == dataclasses.replace(setup, player=1)
    for form in FORMS if setup.rules.game == "short" else ():
        try:
            text = setup.id(form)
        except NardeError:
            continue
        assert parse(text).id(form) == text


def seeds() -> list[str]:
    """Texts of every form."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    texts = [vector["id"] for vector in (*vectors["good"], *vectors["bad"])]
    short = [
        setup
        for setup in map(parse, (vector["id"] for vector in vectors["good"]))
        if setup.rules.game == "short"
    ]
    for setup in short:
        for form in FORMS:
            try:
                texts.append(setup.id(form))
            except NardeError:
                continue
    return texts


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(seeds()):
            (Path(folder) / str(number)).write_text(text, encoding="utf-8")
        atheris.Setup([*sys.argv, *LIMITS, folder], check_bytes)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

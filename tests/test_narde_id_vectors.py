"""The test vectors of the narde ID, read by the package and by the code in its specification."""

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import narde
from narde import Rules
from narde.ids import Setup, house, parse
from narde.ids.alphabet import ALPHABET
from narde.ids.house import LETTERS

ROOT = Path(__file__).parents[1]
VECTORS = json.loads((ROOT / "tests" / "data" / "narde_id_vectors.json").read_text(encoding="utf-8"))
SPECIFICATION = (ROOT / "docs" / "narde-id.md").read_text(encoding="utf-8")

Vector = dict[str, Any]


def about(vector: Vector) -> str:
    return str(vector["about"])


def setup_of(vector: Vector) -> Setup:
    """The setup that a good vector describes."""
    rules, facts = vector["rules"], vector["facts"]
    if isinstance(rules, dict):
        changes = {name: _frozen(value) for name, value in rules.items() if name != "base"}
        rules = dataclasses.replace(narde.rules(rules["base"]), name="house", **changes)
    return Setup(vector["row"], rules, **{name: _frozen(value) for name, value in facts.items()})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize("vector", VECTORS["good"], ids=about)
def test_good_vectors(vector: Vector) -> None:
    setup = setup_of(vector)
    assert setup.id() == vector["id"]
    assert parse(vector["id"]) == parse(vector["id"].upper()) == setup


@pytest.mark.parametrize("vector", VECTORS["bad"], ids=about)
def test_bad_vectors(vector: Vector) -> None:
    with pytest.raises(narde.NardeError) as caught:
        parse(vector["id"])
    assert type(caught.value).__name__ == vector["error"]
    assert vector["reason"] in str(caught.value)


def test_vectors_cover_every_block_rule_and_fact() -> None:
    setups = [setup_of(vector) for vector in VECTORS["good"]]
    told = {name for setup in setups for name in setup.facts()}
    assert told == {field.name for field in dataclasses.fields(Setup)} - {"row", "rules", "player"}
    assert {vector["rules"] for vector in VECTORS["good"] if isinstance(vector["rules"], str)} == {
        *LETTERS.values()
    }
    changed = {
        name for vector in VECTORS["good"] if isinstance(vector["rules"], dict) for name in vector["rules"]
    }
    assert changed - {"base"} == {field.name for field in dataclasses.fields(Rules)} - {
        "name",
        "game",
        "hitting",
    }


@pytest.fixture(scope="module")
def read() -> Callable[[str], tuple[Any, ...]]:
    """The reader that the specification shows."""
    code = re.search(r"^```python\n(.*?def read\(.*?)^```", SPECIFICATION, re.M | re.S)
    assert code
    names: dict[str, Any] = {}
    exec(code[1], names)
    return names["read"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("vector", VECTORS["good"], ids=about)
def test_the_reader_of_the_specification_reads_them(vector: Vector, read: Callable[[str], Any]) -> None:
    letter, row, blocks = read(vector["id"])
    setup = parse(vector["id"])
    assert row == list(setup.row)
    assert LETTERS[letter] == (setup.rules.name if setup.rules.name != "house" else setup.rules.game)
    assert vector["id"][19:-1] == blocks


@pytest.mark.parametrize("vector", VECTORS["bad"][:4], ids=about)
def test_the_reader_of_the_specification_notices_slips(vector: Vector, read: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError):
        read(vector["id"])


def test_the_specification_shows_the_alphabet_and_the_numbers_of_the_code() -> None:
    assert f"`{ALPHABET}`" in SPECIFICATION
    for letter, name in LETTERS.items():
        assert f"| `{letter}` | `{name}` |" in SPECIFICATION
    for number, (field, values) in enumerate(house._CHOICES.items()):
        shown = ", ".join(f"`{value}`" for value in values)
        assert f"| `{ALPHABET[number]}` | `{field}` | {shown} |" in SPECIFICATION
    assert f"| `{ALPHABET[house.MATCH_LENGTHS]}` | `match_lengths` |" in SPECIFICATION


def test_the_bases_are_those_of_the_specification() -> None:
    """Version a promises these rules for ever: a change of a text needs a new version of the ID."""
    table = re.findall(r"^\| `(\w+)` \|" + " ([^|`]*)\\|" * 5 + "$", SPECIFICATION, re.M)
    assert [name for name, *_ in table] == [*house._FIELDS]
    for name, *values in table:
        for text, value in zip(("long", "minsport", "bkgm", "nardeon", "short"), values, strict=True):
            shown = getattr(narde.rules(text), name)
            shown = ", ".join(map(str, shown)) if isinstance(shown, tuple) else str(shown)
            assert shown == value.strip(), (name, text)

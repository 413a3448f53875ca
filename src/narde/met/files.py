"""Match equity tables in files: our CSV, JSON, GNU Backgammon's XML and eXtreme Gammon's `.met`.

The CSV has comment lines `# name: ...` and `# source: ...`, a header `away,1,2,...`, a line for each number
of points that the player needs (`1,0.5,0.677,...`), and a line `post_crawford`. Where the table knows
starters, lines `starts 1`, `starts 2`, ... and `post_crawford starts`, `post_crawford waits` follow.
"""

from __future__ import annotations

import configparser
import csv
import json
import os
from collections.abc import Callable
from importlib import resources
from typing import Any, Final
from xml.etree import ElementTree

import numpy as np

from narde._files import as_path, replacing
from narde.errors import InvalidArgumentError, NotationError, StorageError, shown
from narde.met.table import MatchEquityTable

_LARGEST: Final = 4_000_000
"""Characters of the longest text that is read: far more than any table of 200 points."""


def published_met() -> MatchEquityTable:
    """The Kazaross-XG2 table of backgammon to 25 points, the field's standard: rolled out, not computed."""
    return parse_met((resources.files("narde.met") / "kazaross_xg2.csv").read_text(encoding="utf-8"))


def read_met(path: str | os.PathLike[str]) -> MatchEquityTable:
    """The table of a file in any form that `parse_met` knows.

    Raises `StorageError` if the file can't be read and `NotationError` if it holds no table.
    """
    source = as_path(path)
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as fault:
        raise StorageError(f"can't read the match equity table {source}: {fault}") from None
    try:
        return parse_met(text)
    except NotationError as fault:
        raise NotationError(f"{source}: {fault}") from None


def write_met(table: MatchEquityTable, path: str | os.PathLike[str]) -> None:
    """Write a table as the name ends: `.csv`, `.json` (both keep every bit) or `.xml` (GNU Backgammon's
    form).

    XML has no place for tables of starters. Raises `InvalidArgumentError` for another ending and
    `StorageError` if the file can't be written; no half-written file is left.
    """
    target = as_path(path)
    writer = _WRITERS.get(target.suffix.lower())
    if writer is None:
        raise InvalidArgumentError(
            f"no table is written to {target.name}: end the name in {', '.join(_WRITERS)}"
        )
    if not isinstance(table, MatchEquityTable):
        raise InvalidArgumentError(f"table is {shown(table)}: pass a MatchEquityTable")
    with replacing(target) as file:
        file.write(writer(table).encode())


def parse_met(text: str) -> MatchEquityTable:
    """The table that a text holds: our CSV or JSON, GNU Backgammon's XML, or eXtreme Gammon's `.met`
    sections.

    Raises `NotationError` naming what is wrong; tables given by formulas or for unequal players are not read.
    """
    if not isinstance(text, str) or len(text) > _LARGEST:
        raise NotationError(f"no match equity table: pass text of at most {_LARGEST} characters")
    reader = _READERS.get(text.lstrip("\ufeff \t\r\n")[:1], _from_csv)
    try:
        return MatchEquityTable(**reader(text.lstrip("\ufeff \t\r\n")))
    except NotationError:
        raise
    except (InvalidArgumentError, ValueError, TypeError, KeyError, RecursionError, csv.Error) as fault:
        raise NotationError(f"no match equity table: {fault or type(fault).__name__}") from None


# ---- CSV ---------------------------------------------------------------------------------------------------


def _to_csv(table: MatchEquityTable) -> str:
    blocks = [_block("", table.equities), [("post_crawford", table.post_crawford)]]
    if table.starting is not None and table.starting_post is not None:
        post = zip(("post_crawford starts", "post_crawford waits"), table.starting_post, strict=True)
        blocks += [_block("starts ", table.starting), list(post)]
    lines = [f"# {field}: {' '.join(getattr(table, field).split())}" for field in ("name", "source")]
    lines.append(",".join(["away", *map(str, range(1, table.length + 1))]))
    lines += [",".join([label, *map(repr, row.tolist())]) for block in blocks for label, row in block]
    return "\n".join(lines) + "\n"


def _block(label: str, rows: Any) -> list[tuple[str, Any]]:
    return [(f"{label}{away}", row) for away, row in enumerate(rows, 1)]


def _from_csv(text: str) -> dict[str, Any]:
    every = text.splitlines()
    comments = [line for line in every if line.startswith("#")]
    lines = [line for line in every if not line.startswith("#")]
    rows = {row[0].strip(): row[1:] for row in csv.reader(lines) if row}
    if "away" not in rows or "post_crawford" not in rows:
        raise NotationError(
            "no match equity table: it needs the lines `away,1,2,...` and `post_crawford,...`"
        )
    n = len(rows["away"])
    fields: dict[str, Any] = {
        "equities": _rows(rows, "", n),
        "post_crawford": _numbers(rows["post_crawford"]),
    }
    if "starts 1" in rows:
        fields["starting"] = _rows(rows, "starts ", n)
        fields["starting_post"] = [_numbers(rows[f"post_crawford {word}"]) for word in ("starts", "waits")]
    known = dict(line[1:].partition(":")[::2] for line in comments)
    return fields | {
        key.strip(): value.strip() for key, value in known.items() if key.strip() in ("name", "source")
    }


def _rows(rows: dict[str, list[str]], label: str, n: int) -> list[list[float]]:
    missing = [f"{label}{away}" for away in range(1, n + 1) if f"{label}{away}" not in rows]
    if missing:
        raise NotationError(f"no match equity table: the line `{missing[0]}` is missing")
    return [_numbers(rows[f"{label}{away}"]) for away in range(1, n + 1)]


def _numbers(words: list[str]) -> list[float]:
    return [float(word) for word in words]


# ---- JSON --------------------------------------------------------------------------------------------------

_FIELDS: Final = ("name", "source", "equities", "post_crawford", "starting", "starting_post")


def _to_json(table: MatchEquityTable) -> str:
    values = {field: getattr(table, field) for field in _FIELDS}
    plain = {
        field: value.tolist() if isinstance(value, np.ndarray) else value for field, value in values.items()
    }
    return json.dumps(plain, indent=1) + "\n"


def _from_json(text: str) -> dict[str, Any]:
    values = json.loads(text)
    return {field: values[field] for field in _FIELDS if values.get(field) is not None}


# ---- GNU Backgammon's XML ----------------------------------------------------------------------------------


def _to_xml(table: MatchEquityTable) -> str:
    met = ElementTree.Element("met")
    info = ElementTree.SubElement(met, "info")
    for tag, text in (("name", table.name), ("description", table.source), ("length", str(table.length))):
        ElementTree.SubElement(info, tag).text = text
    before = ElementTree.SubElement(met, "pre-crawford-table", type="explicit")
    after = ElementTree.SubElement(met, "post-crawford-table", type="explicit", player="both")
    for parent, rows in ((before, table.equities), (after, table.post_crawford[np.newaxis])):
        for row in rows.tolist():
            line = ElementTree.SubElement(parent, "row")
            for chance in row:
                ElementTree.SubElement(line, "me").text = repr(chance)
    ElementTree.indent(met)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(met, encoding="unicode") + "\n"


def _from_xml(text: str) -> dict[str, Any]:
    if "<!ENTITY" in text:
        raise NotationError("no match equity table: XML entities are not read")
    try:
        met = ElementTree.fromstring(text)
    except ElementTree.ParseError as fault:
        raise NotationError(f"no match equity table: the XML is broken, {fault}") from None
    before, after = met.findall("pre-crawford-table"), met.findall("post-crawford-table")
    if not before or not after:
        raise NotationError("no match equity table: it needs a pre-crawford-table and a post-crawford-table")
    if any(part.get("type", "explicit") != "explicit" for part in before + after):
        raise NotationError("the table is given by a formula: compute one with compute_met")
    post = [_xml_rows(part) for part in after]
    if any(rows != post[0] for rows in post) or len(post[0]) != 1:
        raise NotationError("the table is for unequal players: only tables for equal players are read")
    named = {"name": met.findtext("info/name"), "source": met.findtext("info/description")}
    return {"equities": _xml_rows(before[0]), "post_crawford": post[0][0]} | {
        k: v or "" for k, v in named.items()
    }


def _xml_rows(part: ElementTree.Element) -> list[list[float]]:
    return [[float(me.text or "") for me in row.findall("me")] for row in part.findall("row")]


# ---- eXtreme Gammon's sections -----------------------------------------------------------------------------


def _from_sections(text: str) -> dict[str, Any]:
    """`[PreCrawford]` has lines `1=...`, `2=...` of chances, `[PostCrawford]` a line `Data=...`."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as fault:
        raise NotationError(f"no match equity table: {str(fault).splitlines()[0]}") from None
    sections = {name.lower(): dict(parser[name]) for name in parser.sections()}
    rows, post = sections["precrawford"], sections["postcrawford"]
    n = int(rows["size"])
    return {
        "equities": [_numbers(rows[str(away)].split()) for away in range(1, min(n, 1000) + 1)],
        "post_crawford": _numbers(post["data"].split()),
        "name": sections.get("current", {}).get("name", ""),
    }


_READERS: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "{": _from_json,
    "<": _from_xml,
    "[": _from_sections,
}
_WRITERS: Final[dict[str, Callable[[MatchEquityTable], str]]] = {
    ".csv": _to_csv,
    ".json": _to_json,
    ".xml": _to_xml,
}

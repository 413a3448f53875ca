"""Records as files: the forms by name and by the ending of a file, read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from narde._files import as_path, replacing
from narde.errors import InvalidArgumentError, StorageError, extra, is_one_of, shown
from narde.records.errors import RecordError
from narde.records.model import MatchRecord

MOST_BYTES: Final = 32 << 20
"""The longest file that is read; matches with all their analysis stay far below."""


def read_record(path: str | os.PathLike[str], *, format: str | None = None) -> MatchRecord:
    """The record in a file, every turn replayed by the rules; `format` None: by the ending of the name.

    Raises `RecordError` with game, turn and line where the file goes wrong and with the sound part before as
    its `record`; `StorageError` for a file that can't be read; `InvalidArgumentError` for an unknown form;
    and `MissingExtraError` for a form that needs `pip install 'narde[formats]'`.
    """
    file = as_path(path)
    try:
        with file.open("rb") as handle:
            form = _form(file.suffix, format)  # of a file that is there: else that is what is wrong
            data = handle.read(MOST_BYTES + 1)
    except OSError as fault:
        raise StorageError(f"cannot read {file}: {fault.strerror or fault}") from None
    return form.read(_not_too_long(data))


def write_record(record: MatchRecord, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a record to a file, whole or not at all; `format` None: by the ending of the name.

    The record is replayed first. Raises `RecordError` where it is not sound, `InvalidArgumentError` for an
    unknown form or one that can't hold the record, `StorageError` for what the system refuses, and
    `MissingExtraError` for a form that needs `pip install 'narde[formats]'`.
    """
    file = as_path(path)
    data = _written(record, _form(file.suffix, format))
    with replacing(file) as handle:
        handle.write(data)


def decode_record(data: bytes | str, format: str = "narde") -> MatchRecord:
    """The record in bytes or text of a form. Raises as `read_record`."""
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise InvalidArgumentError(f"{type(data).__name__} holds no record: pass text or bytes")
    given = data.encode("utf-8", errors="replace") if isinstance(data, str) else bytes(data)
    return _form("", format).read(_not_too_long(given))


def encode_record(record: MatchRecord, format: str = "narde") -> bytes:
    """A record as the bytes of a form. Raises as `write_record`."""
    return _written(record, _form("", format))


def _not_too_long(data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise RecordError(f"the file is too long: a record has at most {MOST_BYTES} bytes")
    return data


# ---- the forms ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """A form of records: its name, the endings of its files, and what reads and writes it."""

    name: str
    endings: tuple[str, ...]
    read: Callable[[bytes], MatchRecord]
    write: Callable[[MatchRecord], bytes] | None


def _own_form(name: str, reader: str, writer: str) -> Form:
    """A form of ours, which is in UTF-8, with the functions that read and write it."""

    def read(data: bytes) -> MatchRecord:
        record: MatchRecord = _use(reader)(data)
        return record

    return Form(name, (f".{name}",), read, lambda record: _use(writer)(record).encode("utf-8"))


def _text_form(name: str, endings: tuple[str, ...]) -> Form:
    """A form of plain text in any encoding, with the functions that read and write it."""

    def read(data: bytes) -> MatchRecord:
        record: MatchRecord = _use(f"{name}_reader.read_{name}")(_use("plain.decode")(data))
        return record

    return Form(name, endings, read, lambda r: _use(f"{name}_writer.write_{name}")(r).encode("utf-8"))


def _document_form(name: str, convert: str) -> Form:
    """A form that a function of `gvformat` makes a document of."""
    return Form(name, (f".{name}",), lambda data: _read_document(convert, data), None)


def _use(name: str) -> Callable[..., Any]:
    """A function of a module of this package, loaded when it is first used: it keeps `import narde` fast."""
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"narde.records.{module}"), function)
    return found


def _read_document(convert: str, data: bytes) -> MatchRecord:
    function = getattr(_gvformat(), convert)
    try:
        document = function(data)
    except Exception as fault:  # whatever a damaged file does to it
        raise RecordError(f"the file is damaged: {type(fault).__name__} {fault}") from None
    record: MatchRecord = _use("document.read_document")(document)
    return record


def _read_gva(data: bytes) -> MatchRecord:
    record: MatchRecord = _use("document.read_document")(_use("json_form.parse_json")(data))
    return record


def _read_ogxm(data: bytes) -> MatchRecord:
    """The binary form, or the document itself, which older programs give the same ending."""
    return _read_gva(data) if data.lstrip()[:1] == b"{" else _read_document("read_gvab", data)


def _write_gva(record: MatchRecord) -> bytes:
    """The document with all that `gvformat` adds to it, such as the positions."""
    document = _gvformat().read_gvab(_write_ogxm(record))
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _write_ogxm(record: MatchRecord) -> bytes:
    data: bytes = _gvformat().write_gvab(_use("document_writer.write_document")(record))
    return data


def _gvformat() -> Any:
    """The module that reads and writes the files of other programs."""
    return extra("gvformat", "this form needs gammonview: pip install 'narde[formats]'")


FORMS: Final = {
    form.name: form
    for form in (
        _own_form("narde", "text_reader.read_text", "text_writer.write_checked"),
        _own_form("json", "json_form.read_json", "json_form.write_json"),
        _text_form("mat", (".mat", ".txt")),
        _text_form("sgf", (".sgf",)),
        Form("ogxm", (".ogxm", ".gvab"), _read_ogxm, _write_ogxm),
        Form("gva", (".gva",), _read_gva, _write_gva),
        _document_form("xg", "convert_xg"),
        _document_form("bgf", "convert_bgf"),
    )
}
"""The forms by their names; those without a `write` can only be read."""

ENDINGS: Final = {ending: form for form in FORMS.values() for ending in form.endings}
"""The form of each ending of a file's name, in small letters."""


def _form(ending: str, name: str | None) -> Form:
    """The form of a name, or else of an ending."""
    form = ENDINGS.get(ending.lower()) if name is None else FORMS[name] if is_one_of(name, FORMS) else None
    if form is None:
        known = ", ".join(f"{form.name} ({' '.join(form.endings)})" for form in FORMS.values())
        said = (
            f"no form of records ends in {ending!r}" if name is None else f"no form of records {shown(name)}"
        )
        raise InvalidArgumentError(f"{said}: the forms are {known}")
    return form


def _written(record: MatchRecord, form: Form) -> bytes:
    """The record in a form that can be written."""
    if form.write is None:
        writable = ", ".join(each.name for each in FORMS.values() if each.write)
        raise InvalidArgumentError(f"the form {form.name!r} can only be read: write one of {writable}")
    if not isinstance(record, MatchRecord):
        raise InvalidArgumentError(f"{type(record).__name__} is no record: use a narde.MatchRecord")
    return form.write(record)

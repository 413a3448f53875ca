"""Every form of ID: which text is which, and who reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from narde.errors import (
    InvalidArgumentError,
    InvalidPositionError,
    NardeError,
    NotationError,
    is_one_of,
    shown,
)
from narde.ids.gnubg import read_gnubg, write_gnubg
from narde.ids.narde_id import LONGEST, MAGIC, read_narde, write_narde
from narde.ids.ogid import LOOKS as OGID_LOOKS
from narde.ids.ogid import read_ogid, write_ogid
from narde.ids.setup import Setup
from narde.ids.xgid import read_xgid, write_xgid

_AROUND: Final = " \t\r\n\v\f\u00a0\u200b\ufeff" + "\"'`“”‘’«»<>()[]"
"""Blanks, quotes and brackets that may stand around an ID."""


class Form(NamedTuple):
    """One form of ID: its name in messages, its label, its looks without the label, its reader and writer."""

    name: str
    label: str
    looks: str
    read: Callable[[str], Setup]
    write: Callable[[Setup], str]


_ID_14, _ID_12 = "([A-Za-z0-9+/]{14})", "([A-Za-z0-9+/]{12})"
_GNUBG_LOOKS: Final = (
    rf"(?:GNU Backgammon)?\s*(?:Position ID\s*[:=]\s*)?{_ID_14}"
    rf"(?:[\s:,;]+(?:Match ID\s*[:=]\s*)?{_ID_12})?"
)
_NARDE_LOOKS: Final = f"{MAGIC[0]}[a-z0-9]{{14,}}"

FORMS: Final = {
    "narde": Form("narde ID", r"narde(?: ?id)?\s*[:=]\s*", _NARDE_LOOKS, read_narde, write_narde),
    "xgid": Form("XGID", r"xgid\s*[:=]\s*", "[-A-P]{20,}:.*", read_xgid, write_xgid),
    "ogid": Form("OGID", r"ogid\s*[:=]\s*", OGID_LOOKS, read_ogid, write_ogid),
    "gnubg": Form("GNUBG ID", r"gnu(?:bg)? ?id(?:\s*[:=]\s*|\s+)", _GNUBG_LOOKS, read_gnubg, write_gnubg),
}
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL


def write(setup: Setup, form: str) -> str:
    """The setup as text in a form. Raises `InvalidArgumentError` for what the form cannot hold."""
    if not is_one_of(form, FORMS):
        raise InvalidArgumentError(f"form={shown(form)} is none of {', '.join(FORMS)}")
    if form != "narde" and setup.rules.game != "short":
        raise InvalidArgumentError(f"{FORMS[form].name}s are for short nardy alone, use setup.id('narde')")
    return FORMS[form].write(setup)


def parse(text: str) -> Setup:
    """The setup of an ID in any form: narde ID, GNUBG position ID with or without a match ID, XGID, OGID.

    Blanks, quotes and brackets around it and the usual labels (`XGID=`, `Position ID: ... Match ID: ...`) may
    be there. Raises `NotationError` for other text, naming the form and what is wrong; `InvalidPositionError`
    for an ID in good form whose row is no position of the game.
    """
    if not isinstance(text, str):
        raise NotationError(f"an ID is text, not {type(text).__name__}")
    if len(text) > LONGEST:
        raise NotationError(f"no ID has {len(text)} characters, as this text has: {text[:40]!r} ...")
    form, plain = _recognise(text.strip(_AROUND))
    try:
        return form.read(plain)
    except InvalidPositionError as fault:
        raise InvalidPositionError(f"{form.name} {plain!r}: {fault}", reasons=fault.reasons) from None
    except NardeError as fault:
        raise NotationError(f"{form.name} {plain!r}: {fault}") from None


def _recognise(text: str) -> tuple[Form, str]:
    """The form of a text, and the text without labels: a position ID and a match ID joined by a colon."""
    for form in FORMS.values():
        if label := re.match(form.label, text, _FLAGS):
            return form, _unlabelled(text[label.end() :])
    for form in FORMS.values():
        if re.fullmatch(form.looks, text, _FLAGS):
            return form, _unlabelled(text)
    raise NotationError(
        f"{text!r} is no ID in any known form: narde ID, GNUBG position ID (14 characters, with a match ID of"
        " 12 behind a colon), XGID, OGID"
    )


def _unlabelled(text: str) -> str:
    """A GNUBG ID without the labels within it; any other text as it is."""
    gnubg = re.fullmatch(_GNUBG_LOOKS, text, _FLAGS)
    return ":".join(filter(None, gnubg.groups())) if gnubg else text

"""XML elements as strings: the little that an SVG needs, with every attribute and text escaped."""

from __future__ import annotations

from typing import Final

Attributes = dict[str, str | float]

_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape(words: str) -> str:
    """The words as XML text or attribute value."""
    return words.translate(_ESCAPES)


def number(value: float) -> str:
    """A coordinate with at most two decimals; never an exponent."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def tag(name: str, *content: str, **attributes: str | float) -> str:
    """An element; `content` is XML already, attributes are not: `text_anchor` becomes `text-anchor`."""
    pairs = (
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    opening = f"<{name}{''.join(pairs)}"
    return f"{opening}>{''.join(content)}</{name}>" if content else f"{opening}/>"


def group(*content: str, **attributes: str | float) -> str:
    """A `g` element, or nothing around nothing."""
    return tag("g", *filter(None, content), **attributes) if any(content) else ""

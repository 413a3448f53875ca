"""The 32 characters of a narde ID, its check character, and numbers written with them.

No letter or digit that is easily taken for another (0, 1, i, o), no difference between upper and lower case.
"""

from __future__ import annotations

from typing import Final

from narde.errors import NotationError

ALPHABET: Final = "23456789abcdefghjklmnpqrstuvwxyz"
"""The character of each value 0 to 31, in the order of ASCII."""

VALUE: Final = {character: value for value, character in enumerate(ALPHABET)}
"""The value of each character."""

LARGEST_NUMBER: Final = (1 << 27) - 1
"""The largest number that `write_number` writes: three pairs of nine bits."""

_FIELD_POLYNOMIAL: Final = 0b100101
_MORE: Final = 16


def check_value(text: str) -> int:
    """The remainder of the text as a word over GF(32): 0 for a whole ID with its right check character.

    Horner's rule at the field's generator x, field polynomial x^5 + x^2 + 1. One changed character changes
    the remainder by a product of numbers other than 0; so does the swap of two that stand less than 31 apart.
    """
    remainder = 0
    for character in text:
        remainder = _times_x(remainder) ^ VALUE[character]
    return remainder


def with_check(body: str) -> str:
    """The body with its check character behind it."""
    return body + ALPHABET[_times_x(check_value(body))]


def write_number(number: int) -> str:
    """The number from 0 to `LARGEST_NUMBER` as pairs of characters of nine bits each, the highest pair first.

    The first character of a pair holds the upper four bits, and 16 more if another pair follows.
    """
    pairs = [number & 511]
    while number := number >> 9:
        pairs.append(number & 511)
    last_to_first = [pairs[0], *(pair | _MORE << 5 for pair in pairs[1:])]
    return "".join(ALPHABET[pair >> 5] + ALPHABET[pair & 31] for pair in reversed(last_to_first))


class Reader:
    """Reads a text of the alphabet from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def __bool__(self) -> bool:
        """Whether anything is left to read."""
        return self.at < len(self.text)

    def characters(self, count: int, what: str) -> str:
        """The next `count` characters. Raises `NotationError` if there are fewer."""
        taken = self.text[self.at : self.at + count]
        if len(taken) < count:
            raise NotationError(f"it ends within {what}")
        self.at += count
        return taken

    def value(self, what: str, limit: int = 32) -> int:
        """The value of the next character. Raises `NotationError` from `limit` on."""
        character = self.characters(1, what)
        if VALUE[character] >= limit:
            raise NotationError(f"{character!r} is no {what}")
        return VALUE[character]

    def number(self, what: str) -> int:
        """A number as `write_number` writes it. Raises `NotationError` for any other spelling."""
        number, more, start = 0, True, self.at
        while more:
            upper, lower = self.value(what), self.value(what)
            more = upper >= _MORE
            number = number << 9 | (upper & 15) << 5 | lower
            if number > LARGEST_NUMBER or (more and not number):
                begun = self.text[start : self.at]
                raise NotationError(f"{begun!r} begins no {what}: too large, or leading zeros")
        return number


def _times_x(value: int) -> int:
    """The product with x in GF(32)."""
    doubled = value << 1
    return doubled ^ _FIELD_POLYNOMIAL if doubled & 32 else doubled

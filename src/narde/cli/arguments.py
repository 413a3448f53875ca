"""What several commands take: variants, counts, threads, positions and rolls."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import inf
from typing import Final

import numpy as np

from narde.board import Rows, W, starting_row, validate
from narde.errors import InvalidArgumentError, InvalidDiceError, InvalidPositionError, shown
from narde.ids import Setup, parse
from narde.rules import Rules, rules, variants

START: Final = "start"
"""The word for the starting position of the variant."""

_KNOWN: Final = ", ".join(variants()) + ", or backgammon for short"
_LARGEST: Final = 127
_MOST_DIGITS: Final = 100
_NUMBERS: Final = re.compile(r"[-+\d\s,;\[\]()]+")
_ROLL: Final = re.compile(r"([1-6])[-x/,]?([1-6])")
_BAD_ROLL: Final = re.compile(r"\d+|\d\D\d")
_TWO_DICE: Final = "give two dice from 1 to 6, such as 65 or 6 5"


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """`--json` and `--no-color`, which every command has."""
    parser.add_argument("--json", action="store_true", help="print one JSON object for other programs")
    parser.add_argument("--no-color", action="store_true", help="no colours (as does NO_COLOR)")


def add_variant(parser: argparse.ArgumentParser) -> None:
    """`--variant` once."""
    parser.add_argument("--variant", metavar="NAME", help=f"the rules: {_KNOWN} (default: long)")


def add_variants(parser: argparse.ArgumentParser, default: str) -> None:
    """`--variant` any number of times."""
    text = f"the rules, may be given several times: {_KNOWN} (default: {default})"
    parser.add_argument("--variant", metavar="NAME", action="append", help=text)


def add_threads(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """`--threads`, by default as many as the machine lets this process use."""
    text = f"threads (default: {default or 'all that this process may use'})"
    parser.add_argument("--threads", metavar="N", type=count, default=default or cpus(), help=text)


def chosen_rules(names: list[str] | None, default: tuple[str, ...]) -> list[Rules]:
    """The rules of the names, each once; raises `InvalidRulesError` for an unknown one."""
    return list(dict.fromkeys(rules(name) for name in names or default))


def whole(text: str) -> int:
    """A whole number as people type it: 200000, 200_000, 200,000 or 2e5."""
    plain = text.strip().replace(",", "")
    for read in (int, _exact):
        try:
            return read(plain)
        except ValueError:
            continue
    raise argparse.ArgumentTypeError(f"{shown(text)} is no whole number")


def _exact(text: str) -> int:
    """The number of `2e5`; an exponent that would fill the memory with zeros is refused."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError from None
    if not number.is_finite() or number.adjusted() > _MOST_DIGITS or number != number.to_integral_value():
        raise ValueError
    return int(number)


def count(text: str) -> int:
    """A whole number from 1."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is below 1")
    return number


def positive(text: str) -> float:
    """A finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no number above 0")
    return number


def count_to(most: int) -> Callable[[str], int]:
    """A whole number from 1 to `most`."""

    def read(text: str) -> int:
        number = count(text)
        if number > most:
            raise argparse.ArgumentTypeError(f"{shown(text)} is above the limit, {most}")
        return number

    return read


def cpus() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Question:
    """A position, its rules and, where given, a roll."""

    row: Rows
    rules: Rules
    dice: tuple[int, int] | None


def question(words: list[str], variant: str | None, *, with_dice: bool) -> Question:
    """The position, and with `with_dice` the roll, of `start 6 5`, `ID`, `ID 65` or `0 0 ... -15 3-1`.

    A position is `start`, a position ID, or 28 numbers with spaces or commas; an ID may hold the roll itself.
    Raises `InvalidPositionError`, `InvalidDiceError`, `NotationError`, `InvalidRulesError`.
    """
    words = " ".join(words).split()
    dice, words = _take_dice(words) if with_dice else (None, words)
    if not words:
        raise InvalidPositionError("no position: give 'start', a position ID or 28 numbers")
    if with_dice and dice is None:
        _refuse_bad_roll(words)
    setup = _setup(" ".join(words), variant)
    dice = dice or setup.dice
    if with_dice and dice is None:
        raise InvalidDiceError(f"no roll after {words[-1]!r}: {_TWO_DICE}")
    return Question(np.array(setup.row, np.int8), setup.rules, dice)


def whole_setup(words: list[str], variant: str | None, roll: list[str] | None = None) -> Setup:
    """The position of `start`, an ID or 28 numbers with all that an ID tells of it: cube, score, offers.

    A roll may stand behind it, or at the beginning of the words `roll`, which may go on with the position.
    Raises what `question` raises.
    """
    words = " ".join(words).split()
    dice: tuple[int, int] | None
    if roll:
        dice, rest = _first_dice(" ".join(roll).split())
        words = [*words, *rest]
    else:
        dice, words = _take_dice(words)
    if not words:
        raise InvalidPositionError("no position: give 'start', a position ID or 28 numbers")
    if dice is None:
        _refuse_bad_roll(words)
    setup = _setup(" ".join(words), variant, whole=True)
    return Setup(setup.row, setup.rules, **{**setup.facts(), **({"dice": dice} if dice else {})})


def _refuse_bad_roll(words: list[str]) -> None:
    """Raise `InvalidDiceError` if the last word is meant as a roll and is none."""
    if len(words) not in (1, W) and _BAD_ROLL.fullmatch(words[-1]):
        raise InvalidDiceError(f"no roll in {' '.join(words[-2:])!r}: {_TWO_DICE}")


def _first_dice(words: list[str]) -> tuple[tuple[int, int], list[str]]:
    """The roll at the beginning of the words, in one word or two, and the words behind it."""
    for size in (1, 2):
        dice, rest = _take_dice(words[:size])
        if dice and not rest:
            return dice, words[size:]
    raise InvalidDiceError(f"--dice {' '.join(words[:2])}: {_TWO_DICE}")


def _take_dice(words: list[str]) -> tuple[tuple[int, int] | None, list[str]]:
    """The roll at the end of the words, in one word or two, and the words before it."""
    for size in (1, 2):
        match = _ROLL.fullmatch("".join(words[-size:]))
        if match and len(words) >= size and all(len(word) == 1 for word in words[-size:] if size == 2):
            return (int(match[1]), int(match[2])), words[:-size]
    return None, words


def _setup(text: str, variant: str | None, *, whole: bool = False) -> Setup:
    """The position that a text describes, under the variant's rules where one is named; with `whole` also the
    cube, the score and whatever else an ID tells."""
    if text == START:
        return Setup(starting_row(variant or "long"), variant or "long")
    if _NUMBERS.fullmatch(text):
        return Setup(_row(text, rules(variant or "long")), variant or "long")
    setup = parse(text)
    wanted = setup.rules if variant is None else rules(variant)
    if wanted.game != setup.rules.game:
        reason = f"{text} is a position of {setup.rules.game} nardy, variant {variant} is {wanted.game} nardy"
        raise InvalidArgumentError(reason)
    return Setup(setup.row, wanted, **(setup.facts() if whole else {"dice": setup.dice}))


def _row(text: str, rules: Rules) -> list[int]:
    """The row of 28 numbers."""
    texts = re.findall(r"[-+]?\d+", text)
    if len(texts) != W:
        raise InvalidPositionError(f"a row has {W} numbers, not {len(texts)}")
    for number in texts:
        if len(number.lstrip("+-0")) > len(str(_LARGEST)) or abs(int(number)) > _LARGEST:
            raise InvalidPositionError(f"a row counts checkers, 15 of a side: {shown(number)} is too large")
    numbers = [int(number) for number in texts]
    validate(numbers, rules)
    return numbers

"""The rule texts as data: `Rules`, a frozen value of every choice on which the texts differ.

The texts are named `minsport`, `bkgm`, `nardeon`, `long` (long nardy) and `short` (short nardy, backgammon);
"l8" below is line 8 of the text named before it. A house rule is `dataclasses.replace(rules("long"), ...)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from narde.errors import InvalidRulesError, is_one_of, shown

Game = Literal["long", "short"]
OpeningRoll = Literal["keep", "reroll"]
NextStarter = Literal["contest", "winner", "alternate"]
HeadException = Literal["none", "doubles_346", "any_double", "any_roll"]
PrimeRule = Literal["opponent_ahead", "never", "free"]
PrimeCheck = Literal["every_step", "end_of_turn"]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Every choice on which the rule texts differ; immutable, hashable, checked on creation.

    Raises `InvalidRulesError` for a value outside its choices and for choices that contradict each other.

    name: What the rules are called, a line of text; it plays no part in any decision.
    game: The board: `long` starts 15 on the head, both sides going the same way round (minsport l6, bkgm l5,
        nardeon l9 and l17, long l16); `short` is the backgammon start with the sides going opposite ways
        (short l3).
    opening_roll: `keep`: "The higher roll moves first, playing both numbers rolled" (minsport l8; short l9;
        long l18). `reroll`: "starts and rolls both dice again" (nardeon l13; bkgm l7).
    next_starter: Who starts the next game: a new `contest` (texts silent, as in backgammon); the `winner`:
        "after which, the winner of the previous game goes first" (bkgm l7); or the sides `alternate` (a house
        rule).
    head_per_turn: Checkers that may leave the head in a turn: "Only one checker may leave the head per turn"
        (minsport l13, bkgm l17, nardeon l25, long l24). 0 means no limit, as in short nardy.
    head_exception: First-turn rolls that let two leave the head: `doubles_346`, "6-6, 4-4 and 3-3 release
        two" (long l24; minsport l13; nardeon l27); `any_roll`, "the first roll of the game in which players
        may move two checkers off their head" (bkgm l17); `none`, as in short nardy; `any_double`, a house
        rule. A first turn is one with all 15 on the head.
    prime_rule: When six points in a row may be held: `opponent_ahead`, "at least one opposing checker is
        already ahead of the wall" (long l39; minsport l15, which adds "or has already borne off at least
        one"; bkgm l21; nardeon l31); `never` and `free` (no limit, as in short nardy) are house rules in long
        nardy.
    prime_check: When the prime is judged: after `every_step`, "you may not build the prime with one number
        and break it with the other" (minsport l15; the other texts are silent), or only at the `end_of_turn`
        (a house rule).
    hitting: Whether a lone opposing checker may be hit: "There is no hitting" (minsport l11, bkgm l19,
        nardeon l21, long l22) against short l18. It belongs to the board: only `short` hits, and always does.
    mars: Points for a win while the loser has borne off none: "it is a mars (gammon): 2 points" (minsport
        l19, bkgm l27, nardeon l52, long l77, short l33).
    koks: Points for a win while the loser has borne off none and still has a checker in his own 24..19 (in
        short nardy, in the winner's home or on the bar: short l34, 3 points). 0: not scored, "There is no
        koks" (minsport l19).
    cube: Whether a doubling cube is used (minsport l19, short l28) or not (nardeon l55, long l77; bkgm
        silent).
    crawford: Whether the Crawford rule holds in matches: "the Crawford rule [is] as in Backgammon" (minsport
        l19).
    match_lengths: The match lengths in points; empty: any. "1, 3, 5 or 7" (nardeon l53).
    last_roll: Whether the second player answers the starter's last play, both off being a draw (no text; a
        house rule). Self-play by evaluators, rollouts and analysis refuse it, since a row does not tell who
        started.
    """

    name: str = "house"
    game: Game = "long"
    opening_roll: OpeningRoll = "keep"
    next_starter: NextStarter = "contest"
    head_per_turn: int = 1
    head_exception: HeadException = "doubles_346"
    prime_rule: PrimeRule = "opponent_ahead"
    prime_check: PrimeCheck = "every_step"
    hitting: bool = False
    mars: int = 2
    koks: int = 0
    cube: bool = False
    crawford: bool = False
    match_lengths: tuple[int, ...] = ()
    last_roll: bool = False

    def __post_init__(self) -> None:
        reasons = _bad_choices(self) or _contradictions(self)
        if reasons:
            raise InvalidRulesError(f"rules {shown(self.name)} are impossible: " + "; ".join(reasons))


def _bad_choices(rules: Rules) -> list[str]:
    """Fields whose value is none of their choices."""
    is_line = isinstance(rules.name, str) and rules.name.isprintable()
    reasons = [] if is_line else [f"name={shown(rules.name)} is no line of text that can be printed"]
    for field, choices in _CHOICES.items():
        value = getattr(rules, field)
        if not is_one_of(value, choices):
            reasons.append(f"{field}={shown(value)} is none of {', '.join(map(repr, choices))}")
    for field in _FLAGS:
        if not isinstance(getattr(rules, field), bool):
            reasons.append(f"{field}={shown(getattr(rules, field))} is neither True nor False")
    for field, allowed in _NUMBERS.items():
        value = getattr(rules, field)
        if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
            reasons.append(f"{field}={shown(value)} is none of {', '.join(map(str, allowed))}")
    lengths = rules.match_lengths
    if not isinstance(lengths, tuple) or any(type(n) is not int or n < 1 for n in lengths):
        reasons.append(f"match_lengths={shown(lengths)} is no tuple of whole numbers from 1")
    return reasons


def _contradictions(rules: Rules) -> list[str]:
    """Choices that cannot stand together, each with its reason."""
    long = rules.game == "long"
    faults = {
        "hitting=True: nobody is hit in long nardy, one checker closes a point": long and rules.hitting,
        "hitting=False: short nardy cannot be played without hitting": not long and not rules.hitting,
        "head_per_turn: short nardy has no head, use 0": not long and rules.head_per_turn != 0,
        "prime_rule: a prime can be jumped by entering in short nardy, use 'free'": (
            not long and rules.prime_rule != "free"
        ),
        "head_exception: it lets two leave the head, which head_per_turn allows already, use 'none'": (
            rules.head_per_turn != 1 and rules.head_exception != "none"
        ),
        "prime_check='end_of_turn': there is no prime rule to check, use 'every_step'": (
            rules.prime_rule == "free" and rules.prime_check != "every_step"
        ),
        "crawford=True: the Crawford rule needs a cube": rules.crawford and not rules.cube,
        "koks below mars: a koks is a mars too": rules.koks != 0 and rules.koks < rules.mars,
        "last_roll=True: a hit could follow the last roll in short nardy": not long and rules.last_roll,
    }
    return [reason for reason, at_fault in faults.items() if at_fault]


_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "game": get_args(Game),
    "opening_roll": get_args(OpeningRoll),
    "next_starter": get_args(NextStarter),
    "head_exception": get_args(HeadException),
    "prime_rule": get_args(PrimeRule),
    "prime_check": get_args(PrimeCheck),
}
_FLAGS: Final = ("hitting", "cube", "crawford", "last_roll")
_NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "head_per_turn": (0, 1, 2, 3, 4),
    "mars": (1, 2),
    "koks": (0, 3),
}

_PRESETS: Final[dict[str, Rules]] = {
    preset.name: preset
    for preset in (
        Rules(name="minsport", cube=True, crawford=True),
        Rules(name="bkgm", opening_roll="reroll", next_starter="winner", head_exception="any_roll"),
        Rules(name="nardeon", opening_roll="reroll", match_lengths=(1, 3, 5, 7)),
        Rules(name="long"),
        Rules(
            name="short",
            game="short",
            head_per_turn=0,
            head_exception="none",
            prime_rule="free",
            hitting=True,
            koks=3,
            cube=True,
            crawford=True,
        ),
    )
}
_ALIASES: Final = {"backgammon": "short"}


def variants() -> tuple[str, ...]:
    """The names of the published rule texts, each an argument for `rules`."""
    return tuple(_PRESETS)


def rules(name: str | Rules) -> Rules:
    """The `Rules` of a published text by its name; a `Rules` value is returned as it is.

    Raises `InvalidRulesError` for an unknown name, naming the known ones.
    """
    if isinstance(name, Rules):
        return name
    if not isinstance(name, str):
        raise InvalidRulesError(f"rules must be a name or a narde.Rules, not {type(name).__name__}")
    try:
        return _PRESETS[_ALIASES.get(name, name)]
    except KeyError:
        known = ", ".join((*_PRESETS, *_ALIASES))
        raise InvalidRulesError(f"unknown variant {shown(name)}: use one of {known}") from None

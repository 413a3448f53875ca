"""`Position`: one row with its rules as an immutable value, and `Plays`, its legal plays for a roll.

`Position(row, rules)` is the one door for rows from outside: it checks them, and all behind it is legal. For
many positions at once use arrays of rows and `narde.afterstates`: they take a small part of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from narde.board import OFF, Rows, W, as_rows, flip, pips, starting_row, validate
from narde.dice import Pair, as_pair
from narde.errors import IllegalPlayError, InvalidDiceError, InvalidPositionError, NardeError, shown
from narde.ids import Setup, describe_row, parse
from narde.ids.setup import Form
from narde.kernels import as_item
from narde.notation import Play, format_plays, parse_play
from narde.notation.turn import Turn, prime
from narde.notation.writing import in_question
from narde.plays import afterstates
from narde.rules import Rules
from narde.rules import rules as rules_of
from narde.scoring import RESULT_NAMES, finished, result_kinds, results

_SHOWN: Final = 6
"""Plays that a repr or an error lists at most."""


@dataclass(frozen=True, init=False, eq=False, repr=False, slots=True)
class Position:
    """One position of the game, seen by the mover, the player on roll; immutable and hashable.

    Two are equal if their rows and their rules are. Pairs such as `pips` are the mover's and the opponent's.
    Dice are given as `6, 5`, as a pair or as text such as "65".

    row: The row, int8 (28,), read-only.
    rules: The rules that it is played by.
    """

    row: Rows
    rules: Rules

    def __init__(self, row: npt.ArrayLike, rules: str | Rules = "long") -> None:
        """Check a row (28,) of whole numbers, and the name of rules or a `Rules`.

        Raises `InvalidPositionError` with every reason, `InvalidRulesError` for an unknown name. A row that
        play cannot reach is a position too, see `has_illegal_prime`.
        """
        variant = rules_of(rules)
        batch, single = as_rows(row)
        if not single:
            raise InvalidPositionError(f"a position is one row, not a batch {batch.shape}: pass rows[i]")
        validate(batch, variant)
        _fill(self, batch[0], variant)

    @classmethod
    def start(cls, rules: str | Rules = "long") -> Position:
        """The position before the first turn."""
        return _behind_the_door(starting_row(rules), rules_of(rules))

    @classmethod
    def from_id(cls, text: str) -> Position:
        """The position of an ID in any form that `narde.parse` reads; what else it tells is left out.

        An ID of another program comes with the rules `short`. Raises `NotationError`, `InvalidPositionError`.
        """
        setup = parse(text)
        return cls(setup.row, setup.rules)

    def id(self, form: Form = "narde", **facts: Any) -> str:
        """The position as an ID: `narde`, or for short nardy `gnubg`, `xgid`, `ogid`.

        `facts` are those of `narde.Setup`: dice, cube_value, length, score and so on. Raises
        `InvalidArgumentError` for facts that cannot be, and for what the form cannot hold.
        """
        return Setup(self.row, self.rules, **facts).id(form)

    # ---- plays ---------------------------------------------------------------------------------------------

    def plays(self, *dice: object) -> Plays:
        """The legal plays for a roll, such as `plays(6, 5)`. Raises `InvalidDiceError`.

        A position that `is_over` has plays all the same: under `Rules.last_roll` one more turn is played.
        """
        try:
            low, high = sorted(as_pair(dice[0] if len(dice) == 1 else dice))
        except InvalidDiceError as fault:
            text = f"{fault}\n  position {describe_row(self.row, self.rules)}"
            raise InvalidDiceError(text) from None
        return Plays(self, (high, low))

    def play(self, choice: str | int | Play | Position | npt.ArrayLike, *dice: object) -> Position:
        """The position after a play, seen by the player who rolls next: `play("24/13", 6, 5)`.

        `choice` is whatever `Plays.index` takes: notation, a `Play`, the afterstate or its index. Raises
        `IllegalPlayError` with the reason, `NotationError` for text that is no play, `InvalidDiceError`.
        """
        plays = self.plays(*dice)
        return _behind_the_door(plays.afterstates[plays.index(choice)], self.rules)

    def flip(self) -> Position:
        """The same position as if the opponent were on roll."""
        return _behind_the_door(flip(self.row, self.rules), self.rules)

    # ---- how it stands -------------------------------------------------------------------------------------

    @property
    def pips(self) -> tuple[int, int]:
        """The pips that each side needs to bear off all its checkers; one on the bar needs 25."""
        mover, opponent = pips(self.row, self.rules).tolist()
        return mover, opponent

    @property
    def all_home(self) -> tuple[bool, bool]:
        """Whether each side has all its checkers in its home board, points 6 to 1, or off."""
        mover, opponent = self._farthest()
        return mover <= 6, opponent <= 6

    @property
    def is_race(self) -> bool:
        """Whether neither side can hinder the other any more; otherwise there is contact.

        No point is left that both can still stand on: in long nardy each side has come to its last twelve
        points, in short nardy the two have passed each other. A side that is all off hinders nobody.
        """
        mover, opponent = self._farthest()
        if not mover or not opponent:
            return True
        return max(mover, opponent) <= 12 if self.rules.game == "long" else mover + opponent < 25

    def _farthest(self) -> tuple[int, int]:
        """Each side's highest own point with a checker, 25 for the bar; 0 if all are off."""
        sides = self.row[:OFF], flip(self.row, self.rules)[:OFF]
        mover, opponent = (int(np.flatnonzero(side > 0).max(initial=-1)) + 1 for side in sides)
        return mover, opponent

    @property
    def has_illegal_prime(self) -> bool:
        """Whether a side holds six points in a row against the prime rule, which legal play never leads to.

        In such a position no move may leave the mover with an illegal prime, so many plays are refused.
        """
        return any(prime(Turn.begin(row, (1, 1), self.rules)) for row in (self.row, self.flip().row))

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all its checkers."""
        return bool(finished(self.row))

    @property
    def result(self) -> int | None:
        """The points that the mover has won (+) or lost (-), without a cube; None while the game goes on.

        0 is a draw by `Rules.last_roll`; whether the second player still has that roll, no position tells.
        """
        return int(results(self.row, self.rules)) if self.is_over else None

    @property
    def result_name(self) -> str | None:
        """`oin`, `mars`, `koks`; `single`, `gammon`, `backgammon`; `draw`; None while the game goes on."""
        if not self.is_over:
            return None
        return RESULT_NAMES[self.rules.game][abs(int(result_kinds(self.row, self.rules)))]

    # ---- pictures ------------------------------------------------------------------------------------------

    def text(self, **options: Any) -> str:
        """The board as text; the options are those of `narde.draw.text`."""
        from narde import draw

        return draw.text(self.row, self.rules, **options)

    def svg(self, **options: Any) -> str:
        """The board as SVG; the options are those of `narde.draw.svg`."""
        from narde import draw

        return draw.svg(self.row, self.rules, **options)

    def png(self, **options: Any) -> bytes:
        """The board as PNG, by the `png` extra; the options are those of `narde.draw.png`."""
        from narde import draw

        return draw.png(self.row, self.rules, **options)

    def __str__(self) -> str:
        """The board as text without colours, which fits the terminal and its encoding."""
        return self.text(colour=False)

    def _repr_svg_(self) -> str:
        """The board in a notebook."""
        return self.svg()

    # ---- a value -------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        """Python that makes the position again: by its ID, or by row and rules if an ID would lose a name."""
        text = describe_row(self.row, self.rules)
        if not text.startswith("[") and parse(text).rules == self.rules:
            return f"narde.Position.from_id({text!r})"
        return f"narde.Position({self.row.tolist()}, narde.{self.rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.row.tobytes() == other.row.tobytes() and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.row.tobytes(), self.rules))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle row and rules; both are checked again when they come back."""
        return Position, (self.row.tolist(), self.rules)


def _fill(position: Position, row: Rows, rules: Rules) -> None:
    """Set both fields; the row becomes a view of `bytes`, which nothing can make writable."""
    object.__setattr__(position, "row", np.frombuffer(row.tobytes(), np.int8))
    object.__setattr__(position, "rules", rules)


def _behind_the_door(row: Rows, rules: Rules) -> Position:
    """A position of a row that comes from one, unchecked."""
    position = object.__new__(Position)
    _fill(position, row, rules)
    return position


@dataclass(frozen=True, repr=False)
class Plays:
    """The legal plays of a position for a roll: one for each distinct afterstate, in their order.

    Iteration and indexing give `Play` values; `in` takes what `index` takes. There is always one, be it the
    pass. Two are equal if their positions and dice are.

    position: Where it is rolled.
    dice: The roll, the higher die first.
    """

    position: Position
    dice: Pair

    @cached_property
    def afterstates(self) -> Rows:
        """The afterstates, int8 (M, 28), each seen by the player who rolls next; read-only."""
        found = afterstates(self.position.row, self.dice, self.position.rules, check=False)
        return _read_only(found.positions)

    @cached_property
    def moves(self) -> npt.NDArray[np.int8]:
        """A shortest play to each afterstate, int8 (M, 4, 2), as in `narde.Afterstates.moves`; read-only."""
        found = afterstates(self.position.row, self.dice, self.position.rules, check=False, moves=True)
        assert found.moves is not None
        return _read_only(found.moves)

    @property
    def notation(self) -> list[str]:
        """Every play as text, such as `24/13` or `pass`; no two are the same."""
        return list(self._notation)

    @cached_property
    def _notation(self) -> tuple[str, ...]:
        position = self.position
        return tuple(format_plays(position.row, self.dice, self.afterstates, position.rules))

    @property
    def is_pass(self) -> bool:
        """Whether no die can be played, so that the only play is the pass."""
        return np.array_equal(self.afterstates[0], self.position.flip().row)

    def index(self, choice: str | int | Play | Position | npt.ArrayLike) -> int:
        """Where a play stands, from 0.

        `choice` is its notation, a `Play`, its afterstate as a row (28,) or a `Position`, or an index. Raises
        `IllegalPlayError` with the reason for what is none of these plays, `AmbiguousPlayError` for what may
        be several, `NotationError` for text that is no play.
        """
        if isinstance(choice, int | np.integer) and not isinstance(choice, bool):
            return self._counted(int(choice))
        after = self._afterstate_of(choice)
        found = np.flatnonzero((self.afterstates == after).all(axis=1))
        if not found.size:
            raise self._illegal(f"no legal play leads to {describe_row(after, self.position.rules)}")
        return int(found[0])

    def _afterstate_of(self, choice: str | Play | Position | npt.ArrayLike) -> Rows:
        """The row that is meant; whether it is legal is asked of text alone."""
        if isinstance(choice, str):
            return parse_play(choice, self.position.row, self.dice, self.position.rules).afterstate
        if isinstance(choice, Play):
            return choice.afterstate
        if isinstance(choice, Position):
            if choice.rules != self.position.rules:
                raise self._illegal(f"{choice!r} is by other rules")
            return choice.row
        try:
            batch, single = as_rows(choice)
        except InvalidPositionError:
            batch, single = np.empty((0, W), np.int8), False
        if not single:
            kinds = "notation, a Play, an afterstate (28,) or an index"
            raise self._illegal(f"a {type(choice).__name__} tells no play: pass {kinds}")
        row: Rows = batch[0]
        return row

    def _counted(self, choice: int) -> int:
        """An index, counted from the front."""
        if not -len(self) <= choice < len(self):
            raise self._illegal(f"there is no play {shown(choice)}")
        return choice % len(self)

    def _illegal(self, reason: str) -> IllegalPlayError:
        position = in_question(self.position.row, self.dice, self.position.rules)
        return IllegalPlayError(f"{reason}\n  {position}\n  {self._listed()}")

    def __len__(self) -> int:
        return len(self.afterstates)

    def __getitem__(self, i: int) -> Play:
        """Play i; negative ones count from the end. Raises `IndexError`, `InvalidArgumentError`."""
        i = as_item(i, len(self), "play", "index(...) finds a play by its notation or its afterstate")
        moves = tuple((start, end) for start, end in self.moves[i].tolist() if start >= 0)
        return Play(self.afterstates[i], moves, self._notation[i])

    def __iter__(self) -> Iterator[Play]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, choice: Any) -> bool:
        """Whether `index` finds it; False for whatever is no play at all."""
        try:
            self.index(choice)
        except NardeError:
            return False
        return True

    def _listed(self) -> str:
        """How many plays there are, and the first of them."""
        count = "1 play" if len(self) == 1 else f"{len(self)} plays"
        return f"{count}: {', '.join(self._notation[:_SHOWN])}{', ...' if len(self) > _SHOWN else ''}"

    def __repr__(self) -> str:
        return f"<{self.position!r} with {self.dice[0]}-{self.dice[1]}, {self._listed()}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle position and dice; the plays are found again."""
        return Plays, (self.position, self.dice)


def _read_only(array: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    array.flags.writeable = False
    return array

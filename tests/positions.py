"""Test positions that all tests share: made rows that hide bugs, positions from played games, hypothesis
strategies.

Random games alone test neither the prime rule nor full boards, so most rows here are made. Every row is
valid; many cannot be reached by play. All of it is driven by a `random.Random`, so the same seed gives the
same positions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from random import Random

from hypothesis import strategies as st

from narde import Rules, reference, starting_row
from narde.errors import InvalidRulesError
from narde.rules import rules as rules_of

Row = tuple[int, ...]
Dice = tuple[int, int]
Turn = tuple[Row, Dice]
Afterstates = Callable[[Row, Dice, Rules], Sequence[Row]]

HEAD, OPPONENT_HEAD, BAR = 24, 12, 25
BOARD = range(1, 25)
HOME = range(1, 7)
OUTSIDE = range(7, 25)
OPPONENT_HOME = {"long": range(13, 19), "short": range(19, 25)}
"""In the mover's numbering, as everywhere below."""


def row_of(own: Iterable[int], opponent: Iterable[int]) -> Row:
    """The row with one checker on each point named, 25 being either side's bar; the rest of the fifteen are
    off."""
    row = [0] * 28
    for point in own:
        row[point - 1] += 1
    for point in opponent:
        row[point if point == BAR else point - 1] -= 1
    row[26] = 15 - sum(checkers for checkers in row if checkers > 0)
    row[27] = -15 - sum(checkers for checkers in row[:26] if checkers < 0)
    return tuple(row)


def stand(rng: Random, checkers: int, points: Iterable[int], most_points: int = 15) -> list[int]:
    """So many checkers on some of the points, held from a single one to all; none where there is no point."""
    open_points = list(points)
    most = min(checkers, len(open_points), most_points)
    held = rng.sample(open_points, rng.randint(1, most)) if most else []
    stack = rng.choice(held) if held and rng.random() < 0.4 else None
    return held + [stack or rng.choice(held) for _ in range(checkers - len(held)) if held]


def free(points: Iterable[int], *taken: Iterable[int]) -> list[int]:
    """The points on which none of the others stands."""
    closed = {point for side in taken for point in side}
    return [point for point in points if point not in closed]


# ---- long nardy --------------------------------------------------------------------------------------------


def scattered(rng: Random) -> Row:
    """Both sides anywhere, all thirty on the board."""
    own = stand(rng, 15, BOARD)
    return row_of(own, stand(rng, 15, free(BOARD, own)))


def on_the_head(rng: Random) -> Row:
    """The head with any number from 15 to none, a few runners, the opponent mostly on his own head."""
    left = rng.choice([0, 0, 1, 1, 1, 2, 2, 3, 5, 13, 14])
    own = [HEAD] * (15 - left) + stand(rng, left, free(BOARD, [HEAD, OPPONENT_HEAD]))
    away = rng.choice([0, 1, 1, 2, 4, 8, 15])
    runners = stand(rng, away, free(BOARD, own, [OPPONENT_HEAD]))
    return row_of(own, [OPPONENT_HEAD] * (15 - away) + runners)


def nearly_home(rng: Random) -> Row:
    """None to five outside the home board, most of them within a roll of it; opponents may stand inside
    it."""
    outside = rng.randint(0, 5)
    own = stand(rng, outside, range(7, rng.choice([8, 9, 11, 13, 19, 25])))
    own += stand(rng, 15 - outside, HOME)
    return row_of(own, stand(rng, 15, free(BOARD, own)))


def bearing_off(rng: Random) -> Row:
    """All home, some off; opponents anywhere, inside the mover's home board more often than not."""
    own = stand(rng, rng.randint(1, 15), HOME)
    inside = stand(rng, rng.choice([0, 1, 2, 3, 5]), free(HOME, own) or free(OUTSIDE, own))
    return row_of(own, inside + stand(rng, 15 - len(inside), free(BOARD, own)))


def race(rng: Random) -> Row:
    """Both sides bear off; either may have finished."""
    own = stand(rng, rng.randint(0, 15), HOME)
    return row_of(own, stand(rng, rng.randint(0, 15), OPPONENT_HOME["long"]))


def blocked(rng: Random) -> Row:
    """The opponent holds eight to fifteen points, the mover few: turns that are lost in part or whole."""
    held = rng.sample(BOARD, rng.randint(8, 15))
    spare = [rng.choice(held) for _ in range(15 - len(held))]
    points = rng.sample(free(BOARD, held), rng.choice([1, 1, 2, 2, 3, 4]))
    return row_of(stand(rng, 15, points), held + spare)


def by_opponent(point: int) -> int:
    """The mover's point that the opponent counts as `point`, and the other way round: long nardy only."""
    return point + 12 if point <= 12 else point - 12


def walls(rng: Random) -> Row:
    """A run of four to eight of the mover's points anywhere on the ring, whole or with a gap that a die may
    fill.

    Every place counts: across the mover's 1 and 24 it is a prime, across his 13 and 12 it is none. The
    opponent has none, one or many ahead of it, or has borne off.
    """
    length = rng.choice([4, 5, 6, 6, 6, 7, 8])
    first = rng.choice([1, 2, 12, 13, 18, 19, 23, *BOARD])
    run = [(first - 1 - i) % 24 + 1 for i in range(length)]
    gap = rng.sample(run, rng.choice([0, 0, 1, 1, 1, 2]))
    wall = [point for point in run if point not in gap]
    own = wall + _spares(rng, 15 - len(wall), run, gap)
    return row_of(own, _past_or_behind(rng, wall, free(BOARD, own)))


def two_walls(rng: Random) -> Row:
    """Two runs of six, perhaps short of a point or two, with opponents between: ahead of one alone."""
    low = rng.randint(1, 11)
    high = rng.randint(low + 7, 19)
    runs = [by_opponent(point) for start in (low, high) for point in range(start, start + 6)]
    gap = rng.sample(runs, rng.randint(0, 2))
    wall = [point for point in runs if point not in gap]
    own = wall + _spares(rng, 15 - len(wall), runs, gap)
    between = free(map(by_opponent, range(low + 6, high)), own)
    past = stand(rng, rng.choice([0, 1, 1, 1, 4]), between)
    rest = free(BOARD, own, map(by_opponent, range(1, low)))
    return row_of(own, past + stand(rng, 15 - len(past), rest or between))


def _spares(rng: Random, checkers: int, run: list[int], gap: list[int]) -> list[int]:
    """The checkers not in the wall: most within a roll of a gap or of the wall's front, the rest anywhere."""
    goals = gap or [(run[-1] - 2) % 24 + 1, *run]
    near = [goal + distance for goal in goals for distance in rng.sample(range(1, 7), 3)]
    near = free((point for point in near if point <= 24), gap)[: rng.randint(0, min(6, checkers))]
    pool = rng.choice([run, free(BOARD, gap), free(HOME, gap), [HEAD]])
    return near + stand(rng, checkers - len(near), free(pool, gap) or run, most_points=4)


def _past_or_behind(rng: Random, wall: list[int], open_points: list[int]) -> list[int]:
    """The opponent's checkers: behind the wall, with so many ahead of it, or all home with some off."""
    if rng.random() < 0.1:
        home = [point for point in open_points if point in OPPONENT_HOME["long"]]
        return stand(rng, rng.randint(0, 14), home) if home else stand(rng, 15, open_points)
    lowest = min(map(by_opponent, wall))
    ahead = [point for point in open_points if by_opponent(point) < lowest]
    behind = [point for point in open_points if by_opponent(point) > lowest]
    past = rng.choice([0, 0, 0, 1, 1, 2, 15]) if ahead else 0
    past = past if behind else 15
    return stand(rng, past, ahead, most_points=3) + stand(rng, 15 - past, behind)


# ---- short nardy -------------------------------------------------------------------------------------------


def contact(rng: Random) -> Row:
    """Both sides anywhere, some on the bar, some off."""
    own = stand(rng, rng.randint(1, 15), BOARD)
    opponent = stand(rng, rng.randint(1, 15), free(BOARD, own))
    return row_of(_some_on_bar(rng, own), _some_on_bar(rng, opponent))


def blots(rng: Random) -> Row:
    """Lone checkers of the opponent nearly everywhere, to hit on the way and from the bar."""
    lone = rng.sample(BOARD, rng.randint(5, 14))
    own = _some_on_bar(rng, stand(rng, 15, free(BOARD, lone), most_points=8))
    return row_of(own, lone + stand(rng, 15 - len(lone), free(BOARD, lone, own) or [BAR]))


def entering(rng: Random) -> Row:
    """One to four of the mover on the bar against none to six closed entry points and a blot or two."""
    closed = rng.sample(OPPONENT_HOME["short"], rng.choice([0, 2, 3, 4, 4, 5, 5, 6]))
    opponent = 2 * closed + stand(rng, rng.randint(0, 3), free(OPPONENT_HOME["short"], closed))
    waiting = rng.choice([1, 1, 1, 2, 2, 3, 4])
    own = stand(rng, 15 - waiting, free(BOARD, opponent))
    opponent += stand(rng, rng.randint(0, 15 - len(opponent)), closed or free(BOARD, own))
    return row_of([BAR] * waiting + own, opponent)


def nearly_home_short(rng: Random) -> Row:
    """None to four outside, some off already, the opponent in the way, in the mover's home board or on the
    bar."""
    outside = rng.randint(0, 4)
    own = stand(rng, outside, range(7, rng.choice([8, 10, 13, 25])))
    own += stand(rng, rng.randint(1, 15 - outside), HOME)
    waiting = rng.choice([0, 0, 1, 2])
    inside = stand(rng, rng.randint(0, 4), free(HOME, own) or free(BOARD, own))
    rest = stand(rng, rng.randint(0, 15 - waiting - len(inside)), free(BOARD, own))
    return row_of(own, [BAR] * waiting + inside + rest)


def last_few(rng: Random) -> Row:
    """One to four left, near home or in it, among lone checkers of the opponent: wins by way of a hit."""
    own = stand(rng, rng.choice([1, 1, 2, 3, 4]), range(1, rng.choice([7, 7, 10])))
    lone = stand(rng, rng.randint(1, 6), free(range(1, 10), own), most_points=6)
    return row_of(own, lone + stand(rng, rng.randint(0, 15 - len(lone)), free(BOARD, own)))


def race_short(rng: Random) -> Row:
    """Both sides bear off; either may have finished."""
    return row_of(
        stand(rng, rng.randint(0, 15), HOME), stand(rng, rng.randint(0, 15), OPPONENT_HOME["short"])
    )


def _some_on_bar(rng: Random, checkers: list[int]) -> list[int]:
    """The same checkers with the first few on the bar instead."""
    waiting = min(rng.choice([0, 0, 1, 1, 2, 3, 5]), len(checkers))
    return [BAR] * waiting + checkers[waiting:]


FAMILIES: dict[str, tuple[Callable[[Random], Row], ...]] = {
    "long": (scattered, on_the_head, nearly_home, bearing_off, race, blocked, walls, walls, walls, two_walls),
    "short": (contact, contact, blots, blots, entering, entering, nearly_home_short, last_few, race_short),
}


def roll(rng: Random) -> Dice:
    """A roll, doubles one time in three, so that they get their share of tests."""
    first = rng.randint(1, 6)
    return first, first if rng.random() < 0.2 else rng.randint(1, 6)


def made_rows(game: str, seed: int) -> Iterator[Row]:
    """Made rows of every family in turn, endlessly; one in four is seen by the other side."""
    rng = Random(seed)
    while True:
        for family in FAMILIES[game]:
            row = family(rng)
            yield reference.flip(row, game) if rng.random() < 0.25 else row


def made_turns(game: str, seed: int) -> Iterator[Turn]:
    """Made rows, each with a roll, endlessly."""
    rng = Random(seed)
    for row in made_rows(game, seed):
        yield row, roll(rng)


# ---- played games ------------------------------------------------------------------------------------------


def longest_run(afterstate: Row) -> int:
    """The longest run of points of the player who has just moved, along the next player's path."""
    path = "".join("x" if checkers < 0 else "." for checkers in afterstate[:24])
    return max(map(len, path.split(".")))


def left_on_head(afterstate: Row) -> int:
    """The checkers of the player who has just moved on his head: long nardy."""
    return -afterstate[OPPONENT_HEAD - 1]


def sent_to_bar(afterstate: Row) -> int:
    """The checkers of the next player on the bar."""
    return afterstate[24]


def lone_checkers(afterstate: Row) -> int:
    """The blots of the player who has just moved."""
    return afterstate[:24].count(-1)


POLICIES: dict[str, tuple[Callable[[Row], int] | None, ...]] = {
    "long": (None, longest_run, left_on_head, lone_checkers),
    "short": (None, longest_run, sent_to_bar, lone_checkers),
}
"""What players try to have most of; None plays at random."""


def played_turns(afterstates: Afterstates, rules: str | Rules, seed: int) -> Iterator[Turn]:
    """The turns of whole games, endlessly, each side of each game following one of the policies of its
    game."""
    rng, variant = Random(seed), rules_of(rules)
    while True:
        row: Row = tuple(starting_row(variant).tolist())
        sides = rng.choices(POLICIES[variant.game], k=2)
        while row[27] > -15:
            dice = roll(rng)
            yield row, dice
            row = chosen(rng, afterstates(row, dice, variant), sides[0])
            sides.reverse()


def chosen(rng: Random, choices: Sequence[Row], wanted: Callable[[Row], int] | None) -> Row:
    """One of the afterstates with the most of what is wanted; one in four turns, any of them."""
    if wanted is None or rng.random() < 0.25:
        return rng.choice(choices)
    most = max(map(wanted, choices))
    return rng.choice([choice for choice in choices if wanted(choice) == most])


# ---- rules and hypothesis strategies -----------------------------------------------------------------------


def house_rules() -> Iterator[Rules]:
    """Long nardy with every allowed combination of the options that bear on legal plays."""
    heads = product(range(5), ("none", "doubles_346", "any_double", "any_roll"))
    primes = product(("opponent_ahead", "never", "free"), ("every_step", "end_of_turn"))
    for (limit, exception), (rule, check) in product(list(heads), list(primes)):
        try:
            yield Rules(
                name=f"{limit}-{exception}-{rule}-{check}",
                head_per_turn=limit,
                head_exception=exception,
                prime_rule=rule,
                prime_check=check,
            )
        except InvalidRulesError:
            continue


HOUSE_RULES = tuple(house_rules())
SHORT = rules_of("short")

rolls = st.sampled_from(list(product(range(1, 7), repeat=2)))
all_rules = st.sampled_from((*HOUSE_RULES, SHORT))
long_rules = st.sampled_from(HOUSE_RULES)


def rows(game: str) -> st.SearchStrategy[Row]:
    """Valid rows of a game from every family of made rows."""
    families = st.sampled_from(FAMILIES[game])
    return st.builds(lambda family, rng: family(rng), families, st.randoms(use_true_random=False))


@st.composite
def turns(draw: st.DrawFn, rules: st.SearchStrategy[Rules] = all_rules) -> tuple[Row, Dice, Rules]:
    """A row, a roll and the rules that they are played by."""
    variant = draw(rules)
    return draw(rows(variant.game)), draw(rolls), variant

"""The compiled core: all plays of a turn for rows in bulk, and whole random games, without the GIL.

One turn goes through three steps. `read_turn` (_turn.pxd) turns the row into masks; one of the `plan_*` functions
applies the rules and lists the plays as leaves (all moves but the last, and the set of last moves); then the leaves are
counted, or written as afterstates, or one of them is chosen. Turns where nobody bears off, enters or may build a prime
take shorter ways to the same answers: `count_*`, `emit_*` and `play_*`.

Kernels take const inputs first and outputs last, allocate nothing and raise nothing; all checks are in plays.py.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.string cimport memset

from narde._turns cimport (
    ND_SIDE_BY_SIDE, TURNS, count_doubles_of, count_pairs_of, have_invalid, read_doubles, read_long_rules, read_short_rules,
    read_turns, turns_t,
)

# ---- What one move changes in the row, already seen by the player who rolls next --------------------------------

cdef nd_row CHANGES[2][7][128]      # game, die, source (or ND_HIT + source); constant once the module is loaded


cdef int flipped_index(int index, bint short_) noexcept nogil:
    """Where a number of the row stands after the flip."""
    if index >= BAR:
        return index ^ 1
    return 23 - index if short_ else (index + 12) % 24


cdef void make_change(int source, int die, bint hit, bint short_, nd_row* change) noexcept nogil:
    """The flipped change when a checker leaves `source` (0 the bar, else 25 - point), goes `die` pips and may hit."""
    cdef int8_t row[28]
    cdef int landing = source + die
    memset(row, 0, W)
    row[flipped_index(24 - source if source else <int>BAR, short_)] += 1
    row[flipped_index(24 - landing if landing < 25 else <int>OFF, short_)] -= 1
    if hit:
        row[flipped_index(24 - landing, short_)] -= 1
        row[flipped_index(OPPONENT_BAR, short_)] += 1
    change[0] = nd_load(row)


cdef void make_changes() noexcept nogil:
    cdef int short_, die, source
    memset(CHANGES, 0, sizeof(CHANGES))
    for short_ in range(2):
        for die in range(1, 7):
            for source in range(25):
                make_change(source, die, False, short_, &CHANGES[short_][die][source])
                if source + die < 25:
                    make_change(source, die, True, short_, &CHANGES[short_][die][ND_HIT + source])


make_changes()

# ---- Plans ----------------------------------------------------------------------------------------------------


cdef inline void add_leaf(plan_t* plan, int moves, uint32_t last, uint32_t hits,
                          uint16_t first, uint16_t second, uint16_t third) noexcept nogil:
    """Append plays of `moves` moves; the first longer ones throw away all shorter ones (as many dice as possible)."""
    cdef leaf_t* leaf
    if moves > plan.moves:
        plan.moves = moves
        plan.leaves = 0
        plan.total = 0
    leaf = &plan.leaf[plan.leaves]
    leaf.last = last
    leaf.hits = hits
    leaf.before[0] = first
    leaf.before[1] = second
    leaf.before[2] = third
    plan.leaves += 1
    plan.total += nd_count(last)


cdef inline uint16_t change_of(int source, int landing, uint32_t blots) noexcept nogil:
    """The table entry for a move from `source`, with the hit if a blot stands on its landing point."""
    return <uint16_t>(source + ND_HIT * ((blots >> (landing & 31)) & 1) * (landing < 25))


# ---- Two different dice ------------------------------------------------------------------------------------------


cdef inline uint32_t seconds_after(const turn_t* turn, const pairs_t* pairs, uint32_t first, int a, int b) noexcept nogil:
    """The points that b may leave when a leaves `first`, without what is an afterstate of an earlier pair.

    Two pairs give the same afterstate only when both describe one checker playing both dice.
    """
    cdef uint32_t seconds = pairs.by_b & ~((first >> b) | (first & ~turn.own2)) | (first & pairs.chains) << a
    return (seconds if first & pairs.by_a else 0) | ((first >> b) & pairs.reversed_chains)


cdef inline int64_t count_pairs(const turn_t* turn, const pairs_t* pairs, int a, int b) noexcept nogil:
    """The number of all those seconds, without listing them; for nobody on the bar."""
    cdef uint32_t by_a = pairs.by_a, by_b = pairs.by_b
    return (nd_count(by_a) * nd_count(by_b) + nd_count(pairs.chains) + nd_count(pairs.reversed_chains)
            - nd_count(by_b & (by_a >> b)) - nd_count(by_a & (by_b >> a)) - nd_count(by_a & by_b & ~turn.own2))


cdef inline uint32_t hits_after(const turn_t* turn, uint32_t first, int a, int b) noexcept nogil:
    """Sources from which b hits; the blot that a has hit is gone."""
    return (turn.blots & ~(first << a)) >> b


cdef void plan_one_die(const turn_t* turn, int a, int b, uint32_t by_a, uint32_t by_b, plan_t* plan) noexcept nogil:
    """When both dice cannot be played: the higher one, else the lower one, else a pass (long l20, short l16)."""
    if by_a:
        plan.last_die = a
        add_leaf(plan, 1, by_a, turn.blots >> a, NO_MOVE, NO_MOVE, NO_MOVE)
    elif by_b:
        plan.last_die = b
        add_leaf(plan, 1, by_b, turn.blots >> b, NO_MOVE, NO_MOVE, NO_MOVE)


cdef inline uint32_t enter_first(const turn_t* turn, uint32_t first, uint32_t seconds) noexcept nogil:
    """With checkers on the bar, of all pairs only those that enter as many as they can (short nardy)."""
    if turn.own2 & ON_BAR:
        return seconds & ON_BAR if first == ON_BAR else 0
    return seconds if first == ON_BAR else seconds & ON_BAR


cdef void plan_two_dice(const turn_t* turn, int a, int b, plan_t* plan) noexcept nogil:
    """Both dice a > b where nobody bears off and no prime can come about."""
    cdef pairs_t pairs = two_dice(turn, a, b)
    cdef uint32_t firsts = pairs.firsts
    cdef uint32_t first, seconds
    cdef int s
    plan.last_die = b
    if turn.bar and not pairs.by_b & ON_BAR:
        firsts &= ON_BAR
    while firsts:
        s = nd_lowest(firsts)
        first = firsts & (~firsts + 1)
        firsts &= firsts - 1
        seconds = seconds_after(turn, &pairs, first, a, b)
        if turn.bar:
            seconds = enter_first(turn, first, seconds)
        if seconds:
            add_leaf(plan, 2, seconds, hits_after(turn, first, a, b), change_of(s, s + a, turn.blots),
                     NO_MOVE, NO_MOVE)
    if plan.moves == 0:
        plan_one_die(turn, a, b, sources(turn.own1, turn.stays, turn.open, a),
                     sources(turn.own1, turn.stays, turn.open, b), plan)


cdef inline uint32_t add_order(const turn_t* turn, int die, int then, bint higher, uint32_t* pairs) noexcept nogil:
    """Enter into `pairs` (by the higher die's source: the lower die's sources) the plays in this order of dice.

    Returns the sources of the higher die that have been entered.
    """
    cdef uint32_t firsts = sources(turn.own1, turn.stays, turn.open, die)
    cdef uint32_t source, seconds, entered = 0
    cdef stack_t after
    cdef int s
    if not turn.at_end:
        firsts = unwalled(turn, turn.own1, turn.own2, firsts, die)
    while firsts:
        s = nd_lowest(firsts)
        source = firsts & (~firsts + 1)
        firsts &= firsts - 1
        after = first_move(turn, source, die)
        seconds = unwalled(turn, after.one, after.two, sources(after.one, turn.stays, turn.open, then), then)
        if higher:
            pairs[s] = seconds
            entered |= source if seconds else 0
            continue
        entered |= seconds
        while seconds:
            pairs[nd_lowest(seconds)] |= source
            seconds &= seconds - 1
    return entered


cdef inline uint32_t repeated(const turn_t* turn, const uint32_t* pairs, int s, int a, int b) noexcept nogil:
    """Sources of b that with s for a give an afterstate which stands earlier in `pairs`."""
    cdef uint32_t again = 0
    cdef int t = s - b
    cdef uint32_t second
    if t >= 0 and t + a < 25 and (pairs[t] >> (t + a)) & 1:     # one checker, both orders
        if not ((turn.blots >> (t + a)) | (turn.blots >> (t + b))) & 1:
            again = <uint32_t>1 << t
    if s + a >= 25:                                             # two bear off, either die for either
        second = pairs[s] & ~again & ((<uint32_t>1 << s) - 1)
        while second:
            t = nd_lowest(second)
            second &= second - 1
            if t + b >= 25 and (pairs[t] >> s) & 1:
                again |= <uint32_t>1 << t
    return again


cdef void plan_two_dice_slowly(const turn_t* turn, int a, int b, plan_t* plan) noexcept nogil:
    """Both dice a > b where bearing off or a prime makes their order matter: every pair in both orders."""
    cdef uint32_t pairs[25]
    cdef uint32_t seconds, firsts
    cdef int s
    memset(pairs, 0, sizeof(pairs))
    firsts = add_order(turn, a, b, True, pairs)
    firsts |= add_order(turn, b, a, False, pairs)
    plan.last_die = b
    while firsts:
        s = nd_lowest(firsts)
        firsts &= firsts - 1
        seconds = pairs[s] & ~repeated(turn, pairs, s, a, b)
        if seconds:
            add_leaf(plan, 2, seconds, hits_after(turn, <uint32_t>1 << s, a, b),
                     change_of(s, s + a, turn.blots), NO_MOVE, NO_MOVE)
    if plan.moves == 0:
        plan_one_die(turn, a, b,
                     unwalled(turn, turn.own1, turn.own2, sources(turn.own1, turn.stays, turn.open, a), a),
                     unwalled(turn, turn.own1, turn.own2, sources(turn.own1, turn.stays, turn.open, b), b), plan)


# ---- Doubles -----------------------------------------------------------------------------------------------------
#
# An afterstate of a double is a multiset of sources, and a multiset that can be played at all can be played from the
# highest point down: so sources in falling order find each afterstate once. The masks of
# a stack tell as many checkers of a point apart as the moves to come can need.


cdef inline uint32_t from_here_on(uint32_t source) noexcept nogil:
    """The source's point and all lower ones."""
    return ~(source - 1)


cdef inline uint32_t hits_of(const turn_t* turn, int die, uint32_t moved) noexcept nogil:
    """Sources from which a move of a double hits; from one that has been left already the blot is gone."""
    return (turn.blots >> die) & ~moved


cdef inline uint16_t entry(const turn_t* turn, int die, uint32_t source, uint32_t moved) noexcept nogil:
    """The table entry for a move of a double after moves from the points in `moved`."""
    return <uint16_t>(nd_lowest(source) + ND_HIT * ((hits_of(turn, die, moved) & source) != 0))


cdef void plan_double(const turn_t* turn, int die, plan_t* plan) noexcept nogil:
    """A double where no prime can come about: all multisets of up to four sources in falling order."""
    cdef uint32_t firsts = sources(turn.own1, turn.stays, turn.open, die), seconds, first, second
    cdef uint16_t c1
    cdef stack_t one
    plan.last_die = die
    if firsts:
        add_leaf(plan, 1, firsts, hits_of(turn, die, 0), NO_MOVE, NO_MOVE, NO_MOVE)
    while firsts:
        first = firsts & (~firsts + 1)
        firsts &= firsts - 1
        c1 = entry(turn, die, first, 0)
        one = first_move(turn, first, die)
        seconds = from_here_on(first) & sources(one.one, turn.stays, turn.open, die)
        if plan.moves <= 2 and seconds:
            add_leaf(plan, 2, seconds, hits_of(turn, die, first), c1, NO_MOVE, NO_MOVE)
        while seconds:
            second = seconds & (~seconds + 1)
            seconds &= seconds - 1
            plan_last_two(turn, die, next_move(one, second, die), first | second, second, c1,
                          entry(turn, die, second, first), plan)


cdef inline void plan_last_two(const turn_t* turn, int die, stack_t two, uint32_t moved, uint32_t from_,
                               uint16_t c1, uint16_t c2, plan_t* plan) noexcept nogil:
    """The third and fourth moves after two moves, the last of them from `from_`."""
    cdef uint32_t thirds = from_here_on(from_) & sources(two.one, turn.stays, turn.open, die), fourths, third
    if plan.moves <= 3 and thirds:
        add_leaf(plan, 3, thirds, hits_of(turn, die, moved), c1, c2, NO_MOVE)
    while thirds:
        third = thirds & (~thirds + 1)
        thirds &= thirds - 1
        fourths = from_here_on(third) & sources(next_move(two, third, die).one, turn.stays, turn.open, die)
        if fourths:
            add_leaf(plan, 4, fourths, hits_of(turn, die, moved | third), c1, c2, entry(turn, die, third, moved))


# Counting in closed form. Let `free` be the points that may be left, with a checker on them, in falling order from the
# last one left on. A multiset of sources needs as many checkers on each of its points as it takes from there; those
# that are not there from the start come from the point a die's pips higher, which then is in the multiset as well.


cdef inline int64_t count_two(const stack_t* stack, uint32_t from_, uint32_t open, int die) noexcept nogil:
    """Pairs of further moves: of two points, twice from one, or a checker that comes by and goes on."""
    cdef uint32_t free = stack.one & open & from_here_on(from_)
    cdef int64_t n = nd_count(free)
    return n * (n + 1) // 2 - nd_count(free & ~stack.two) + nd_count((free << die) & open & ~stack.one)


cdef inline int64_t count_three(const stack_t* stack, uint32_t from_, uint32_t open, int die) noexcept nogil:
    """Triples of further moves; `steps` are points whose checker can go on from an empty point."""
    cdef uint32_t free = stack.one & open & from_here_on(from_), empty = open & ~stack.one
    cdef uint32_t steps = free & (empty >> die)
    cdef int64_t n = nd_count(free), twice = nd_count(free & stack.two), on = nd_count(steps)
    return (n * (n - 1) * (n - 2) // 6 + (twice + on) * (n - 1)             # three points, or two with one of them twice
            + nd_count(free & stack.three) + nd_count(steps & stack.two)    # one thrice; two checkers, one going on
            + nd_count(steps & (empty >> (2 * die)))                        # one checker three times
            + nd_count(free & ((open & stack.one & ~stack.two) >> die)))    # a lone checker and one that joins it


cdef inline int64_t count_four(const turn_t* turn, int die, int64_t* by_first) noexcept nogil:
    """Plays of all four moves by their first source; for nobody on the bar and nobody bearing off."""
    cdef uint32_t open = turn.open >> die, firsts = turn.own1 & open, source
    cdef int64_t total = 0
    cdef stack_t stack
    cdef int i = 0
    while firsts:
        source = firsts & (~firsts + 1)
        firsts &= firsts - 1
        stack = first_move(turn, source, die)
        by_first[i] = count_three(&stack, source, open, die)
        total += by_first[i]
        i += 1
    return total


cdef struct reach_t:        # last sources of legal plays of one, two, three moves, by the moves before
    uint32_t one
    uint32_t two[25]
    uint32_t three[25][25]


cdef inline uint32_t reached(uint32_t legal, bint before_is_legal, uint32_t otherwise, bint at_end) noexcept nogil:
    """Of the plays that end legally, those of which all moves do, in one order or another.

    A play has such an order if taking one of its moves away leaves a play that has one.
    """
    return legal if at_end or before_is_legal else legal & otherwise


cdef void plan_double_walled(const turn_t* turn, int die, plan_t* plan) noexcept nogil:
    """A double where a prime may come about: multisets from the lowest point up, so that smaller ones come first."""
    cdef reach_t reach
    cdef uint32_t firsts, s1
    cdef int i
    memset(&reach, 0, sizeof(reach))
    plan.last_die = die
    firsts = sources(turn.own1, turn.stays, turn.open, die)
    reach.one = unwalled(turn, turn.own1, turn.own2, firsts, die)
    if reach.one:
        add_leaf(plan, 1, reach.one, 0, NO_MOVE, NO_MOVE, NO_MOVE)
    while firsts:
        i = nd_highest(firsts)
        s1 = <uint32_t>1 << i
        firsts &= ~s1
        plan_second_walled(turn, die, i, first_move(turn, s1, die), &reach, plan)
    turn_round(plan)


cdef void plan_second_walled(const turn_t* turn, int die, int i, stack_t one, reach_t* reach, plan_t* plan) noexcept nogil:
    """The second and further moves after a first one from `i`."""
    cdef uint32_t seconds = from_here_on(<uint32_t>1 << i) & sources(one.one, turn.stays, turn.open, die)
    cdef uint32_t legal = unwalled(turn, one.one, one.two, seconds, die)
    cdef uint32_t s2
    cdef int j
    reach.two[i] = reached(legal, (reach.one >> i) & 1, reach.one, turn.at_end)
    if plan.moves <= 2 and reach.two[i]:
        add_leaf(plan, 2, reach.two[i], 0, <uint16_t>i, NO_MOVE, NO_MOVE)
    while seconds:
        j = nd_highest(seconds)
        s2 = <uint32_t>1 << j
        seconds &= ~s2
        plan_third_walled(turn, die, i, j, next_move(one, s2, die), reach, plan)


cdef void plan_third_walled(const turn_t* turn, int die, int i, int j, stack_t two, reach_t* reach,
                            plan_t* plan) noexcept nogil:
    """The third and fourth moves after moves from `i` and `j`."""
    cdef uint32_t thirds = from_here_on(<uint32_t>1 << j) & sources(two.one, turn.stays, turn.open, die)
    cdef uint32_t legal = unwalled(turn, two.one, two.two, thirds, die)
    cdef uint32_t s3, fourths
    cdef stack_t three
    cdef int k
    reach.three[i][j] = reached(legal, (reach.two[i] >> j) & 1, reach.two[i] | reach.two[j], turn.at_end)
    if plan.moves <= 3 and reach.three[i][j]:
        add_leaf(plan, 3, reach.three[i][j], 0, <uint16_t>i, <uint16_t>j, NO_MOVE)
    while thirds:
        k = nd_highest(thirds)
        s3 = <uint32_t>1 << k
        thirds &= ~s3
        three = next_move(two, s3, die)
        fourths = from_here_on(s3) & sources(three.one, turn.stays, turn.open, die)
        fourths = reached(unwalled(turn, three.one, three.two, fourths, die), (reach.three[i][j] >> k) & 1,
                          reach.three[i][j] | reach.three[i][k] | reach.three[j][k], turn.at_end)
        if fourths:
            add_leaf(plan, 4, fourths, 0, <uint16_t>i, <uint16_t>j, <uint16_t>k)


cdef void turn_round(plan_t* plan) noexcept nogil:
    """Put the leaves into the documented order, from the highest point down."""
    cdef int low = 0, high = plan.leaves - 1
    cdef leaf_t leaf
    while low < high:
        leaf = plan.leaf[low]
        plan.leaf[low] = plan.leaf[high]
        plan.leaf[high] = leaf
        low += 1
        high -= 1


# ---- A whole turn ------------------------------------------------------------------------------------------------


cdef inline void plan_turn(turn_t* turn, int a, int b, plan_t* plan) noexcept nogil:
    """All plays of the roll a >= b."""
    plan.leaves = 0
    plan.moves = 0
    plan.total = 0
    if a != b:
        if wall_in_reach(turn, a, b) or home_in_reach(turn, False):
            read_stacks(turn)
            plan_two_dice_slowly(turn, a, b, plan)
        else:
            plan_two_dice(turn, a, b, plan)
        return
    read_stacks(turn)
    if wall_in_reach(turn, a, a):
        plan_double_walled(turn, a, plan)
    else:
        plan_double(turn, a, plan)


cdef inline bint is_plain(const turn_t* turn, int a, int b) noexcept nogil:
    """Whether the roll is two different dice and its pairs can be counted in closed form."""
    return a != b and not turn.bar and not home_in_reach(turn, False) and not wall_in_reach(turn, a, b)


cdef inline bint is_plain_double(turn_t* turn, int a, int b) noexcept nogil:
    """Whether the roll is a double and the last two of its four moves can be counted in closed form."""
    if a != b or turn.bar:
        return False
    read_stacks(turn)
    return not home_in_reach(turn, True) and not wall_in_reach(turn, a, a)


cdef inline int64_t count_turn(turn_t* turn, int a, int b, plan_t* plan) noexcept nogil:
    """How many afterstates the roll a >= b has, the pass counting one."""
    cdef pairs_t pairs
    cdef int64_t by_first[24]
    cdef int64_t n
    if is_race(turn) and a != b:
        return RACES[a][b][race_index(turn)]
    if is_plain_double(turn, a, b):
        n = count_four(turn, a, by_first)
        if n:
            return n
    if is_plain(turn, a, b):
        pairs = two_dice(turn, a, b)
        n = count_pairs(turn, &pairs, a, b)
        return n or nd_count(pairs.by_a) or nd_count(pairs.by_b) or 1
    plan_turn(turn, a, b, plan)
    return plan.total if plan.leaves else 1


# ---- Races -------------------------------------------------------------------------------------------------------
#
# With all at home and nobody in the way, the plays of two different dice depend on whether each point holds none, one or
# more: tables of 3**6 for each roll, filled by the plans once the module is loaded.

cdef uint8_t RACES[7][7][729]           # how many plays, a pass counting one
cdef uint16_t RACE_STARTS[7][7][729]    # where in RACE_PLAYS they begin
cdef race_play_t RACE_PLAYS[RACE_SIZE]
cdef uint16_t TERNARY[64]


cdef inline bint is_race(const turn_t* turn) noexcept nogil:
    return not ((turn.own1 | turn.stays) & OUTSIDE) and turn.open & HOME == HOME and not turn.blots and not turn.walled


cdef inline int race_index(const turn_t* turn) noexcept nogil:
    return TERNARY[(turn.own1 >> 19) & 63] + TERNARY[(turn.own2 >> 19) & 63]


cdef int list_race(const plan_t* plan, int a, int start) noexcept nogil:
    """Write the plays of a plan into RACE_PLAYS; returns where they end."""
    cdef uint32_t last
    cdef int i, s
    for i in range(plan.leaves):
        last = plan.leaf[i].last
        while last:
            s = nd_lowest(last)
            last &= last - 1
            RACE_PLAYS[start].by_a = s if plan.moves == 1 and plan.last_die == a else plan.leaf[i].before[0]
            RACE_PLAYS[start].by_b = NO_MOVE if plan.moves == 1 and plan.last_die == a else s
            start += 1
    if plan.leaves == 0:
        RACE_PLAYS[start].by_a = RACE_PLAYS[start].by_b = NO_MOVE
    return start + (plan.leaves == 0)


def _fill_races():
    """Fill the tables: every way to hold none, one or more checkers on the home points, every roll."""
    cdef turn_t turn
    cdef plan_t plan
    cdef int points, doubled, a, b, race, end, start = 0
    for points in range(64):
        TERNARY[points] = sum(3**k for k in range(6) if points >> k & 1)
    memset(&turn, 0, sizeof(turn))
    turn.open = BOARD
    for points in range(64):
        for doubled in range(64):
            if doubled & ~points:
                continue
            turn.own1 = <uint32_t>points << 19
            turn.own2 = <uint32_t>doubled << 19
            race = race_index(&turn)
            for a in range(2, 7):
                for b in range(1, a):
                    plan_turn(&turn, a, b, &plan)
                    end = list_race(&plan, a, start)
                    RACE_STARTS[a][b][race] = start
                    RACES[a][b][race] = end - start
                    start = end
    assert start == RACE_SIZE - 2


_fill_races()


cdef inline nd_row race_play(nd_row flipped, const race_play_t* play, int a, int b, int short_) noexcept nogil:
    """The flipped row after a play of a race."""
    return nd_add(flipped, nd_add(CHANGES[short_][a][play.by_a], CHANGES[short_][b][play.by_b]))


cdef inline bint emit_race(const int8_t* row, const turn_t* turn, int a, int b, int short_, int8_t* out,
                           const int8_t* end) noexcept nogil:
    """Write the afterstates of a race if they fit; up to ND_SLACK rows beyond them are written over."""
    cdef int race = race_index(turn), left = RACES[a][b][race], k
    cdef const race_play_t* play = &RACE_PLAYS[RACE_STARTS[a][b][race]]
    cdef nd_row flipped = nd_flip(nd_load(row), short_)
    if out + W * left > end:
        return False
    while left > 0:
        for k in range(3):
            nd_store_loosely(out + W * k, race_play(flipped, play + k, a, b, short_))
        out += 3 * W
        play += 3
        left -= 3
    return True


# ---- Afterstates written ------------------------------------------------------------------------------------------


cdef inline nd_row base_of(nd_row flipped, const leaf_t* leaf, int moves, const nd_row* first,
                           const nd_row* table) noexcept nogil:
    """The flipped row after all moves of a leaf but the last."""
    if moves == 1:
        return flipped
    flipped = nd_add(flipped, first[leaf.before[0]])
    if moves == 2:
        return flipped
    return nd_add(nd_add(flipped, table[leaf.before[1]]), table[leaf.before[2]])


cdef inline int8_t* emit(const int8_t* row, const plan_t* plan, int a, int short_, int8_t* out,
                         const int8_t* end, const int8_t* limit) noexcept nogil:
    """Write the afterstates of a plan if they fit before `end`; nothing is written at or beyond `limit`."""
    cdef nd_row flipped = nd_flip(nd_load(row), short_), base
    cdef const nd_row* first = CHANGES[short_][a]
    cdef const nd_row* table
    cdef const leaf_t* leaf
    cdef bint is_roomy
    cdef int i
    if out + W * max(plan.total, 1) > end:
        return out
    if not plan.leaves:
        nd_store(out, flipped)
        return out + W
    table = CHANGES[short_][plan.last_die]
    is_roomy = out + W * (plan.total + ND_SLACK) <= limit
    for i in range(plan.leaves):
        leaf = &plan.leaf[i]
        base = base_of(flipped, leaf, plan.moves, first, table)
        if is_roomy:
            out = nd_emit_hits(out, base, table, leaf.last, leaf.hits)
        else:
            out = nd_emit_exactly(out, base, table, leaf.last, leaf.hits)
    return out


cdef inline int8_t* emit_pairs(const int8_t* row, const turn_t* turn, int a, int b, int short_, int8_t* out,
                               const int8_t* end) noexcept nogil:
    """Write the afterstates of a plain turn without listing its plays; writes nothing if there are no pairs."""
    cdef nd_row flipped = nd_flip(nd_load(row), short_)
    cdef const nd_row* by_a = CHANGES[short_][a]
    cdef const nd_row* by_b = CHANGES[short_][b]
    cdef pairs_t pairs = two_dice(turn, a, b)
    cdef uint32_t firsts = pairs.firsts, first, seconds
    cdef int s
    while firsts:
        s = nd_lowest(firsts)
        first = firsts & (~firsts + 1)
        firsts &= firsts - 1
        seconds = seconds_after(turn, &pairs, first, a, b)
        if out + W * nd_count(seconds) > end:
            return out
        if seconds and not turn.blots:
            out = nd_emit(out, nd_add(flipped, by_a[s]), by_b, seconds)
        elif seconds:
            out = nd_emit_hits(out, nd_add(flipped, by_a[change_of(s, s + a, turn.blots)]), by_b, seconds,
                               hits_after(turn, first, a, b))
    return out


cdef inline nd_row with_move(nd_row base, const nd_row* table, uint32_t sources, uint32_t hits) noexcept nogil:
    """The row after a move from the highest of the sources, a hit where it is in `hits` too."""
    cdef int s = nd_lowest(sources)
    return nd_add(base, table[s + ND_HIT * ((hits >> s) & 1)])


cdef inline int8_t* emit_double(const int8_t* row, const turn_t* turn, int die, int short_, int8_t* out,
                                const int8_t* end) noexcept nogil:
    """Write the afterstates of a plain double, four moves each, without listing its plays; nothing if there are none."""
    cdef const nd_row* table = CHANGES[short_][die]
    cdef nd_row flipped = nd_flip(nd_load(row), short_), base1, base2
    cdef uint32_t open = turn.open >> die, hits = turn.blots >> die, hits1, hits2
    cdef uint32_t firsts = turn.own1 & open, seconds, thirds, fourths, first, second, third
    cdef stack_t one, two
    while firsts:
        first = firsts & (~firsts + 1)
        base1 = with_move(flipped, table, firsts, hits)
        hits1 = hits & ~first
        one = first_move(turn, first, die)
        seconds = one.one & open & from_here_on(first)
        while seconds:
            second = seconds & (~seconds + 1)
            base2 = with_move(base1, table, seconds, hits1)
            hits2 = hits1 & ~second
            two = next_move(one, second, die)
            thirds = two.one & open & from_here_on(second)
            while thirds:
                third = thirds & (~thirds + 1)
                fourths = next_move(two, third, die).one & open & from_here_on(third)
                if out + W * nd_count(fourths) > end:
                    return out
                if fourths:
                    out = nd_emit_hits(out, with_move(base2, table, thirds, hits2), table, fourths, hits2 & ~third)
                thirds &= thirds - 1
            seconds &= seconds - 1
        firsts &= firsts - 1
    return out


cdef inline void pick(const int8_t* row, const plan_t* plan, int a, int short_, int64_t index, int8_t* out) noexcept nogil:
    """Write the afterstate at `index` of the documented order."""
    cdef const nd_row* table = CHANGES[short_][plan.last_die]
    cdef const leaf_t* leaf = &plan.leaf[0]
    cdef nd_row base
    cdef int n = nd_count(leaf.last), s
    while index >= n:
        index -= n
        leaf += 1
        n = nd_count(leaf.last)
    s = nd_select(leaf.last, <int>index)
    base = base_of(nd_flip(nd_load(row), short_), leaf, plan.moves, CHANGES[short_][a], table)
    nd_store(out, nd_add(base, table[s + ND_HIT * ((leaf.hits >> s) & 1)]))


# ---- Many turns counted ------------------------------------------------------------------------------------------


cdef inline int64_t count_row(const int8_t* row, const int8_t* dice, const rules_t* rules, plan_t* plan) noexcept nogil:
    cdef int a = max(dice[0], dice[1]), b = min(dice[0], dice[1])
    cdef turn_t turn
    read_turn(row, a, b, rules, &turn)
    return count_turn(&turn, a, b, plan)


cdef int count_plain_pairs(const int8_t* rows, const int8_t* dice, int64_t row_step, int64_t dice_step, int n,
                           const rules_t* rules, turns_t* turns, uint32_t* others, int64_t* counts) noexcept nogil:
    """Count what can be told in closed form for two different dice; returns how many of the turns are `others`."""
    cdef int i, n_others = 0
    read_turns(rows, dice, row_step, dice_step, n, rules, turns)
    if rules.short_:
        read_short_rules(turns, n)
    else:
        read_long_rules(rules, turns, n)
    count_pairs_of(turns, n)
    for i in range(n):
        counts[i] = turns.total[i]
        others[n_others] = i
        n_others += turns.is_other[i] != 0
    return n_others


cdef int count_plain_doubles(const int8_t* rows, int64_t row_step, const turns_t* turns, int n, uint32_t* others,
                             int64_t* counts) noexcept nogil:
    """The same for the doubles among n others; returns how many are left, and these in `others`."""
    cdef turns_t doubles
    cdef int i, k, n_others = 0, n_doubles = 0
    for k in range(n):
        i = others[k]
        doubles.index[n_doubles] = i
        others[n_others] = i
        n_doubles += turns.a[i] == turns.b[i]
        n_others += turns.a[i] != turns.b[i]
    read_doubles(rows, row_step, n_doubles, turns, &doubles)
    count_doubles_of(&doubles, n_doubles)
    for k in range(n_doubles):
        i = doubles.index[k]
        counts[i] = doubles.total[k]
        others[n_others] = i
        n_others += doubles.is_other[k] != 0
    return n_others


cdef bint count_some(const int8_t* rows, const int8_t* dice, int64_t row_step, int64_t dice_step, int n,
                     const rules_t* rules, bint check, plan_t* plan, int64_t* counts) noexcept nogil:
    """The numbers of afterstates of at most TURNS rows; with `check` returns whether one may be no position."""
    cdef uint32_t others[TURNS]
    cdef turns_t turns
    cdef int i, k, n_others
    if not ND_SIDE_BY_SIDE:
        for i in range(n):
            counts[i] = count_row(rows + i * row_step, dice + i * dice_step, rules, plan)
        return check
    n_others = count_plain_pairs(rows, dice, row_step, dice_step, n, rules, &turns, others, counts)
    if check:
        check = have_invalid(rows, row_step, n, rules.short_, &turns) != 0
    n_others = count_plain_doubles(rows, row_step, &turns, n_others, others, counts)
    for k in range(n_others):
        i = others[k]
        counts[i] = count_row(rows + i * row_step, dice + i * dice_step, rules, plan)
    return check


# ---- Batches -----------------------------------------------------------------------------------------------------


def cpu_runs_v3():
    """Whether this processor can run `_core_v3`."""
    return bool(nd_cpu_runs_v3())


def instructions():
    """The vector instructions of this build: avx2, sse2, neon or plain."""
    return nd_instructions().decode()


def count(const int8_t[:, ::1] rows, const int8_t[:, ::1] dice, const rules_t[::1] rules,
          int64_t start, int64_t stop, int64_t[::1] counts, bint check=False):
    """Fill counts[start:stop] with the numbers of afterstates; one row or one pair of dice serves all.

    With `check` returns the index of the first row that is no position, which is counted like any other; else -1.
    """
    cdef int64_t i = start, found = -1, row_step = W * (rows.shape[0] > 1), dice_step = 2 * (dice.shape[0] > 1)
    cdef const int8_t* row
    cdef int n
    cdef plan_t plan
    with nogil:
        while i < stop:
            n = <int>min(<int64_t>TURNS, stop - i)
            row = &rows[0, 0] + i * row_step
            if count_some(row, &dice[0, 0] + i * dice_step, row_step, dice_step, n, &rules[0], check, &plan,
                          &counts[i + n - 1] - (n - 1)) and found < 0:  # a debug build checks the last index
                found = first_invalid(row, n if row_step else 1, rules[0].short_)
                found += i if found >= 0 else 0
            i += n
    return found


def generate(const int8_t[:, ::1] rows, const int8_t[:, ::1] dice, const rules_t[::1] rules,
             int64_t start, int64_t stop, const int64_t[::1] offsets, int8_t[:, ::1] positions):
    """Fill positions[offsets[start]:offsets[stop]] with the afterstates; offsets come from `count`.

    A row that another thread has changed since then writes nothing beyond its own part.
    """
    cdef int64_t i, row_step = rows.shape[0] > 1, dice_step = dice.shape[0] > 1
    cdef int a, b
    cdef const int8_t* row
    cdef const int8_t* end
    cdef const int8_t* limit
    cdef int8_t* out
    cdef turn_t turn
    cdef plan_t plan
    if start >= stop:
        return
    with nogil:
        limit = &positions[0, 0] + W * offsets[stop]
        for i in range(start, stop):
            a = max(dice[i * dice_step, 0], dice[i * dice_step, 1])
            b = min(dice[i * dice_step, 0], dice[i * dice_step, 1])
            row = &rows[i * row_step, 0]
            read_turn(row, a, b, &rules[0], &turn)
            out = &positions[0, 0] + W * offsets[i]
            end = &positions[0, 0] + W * offsets[i + 1]
            if end + W * ND_SLACK <= limit:
                if a != b and is_race(&turn) and emit_race(row, &turn, a, b, rules[0].short_, out, end):
                    continue
                if is_plain(&turn, a, b) and emit_pairs(row, &turn, a, b, rules[0].short_, out, end) != out:
                    continue
                if is_plain_double(&turn, a, b) and emit_double(row, &turn, a, rules[0].short_, out, end) != out:
                    continue
            plan_turn(&turn, a, b, &plan)
            emit(row, &plan, a, rules[0].short_, out, end, limit)


# ---- One of the afterstates, chosen ------------------------------------------------------------------------------


cdef inline bint play_pair(const int8_t* row, const turn_t* turn, int a, int b, int short_, uint64_t choice,
                           int8_t* after) noexcept nogil:
    """Choose among the pairs of a plain turn without listing them; False if there are none."""
    cdef pairs_t pairs = two_dice(turn, a, b)
    cdef int64_t n = count_pairs(turn, &pairs, a, b), index = <int64_t>nd_below(choice, <uint64_t>n)
    cdef uint32_t firsts = pairs.firsts, first, seconds
    cdef int s, t
    if n == 0:
        return False
    while True:
        first = firsts & (~firsts + 1)
        seconds = seconds_after(turn, &pairs, first, a, b)
        n = nd_count(seconds)
        if index < n:
            break
        index -= n
        firsts &= firsts - 1
    s = nd_lowest(first)
    t = nd_select(seconds, <int>index)
    nd_store(after, nd_add(nd_add(nd_flip(nd_load(row), short_), CHANGES[short_][a][change_of(s, s + a, turn.blots)]),
                           CHANGES[short_][b][t + ND_HIT * ((hits_after(turn, first, a, b) >> t) & 1)]))
    return True


cdef inline bint play_double(const int8_t* row, const turn_t* turn, int die, int short_, uint64_t choice,
                             int8_t* after) noexcept nogil:
    """Choose among the plays of four moves of a plain double, source by source; False if there are none."""
    cdef int64_t by_first[24]
    cdef int64_t n = count_four(turn, die, by_first), index = <int64_t>nd_below(choice, <uint64_t>n)
    cdef uint32_t open = turn.open >> die, rest = turn.own1 & open, first, second, third, last
    cdef const nd_row* table = CHANGES[short_][die]
    cdef nd_row base
    cdef stack_t one, two
    cdef int k = 0
    if n == 0:
        return False
    while index >= by_first[k]:
        index -= by_first[k]
        rest &= rest - 1
        k += 1
    first = rest & (~rest + 1)
    one = first_move(turn, first, die)
    rest = one.one & open & from_here_on(first)
    while True:
        second = rest & (~rest + 1)
        two = next_move(one, second, die)
        n = count_two(&two, second, open, die)
        if index < n:
            break
        index -= n
        rest &= rest - 1
    rest = two.one & open & from_here_on(second)
    while True:
        third = rest & (~rest + 1)
        last = next_move(two, third, die).one & open & from_here_on(third)
        if index < nd_count(last):
            break
        index -= nd_count(last)
        rest &= rest - 1
    last = <uint32_t>1 << nd_select(last, <int>index)
    base = nd_add(nd_flip(nd_load(row), short_), nd_add(table[entry(turn, die, first, 0)],
                                                        table[entry(turn, die, second, first)]))
    nd_store(after, nd_add(base, nd_add(table[entry(turn, die, third, first | second)],
                                        table[entry(turn, die, last, first | second | third)])))
    return True


cdef void play_turn(const void* context, const int8_t* row, const int8_t* dice, const rules_t* rules, uint64_t choice,
                    plan_t* plan, int8_t* after, float* value) noexcept nogil:
    """One turn: each distinct afterstate with the same chance; no value."""
    cdef int a = max(dice[0], dice[1]), b = min(dice[0], dice[1])
    cdef turn_t turn
    cdef int race
    read_turn(row, a, b, rules, &turn)
    if a != b and is_race(&turn):
        race = RACE_STARTS[a][b][race_index(&turn)] + <int>nd_below(choice, RACES[a][b][race_index(&turn)])
        nd_store(after, race_play(nd_flip(nd_load(row), rules.short_), &RACE_PLAYS[race], a, b, rules.short_))
        return
    if is_plain(&turn, a, b) and play_pair(row, &turn, a, b, rules.short_, choice, after):
        return
    if is_plain_double(&turn, a, b) and play_double(row, &turn, a, rules.short_, choice, after):
        return
    plan_turn(&turn, a, b, plan)
    if plan.leaves:
        pick(row, plan, a, rules.short_, <int64_t>nd_below(choice, <uint64_t>plan.total), after)
    else:
        nd_store(after, nd_flip(nd_load(row), rules.short_))


def turn_player():
    """`play_turn` of this build, for _games.pyx: a capsule with its address."""
    return PyCapsule_New(<void*>play_turn, TURN_PLAYER, NULL)


# ---- For _moves.pyx -------------------------------------------------------------------------------------------


cdef void list_turn(const int8_t* row, int a, int b, const rules_t* rules, turn_t* turn, plan_t* plan) noexcept nogil:
    """The turn of a roll a >= b and all its plays."""
    read_turn(row, a, b, rules, turn)
    plan_turn(turn, a, b, plan)
    read_stacks(turn)

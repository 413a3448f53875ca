# Many turns side by side: their afterstates counted in closed form, by loops without branches.
#
# A compiler makes vector instructions of such loops; in the AVX2 build they take eight turns at a time. They answer for
# plain turns, where nobody bears off or enters and no prime can come about; `is_other` marks the rest.

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t

from narde._turn cimport (
    BAR, BOARD, HEAD, HEAD_INDEX, OFF, OPPONENT_BAR, OPPONENT_OFF, OUTSIDE, PRIME_FREE, PRIME_OPPONENT_AHEAD,
    PRIME_STARTS, double_walls, head_allowance, home_in_reach, nd_checkers, nd_own, nd_points, nd_points_at,
    nd_theirs, opponents_order, pair_walls, pairs_t, rules_t, turn_t, two_dice,
)

cdef extern from "_bits.h" nogil:
    bint ND_SIDE_BY_SIDE        # whether the vectors of this build shift each number by one of its own: else it is slower

cdef enum:
    TURNS = 128

cdef struct turns_t:
    uint32_t index[TURNS]       # which of the rows
    uint32_t a[TURNS]           # the dice, a >= b
    uint32_t b[TURNS]
    uint32_t theirs[TURNS]      # points with at least one of the opponent's checkers
    uint32_t blocked[TURNS]     # and at least two, in short nardy
    uint32_t head[TURNS]        # the mover's checkers on his head
    uint32_t bar[TURNS]
    uint32_t opponent_bar[TURNS]
    uint32_t off[TURNS]
    uint32_t opponent_off[TURNS]
    uint32_t checkers[TURNS]    # as `nd_checkers` tells them, where rows are to be checked
    uint32_t allowance[TURNS]   # from here on as in turn_t
    uint32_t own1[TURNS]
    uint32_t own2[TURNS]
    uint32_t own3[TURNS]        # of doubles only
    uint32_t own4[TURNS]
    uint32_t stays[TURNS]
    uint32_t open[TURNS]
    uint32_t blots[TURNS]
    uint32_t walled[TURNS]
    uint32_t total[TURNS]       # how many afterstates, where `is_other` is 0
    uint32_t is_other[TURNS]


# ---- Numbers of bits, in instructions that vectors have ----------------------------------------------------------


cdef inline uint32_t fours(uint32_t mask) noexcept nogil:
    """How many bits are set in each four of them; up to three such results can be added before `sum_of`."""
    mask -= (mask >> 1) & 0x55555555
    return (mask & 0x33333333) + ((mask >> 2) & 0x33333333)


cdef inline uint32_t sum_of(uint32_t four) noexcept nogil:
    """The sum of all fours."""
    return (((four & 0x0F0F0F0F) + ((four >> 4) & 0x0F0F0F0F)) * 0x01010101) >> 24


cdef inline uint32_t up_to_highest(uint32_t mask) noexcept nogil:
    """All bits up to the highest that is set."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    return mask | (mask >> 16)


# ---- The turns as masks ------------------------------------------------------------------------------------------


cdef inline void read_turns(const int8_t* row, const int8_t* dice, int64_t row_step, int64_t dice_step, int n,
                            const rules_t* rules, turns_t* turns) noexcept nogil:
    """What is read from n rows and rolls, which follow each other in steps of so many bytes."""
    cdef bint short_ = rules.short_
    cdef nd_points points
    cdef int i
    for i in range(n):
        points = nd_points_at(row)
        turns.a[i] = max(dice[0], dice[1])
        turns.b[i] = min(dice[0], dice[1])
        turns.own1[i] = nd_own(points, 1)
        turns.own2[i] = nd_own(points, 2)
        turns.theirs[i] = nd_theirs(points, 1)
        turns.blocked[i] = nd_theirs(points, 2) if short_ else 0
        turns.head[i] = row[HEAD_INDEX]
        turns.allowance[i] = head_allowance(row[HEAD_INDEX], turns.a[i], turns.b[i], rules)
        turns.bar[i] = row[BAR]
        turns.opponent_off[i] = row[OPPONENT_OFF]
        row += row_step
        dice += dice_step


cdef inline uint32_t have_invalid(const int8_t* row, int64_t row_step, int n, bint short_,
                                  turns_t* turns) noexcept nogil:
    """As `is_position`, whether any of the rows that have been read is none; 0 if not."""
    cdef uint32_t wrong, any_wrong = 0, is_long = 0 if short_ else ~<uint32_t>0
    cdef int32_t bar, opponent_bar, off, opponent_off
    cdef int i
    for i in range(n):
        turns.checkers[i] = nd_checkers(row)
        turns.opponent_bar[i] = row[OPPONENT_BAR]
        turns.off[i] = row[OFF]
        row += row_step
    for i in range(n):
        bar = turns.bar[i]
        opponent_bar = turns.opponent_bar[i]
        off = turns.off[i]
        opponent_off = turns.opponent_off[i]
        wrong = (turns.own1[i] & OUTSIDE) if off else 0
        wrong |= (opponents_order(turns.theirs[i]) & OUTSIDE) if opponent_off else 0
        wrong |= <uint32_t>(bar | opponent_bar)
        wrong &= is_long
        wrong |= turns.checkers[i] ^ (15 + (30 << 16))
        wrong |= (bar < 0) | (opponent_bar > 0) | (off < 0) | (opponent_off > 0)
        any_wrong |= wrong
    return any_wrong


cdef inline void read_short_rules(turns_t* turns, int n) noexcept nogil:
    """As `read_turn` for short nardy."""
    cdef int i
    for i in range(n):
        turns.blots[i] = turns.theirs[i] & ~turns.blocked[i]
        turns.open[i] = BOARD & ~turns.blocked[i]
        turns.walled[i] = 0
        turns.stays[i] = 0
        turns.allowance[i] = 15


cdef inline void read_long_rules(const rules_t* rules, turns_t* turns, int n) noexcept nogil:
    """As `read_turn` for long nardy: the head and the forbidden primes of each turn."""
    cdef uint32_t starts = 0 if rules.prime_rule == PRIME_FREE else PRIME_STARTS
    cdef uint32_t is_ahead = rules.prime_rule == PRIME_OPPONENT_AHEAD, walked
    cdef int i, allowance, least = 0 if rules.head_per_turn else 15
    for i in range(n):
        turns.blots[i] = 0
        turns.open[i] = BOARD & ~turns.theirs[i]
        walked = up_to_highest((opponents_order(turns.theirs[i]) & (0 - is_ahead)) | 1)
        turns.walled[i] = starts & ~walked & (((turns.opponent_off[i] >> 31) & is_ahead) - 1)
        allowance = max(<int>turns.allowance[i], least)
        turns.allowance[i] = allowance
        turns.stays[i] = HEAD if (<int>turns.head[i] > allowance) & (least == 0) else 0
        turns.own2[i] &= ~<uint32_t>(HEAD if allowance < 2 else 0)


cdef inline turn_t turn_at(const turns_t* turns, int i) noexcept nogil:
    """One of the turns, as far as the closed forms need it."""
    cdef turn_t turn
    turn.own1 = turns.own1[i]
    turn.own2 = turns.own2[i]
    turn.own3 = turns.own3[i]
    turn.own4 = turns.own4[i]
    turn.stays = turns.stays[i]
    turn.open = turns.open[i]
    turn.blots = turns.blots[i]
    turn.walled = turns.walled[i]
    return turn


# ---- Two different dice ------------------------------------------------------------------------------------------


cdef inline void count_pairs_of(turns_t* turns, int n) noexcept nogil:
    """As `is_plain`, `count_pairs` and `plan_one_die` for each turn; a double is another turn."""
    cdef uint32_t a, b, by_a, by_b, pairs_of_dice
    cdef turn_t turn
    cdef pairs_t pairs
    cdef int i
    for i in range(n):
        a = turns.a[i]
        b = turns.b[i]
        turn = turn_at(turns, i)
        turns.is_other[i] = ((a == b) | (turns.bar[i] != 0) | home_in_reach(&turn, False)
                             | (pair_walls(&turn, a, b) != 0))
        pairs = two_dice(&turn, a, b)
        by_a = sum_of(fours(pairs.by_a))
        by_b = sum_of(fours(pairs.by_b))
        pairs_of_dice = (by_a * by_b
                         + sum_of(fours(pairs.chains) + fours(pairs.reversed_chains))
                         - sum_of(fours(pairs.by_b & (pairs.by_a >> b)) + fours(pairs.by_a & (pairs.by_b >> a))
                                  + fours(pairs.by_a & pairs.by_b & ~turn.own2)))
        turns.total[i] = pairs_of_dice if pairs_of_dice else by_a if by_a else by_b if by_b else 1


# ---- Doubles -----------------------------------------------------------------------------------------------------
#
# An afterstate is a multiset of four sources. With x checkers leaving point s and m that may leave it from the start,
# x <= m + those that leave the point a die's pips higher. So points that are no multiple of the die apart are
# independent, and of the series f(z) whose coefficient at z**k counts the multisets of k sources, the logarithm is a sum
# over groups of neighbours on such a chain, of which up to z**4 but the following are not zero (m of neighbours from the
# highest on, + for one or more). With p(k) for k times the coefficient of log f at z**k, Newton's identities give f.
#
#     m        p1  p2  p3  p4       m      p2  p3  p4       m          p3  p4
#     1         1  -1   1  -1       1 0     2  -3   2       1 0 0       3  -4
#     2         1   1  -2   1       2 0     2   0  -2       2+ 0 0      3   0
#     3         1   1   1  -3       3+ 0    2   0   2       + 0 1           4
#     4+        1   1   1   1       1 1         3  -8       + 1 0           4
#                                   2+ 1        3  -4       + 0 0 0         4
#                                   + 2             4


cdef inline uint32_t multisets_of_four(const turn_t* turn, int die) noexcept nogil:
    """The multisets of four sources that can be played, in closed form."""
    cdef uint32_t leaving = turn.open >> die, some = turn.own1 & leaving, none = leaving & ~turn.own1
    cdef uint32_t one = some & ~turn.own2, two = leaving & turn.own2 & ~turn.own3
    cdef uint32_t three = leaving & turn.own3 & ~turn.own4
    cdef uint32_t some_none = (some << die) & none, one_none = (one << die) & none, some_one = (some << die) & one
    cdef uint32_t some_none_none = (some_none << die) & none
    cdef uint32_t n_one = sum_of(fours(one)), n_some_none = sum_of(fours(some_none))
    cdef uint32_t n_some_one = sum_of(fours(some_one)), n_some_none_none = sum_of(fours(some_none_none))
    cdef uint32_t p1 = sum_of(fours(some))
    cdef uint32_t p2 = p1 - 2 * n_one + 2 * n_some_none
    cdef uint32_t p3 = p1 + 3 * (n_some_one + n_some_none_none - sum_of(fours(two) + fours(one_none)))
    cdef uint32_t p4 = (p1 - 2 * n_one + 2 * n_some_none + 4 * (
        sum_of(fours((some << die) & two) + fours((some_none << die) & one) + fours((some_one << die) & none))
        + sum_of(fours((some_none_none << die) & none))
        - n_some_one
        - sum_of(fours(three) + fours((two << die) & none) + fours((one << die) & one))
        - sum_of(fours((one_none << die) & none))))
    cdef uint32_t sum24 = p1 * p1 * (p1 * p1 + 6 * p2) + 8 * p1 * p3 + 3 * p2 * p2 + 6 * p4
    return sum24 // 24


cdef inline void read_doubles(const int8_t* rows, int64_t row_step, int n, const turns_t* turns,
                              turns_t* doubles) noexcept nogil:
    """Copy n turns of doubles, by their `index` in `doubles`, and read what they need besides."""
    cdef nd_points points
    cdef int i, k
    for k in range(n):
        i = doubles.index[k]
        points = nd_points_at(rows + i * row_step)
        doubles.own3[k] = nd_own(points, 3) & ~<uint32_t>(HEAD if turns.allowance[i] < 3 else 0)
        doubles.own4[k] = nd_own(points, 4) & ~<uint32_t>(HEAD if turns.allowance[i] < 4 else 0)
        doubles.a[k] = turns.a[i]
        doubles.bar[k] = turns.bar[i]
        doubles.own1[k] = turns.own1[i]
        doubles.own2[k] = turns.own2[i]
        doubles.stays[k] = turns.stays[i]
        doubles.open[k] = turns.open[i]
        doubles.blots[k] = turns.blots[i]
        doubles.walled[k] = turns.walled[i]


cdef inline void count_doubles_of(turns_t* doubles, int n) noexcept nogil:
    """As `is_plain_double` and `count_four` for each turn; one without a play of four moves is another turn."""
    cdef uint32_t outside
    cdef turn_t turn
    cdef int i
    for i in range(n):
        turn = turn_at(doubles, i)
        outside = sum_of(fours(turn.own1 & OUTSIDE) + fours(turn.own2 & OUTSIDE) + fours(turn.own3 & OUTSIDE))
        doubles.total[i] = multisets_of_four(&turn, doubles.a[i])
        doubles.is_other[i] = ((doubles.bar[i] != 0) | (double_walls(&turn, doubles.a[i]) != 0)
                               | (doubles.total[i] == 0)
                               | ((turn.stays == 0) & (outside <= 3) & ((turn.own4 & OUTSIDE) == 0)))

# One turn as masks, and the rules of a single move: what `_core.pyx` and its neighbours share, inlined into each.
#
# A mask of points has bit 25 - p for the mover's point p, bit 0 for his bar; a move by a die shifts left.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "_simd.h" nogil:
    int ND_SLACK
    int ND_HIT
    ctypedef struct nd_row:
        pass
    ctypedef struct nd_points:
        pass
    int nd_lowest(uint64_t x)
    int nd_highest(uint32_t x)
    int nd_count(uint32_t x)
    int nd_select(uint32_t x, int n)
    uint64_t nd_mulhi(uint64_t a, uint64_t b, uint64_t* low)
    uint64_t nd_below(uint64_t word, uint64_t n)
    int nd_cpu_runs_v3()
    const char* nd_instructions()
    void nd_totals(const int8_t* row, int* own, int* theirs)
    uint32_t nd_checkers(const int8_t* row)
    nd_row nd_load(const int8_t* row)
    void nd_store(int8_t* row, nd_row value)
    void nd_store_loosely(int8_t* row, nd_row value)
    nd_row nd_add(nd_row a, nd_row b)
    nd_row nd_flip(nd_row row, int short_)
    nd_points nd_points_at(const int8_t* row)
    uint32_t nd_own(nd_points points, int n)
    uint32_t nd_theirs(nd_points points, int n)
    int8_t* nd_emit(int8_t* out, nd_row base, const nd_row* table, uint32_t last)
    int8_t* nd_emit_hits(int8_t* out, nd_row base, const nd_row* table, uint32_t last, uint32_t hits)
    int8_t* nd_emit_exactly(int8_t* out, nd_row base, const nd_row* table, uint32_t last, uint32_t hits)

cdef enum:
    W = 28                  # numbers in a row
    BAR = 24                # index of the mover's bar in a row
    OPPONENT_BAR = 25
    OFF = 26
    OPPONENT_OFF = 27
    HEAD_INDEX = 23
    HEAD = 1 << 1           # masks: point 24
    ON_BAR = 1 << 0
    OUTSIDE = (1 << 19) - 1     # the bar and points 24..7
    BOARD = (1 << 25) - 2       # points 24..1
    HOME = BOARD & ~OUTSIDE     # points 6..1
    PRIME_STARTS = (1 << 20) - 2    # where six in a row may begin

cdef enum:                  # first-turn rolls that let two leave the head
    EXCEPTION_NONE = 0
    EXCEPTION_DOUBLES_346 = 1
    EXCEPTION_ANY_DOUBLE = 2
    EXCEPTION_ANY_ROLL = 3

cdef enum:                  # when a prime may be held
    PRIME_FREE = 0
    PRIME_OPPONENT_AHEAD = 1
    PRIME_NEVER = 2

cdef packed struct rules_t:  # the twin of kernels.RULES_DTYPE, field by field
    int32_t short_
    int32_t head_per_turn
    int32_t head_exception
    int32_t prime_rule
    int32_t prime_at_end
    int32_t reroll_opening
    int32_t mars
    int32_t koks
    int32_t last_roll

cdef struct turn_t:         # what a row and a roll allow, as masks
    uint32_t own1           # points with at least one checker of the mover's, at least two, and so on; on the
    uint32_t own2           # head no more are seen than may leave it
    uint32_t own3           # filled by `read_stacks`, as are the next two
    uint32_t own4
    uint32_t own5
    nd_points points
    int bar                 # the mover's checkers on the bar
    int allowance           # how many may leave the head
    uint32_t stays          # the head, when some of its checkers may not leave it this turn
    uint32_t open           # points where the mover may land
    uint32_t blots          # points where he would hit
    uint32_t walled         # first points of forbidden primes, in the opponent's order; 0 where any is allowed
    int at_end              # primes are judged at the end of the turn only

cdef struct stack_t:        # points with at least one, two, ... checkers that may still move
    uint32_t one
    uint32_t two
    uint32_t three
    uint32_t four

cdef struct pairs_t:        # two different dice: sources of either, and checkers that play both
    uint32_t by_a
    uint32_t by_b
    uint32_t chains         # the higher die first
    uint32_t reversed_chains    # the lower die first, where this gives an afterstate of its own
    uint32_t firsts         # points that the higher die may leave


# ---- The turn as masks -------------------------------------------------------------------------------------------


cdef inline uint32_t opponents_order(uint32_t points) noexcept nogil:
    """The mask with the opponent's own point numbers: both halves of his path change places (long nardy)."""
    return ((points >> 12) | (points << 12)) & BOARD


cdef inline uint32_t runs_of_six(uint32_t points) noexcept nogil:
    """Farthest points of six in a row."""
    cdef uint32_t two = points & (points >> 1)
    cdef uint32_t four = two & (two >> 2)
    return four & (two >> 4)


cdef inline uint32_t four_of_six(uint32_t points) noexcept nogil:
    """Farthest points of six in a row of which at least four are held: two moves can close no other row."""
    cdef uint32_t odd = points ^ (points >> 1) ^ (points >> 2)
    cdef uint32_t pair = (points & (points >> 1)) | ((points >> 2) & (points | (points >> 1)))
    return (pair & (pair >> 3)) | (odd & (odd >> 3) & (pair | (pair >> 3)))


cdef inline uint32_t forbidden_walls(uint32_t opponent, bint has_borne_off, int prime_rule) noexcept nogil:
    """Where a prime may not begin, in the opponent's order: with none of his checkers ahead of it (long l39)."""
    cdef uint32_t walked
    if prime_rule == PRIME_FREE or (prime_rule == PRIME_OPPONENT_AHEAD and has_borne_off):
        return 0
    if prime_rule == PRIME_NEVER:
        return PRIME_STARTS
    walked = opponents_order(opponent)
    return PRIME_STARTS & ~((<uint32_t>2 << nd_highest(walked | 1)) - 1)


cdef inline bint is_walled(uint32_t occupied, uint32_t walled) noexcept nogil:
    """Whether the mover's occupied points hold a forbidden prime; the lowest run decides: an opponent's
    checker ahead of it is ahead of the others too."""
    return (runs_of_six(opponents_order(occupied)) & walled) != 0


cdef inline int head_allowance(int on_head, int a, int b, const rules_t* rules) noexcept nogil:
    """How many may leave the head this turn: a first turn is one with all 15 on it."""
    cdef int exception = rules.head_exception
    if exception == EXCEPTION_NONE or on_head != 15:
        return rules.head_per_turn
    if exception == EXCEPTION_ANY_ROLL:
        return 2
    if a != b:
        return 1
    return 2 if exception == EXCEPTION_ANY_DOUBLE or a == 3 or a == 4 or a == 6 else 1


cdef inline uint32_t stack_of(const turn_t* turn, int n) noexcept nogil:
    """The points, and the bar, with at least n checkers that may move."""
    cdef uint32_t own = nd_own(turn.points, n) | <uint32_t>(turn.bar >= n)
    return own if n <= turn.allowance else own & ~<uint32_t>HEAD


cdef inline void read_turn(const int8_t* row, int a, int b, const rules_t* rules, turn_t* turn) noexcept nogil:
    """The row as masks, with the head rule and the forbidden primes of this turn."""
    cdef uint32_t theirs, blocked
    turn.points = nd_points_at(row)
    turn.at_end = rules.prime_at_end
    turn.allowance = 15
    turn.stays = 0
    theirs = nd_theirs(turn.points, 1)
    if rules.short_:
        blocked = nd_theirs(turn.points, 2)
        turn.bar = row[BAR]
        turn.blots = theirs & ~blocked
        turn.open = BOARD & ~blocked
        turn.walled = 0
    else:
        turn.bar = 0
        turn.blots = 0
        turn.open = BOARD & ~theirs
        turn.walled = forbidden_walls(theirs, row[OPPONENT_OFF] < 0, rules.prime_rule)
        if rules.head_per_turn:
            turn.allowance = head_allowance(row[HEAD_INDEX], a, b, rules)
            turn.stays = HEAD if row[HEAD_INDEX] > turn.allowance else 0
    turn.own1 = stack_of(turn, 1)
    turn.own2 = stack_of(turn, 2)


cdef inline void read_stacks(turn_t* turn) noexcept nogil:
    """What only doubles and the slower plans need: points with three checkers and more."""
    turn.own3 = stack_of(turn, 3)
    turn.own4 = stack_of(turn, 4)
    turn.own5 = stack_of(turn, 5)


# ---- Rows that are positions -------------------------------------------------------------------------------------


cdef inline bint is_position(const int8_t* row, bint short_) noexcept nogil:
    """What board.validate demands of a row."""
    cdef int own, theirs
    cdef nd_points points
    nd_totals(row, &own, &theirs)
    if own != 15 or theirs != 15 or row[BAR] < 0 or row[OPPONENT_BAR] > 0 or row[OFF] < 0 or row[OPPONENT_OFF] > 0:
        return False
    if short_:
        return True
    if row[BAR] or row[OPPONENT_BAR]:
        return False
    points = nd_points_at(row)
    if row[OFF] and nd_own(points, 1) & OUTSIDE:
        return False
    return not row[OPPONENT_OFF] or not opponents_order(nd_theirs(points, 1)) & OUTSIDE


cdef inline int64_t first_invalid(const int8_t* rows, int64_t n, bint short_) noexcept nogil:
    """The index of the first of n rows that is no position, or -1."""
    cdef int64_t i
    for i in range(n):
        if not is_position(rows + i * W, short_):
            return i
    return -1


# ---- One move ----------------------------------------------------------------------------------------------------


cdef inline uint32_t bearing_off(uint32_t own, int die) noexcept nogil:
    """Sources that bear off with all at home: the die's own point, or the highest if the die exceeds it (long l41)."""
    cdef uint32_t exact = <uint32_t>1 << (25 - die)
    cdef uint32_t highest = own & (~own + 1)
    return (own & exact) | (highest if highest > exact else 0)


cdef inline uint32_t sources(uint32_t own, uint32_t stays, uint32_t open, int die) noexcept nogil:
    """Where a move by one die may start; a checker on the bar goes first, bearing off needs all at home."""
    cdef uint32_t found = own & (open >> die)
    if own & ON_BAR:
        return found & ON_BAR
    if (own | stays) & OUTSIDE:
        return found
    return found | bearing_off(own, die)


cdef inline stack_t first_move(const turn_t* turn, uint32_t source, int die) noexcept nogil:
    """The checkers that may move after the first move of a turn."""
    cdef uint32_t landing = (source << die) & BOARD
    cdef stack_t after
    after.four = (turn.own4 & ~(source & ~turn.own5)) | (turn.own3 & landing)
    after.three = (turn.own3 & ~(source & ~turn.own4)) | (turn.own2 & landing)
    after.two = (turn.own2 & ~(source & ~turn.own3)) | (turn.own1 & landing)
    after.one = (turn.own1 & ~(source & ~turn.own2)) | landing
    return after


cdef inline stack_t next_move(stack_t stack, uint32_t source, int die) noexcept nogil:
    """The same after a further move; each move can tell one checker less on a point."""
    cdef uint32_t landing = (source << die) & BOARD
    cdef stack_t after
    after.four = 0
    after.three = (stack.three & ~(source & ~stack.four)) | (stack.two & landing)
    after.two = (stack.two & ~(source & ~stack.three)) | (stack.one & landing)
    after.one = (stack.one & ~(source & ~stack.two)) | landing
    return after


cdef inline pairs_t two_dice(const turn_t* turn, int a, int b) noexcept nogil:
    """Where either die of a > b may be played, and both by one checker.

    The lower die first gives an afterstate of its own where the higher one's landing point is closed, or where a
    hit on the way tells the two orders apart.
    """
    cdef pairs_t pairs
    cdef uint32_t both = turn.own1 & (turn.open >> (a + b))
    pairs.by_a = turn.own1 & (turn.open >> a)
    pairs.by_b = turn.own1 & (turn.open >> b)
    pairs.chains = both & pairs.by_a
    pairs.reversed_chains = both & pairs.by_b & (~pairs.by_a | (turn.blots >> a) | (turn.blots >> b))
    pairs.firsts = pairs.by_a | (pairs.reversed_chains << b)
    return pairs


cdef inline uint32_t unwalled(const turn_t* turn, uint32_t one, uint32_t two, uint32_t from_, int die) noexcept nogil:
    """Those sources whose move leaves no forbidden prime; `one` and `two`: points with at least so many checkers."""
    cdef uint32_t source, held = one | turn.stays
    cdef uint32_t rest = from_
    if not turn.walled or not is_walled(held | ((from_ << die) & BOARD), turn.walled):
        return from_
    while rest:
        source = rest & (~rest + 1)
        rest &= rest - 1
        held = (one & ~(source & ~two)) | ((source << die) & BOARD) | turn.stays
        if is_walled(held, turn.walled):
            from_ &= ~source
    return from_


cdef inline uint32_t pair_walls(const turn_t* turn, int a, int b) noexcept nogil:
    """Where the points that the mover holds or can reach with two different dice could make a forbidden prime."""
    cdef uint32_t held = turn.own1 | turn.stays
    cdef uint32_t reach = held | (((held << a) | (held << b) | (held << (a + b))) & turn.open)
    return runs_of_six(opponents_order(reach)) & turn.walled & four_of_six(opponents_order(held))


cdef inline uint32_t double_walls(const turn_t* turn, int die) noexcept nogil:
    """The same with the four moves of a double."""
    cdef uint32_t reach = turn.own1 | turn.stays
    reach |= (reach << die) & turn.open
    reach |= (reach << die) & turn.open
    reach |= (reach << die) & turn.open
    reach |= (reach << die) & turn.open
    return runs_of_six(opponents_order(reach)) & turn.walled


cdef inline bint wall_in_reach(const turn_t* turn, int a, int b) noexcept nogil:
    """Whether the points that the mover holds or can reach this turn could make a forbidden prime."""
    return turn.walled and (pair_walls(turn, a, b) if a != b else double_walls(turn, a)) != 0


cdef inline bint home_in_reach(const turn_t* turn, bint double) noexcept nogil:
    """Whether all can be home before the last move: at most one checker is outside, or three if it is a double."""
    cdef uint32_t one = turn.own1 & OUTSIDE, two = turn.own2 & OUTSIDE
    if turn.stays:
        return False
    if not double:
        return not (two | (one & (one - 1)))
    return nd_count(one) + nd_count(two) + nd_count((turn.own3 | turn.own4) & OUTSIDE) <= 3 and not turn.own4 & OUTSIDE


# ---- The end ------------------------------------------------------------------------------------------------------


cdef inline int points_lost(const int8_t* row, const rules_t* rules) noexcept nogil:
    """What the mover has lost, his opponent having borne off all: 1, or the points of mars and koks."""
    cdef int i
    if row[OFF] > 0:
        return 1
    if rules.koks:
        if row[BAR] > 0:
            return rules.koks
        for i in range(18, 24):
            if row[i] > 0:
                return rules.koks
    return rules.mars

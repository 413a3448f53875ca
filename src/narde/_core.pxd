# Declarations of the core: the rules as it receives them, a turn as masks, and a plan of all plays of a turn.
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
    nd_row nd_load(const int8_t* row)
    void nd_store(int8_t* row, nd_row value)
    nd_row nd_add(nd_row a, nd_row b)
    nd_row nd_flip(nd_row row, int short_)
    nd_points nd_points_of(nd_row row)
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
    MAX_LEAVES = 2600       # multisets of three sources out of 24: no double has more
    NO_MOVE = 63            # a table entry without any change

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

cdef struct leaf_t:         # the plays that share all moves but the last
    uint32_t last           # where the last move may start
    uint32_t hits           # from which of these it hits
    uint16_t before[3]      # the moves before it, as entries of the table of changes

cdef struct plan_t:         # all plays of a turn, in the documented order; no leaves: a forced pass
    int leaves
    int moves               # moves in each play
    int last_die
    int64_t total
    leaf_t leaf[MAX_LEAVES]

ctypedef void (*play_turn_t)(const int8_t* row, const int8_t* dice, const rules_t* rules, uint64_t choice, plan_t* plan,
                             int8_t* after) noexcept nogil

cdef extern from *:
    """
    #define ND_TURN_PLAYER "narde.play_turn"
    """
    const char* TURN_PLAYER "ND_TURN_PLAYER"

cdef void list_turn(const int8_t* row, int a, int b, const rules_t* rules, turn_t* turn, plan_t* plan) noexcept nogil
cdef bint may_move(const turn_t* turn, uint32_t own, int source, int die) noexcept nogil
cdef bint may_stand(const turn_t* turn, uint32_t own) noexcept nogil

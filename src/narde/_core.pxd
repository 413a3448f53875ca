# Declarations of the core: a plan of all plays of a turn, and what other modules may call.

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from narde._turn cimport (
    BAR, BOARD, HEAD, HOME, ND_HIT, ND_SLACK, OFF, ON_BAR, OPPONENT_BAR, OUTSIDE, W, first_invalid,
    first_move, home_in_reach, nd_add, nd_below, nd_count, nd_cpu_runs_v3, nd_emit, nd_emit_exactly,
    nd_emit_hits, nd_flip, nd_highest, nd_instructions, nd_load, nd_lowest, nd_row, nd_select, nd_store, nd_store_loosely,
    next_move, pairs_t, read_stacks, read_turn, rules_t, sources, stack_t, turn_t, two_dice, unwalled,
    wall_in_reach,
)

cdef enum:
    MAX_LEAVES = 2600       # multisets of three sources out of 24: no double has more
    NO_MOVE = 63            # a table entry without any change
    RACE_SIZE = 57274        # plays of all races, and two more that are read beyond them

cdef struct race_play_t:    # sources of both dice or NO_MOVE
    uint8_t by_a
    uint8_t by_b

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

# The value is the afterstate's, to the mover, of players who weigh it.
ctypedef void (*play_turn_t)(const void* context, const int8_t* row, const int8_t* dice, const rules_t* rules,
                             uint64_t choice, plan_t* plan, int8_t* after, float* value) noexcept nogil

cdef extern from *:
    """
    #define ND_TURN_PLAYER "narde.play_turn"
    """
    const char* TURN_PLAYER "ND_TURN_PLAYER"

cdef void list_turn(const int8_t* row, int a, int b, const rules_t* rules, turn_t* turn, plan_t* plan) noexcept nogil

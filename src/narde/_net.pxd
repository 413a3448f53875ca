# What other compiled modules may ask of a network: its best play and its chances, without Python and without the GIL.

from libc.stdint cimport int8_t, int64_t

from narde._core cimport plan_t
from narde._hidden cimport net_hidden_t, net_t
from narde._turn cimport rules_t

cdef class CompiledNetwork:
    cdef net_t net
    cdef object arrays

# The afterstate of the highest value to the mover, the first of equals, its index among the turn's, and the five chances
# of the player who rolls next, exact if the game is over, unless they are NULL; returns the value.
cdef float best_play(const net_t* net, const int8_t* row, int a, int b, const rules_t* rules, plan_t* plan,
                     int8_t* after, int64_t* index, float* chances) noexcept nogil

# The same for several rolls of a row: `start_turn` once, then `best_of_roll` for each.
cdef void start_turn(const net_t* net, const int8_t* row, bint short_, net_hidden_t* flipped) noexcept nogil
cdef float best_of_roll(const net_t* net, const net_hidden_t* flipped, const int8_t* row, int a, int b,
                        const rules_t* rules, plan_t* plan, int8_t* after, int64_t* index, float* chances) noexcept nogil

# The five chances of the player on roll, in a game that is not over.
cdef void evaluate_row(const net_t* net, const int8_t* row, float* chances) noexcept nogil

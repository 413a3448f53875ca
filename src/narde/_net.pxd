# What other compiled modules may ask of a network: its best play and its chances, without Python and without the GIL.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t

from narde._core cimport plan_t
from narde._turn cimport rules_t

cdef struct net_t:
    int hidden
    const int16_t* columns  # (side, place, checkers, hidden): the player on roll, his opponent
    const int16_t* bias
    const int16_t* weights  # (outputs, hidden)
    int32_t out_bias[8]
    float scale             # of the outputs' whole numbers
    uint64_t epsilon        # a choice word below it takes any afterstate
    void* owner             # the CompiledNetwork that holds the arrays

cdef class CompiledNetwork:
    cdef net_t net
    cdef object arrays

# The afterstate of the highest value to the mover, the first of equals, and its index among the turn's; returns the value.
cdef float best_play(const net_t* net, const int8_t* row, int a, int b, const rules_t* rules, plan_t* plan,
                     int8_t* after, int64_t* index) noexcept nogil

# Eight numbers of which five are the chances of the player on roll, in a game that is not over.
cdef void evaluate_row(const net_t* net, const int8_t* row, float* chances) noexcept nogil

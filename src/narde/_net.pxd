# What other compiled modules may ask of a network: its best play and its chances, without Python and without the GIL.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t

from narde._core cimport plan_t
from narde._turn cimport rules_t

cdef extern from "_net.h" nogil:
    ctypedef struct net_outputs_t:
        const int16_t* weights
        int32_t bias[5]
        float scale
        int32_t limit
        int hidden

cdef struct net_t:
    int hidden
    const int16_t* columns  # (side, place, checkers, hidden): the player on roll, his opponent; sums of the weights
    const int16_t* weights  # (inputs, hidden)
    const int16_t* bias
    net_outputs_t outputs
    uint64_t epsilon        # a choice word below it takes any afterstate
    void* owner             # the CompiledNetwork that holds the arrays

cdef class CompiledNetwork:
    cdef net_t net
    cdef object arrays

# The afterstate of the highest value to the mover, the first of equals, and its index among the turn's; returns the value.
cdef float best_play(const net_t* net, const int8_t* row, int a, int b, const rules_t* rules, plan_t* plan,
                     int8_t* after, int64_t* index) noexcept nogil

# The five chances of the player on roll, in a game that is not over.
cdef void evaluate_row(const net_t* net, const int8_t* row, float* chances) noexcept nogil

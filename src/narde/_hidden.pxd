# The hidden sums of a row, what a move changes in them, and the chances that they make; inlined into `_net.pyx`, which
# fills the tables of the header.
#
# The sums differ from those of the row before a move by the weights of two inputs: one for the place that the checker
# leaves and one for that which it reaches; two more for a checker hit.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t

from narde._turn cimport BAR, ND_HIT, OFF, OPPONENT_BAR, OPPONENT_OFF, nd_load, nd_store

cdef extern from "_net.h" nogil:
    enum:
        NET_BATCH
    ctypedef struct net_outputs_t:
        const int16_t* weights
        int32_t bias[5]
        float scale
        int32_t limit
        int hidden
    ctypedef struct net_change_t:
        const int16_t* plus
        const int16_t* minus
        const int16_t* hit_plus
        const int16_t* hit_minus
    ctypedef struct net_hidden_t:
        int16_t* sums
        int8_t* row
    const int8_t net_index[2][32]
    const uint8_t net_input[2][28][16]
    void net_sum(int16_t* to, const int16_t* from_, const int16_t** columns, int count, int hidden)
    void net_move(int16_t* to, const int16_t* from_, const net_change_t* change, int hidden)
    void net_dots(const int16_t* from_, const net_change_t* changes, int count, const net_outputs_t* out, int koks,
                  int32_t* dots)
    float net_chance(int32_t dot, const net_outputs_t* out)

cdef enum:
    PLACES = 26             # points in the order of the row, the bar, off
    COUNTS = 16
    SIDE = 98               # inputs of a side
    OUTPUTS = 5


cdef struct net_t:
    int hidden
    const int16_t* columns  # (side, place, checkers, hidden): the player on roll, his opponent; sums of the weights
    const int16_t* weights  # (inputs, hidden)
    const int16_t* bias
    net_outputs_t outputs
    uint64_t epsilon        # a choice word below it takes any afterstate
    void* owner             # the CompiledNetwork that holds the arrays


# ---- Hidden sums -------------------------------------------------------------------------------------------------


cdef inline const int16_t* column(const net_t* net, int side, int place, int checkers) noexcept nogil:
    """A column of the table, even of a row that another thread has changed since it was checked."""
    return net.columns + (<int64_t>(side * PLACES + place) * COUNTS + (checkers & (COUNTS - 1))) * net.hidden


cdef inline void sum_up(const net_t* net, net_hidden_t* state) noexcept nogil:
    """The hidden sums of the state's row from nothing."""
    cdef const int16_t* found[29]       # 24 points, two bars, two off counts, one to spare for the last point
    cdef int i, n, count = 0
    for i in range(24):
        n = state.row[i]
        found[count] = column(net, n < 0, i, abs(n))
        count += n != 0
    if state.row[BAR] - state.row[OPPONENT_BAR]:
        found[count] = column(net, 0, 24, state.row[BAR])
        found[count + 1] = column(net, 1, 24, -state.row[OPPONENT_BAR])
        count += 2
    if state.row[OFF] - state.row[OPPONENT_OFF]:
        found[count] = column(net, 0, 25, state.row[OFF])
        found[count + 1] = column(net, 1, 25, -state.row[OPPONENT_OFF])
        count += 2
    net_sum(state.sums, net.bias, found, count, net.hidden)


cdef inline const int16_t* weights_of(const net_t* net, int side, int index, int checkers) noexcept nogil:
    """What one more checker of a side adds at an index of the row where it has so many."""
    return net.weights + <int64_t>net_input[side][index][checkers & 15] * net.hidden


cdef inline void set_change(const net_t* net, const int8_t* row, int source, int die, bint hit, bint short_,
                            net_change_t* change) noexcept nogil:
    """What a move of the mover changes, whose checkers are the opponent's of the flipped row."""
    cdef int left = net_index[short_][source], reached = net_index[short_][source + die]
    change.minus = weights_of(net, 1, left, -row[left] - 1)
    change.plus = weights_of(net, 1, reached, -row[reached])
    change.hit_plus = NULL
    if hit:
        change.hit_plus = weights_of(net, 0, BAR, row[BAR])
        change.hit_minus = weights_of(net, 0, reached, 0)


cdef inline void move_checker(int8_t* row, int source, int die, bint hit, bint short_) noexcept nogil:
    cdef int left = net_index[short_][source], reached = net_index[short_][source + die]
    row[left] += 1
    if hit:
        row[reached] = 0
        row[BAR] += 1
    row[reached] -= 1


cdef inline void move(const net_t* net, const net_hidden_t* before, int entry, int die, bint short_,
                      net_hidden_t* after) noexcept nogil:
    """The row and sums after a move, an entry of a leaf."""
    cdef int source = entry & (ND_HIT - 1)
    cdef bint hit = entry >= ND_HIT
    cdef net_change_t change
    set_change(net, before.row, source, die, hit, short_, &change)
    net_move(after.sums, before.sums, &change, net.hidden)
    nd_store(after.row, nd_load(before.row))
    move_checker(after.row, source, die, hit, short_)


# ---- Chances -----------------------------------------------------------------------------------------------------


cdef inline void chances_after(const net_t* net, const net_hidden_t* state, const net_change_t* change,
                               float* chances) noexcept nogil:
    """The five chances after a change."""
    cdef int32_t dots[OUTPUTS * NET_BATCH]
    cdef int k
    net_dots(state.sums, change, 1, &net.outputs, True, dots)
    for k in range(OUTPUTS):
        chances[k] = net_chance(dots[k * NET_BATCH], &net.outputs)


cdef inline void chances_of(const net_t* net, const net_hidden_t* state, float* chances) noexcept nogil:
    """The five chances as it is."""
    cdef net_change_t nothing
    nothing.plus = nothing.minus = net.bias
    nothing.hit_plus = NULL
    chances_after(net, state, &nothing, chances)

"""A small value network over all afterstates of a turn, without Python and without the GIL.

The hidden sums of a row differ from those of the row before a move by a few columns: those of the two places that the
checker leaves and reaches, two more for a checker hit. So the row before the turn is summed up once, and each
afterstate costs its changes and the output layer.
"""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_New, PyCapsule_SetContext
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from narde._core cimport TURN_PLAYER, leaf_t, list_turn, plan_t
from narde._turn cimport (
    BAR, ND_HIT, OFF, OPPONENT_BAR, OPPONENT_OFF, W, nd_below, nd_count, nd_flip, nd_load, nd_lowest, nd_select, nd_store,
    points_lost, rules_t, turn_t,
)

cdef extern from "_net.h" nogil:
    int NET_MOST_HIDDEN
    void net_init(int wanted)
    void net_move(int16_t* to, const int16_t* from_, const int16_t** columns, int hidden)
    void net_last(const int16_t* from_, const int16_t** columns, const int16_t* weights, const int32_t* bias, float scale,
                  int hidden, float* chances)

cdef enum:
    PLACES = 26             # points in the order of the row, the bar, off
    COUNTS = 16
    BAR_PLACE = 24
    OFF_PLACE = 25


cdef struct hidden_t:       # a row and its hidden sums
    int8_t row[28]
    int16_t sums[512]


# ---- Hidden sums -------------------------------------------------------------------------------------------------


cdef inline const int16_t* column(const net_t* net, int side, int place, int checkers) noexcept nogil:
    return net.columns + (<int64_t>(side * PLACES + place) * COUNTS + checkers) * net.hidden


cdef void sum_up(const net_t* net, hidden_t* state) noexcept nogil:
    """The hidden sums of the state's row from nothing."""
    cdef const int16_t* found[30]       # two bars, two off counts, 24 points, one to spare for each loop's end
    cdef const int16_t* columns[4]
    cdef int i, n, count = 4
    found[0] = column(net, 0, BAR_PLACE, state.row[BAR])
    found[1] = column(net, 1, BAR_PLACE, -state.row[OPPONENT_BAR])
    found[2] = column(net, 0, OFF_PLACE, state.row[OFF])
    found[3] = column(net, 1, OFF_PLACE, -state.row[OPPONENT_OFF])
    for i in range(24):
        n = state.row[i]
        found[count] = column(net, n < 0, i, abs(n))
        count += n != 0
    columns[1] = columns[3] = column(net, 0, 0, 0)      # nothing
    found[count] = columns[1]
    memcpy(state.sums, net.bias, net.hidden * sizeof(int16_t))
    for i in range(0, count, 2):
        columns[0] = found[i]
        columns[2] = found[i + 1]
        net_move(state.sums, state.sums, columns, net.hidden)


cdef inline int index_of(int source, bint short_) noexcept nogil:
    """Where the mover's checker at a source (0 the bar, else 25 - point, from 25 on off) stands in the flipped row."""
    if source == 0:
        return OPPONENT_BAR
    if source >= 25:
        return OPPONENT_OFF
    return source - 1 if short_ else (36 - source) % 24


cdef inline int place_of(int index) noexcept nogil:
    return index if index < 24 else BAR_PLACE if index < OFF else OFF_PLACE


cdef inline void exchange(const net_t* net, const int8_t* row, int side, int left, int reached,
                          const int16_t** columns) noexcept nogil:
    """The columns that come and go when a checker of the side goes from one index of the row to another."""
    cdef int sign = -1 if side else 1, n = sign * row[left], m = max(sign * row[reached], 0)
    columns[0] = column(net, side, place_of(left), n - 1)
    columns[1] = column(net, side, place_of(left), n)
    columns[2] = column(net, side, place_of(reached), m + 1)    # a checker hit there is exchanged apart
    columns[3] = column(net, side, place_of(reached), m)


cdef void move(const net_t* net, hidden_t* state, int source, int die, bint hit, bint short_) noexcept nogil:
    """Play a move on the row and the sums."""
    cdef int left = index_of(source, short_), reached = index_of(source + die, short_)
    cdef const int16_t* columns[4]
    exchange(net, state.row, 1, left, reached, columns)
    net_move(state.sums, state.sums, columns, net.hidden)
    state.row[left] += 1
    if hit:
        exchange(net, state.row, 0, reached, BAR, columns)
        net_move(state.sums, state.sums, columns, net.hidden)
        state.row[reached] = 0
        state.row[BAR] += 1
    state.row[reached] -= 1


# ---- Values ------------------------------------------------------------------------------------------------------


cdef inline float equity_of(const float* chances, const rules_t* rules) noexcept nogil:
    """Points to expect by the chances of winning, mars and koks, losing mars and koks."""
    cdef float equity = 2 * chances[0] - 1
    equity += (rules.mars - 1) * (chances[1] - chances[3])
    if rules.koks:
        equity += (rules.koks - rules.mars) * (chances[2] - chances[4])
    return equity


cdef inline void chances_of(const net_t* net, const hidden_t* state, float* chances) noexcept nogil:
    """The outputs, eight numbers of which five count."""
    cdef const int16_t* columns[4]
    columns[0] = columns[1] = columns[2] = columns[3] = net.columns     # nothing is exchanged
    net_last(state.sums, columns, net.weights, net.out_bias, net.scale, net.hidden, chances)


cdef void evaluate_row(const net_t* net, const int8_t* row, float* chances) noexcept nogil:
    """The outputs for a row, eight numbers of which five count."""
    cdef hidden_t state
    memcpy(state.row, row, W)
    sum_up(net, &state)
    chances_of(net, &state, chances)


cdef inline float value_of(const net_t* net, const hidden_t* state, const rules_t* rules) noexcept nogil:
    """What an afterstate is worth to the one who has played it."""
    cdef float chances[8]
    if state.row[OPPONENT_OFF] == -15:
        return points_lost(state.row, rules)
    chances_of(net, state, chances)
    return -equity_of(chances, rules)


cdef float value_after(const net_t* net, const hidden_t* before, int source, int die, bint hit,
                       const rules_t* rules) noexcept nogil:
    """What the afterstate of a last move is worth; neither row nor sums are written."""
    cdef float chances[8]
    cdef int16_t sums[512]
    cdef const int16_t* columns[4]
    cdef int left = index_of(source, rules.short_), reached = index_of(source + die, rules.short_)
    if reached == OPPONENT_OFF and before.row[OPPONENT_OFF] == -14:
        return points_lost(before.row, rules)
    exchange(net, before.row, 1, left, reached, columns)
    if hit:
        net_move(sums, before.sums, columns, net.hidden)
        exchange(net, before.row, 0, reached, BAR, columns)
        net_last(sums, columns, net.weights, net.out_bias, net.scale, net.hidden, chances)
    else:
        net_last(before.sums, columns, net.weights, net.out_bias, net.scale, net.hidden, chances)
    return -equity_of(chances, rules)


cdef struct best_t:
    float value
    int leaf
    int source
    int64_t index           # among all afterstates of the turn, in the documented order


cdef inline void copy(const net_t* net, const hidden_t* from_, hidden_t* to) noexcept nogil:
    memcpy(to.row, from_.row, sizeof(from_.row))
    memcpy(to.sums, from_.sums, net.hidden * sizeof(int16_t))


cdef void start_leaf(const net_t* net, const hidden_t* flipped, const plan_t* plan, const leaf_t* leaf, int a,
                     bint short_, hidden_t* state) noexcept nogil:
    """The row and sums after all moves of a leaf but the last."""
    cdef int k, entry
    copy(net, flipped, state)
    for k in range(plan.moves - 1):
        entry = leaf.before[k]
        move(net, state, entry & (ND_HIT - 1), a, entry >= ND_HIT, short_)


cdef inline bint is_reversed(const hidden_t* flipped, const plan_t* plan, const leaf_t* leaf, bint short_) noexcept nogil:
    """Whether the checker that the higher die moves comes to its point by the lower die only."""
    return plan.moves == 2 and flipped.row[index_of(leaf.before[0] & (ND_HIT - 1), short_)] >= 0


cdef void play_leaf(const net_t* net, const hidden_t* flipped, const plan_t* plan, const leaf_t* leaf, int source, int a,
                    bint short_, hidden_t* state) noexcept nogil:
    """The row and sums after a whole play of a leaf, its moves in an order in which each has its checker."""
    cdef bint hit = (leaf.hits >> source) & 1
    cdef int entry = leaf.before[0]
    if is_reversed(flipped, plan, leaf, short_):
        copy(net, flipped, state)
        move(net, state, source, plan.last_die, hit, short_)
        move(net, state, entry & (ND_HIT - 1), a, entry >= ND_HIT, short_)
    else:
        start_leaf(net, flipped, plan, leaf, a, short_, state)
        move(net, state, source, plan.last_die, hit, short_)


cdef void weigh_leaf(const net_t* net, const hidden_t* flipped, const plan_t* plan, int number, int64_t index, int a,
                     const rules_t* rules, best_t* best) noexcept nogil:
    """Compare the afterstates of a leaf, in order, with the best one so far; `index` is that of its first."""
    cdef const leaf_t* leaf = &plan.leaf[number]
    cdef bint backwards = is_reversed(flipped, plan, leaf, rules.short_)
    cdef uint32_t last = leaf.last
    cdef hidden_t state
    cdef float value
    cdef int s
    if not backwards:
        start_leaf(net, flipped, plan, leaf, a, rules.short_, &state)
    while last:
        s = nd_lowest(last)
        last &= last - 1
        if backwards:
            play_leaf(net, flipped, plan, leaf, s, a, rules.short_, &state)
            value = value_of(net, &state, rules)
        else:
            value = value_after(net, &state, s, plan.last_die, (leaf.hits >> s) & 1, rules)
        if value > best.value:
            best.value = value
            best.leaf = number
            best.source = s
            best.index = index
        index += 1


cdef float best_play(const net_t* net, const int8_t* row, int a, int b, const rules_t* rules, plan_t* plan,
                     int8_t* after, int64_t* index) noexcept nogil:
    """Write the afterstate of the highest value, the first of equals, and its index; return its value to the mover."""
    cdef turn_t turn
    cdef hidden_t flipped, state
    cdef best_t best
    cdef int64_t first = 0
    cdef int i
    index[0] = 0
    list_turn(row, a, b, rules, &turn, plan)
    nd_store(flipped.row, nd_flip(nd_load(row), rules.short_))
    sum_up(net, &flipped)
    if not plan.leaves:
        memcpy(after, flipped.row, W)
        return value_of(net, &flipped, rules)
    best.value = -100
    best.leaf = 0
    best.source = 0
    best.index = 0
    for i in range(plan.leaves):
        weigh_leaf(net, &flipped, plan, i, first, a, rules, &best)
        first += nd_count(plan.leaf[i].last)
    index[0] = best.index
    play_leaf(net, &flipped, plan, &plan.leaf[best.leaf], best.source, a, rules.short_, &state)
    memcpy(after, state.row, W)
    return best.value


cdef void any_play(const int8_t* row, int a, int b, const rules_t* rules, uint64_t choice, plan_t* plan,
                   const net_t* net, int8_t* after) noexcept nogil:
    """Write an afterstate taken at random, each with the same chance."""
    cdef turn_t turn
    cdef hidden_t flipped, state
    cdef int64_t index
    cdef int i = 0, s
    list_turn(row, a, b, rules, &turn, plan)
    nd_store(flipped.row, nd_flip(nd_load(row), rules.short_))
    if not plan.leaves:
        memcpy(after, flipped.row, W)
        return
    index = <int64_t>nd_below(choice, <uint64_t>plan.total)
    while index >= nd_count(plan.leaf[i].last):
        index -= nd_count(plan.leaf[i].last)
        i += 1
    s = nd_select(plan.leaf[i].last, <int>index)
    memcpy(flipped.sums, net.bias, net.hidden * sizeof(int16_t))
    play_leaf(net, &flipped, plan, &plan.leaf[i], s, a, rules.short_, &state)
    memcpy(after, state.row, W)


cdef void play_turn(const void* context, const int8_t* row, const int8_t* dice, const rules_t* rules, uint64_t choice,
                    plan_t* plan, int8_t* after) noexcept nogil:
    """One turn of the network's player, greedy but for a share of random turns."""
    cdef const net_t* net = <const net_t*>context
    cdef int a = max(dice[0], dice[1]), b = min(dice[0], dice[1])
    cdef int64_t index
    if choice < net.epsilon:
        any_play(row, a, b, rules, choice * <uint64_t>0x9E3779B97F4A7C15, plan, net, after)
    else:
        best_play(net, row, a, b, rules, plan, after, &index)


net_init(True)


def use_avx2(bint wanted):
    """Let the network use AVX2 where the processor has it, or not: for tests, which compare the two."""
    net_init(wanted)


# ---- Python ------------------------------------------------------------------------------------------------------


cdef void release(object capsule) noexcept:
    """Let go of the network of a capsule that goes away."""
    cdef const net_t* net = <const net_t*>PyCapsule_GetContext(capsule)
    Py_DECREF(<object>net.owner)


cdef class CompiledNetwork:
    """The arrays of a network as the core uses them; network.py makes and checks them."""

    def __init__(self, const int16_t[:, :, :, ::1] columns, const int16_t[::1] bias, const int16_t[:, ::1] weights,
                 const int32_t[::1] out_bias, float scale, uint64_t epsilon):
        self.arrays = (columns, bias, weights, out_bias)
        self.net.hidden = <int>bias.shape[0]
        if self.net.hidden > NET_MOST_HIDDEN:
            raise ValueError("too many hidden units")
        self.net.columns = &columns[0, 0, 0, 0]
        self.net.bias = &bias[0]
        self.net.weights = &weights[0, 0]
        self.net.scale = scale
        self.net.epsilon = epsilon
        for k in range(8):
            self.net.out_bias[k] = out_bias[k] if k < out_bias.shape[0] else 0

    def evaluate(self, const int8_t[:, ::1] rows, int64_t start, int64_t stop, float[:, ::1] chances):
        """Fill chances[start:stop], float32 (N, 5), for rows seen by the player on roll."""
        cdef int64_t i
        cdef float outputs[8]
        with nogil:
            for i in range(start, stop):
                evaluate_row(&self.net, &rows[i, 0], outputs)
                memcpy(&chances[i, 0], outputs, 5 * sizeof(float))

    def choose(self, const int8_t[:, ::1] rows, const int8_t[:, ::1] dice, const rules_t[::1] rules,
               int64_t start, int64_t stop, int8_t[:, ::1] afters, float[::1] values, int64_t[::1] indices):
        """Fill in the best afterstate of each turn, what it is worth to the mover, and which one of the turn's it is."""
        cdef int64_t i
        cdef plan_t plan
        with nogil:
            for i in range(start, stop):
                values[i] = best_play(&self.net, &rows[i, 0], max(dice[i, 0], dice[i, 1]), min(dice[i, 0], dice[i, 1]),
                                      &rules[0], &plan, &afters[i, 0], &indices[i])

    def turn_player(self):
        """`play_turn` with this network, for _games.pyx; the capsule keeps the network alive."""
        capsule = PyCapsule_New(<void*>play_turn, TURN_PLAYER, release)
        self.net.owner = <void*>self
        PyCapsule_SetContext(capsule, <void*>&self.net)
        Py_INCREF(self)
        return capsule

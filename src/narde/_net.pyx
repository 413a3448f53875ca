"""A small value network over all afterstates of a turn, without Python and without the GIL.

The hidden sums of a row differ from those of the row before a move by the weights of two inputs: one for the place
that the checker leaves and one for that which it reaches; two more for a checker hit. So the row before the turn is
summed up once, the moves that plays share are made once, and an afterstate costs its last move and the output layer.
"""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_New, PyCapsule_SetContext
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from narde._core cimport TURN_PLAYER, leaf_t, list_turn, plan_t
from narde._turn cimport (
    BAR, ND_HIT, OFF, OPPONENT_BAR, OPPONENT_OFF, W, nd_below, nd_count, nd_flip, nd_load, nd_lowest, nd_select, nd_store,
    points_lost, rules_t, turn_t,
)

cdef extern from "_net.h" nogil:
    int NET_MOST_HIDDEN
    enum:
        NET_BATCH
    ctypedef struct net_change_t:
        const int16_t* plus
        const int16_t* minus
        const int16_t* hit_plus
        const int16_t* hit_minus
    ctypedef struct net_waiting_t:
        int32_t* dots
        float* values
        uint64_t over
        int count
    ctypedef struct net_hidden_t:
        int16_t* sums
        int8_t* row
    const int8_t net_index[2][32]
    const uint8_t net_input[2][28][16]
    void net_init(int wanted)
    void net_fill_tables()
    void net_sum(int16_t* to, const int16_t* from_, const int16_t** columns, int count, int hidden)
    void net_move(int16_t* to, const int16_t* from_, const net_change_t* change, int hidden)
    void net_dots(const int16_t* from_, const net_change_t* changes, int count, const net_outputs_t* out, int koks,
                  int32_t* dots)
    float net_chance(int32_t dot, const net_outputs_t* out)
    void net_values(int32_t* dots, int count, const net_outputs_t* out, int mars, int koks, float* values)

cdef enum:
    PLACES = 26             # points in the order of the row, the bar, off
    COUNTS = 16
    SIDE = 98               # inputs of a side
    OUTPUTS = 5
    UNPLAYED = 0xFFFF       # no entry of a leaf


# ---- Hidden sums -------------------------------------------------------------------------------------------------


cdef inline const int16_t* column(const net_t* net, int side, int place, int checkers) noexcept nogil:
    return net.columns + (<int64_t>(side * PLACES + place) * COUNTS + checkers) * net.hidden


cdef void sum_up(const net_t* net, net_hidden_t* state) noexcept nogil:
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


cdef void chances_of(const net_t* net, const net_hidden_t* state, float* chances) noexcept nogil:
    """The five outputs."""
    cdef int32_t dots[OUTPUTS * NET_BATCH]
    cdef net_change_t nothing
    cdef int k
    nothing.plus = nothing.minus = net.bias
    nothing.hit_plus = NULL
    net_dots(state.sums, &nothing, 1, &net.outputs, True, dots)
    for k in range(OUTPUTS):
        chances[k] = net_chance(dots[k * NET_BATCH], &net.outputs)


cdef void evaluate_row(const net_t* net, const int8_t* row, float* chances) noexcept nogil:
    """The five chances of the player on roll, in a game that is not over."""
    cdef net_hidden_t state
    memcpy(state.row, row, W)
    sum_up(net, &state)
    chances_of(net, &state, chances)


# ---- The best play -----------------------------------------------------------------------------------------------


cdef struct weighing_t:     # a turn whose afterstates are being weighed
    net_hidden_t after[4]   # the flipped row, and after each move but the last of the leaf at hand
    uint16_t played[3]      # the moves between them
    net_waiting_t waiting
    int64_t first           # index, among all afterstates of the turn, of the first that waits
    float best
    int64_t best_index


cdef void settle(const net_t* net, const rules_t* rules, weighing_t* turn) noexcept nogil:
    """Find the values of those that wait and compare them, in order, with the best one so far."""
    cdef net_waiting_t* waiting = &turn.waiting
    cdef float best = turn.best
    cdef int i, found = -1
    net_values(waiting.dots, waiting.count, &net.outputs, rules.mars - 1,
               rules.koks - rules.mars if rules.koks else 0, waiting.values)
    while waiting.over:
        waiting.values[nd_lowest(waiting.over)] = points_lost(turn.after[0].row, rules)
        waiting.over &= waiting.over - 1
    for i in range(waiting.count):
        if waiting.values[i] > best:
            best = waiting.values[i]
            found = i
    if found >= 0:
        turn.best = best
        turn.best_index = turn.first + found
    turn.first += waiting.count
    waiting.count = 0


cdef inline bint is_reversed(const int8_t* flipped, const plan_t* plan, const leaf_t* leaf, bint short_) noexcept nogil:
    """Whether the checker that the higher die moves comes to its point by the lower die only."""
    return plan.moves == 2 and flipped[net_index[short_][leaf.before[0] & (ND_HIT - 1)]] >= 0


cdef const net_hidden_t* play_shared(const net_t* net, const plan_t* plan, const leaf_t* leaf, int a, bint short_,
                                     weighing_t* turn) noexcept nogil:
    """The row and sums after all moves of a leaf but the last; those made for the leaf before it are kept."""
    cdef int k = 0, shared = plan.moves - 1
    while k < shared and turn.played[k] == leaf.before[k]:
        k += 1
    while k < shared:
        turn.played[k] = leaf.before[k]
        move(net, &turn.after[k], leaf.before[k], a, short_, &turn.after[k + 1])
        k += 1
        if k < 3:
            turn.played[k] = UNPLAYED
    return &turn.after[shared]


cdef inline void weigh_leaf(const net_t* net, const plan_t* plan, const leaf_t* leaf, int a, const rules_t* rules,
                            weighing_t* turn) noexcept nogil:
    """Let the afterstates of a leaf wait for their values, in order."""
    cdef const net_hidden_t* before = play_shared(net, plan, leaf, a, rules.short_, turn)
    cdef net_change_t changes[32]
    cdef uint32_t last = leaf.last, hits = leaf.hits
    cdef int s, count = 0, start = turn.waiting.count, die = plan.last_die
    cdef bint short_ = rules.short_
    while last:
        s = nd_lowest(last)
        last &= last - 1
        set_change(net, before.row, s, die, (hits >> s) & 1, short_, &changes[count])
        count += 1
    net_dots(before.sums, changes, count, &net.outputs, rules.koks != 0, turn.waiting.dots + start)
    if before.row[OPPONENT_OFF] == -14:
        mark_over(leaf.last, die, &turn.waiting)
    turn.waiting.count += count


cdef void mark_over(uint32_t last, int die, net_waiting_t* waiting) noexcept nogil:
    """Note which of a leaf's last moves bear off the last checker."""
    cdef int at = waiting.count
    while last:
        waiting.over |= <uint64_t>(nd_lowest(last) + die >= 25) << at
        last &= last - 1
        at += 1


cdef void weigh_reversed(const net_t* net, const plan_t* plan, const leaf_t* leaf, int a, const rules_t* rules,
                         weighing_t* turn) noexcept nogil:
    """The same for a leaf whose last moves come first."""
    cdef net_waiting_t* waiting = &turn.waiting
    cdef int s, first = leaf.before[0]
    cdef uint32_t last = leaf.last
    cdef net_change_t change
    cdef net_hidden_t middle
    while last:
        s = nd_lowest(last)
        last &= last - 1
        move(net, &turn.after[0], s + ND_HIT * ((leaf.hits >> s) & 1), plan.last_die, rules.short_, &middle)
        set_change(net, middle.row, first & (ND_HIT - 1), a, first >= ND_HIT, rules.short_, &change)
        net_dots(middle.sums, &change, 1, &net.outputs, rules.koks != 0, waiting.dots + waiting.count)
        if middle.row[OPPONENT_OFF] == -14:
            mark_over(<uint32_t>1 << (first & (ND_HIT - 1)), a, waiting)
        waiting.count += 1


cdef void play_row(int8_t* row, const plan_t* plan, const leaf_t* leaf, int source, int a, bint short_) noexcept nogil:
    """Play a whole play of a leaf on the flipped row, its moves in an order in which each has its checker."""
    cdef bint hit = (leaf.hits >> source) & 1, backwards = is_reversed(row, plan, leaf, short_)
    cdef int k, entry
    if backwards:
        move_checker(row, source, plan.last_die, hit, short_)
    for k in range(plan.moves - 1):
        entry = leaf.before[k]
        move_checker(row, entry & (ND_HIT - 1), a, entry >= ND_HIT, short_)
    if not backwards:
        move_checker(row, source, plan.last_die, hit, short_)


cdef void play_index(const int8_t* flipped, const plan_t* plan, int64_t index, int a, bint short_,
                     int8_t* after) noexcept nogil:
    """Write the afterstate of an index, of a turn with plays."""
    cdef int i = 0
    while index >= nd_count(plan.leaf[i].last):
        index -= nd_count(plan.leaf[i].last)
        i += 1
    nd_store(after, nd_load(flipped))
    play_row(after, plan, &plan.leaf[i], nd_select(plan.leaf[i].last, <int>index), a, short_)


cdef float value_of(const net_t* net, const net_hidden_t* state, const rules_t* rules) noexcept nogil:
    """What an afterstate is worth to the one who has played it."""
    cdef float chances[OUTPUTS]
    cdef float equity
    if state.row[OPPONENT_OFF] == -15:
        return points_lost(state.row, rules)
    chances_of(net, state, chances)
    equity = 2 * chances[0] - 1
    equity += (rules.mars - 1) * (chances[1] - chances[3])
    if rules.koks:
        equity += (rules.koks - rules.mars) * (chances[2] - chances[4])
    return -equity


cdef float best_play(const net_t* net, const int8_t* row, int a, int b, const rules_t* rules, plan_t* plan,
                     int8_t* after, int64_t* index) noexcept nogil:
    """Write the afterstate of the highest value, the first of equals, and its index; return its value to the mover."""
    cdef turn_t masks
    cdef weighing_t turn
    cdef int i
    list_turn(row, a, b, rules, &masks, plan)
    nd_store(turn.after[0].row, nd_flip(nd_load(row), rules.short_))
    sum_up(net, &turn.after[0])
    if not plan.leaves:
        index[0] = 0
        nd_store(after, nd_load(turn.after[0].row))
        return value_of(net, &turn.after[0], rules)
    turn.played[0] = UNPLAYED
    turn.waiting.count = 0
    turn.waiting.over = 0
    turn.first = turn.best_index = 0
    turn.best = -100
    for i in range(plan.leaves):
        if turn.waiting.count + nd_count(plan.leaf[i].last) > NET_BATCH:
            settle(net, rules, &turn)
        if is_reversed(turn.after[0].row, plan, &plan.leaf[i], rules.short_):
            weigh_reversed(net, plan, &plan.leaf[i], a, rules, &turn)
        else:
            weigh_leaf(net, plan, &plan.leaf[i], a, rules, &turn)
    settle(net, rules, &turn)
    index[0] = turn.best_index
    play_index(turn.after[0].row, plan, turn.best_index, a, rules.short_, after)
    return turn.best


cdef void any_play(const int8_t* row, int a, int b, const rules_t* rules, uint64_t choice, plan_t* plan,
                   int8_t* after) noexcept nogil:
    """Write an afterstate taken at random, each with the same chance."""
    cdef turn_t turn
    cdef int8_t flipped[28]
    list_turn(row, a, b, rules, &turn, plan)
    nd_store(flipped, nd_flip(nd_load(row), rules.short_))
    if plan.leaves:
        play_index(flipped, plan, <int64_t>nd_below(choice, <uint64_t>plan.total), a, rules.short_, after)
    else:
        nd_store(after, nd_load(flipped))


cdef void play_turn(const void* context, const int8_t* row, const int8_t* dice, const rules_t* rules, uint64_t choice,
                    plan_t* plan, int8_t* after, float* value) noexcept nogil:
    """One turn of the network's player, greedy but for a share of random turns."""
    cdef const net_t* net = <const net_t*>context
    cdef int a = max(dice[0], dice[1]), b = min(dice[0], dice[1])
    cdef net_hidden_t state
    cdef int64_t index
    if choice < net.epsilon:
        any_play(row, a, b, rules, choice * <uint64_t>0x9E3779B97F4A7C15, plan, after)
        memcpy(state.row, after, W)
        sum_up(net, &state)
        value[0] = value_of(net, &state, rules)
    else:
        value[0] = best_play(net, row, a, b, rules, plan, after, &index)


net_fill_tables()
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

    def __init__(self, const int16_t[:, :, :, ::1] columns, const int16_t[:, ::1] weights, const int16_t[::1] bias,
                 const int16_t[:, ::1] out_weights, const int32_t[::1] out_bias, float scale, uint64_t epsilon):
        self.arrays = (columns, weights, bias, out_weights, out_bias)
        self.net.hidden = self.net.outputs.hidden = <int>bias.shape[0]
        if self.net.hidden > NET_MOST_HIDDEN:
            raise ValueError("too many hidden units")
        self.net.columns = &columns[0, 0, 0, 0]
        self.net.weights = &weights[0, 0]
        self.net.bias = &bias[0]
        self.net.outputs.weights = &out_weights[0, 0]
        self.net.outputs.scale = scale
        self.net.outputs.limit = <int32_t>(<float>40 / scale)
        self.net.epsilon = epsilon
        for k in range(OUTPUTS):
            self.net.outputs.bias[k] = out_bias[k]

    def evaluate(self, const int8_t[:, ::1] rows, int64_t start, int64_t stop, float[:, ::1] chances):
        """Fill chances[start:stop], float32 (N, 5), for rows seen by the player on roll."""
        cdef int64_t i
        with nogil:
            for i in range(start, stop):
                evaluate_row(&self.net, &rows[i, 0], &chances[i, 0])

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

"""A small value network over all afterstates of a turn, without Python and without the GIL.

The hidden sums of a row differ from those of the row before a move by the weights of two inputs: one for the place
that the checker leaves and one for that which it reaches; two more for a checker hit. So the row before the turn is
summed up once, the moves that plays share are made once, and an afterstate costs its last move and the output layer.
"""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_New, PyCapsule_SetContext
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from narde._core cimport TURN_PLAYER, leaf_t, list_turn, plan_t
from narde._hidden cimport (
    NET_BATCH, OUTPUTS, chances_after, chances_of, move, move_checker, net_change_t, net_dots, net_hidden_t, net_index,
    net_outputs_t, net_t, set_change, sum_up,
)
from narde._turn cimport (
    ND_HIT, OFF, OPPONENT_OFF, W, nd_below, nd_count, nd_flip, nd_load, nd_lowest, nd_select, nd_store, points_lost,
    rules_t, turn_t,
)

cdef extern from "_net.h" nogil:
    int NET_MOST_HIDDEN
    ctypedef struct net_waiting_t:
        int32_t* dots
        float* values
        uint64_t over
        int count
    void net_init(int wanted)
    void net_fill_tables()
    void net_values(int32_t* dots, int count, const net_outputs_t* out, int mars, int koks, float* values)

cdef enum:
    UNPLAYED = 0xFFFF       # no entry of a leaf


cdef void evaluate_row(const net_t* net, const int8_t* row, float* chances) noexcept nogil:
    """The five chances of the player on roll, in a game that is not over."""
    cdef net_hidden_t state
    memcpy(state.row, row, W)
    sum_up(net, &state)
    chances_of(net, &state, chances)


# ---- The best play -----------------------------------------------------------------------------------------------


cdef struct weighing_t:     # a turn whose afterstates are being weighed
    const net_hidden_t* flipped
    net_hidden_t after[3]   # after each move but the last of the leaf at hand
    uint16_t played[4]      # these moves; one to spare
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
        waiting.values[nd_lowest(waiting.over)] = points_lost(turn.flipped.row, rules)
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
    cdef const net_hidden_t* before = turn.flipped
    cdef int k = 0, shared = plan.moves - 1
    while k < shared and turn.played[k] == leaf.before[k]:
        before = &turn.after[k]
        k += 1
    while k < shared:
        turn.played[k] = leaf.before[k]
        turn.played[k + 1] = UNPLAYED
        move(net, before, leaf.before[k], a, short_, &turn.after[k])
        before = &turn.after[k]
        k += 1
    return before


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
        move(net, turn.flipped, s + ND_HIT * ((leaf.hits >> s) & 1), plan.last_die, rules.short_, &middle)
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


cdef inline const leaf_t* find_play(const plan_t* plan, int64_t index, int* source) noexcept nogil:
    """The leaf of an afterstate, and where its last move starts."""
    cdef int i = 0
    while index >= nd_count(plan.leaf[i].last):
        index -= nd_count(plan.leaf[i].last)
        i += 1
    source[0] = nd_select(plan.leaf[i].last, <int>index)
    return &plan.leaf[i]


cdef void chances_of_play(const net_t* net, const plan_t* plan, const leaf_t* leaf, int source, int a, bint short_,
                          weighing_t* turn, float* chances) noexcept nogil:
    """The five chances of the player who rolls after a play."""
    cdef int entry = leaf.before[0]
    cdef bint hit = (leaf.hits >> source) & 1
    cdef net_hidden_t middle
    cdef net_change_t change
    cdef const net_hidden_t* before = &middle
    if is_reversed(turn.flipped.row, plan, leaf, short_):
        move(net, turn.flipped, source + ND_HIT * hit, plan.last_die, short_, &middle)
        set_change(net, middle.row, entry & (ND_HIT - 1), a, entry >= ND_HIT, short_, &change)
    else:
        before = play_shared(net, plan, leaf, a, short_, turn)
        set_change(net, before.row, source, plan.last_die, hit, short_, &change)
    chances_after(net, before, &change, chances)


cdef inline void exact_chances(const int8_t* row, const rules_t* rules, float* chances) noexcept nogil:
    """Those of the player who would roll, his opponent having borne off all."""
    cdef int lost = points_lost(row, rules)
    chances[0] = chances[1] = chances[2] = 0
    chances[3] = row[OFF] == 0
    chances[4] = row[OFF] == 0 and rules.koks and lost == rules.koks


cdef float value_of(const net_t* net, const net_hidden_t* state, const rules_t* rules, float* chances) noexcept nogil:
    """What an afterstate is worth to the one who has played it; its chances, unless they are NULL."""
    cdef float found[OUTPUTS]
    cdef float equity
    if state.row[OPPONENT_OFF] == -15:
        exact_chances(state.row, rules, found)
    else:
        chances_of(net, state, found)
    if chances != NULL:
        memcpy(chances, found, sizeof(found))
    equity = 2 * found[0] - 1
    equity += (rules.mars - 1) * (found[1] - found[3])
    if rules.koks:
        equity += (rules.koks - rules.mars) * (found[2] - found[4])
    return -equity


cdef void start_turn(const net_t* net, const int8_t* row, bint short_, net_hidden_t* flipped) noexcept nogil:
    """The row as the opponent will see it, with its hidden sums: what all rolls have in common."""
    nd_store(flipped.row, nd_flip(nd_load(row), short_))
    sum_up(net, flipped)


cdef float best_of_roll(const net_t* net, const net_hidden_t* flipped, const int8_t* row, int a, int b,
                        const rules_t* rules, plan_t* plan, int8_t* after, int64_t* index, float* chances) noexcept nogil:
    """`best_play` of a row of which `start_turn` has made `flipped`; and the chances of the player who rolls next,
    unless they are NULL."""
    cdef turn_t masks
    cdef weighing_t turn
    cdef const leaf_t* leaf
    cdef int i, source
    list_turn(row, a, b, rules, &masks, plan)
    nd_store(after, nd_load(flipped.row))
    index[0] = 0
    if not plan.leaves:
        return value_of(net, flipped, rules, chances)
    turn.flipped = flipped
    turn.played[0] = UNPLAYED
    turn.waiting.count = 0
    turn.waiting.over = 0
    turn.first = turn.best_index = 0
    turn.best = -100
    for i in range(plan.leaves):
        if turn.waiting.count + nd_count(plan.leaf[i].last) > NET_BATCH:
            settle(net, rules, &turn)
        if is_reversed(flipped.row, plan, &plan.leaf[i], rules.short_):
            weigh_reversed(net, plan, &plan.leaf[i], a, rules, &turn)
        else:
            weigh_leaf(net, plan, &plan.leaf[i], a, rules, &turn)
    settle(net, rules, &turn)
    index[0] = turn.best_index
    leaf = find_play(plan, turn.best_index, &source)
    play_row(after, plan, leaf, source, a, rules.short_)
    if chances != NULL and after[OPPONENT_OFF] == -15:
        exact_chances(after, rules, chances)
    elif chances != NULL:
        chances_of_play(net, plan, leaf, source, a, rules.short_, &turn, chances)
    return turn.best


cdef float best_play(const net_t* net, const int8_t* row, int a, int b, const rules_t* rules, plan_t* plan,
                     int8_t* after, int64_t* index, float* chances) noexcept nogil:
    """Write the afterstate of the highest value, the first of equals, its index and chances; return its value."""
    cdef net_hidden_t flipped
    start_turn(net, row, rules.short_, &flipped)
    return best_of_roll(net, &flipped, row, a, b, rules, plan, after, index, chances)


cdef void look_ahead(const net_t* net, const int8_t* row, const rules_t* rules, plan_t* plan, float* ahead) noexcept nogil:
    """The mean, over the rolls, of the mover's chances after his best plays, as evaluators/plies.py sums it up."""
    cdef net_hidden_t flipped
    cdef int8_t after[28]
    cdef float chances[OUTPUTS]
    cdef double total[OUTPUTS]
    cdef int64_t index
    cdef int high, low, weight, k
    memset(total, 0, sizeof(total))
    start_turn(net, row, rules.short_, &flipped)
    for high in range(1, 7):
        for low in range(1, high + 1):
            best_of_roll(net, &flipped, row, high, low, rules, plan, after, &index, chances)
            weight = 1 if high == low else 2
            total[0] += weight * (1 - <double>chances[0])
            for k in range(1, OUTPUTS):
                total[k] += weight * <double>chances[k + 2 if k < 3 else k - 2]
    for k in range(OUTPUTS):
        ahead[k] = <float>(total[k] / 36)


cdef void any_play(const int8_t* row, int a, int b, const rules_t* rules, uint64_t choice, plan_t* plan,
                   int8_t* after) noexcept nogil:
    """Write an afterstate taken at random, each with the same chance."""
    cdef turn_t turn
    cdef const leaf_t* leaf
    cdef int source
    list_turn(row, a, b, rules, &turn, plan)
    nd_store(after, nd_flip(nd_load(row), rules.short_))
    if plan.leaves:
        leaf = find_play(plan, <int64_t>nd_below(choice, <uint64_t>plan.total), &source)
        play_row(after, plan, leaf, source, a, rules.short_)


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
        value[0] = value_of(net, &state, rules, NULL)
    else:
        value[0] = best_play(net, row, a, b, rules, plan, after, &index, NULL)


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
               int64_t start, int64_t stop, int8_t[:, ::1] afters, float[::1] values, int64_t[::1] indices,
               float[:, ::1] chances):
        """Fill in the best afterstate of each turn, what it is worth to the mover, which one of the turn's it is, and its
        chances, where they have rows."""
        cdef int64_t i
        cdef bint wanted = chances.shape[0] > 0
        cdef plan_t plan
        with nogil:
            for i in range(start, stop):
                values[i] = best_play(&self.net, &rows[i, 0], max(dice[i, 0], dice[i, 1]), min(dice[i, 0], dice[i, 1]),
                                      &rules[0], &plan, &afters[i, 0], &indices[i], &chances[i, 0] if wanted else NULL)

    def look_ahead(self, const int8_t[:, ::1] rows, const rules_t[::1] rules, int64_t start, int64_t stop,
                   float[:, ::1] chances):
        """Fill chances[start:stop], float32 (N, 5), with the means over the 21 rolls after the best plays."""
        cdef int64_t i
        cdef plan_t plan
        with nogil:
            for i in range(start, stop):
                look_ahead(&self.net, &rows[i, 0], &rules[0], &plan, &chances[i, 0])

    def turn_player(self):
        """`play_turn` with this network, for _games.pyx; the capsule keeps the network alive."""
        capsule = PyCapsule_New(<void*>play_turn, TURN_PLAYER, release)
        self.net.owner = <void*>self
        PyCapsule_SetContext(capsule, <void*>&self.net)
        Py_INCREF(self)
        return capsule

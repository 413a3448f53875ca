"""Trials of a rollout by a network, wholly without Python and without the GIL.

The twin of rollouts/lockstep.py, sum by sum in the same order, so that both give the same bytes.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from narde._core cimport leaf_t, list_turn, plan_t
from narde._hidden cimport net_hidden_t, net_t
from narde._net cimport CompiledNetwork, best_of_roll, evaluate_row, start_turn
from narde._streams cimport open_stream, open_stream_at, roll_dice, stream_t, word
from narde._turn cimport (
    BAR, ND_HIT, OFF, OPPONENT_OFF, W, nd_flip, nd_load, nd_lowest, nd_store, rules_t, turn_t,
)

cdef enum:
    POINTS = 6              # of a home board
    MOST_ROLLS = 31         # numbers of rolls that a home board may need, 0 to 30
    MOST_FIRST_ROLLS = 11   # and until the first checker is off
    FULL = 38760            # rank of the first home board of fifteen checkers
    FEW_BOARDS = 924        # ranks of boards of at most six checkers
    CHANCES = 5


cdef struct tables_t:       # the bear-off tables; `rolls` is NULL where there are none
    const double* rolls
    const double* first_off
    const double* win


cdef struct job_t:          # what all trials share
    const net_t* net        # NULL where all of them are races that the tables cover
    const rules_t* rules
    tables_t tables
    int last                # turns after which a trial is cut off
    bint truncated          # or is an error
    bint reduced            # whether luck is taken away
    plan_t plan


# ---- Chances -----------------------------------------------------------------------------------------------------


cdef inline void swap(const double* chances, double* other) noexcept nogil:
    """The chances seen by the other player."""
    other[0] = 1 - chances[0]
    other[1] = chances[3]
    other[2] = chances[4]
    other[3] = chances[1]
    other[4] = chances[2]


cdef inline void turn_luck(double* luck) noexcept nogil:
    """Luck in chances of one player as it changes those of the other."""
    cdef double mars = luck[1], koks = luck[2]
    luck[0] = -luck[0]
    luck[1] = luck[3]
    luck[2] = luck[4]
    luck[3] = mars
    luck[4] = koks


cdef inline void lost(const int8_t* row, const rules_t* rules, double* chances) noexcept nogil:
    """The chances of a mover whose opponent has borne off all."""
    cdef int i
    memset(chances, 0, CHANCES * sizeof(double))
    if row[OFF] > 0:
        return
    chances[3] = 1
    if rules.koks:
        chances[4] = row[BAR] > 0
        for i in range(18, 24):
            if row[i] > 0:
                chances[4] = 1


# ---- Races between home boards -----------------------------------------------------------------------------------


cdef int64_t STEPS[POINTS][16]     # the binomials total + i over i + 1, written once

cdef int _i, _k, _total
for _i in range(POINTS):
    for _total in range(16):
        STEPS[_i][_total] = 1
        for _k in range(1, _i + 2):
            STEPS[_i][_total] = STEPS[_i][_total] * (_total + _i + 1 - _k) // _k


cdef struct side_t:         # a home board and what the tables know of it
    int8_t home[POINTS]
    int64_t rank
    const double* rolls
    const double* first     # NULL but with fifteen checkers
    int most                # rolls that it may need


cdef inline void read_side(const tables_t* tables, side_t* side) noexcept nogil:
    """The rank of the home board, as `homes.ranks_of` counts it, and what the tables have of it."""
    cdef int p, total = 0
    side.rank = 0
    for p in range(POINTS):
        total += side.home[p]
        side.rank += STEPS[p][total]
    side.rolls = tables.rolls + side.rank * MOST_ROLLS
    side.first = tables.first_off + (side.rank - FULL) * MOST_FIRST_ROLLS if side.rank >= FULL else NULL
    side.most = MOST_ROLLS - 1
    while side.most and side.rolls[side.most] == 0:
        side.most -= 1


cdef inline bint read_home(const int8_t* row, int start, int step, int sign, int borne_off, side_t* side) noexcept nogil:
    """Whether all checkers of a side are on its home board or off; if so, its home board."""
    cdef int p, n, total = sign * row[borne_off]
    for p in range(POINTS):
        n = sign * row[start + step * p]
        side.home[p] = <int8_t>max(n, 0)
        total += side.home[p]
    return total == 15


cdef inline bint read_race(const job_t* job, const int8_t* row, side_t* mover, side_t* opponent) noexcept nogil:
    """Whether the tables cover the row of a game that goes on; if so, both sides."""
    if job.tables.rolls == NULL or not read_home(row, 0, 1, 1, OFF, mover):
        return False
    if not (read_home(row, 23, -1, -1, OPPONENT_OFF, opponent) if job.rules.short_
            else read_home(row, 12, 1, -1, OPPONENT_OFF, opponent)):
        return False
    read_side(&job.tables, mover)
    read_side(&job.tables, opponent)
    return True


cdef inline bint is_exact(const side_t* mover, const side_t* opponent) noexcept nogil:
    return mover.rank < FEW_BOARDS and opponent.rank < FEW_BOARDS


cdef inline double meets(const side_t* side, const double* waits, int most, bint one_less) noexcept nogil:
    """The chance that the side is done in n rolls, and the other then still waits: after n, or n - 1 of its own.

    `waits`: the chances that the other's wait takes exactly 0, 1, ... `most` rolls."""
    cdef double total = 0, left = 1, later = 0, before = 0
    cdef int n
    for n in range(side.most + 1):
        if n <= most:
            left -= waits[n]
            later = left if left > 0 else 0
        else:
            later = 0
        if n == 0:
            before = later
        total += side.rolls[n] * (before if one_less else later)
        before = later
    return total if total < 1 else 1


cdef void race_chances(const job_t* job, const side_t* mover, const side_t* opponent, double* chances) noexcept nogil:
    """The mover's chances by the tables."""
    memset(chances, 0, CHANCES * sizeof(double))
    if is_exact(mover, opponent):
        chances[0] = job.tables.win[mover.rank * FEW_BOARDS + opponent.rank]
        return
    chances[0] = meets(mover, opponent.rolls, MOST_ROLLS - 1, True)
    if opponent.first != NULL:
        chances[1] = meets(mover, opponent.first, MOST_FIRST_ROLLS - 1, True)
    if mover.first != NULL:
        chances[3] = meets(opponent, mover.first, MOST_FIRST_ROLLS - 1, False)


cdef inline void bear(int8_t* home, int source, int die) noexcept nogil:
    """Move a checker within the home board or off."""
    cdef int point = 25 - source
    home[point - 1] -= 1
    if point > die:
        home[point - die - 1] += 1


cdef inline void answer(const job_t* job, const side_t* mover, const side_t* played, double* chances) noexcept nogil:
    """The chances of the mover whose opponent has just played, as an evaluator tells them: in single precision."""
    cdef int k
    if played.rank == 0:
        memset(chances, 0, CHANCES * sizeof(double))
        chances[3] = mover.first != NULL
        return
    race_chances(job, mover, played, chances)
    for k in range(CHANCES):
        chances[k] = <float>chances[k]


cdef inline float worth(const double* chances, const rules_t* rules) noexcept nogil:
    """What chances of the player who rolls next are worth to who has played, by the sums of evaluators/worth.py."""
    cdef float equity = 2 * <float>chances[0] - 1
    equity += (rules.mars - 1) * (<float>chances[1] - <float>chances[3])
    if rules.koks:
        equity += (rules.koks - rules.mars) * (<float>chances[2] - <float>chances[4])
    return -equity


cdef void best_in_race(job_t* job, const int8_t* row, const side_t* mover, const side_t* opponent, int a, int b,
                       side_t* after, double* chances) noexcept nogil:
    """The home board after the play of the highest equity by the tables, and the chances of the opponent, who rolls."""
    cdef turn_t turn
    cdef side_t side
    cdef double found[CHANCES]
    cdef float value, best = -100
    cdef const leaf_t* leaf
    cdef uint32_t last
    cdef int i, k
    list_turn(row, a, b, job.rules, &turn, &job.plan)       # some die can always be played in a race
    for i in range(job.plan.leaves):
        leaf = &job.plan.leaf[i]
        last = leaf.last
        while last:
            memcpy(side.home, mover.home, POINTS)
            for k in range(job.plan.moves - 1):
                bear(side.home, leaf.before[k] & (ND_HIT - 1), a)
            bear(side.home, nd_lowest(last), job.plan.last_die)
            last &= last - 1
            read_side(&job.tables, &side)
            answer(job, opponent, &side, found)
            value = worth(found, job.rules)
            if value > best:
                best = value
                after[0] = side
                memcpy(chances, found, sizeof(found))


cdef inline void put_home(const int8_t* row, const side_t* after, bint short_, int8_t* out) noexcept nogil:
    """The row after a play within the home board."""
    cdef int p, n = 15
    nd_store(out, nd_flip(nd_load(row), short_))
    for p in range(POINTS):
        out[23 - p if short_ else 12 + p] = -after.home[p]
        n -= after.home[p]
    out[OPPONENT_OFF] = <int8_t>-n


# ---- Trials ------------------------------------------------------------------------------------------------------


cdef void play_roll(job_t* job, const int8_t* row, const net_hidden_t* flipped, const side_t* sides, int a, int b,
                    int8_t* after, double* chances) noexcept nogil:
    """The best play of a roll a >= b: the row after it, and the mover's chances then. `sides`: NULL, or of a race;
    `flipped`: where they are NULL, what `start_turn` makes of the row."""
    cdef side_t home
    cdef double found[CHANCES]
    cdef float outputs[CHANCES]
    cdef int64_t index
    cdef int k
    if sides != NULL:
        best_in_race(job, row, &sides[0], &sides[1], a, b, &home, found)
        put_home(row, &home, job.rules.short_, after)
    else:
        best_of_roll(job.net, flipped, row, a, b, job.rules, &job.plan, after, &index, outputs)
        for k in range(CHANCES):
            found[k] = outputs[k]
    swap(found, chances)


cdef void play_turn(job_t* job, const int8_t* row, const side_t* sides, const int8_t* dice, int8_t* after,
                    double* luck) noexcept nogil:
    """The turn of a roll, and its luck in chances of the mover, which is 0 where it is not asked for."""
    cdef int a = max(dice[0], dice[1]), b = min(dice[0], dice[1]), high, low, k
    cdef double mean[CHANCES]
    cdef double chances[CHANCES]
    cdef int8_t other[28]
    cdef net_hidden_t flipped
    if sides == NULL:
        start_turn(job.net, row, job.rules.short_, &flipped)
    if not job.reduced:
        play_roll(job, row, &flipped, sides, a, b, after, chances)
        memset(luck, 0, CHANCES * sizeof(double))
        return
    memset(mean, 0, sizeof(mean))
    for high in range(1, 7):
        for low in range(1, high + 1):
            play_roll(job, row, &flipped, sides, high, low, other, chances)
            for k in range(CHANCES):
                mean[k] += (1 if high == low else 2) * chances[k]
            if high == a and low == b:
                memcpy(after, other, W)
                memcpy(luck, chances, sizeof(chances))
    for k in range(CHANCES):
        luck[k] -= mean[k] / 36


cdef bint is_known(job_t* job, const int8_t* row, int turn, const side_t* sides, bint raced,
                   double* chances) noexcept nogil:
    """Whether the trial ends here, and the mover's chances."""
    cdef float outputs[CHANCES]
    cdef int k
    if row[OPPONENT_OFF] == -15:
        lost(row, job.rules, chances)
        return True
    if raced and is_exact(&sides[0], &sides[1]):
        race_chances(job, &sides[0], &sides[1], chances)
        return True
    if turn == job.last and (raced or job.truncated):   # in single precision, as an evaluator tells them
        if raced:
            race_chances(job, &sides[0], &sides[1], chances)
            for k in range(CHANCES):
                outputs[k] = <float>chances[k]      # not in place: GCC 12 has left the first unrounded there
        else:
            evaluate_row(job.net, row, outputs)
        for k in range(CHANCES):
            chances[k] = outputs[k]
        return True
    return False


cdef bint play_trial(job_t* job, const int8_t* start, int first_turn, stream_t* rolls, const int8_t* opening,
                     double* result) noexcept nogil:
    """Add what a trial gives from a turn on, in chances of who rolled first; False if it does not end."""
    cdef int8_t rows[2][28]
    cdef int8_t dice[2]
    cdef double luck[CHANCES]
    cdef double chances[CHANCES]
    cdef double other[CHANCES]
    cdef side_t sides[2]
    cdef int turn, k
    cdef bint raced
    memcpy(rows[first_turn & 1], start, W)
    for turn in range(first_turn, job.last + 1):
        raced = read_race(job, rows[turn & 1], &sides[0], &sides[1])
        if is_known(job, rows[turn & 1], turn, sides, raced, chances):
            swap(chances, other)
            for k in range(CHANCES):
                result[k] += other[k] if turn & 1 else chances[k]
            return True
        if turn < 2:
            memcpy(dice, opening + 2 * turn, 2)
        else:
            roll_dice(word(rolls, turn), False, dice)
        play_turn(job, rows[turn & 1], sides if raced else NULL, dice, rows[1 - (turn & 1)], luck)
        if turn & 1:
            turn_luck(luck)
        for k in range(CHANCES):
            result[k] -= luck[k]
    return False


cdef void tell(job_t* job, const net_t* net, const rules_t[::1] rules, int last, bint truncated, bint reduced,
               const double[:, ::1] rolls, const double[:, ::1] first_off, const double[:, ::1] win):
    """Fill in what is asked of all trials; the tables may be None."""
    job.net = net
    job.rules = &rules[0]
    job.tables.rolls = NULL if rolls is None else &rolls[0, 0]
    job.tables.first_off = NULL if first_off is None else &first_off[0, 0]
    job.tables.win = NULL if win is None else &win[0, 0]
    job.last = last
    job.truncated = truncated
    job.reduced = reduced


def play_trials(CompiledNetwork network, const rules_t[::1] rules, const int8_t[:, ::1] starts, const uint64_t[::1] key,
                int64_t first, const int8_t[:, :, ::1] opening, int last, bint truncated, bint reduced,
                const double[:, ::1] rolls, const double[:, ::1] first_off, const double[:, ::1] win,
                double[:, :, ::1] results):
    """Fill results, (trials, starts, 5), with what the trials from number `first` on give of each start.

    `opening` are the dice of the first two turns, (trials, 2, 2); `last` is the turn at which a trial is cut off where
    `truncated`; `rolls`, `first_off` and `win` are the bear-off tables, or None. Returns the index of the first start
    of which a trial does not end by then, or -1."""
    cdef job_t job
    cdef stream_t stream
    cdef int64_t t, i
    tell(&job, &network.net, rules, last, truncated, reduced, rolls, first_off, win)
    with nogil:
        for t in range(results.shape[0]):
            for i in range(starts.shape[0]):
                open_stream(&stream, &key[0], <uint64_t>(first + t), 0)
                memset(&results[t, i, 0], 0, CHANCES * sizeof(double))
                if not play_trial(&job, &starts[i, 0], 0, &stream, &opening[t, 0, 0], &results[t, i, 0]):
                    with gil:
                        return i
    return -1


def play_races(const rules_t[::1] rules, const int8_t[:, ::1] rows, int turn, const uint64_t[::1] key,
               const int64_t[::1] trials, const int8_t[:, :, ::1] opening, int last, bint truncated, bint reduced,
               const double[:, ::1] rolls, const double[:, ::1] first_off, const double[:, ::1] win,
               double[:, ::1] results):
    """Play trials on that the tables cover from a turn on, whose rows these are, and add to `results`, (N, 5).

    `trials` are their numbers; the rest is as in `play_trials`. Returns the index of the first row that the tables do
    not cover or that does not end, or -1."""
    cdef job_t job
    cdef stream_t stream
    cdef side_t mover, opponent
    cdef int64_t i
    tell(&job, NULL, rules, last, truncated, reduced, rolls, first_off, win)
    with nogil:
        for i in range(rows.shape[0]):
            open_stream_at(&stream, &key[0], <uint64_t>trials[i], 0, turn >> 2)
            if not (read_race(&job, &rows[i, 0], &mover, &opponent)
                    and play_trial(&job, &rows[i, 0], turn, &stream, &opening[i, 0, 0], &results[i, 0])):
                with gil:
                    return i
    return -1

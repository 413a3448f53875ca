"""The moves of a play: for each afterstate of a plan, single moves in an order in which each is legal."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

from narde._core cimport leaf_t, list_turn, plan_t
from narde._turn cimport ND_HIT, is_walled, nd_count, nd_highest, nd_lowest, rules_t, sources, turn_t


cdef struct moves_t:        # the moves of a play by source and die, and which are already played
    int n
    int source[4]
    int die[4]
    bint played[4]


cdef inline uint32_t occupied(const uint8_t* checkers) noexcept nogil:
    cdef uint32_t points = 0
    cdef int s
    for s in range(25):
        points |= <uint32_t>(checkers[s] > 0) << s
    return points


cdef bint put_in_order(const turn_t* turn, uint8_t* checkers, moves_t* moves, int done, int8_t* out) noexcept nogil:
    """Write the moves in an order in which each is legal when its turn comes; the highest points go first if they can."""
    cdef int k, landing
    cdef bint found
    cdef uint32_t here
    if done == moves.n:
        return True
    here = occupied(checkers)
    for k in range(moves.n):
        if moves.played[k] or not (sources(here, turn.stays, turn.open, moves.die[k]) >> moves.source[k]) & 1:
            continue
        landing = min(moves.source[k] + moves.die[k], 25)
        moves.played[k] = True
        checkers[moves.source[k]] -= 1
        checkers[landing] += 1
        found = ((turn.at_end or not is_walled(occupied(checkers) | turn.stays, turn.walled))
                 and put_in_order(turn, checkers, moves, done + 1, out))
        checkers[moves.source[k]] += 1
        checkers[landing] -= 1
        moves.played[k] = False
        if found:
            out[2 * done] = <int8_t>(25 - moves.source[k])
            out[2 * done + 1] = <int8_t>(25 - landing)
            return True
    return False


cdef void write_moves(const turn_t* turn, const plan_t* plan, const leaf_t* leaf, int s, int a, int8_t* out) noexcept nogil:
    """The moves of one play, (from, to) each, in a playable order."""
    cdef uint8_t checkers[26]
    cdef moves_t moves
    cdef bint hits
    cdef int k
    memset(&moves, 0, sizeof(moves))
    moves.n = plan.moves
    for k in range(plan.moves - 1):
        moves.source[k] = leaf.before[k] & (ND_HIT - 1)
        moves.die[k] = a
    moves.source[plan.moves - 1] = s
    moves.die[plan.moves - 1] = plan.last_die
    for k in range(26):
        checkers[k] = <uint8_t>(((turn.own1 >> k) & 1) + ((turn.own2 >> k) & 1) + ((turn.own3 >> k) & 1)
                                + ((turn.own4 >> k) & 1))
    hits = (leaf.before[0] & ND_HIT) != 0 or (leaf.hits >> s) & 1
    if nd_count(turn.own1) == 1 and not turn.own2 | turn.stays and nd_highest(turn.own1) + a >= 25 and not hits:
        moves.n = 1         # the last checker goes off by the higher die alone, the other one is not needed
        moves.source[0] = nd_highest(turn.own1)
        moves.die[0] = a
    put_in_order(turn, checkers, &moves, 0, out)


def moves_of(const int8_t[:, ::1] rows, const int8_t[:, ::1] dice, const rules_t[::1] rules,
             int64_t start, int64_t stop, const int64_t[::1] offsets, int8_t[:, :, ::1] moves):
    """Fill moves[offsets[start]:offsets[stop]], int8 (M, 4, 2), with a shortest play for each afterstate.

    The array comes filled with -1, which stands for no move. A row that another thread has changed gets none.
    """
    cdef int64_t i, at, row_step = rows.shape[0] > 1, dice_step = dice.shape[0] > 1
    cdef int a, b, k
    cdef uint32_t last
    cdef turn_t turn
    cdef plan_t plan
    with nogil:
        for i in range(start, stop):
            a = max(dice[i * dice_step, 0], dice[i * dice_step, 1])
            b = min(dice[i * dice_step, 0], dice[i * dice_step, 1])
            list_turn(&rows[i * row_step, 0], a, b, &rules[0], &turn, &plan)
            at = offsets[i]
            if plan.total > offsets[i + 1] - at:
                continue
            for k in range(plan.leaves):
                last = plan.leaf[k].last
                while last:
                    write_moves(&turn, &plan, &plan.leaf[k], nd_lowest(last), a, &moves[at, 0, 0])
                    last &= last - 1
                    at += 1

"""Whether rows are positions of the game: what board.validate explains, asked of many rows at once."""

from libc.stdint cimport int8_t, int64_t

from narde._turn cimport (
    BAR, OFF, OPPONENT_BAR, OPPONENT_OFF, OUTSIDE, nd_own, nd_points, nd_points_at, nd_theirs, nd_totals,
    opponents_order, rules_t,
)


cdef inline bint is_position(const int8_t* row, bint short_) noexcept nogil:
    """What board.validate demands of a row."""
    cdef int own, theirs
    cdef nd_points points
    nd_totals(row, &own, &theirs)
    if own != 15 or theirs != 15 or row[BAR] < 0 or row[OPPONENT_BAR] > 0 or row[OFF] < 0 or row[OPPONENT_OFF] > 0:
        return False
    if short_:
        return True
    if row[BAR] or row[OPPONENT_BAR]:
        return False
    points = nd_points_at(row)
    if row[OFF] and nd_own(points, 1) & OUTSIDE:
        return False
    return not row[OPPONENT_OFF] or not opponents_order(nd_theirs(points, 1)) & OUTSIDE


def first_invalid(const int8_t[:, ::1] rows, const rules_t[::1] rules, int64_t start, int64_t stop):
    """The index of the first row in start..stop that is no position, or -1."""
    cdef int64_t i
    cdef int64_t found = -1
    with nogil:
        for i in range(start, stop):
            if not is_position(&rows[i, 0], rules[0].short_):
                found = i
                break
    return found


def fill_features(const int8_t[:, ::1] rows, float[:, ::1] inputs):
    """Fill float32 (N, 196) with the code of features.py."""
    cdef int64_t i
    cdef int p, side, n
    cdef float* to
    with nogil:
        for i in range(rows.shape[0]):
            for side in range(2):
                to = &inputs[i, 98 * side]
                for p in range(24):
                    n = max(-rows[i, p] if side else rows[i, p], 0)
                    to[4 * p] = n >= 1
                    to[4 * p + 1] = n >= 2
                    to[4 * p + 2] = n >= 3
                    to[4 * p + 3] = max(n - 3, 0)
                to[96] = -rows[i, OPPONENT_BAR] if side else rows[i, BAR]
                to[97] = -rows[i, OPPONENT_OFF] if side else rows[i, OFF]

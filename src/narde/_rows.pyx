"""Whether rows are positions of the game: what board.validate explains, asked of many rows; rows as inputs."""

from libc.stdint cimport int8_t, int64_t

from narde._turn cimport BAR, OFF, OPPONENT_BAR, OPPONENT_OFF, W, rules_t
from narde._turn cimport first_invalid as first_invalid_of


def first_invalid(const int8_t[:, ::1] rows, const rules_t[::1] rules, int64_t start, int64_t stop):
    """The index of the first row in start..stop that is no position, or -1."""
    cdef int64_t found = -1
    if start < stop:
        with nogil:
            found = first_invalid_of(&rows[0, 0] + start * W, stop - start, rules[0].short_)
    return start + found if found >= 0 else -1


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

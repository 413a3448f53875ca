"""Passes over many rows: whether they are positions of the game, afterstates of others, over; rows as inputs."""

from libc.stdint cimport int8_t, int64_t, uint8_t
from libc.string cimport memcmp, memcpy, memset

from narde._turn cimport BAR, OFF, OPPONENT_BAR, OPPONENT_OFF, W, rules_t
from narde._turn cimport first_invalid as first_invalid_of

cdef enum:
    SIDE = 98               # inputs of a side


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
    cdef int p, n
    cdef float* to
    with nogil:
        for i in range(rows.shape[0]):
            memset(&inputs[i, 0], 0, 2 * SIDE * sizeof(float))
            for p in range(24):
                n = rows[i, p]
                if n:
                    to = &inputs[i, 4 * p + (SIDE if n < 0 else 0)]
                    n = abs(n)
                    to[0] = 1
                    to[1] = n >= 2
                    to[2] = n >= 3
                    to[3] = max(n - 3, 0)
            inputs[i, 96] = rows[i, BAR]
            inputs[i, 97] = rows[i, OFF]
            inputs[i, SIDE + 96] = -rows[i, OPPONENT_BAR]
            inputs[i, SIDE + 97] = -rows[i, OPPONENT_OFF]


def first_foreign(const int8_t[:, ::1] rows, const int8_t[:, ::1] positions, const int64_t[::1] offsets):
    """The index of the first row i that is none of positions[offsets[i]:offsets[i + 1]], or -1."""
    cdef int64_t found = -1, i, k
    with nogil:
        for i in range(rows.shape[0]):
            k = offsets[i]
            while k < offsets[i + 1] and memcmp(&rows[i, 0], &positions[k, 0], W):
                k += 1
            if k == offsets[i + 1]:
                found = i
                break
    return found


def fill_over(const int8_t[:, ::1] rows, uint8_t[::1] over):
    """Fill over (M,) with 1 where a side has all 15 off, with 0 elsewhere; returns how many have."""
    cdef int64_t i, found = 0
    with nogil:
        for i in range(over.shape[0]):
            over[i] = (rows[i, OFF] == 15) | (rows[i, OPPONENT_OFF] == -15)
            found += over[i]
    return found


def fill_races(const int8_t[:, ::1] rows, const int64_t[::1] opponents_home, uint8_t[::1] races):
    """Fill races (M,) with 1 where both sides have all checkers home or off and not both all off, with 0 elsewhere."""
    cdef int64_t i
    cdef int p, own, theirs
    with nogil:
        for i in range(races.shape[0]):
            own = rows[i, OFF]
            theirs = -rows[i, OPPONENT_OFF]
            for p in range(6):
                own += max(rows[i, p], <int8_t>0)
                theirs -= min(rows[i, opponents_home[p]], <int8_t>0)
            races[i] = (own == 15) & (theirs == 15) & ((rows[i, OFF] != 15) | (rows[i, OPPONENT_OFF] != -15))


def part_rows(const int8_t[:, ::1] rows, const uint8_t[::1] over, int8_t[:, ::1] going, int8_t[:, ::1] done):
    """Fill `going` with the rows (M, 28) that are not over and `done` with those that are, in their order."""
    cdef int64_t i, n_going = 0, n_done = 0
    with nogil:
        for i in range(over.shape[0]):
            if over[i]:
                memcpy(&done[n_done, 0], &rows[i, 0], W)
                n_done += 1
            else:
                memcpy(&going[n_going, 0], &rows[i, 0], W)
                n_going += 1


def join_chances(const float[:, ::1] going, const float[:, ::1] done, const uint8_t[::1] over, float[:, ::1] chances):
    """Fill `chances` (M, 5) with what `part_rows` has parted."""
    cdef int64_t i, n_going = 0, n_done = 0
    with nogil:
        for i in range(over.shape[0]):
            if over[i]:
                memcpy(&chances[i, 0], &done[n_done, 0], 5 * sizeof(float))
                n_done += 1
            else:
                memcpy(&chances[i, 0], &going[n_going, 0], 5 * sizeof(float))
                n_going += 1

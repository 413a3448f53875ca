"""From the chances of all afterstates of a batch to one of each row: what they are worth, the highest, one by chance.

Row i owns the afterstates offsets[i] to offsets[i + 1] - 1, one or more.
"""

from libc.stdint cimport int64_t


def are_shares(const float[::1] numbers):
    """Whether each is from 0 to 1; NaN is not."""
    cdef int64_t i
    cdef bint all_are = True
    with nogil:
        for i in range(numbers.shape[0]):  # to the end: a loop that stops early is not made into vectors
            all_are &= (numbers[i] >= 0) & (numbers[i] <= 1)
    return all_are


def fill_values(const float[:, ::1] chances, float mars, float koks, float[::1] values):
    """Fill float32 (M,) with what afterstates are worth to those who have played them: minus the equity of chances
    (M, 5). `mars` is what mars counts beyond a win, `koks` beyond mars; 0 for a koks that does not score."""
    cdef int64_t i
    cdef float points
    with nogil:
        for i in range(values.shape[0]):
            points = 2 * chances[i, 0] - 1
            points = points + mars * (chances[i, 1] - chances[i, 3])
            points = points + koks * (chances[i, 2] - chances[i, 4])
            values[i] = -points


def fill_highest(const float[::1] values, const int64_t[::1] offsets, int64_t[::1] found):
    """Fill found (N,) with the number of the highest value of each row, the first of equals."""
    cdef int64_t i, k, best
    with nogil:
        for i in range(found.shape[0]):
            best = offsets[i]
            for k in range(best + 1, offsets[i + 1]):
                if values[k] > values[best]:
                    best = k
            found[i] = best


def fill_below_highest(const float[::1] values, const int64_t[::1] offsets, double[::1] below):
    """Fill float64 (M,) with each value less the highest of its row."""
    cdef int64_t i, k
    cdef double highest
    with nogil:
        for i in range(offsets.shape[0] - 1):
            highest = values[offsets[i]]
            for k in range(offsets[i] + 1, offsets[i + 1]):
                highest = max(highest, <double>values[k])
            for k in range(offsets[i], offsets[i + 1]):
                below[k] = values[k] - highest


def fill_drawn(const double[::1] weights, const int64_t[::1] offsets, const double[::1] shares, int64_t[::1] found):
    """Fill found (N,) with the first of each row up to which the weights add up to more than the share (N,) of them
    all, or with the last. They are added from the first on."""
    cdef int64_t i, k
    cdef double total, wanted
    with nogil:
        for i in range(found.shape[0]):
            total = weights[offsets[i]]
            for k in range(offsets[i] + 1, offsets[i + 1]):
                total += weights[k]
            wanted = shares[i] * total
            k = offsets[i]
            total = weights[k]
            while total <= wanted and k + 1 < offsets[i + 1]:
                k += 1
                total += weights[k]
            found[i] = k


def fill_means(const float[:, ::1] chances, const int64_t[::1] weights, double[:, ::1] means):
    """Fill means, float64 (N, 5), with the mean over the rolls of chances (N * rolls, 5) as the other player sees them,
    each roll by its weight; they are added in the order of the rolls."""
    cdef int64_t i, k, roll, row = 0, total = 0
    cdef double weight
    with nogil:
        for roll in range(weights.shape[0]):
            total += weights[roll]
        for i in range(means.shape[0]):
            means[i, :] = 0
            for roll in range(weights.shape[0]):
                weight = weights[roll]
                means[i, 0] += weight * (1 - <double>chances[row, 0])
                means[i, 1] += weight * chances[row, 3]
                means[i, 2] += weight * chances[row, 4]
                means[i, 3] += weight * chances[row, 1]
                means[i, 4] += weight * chances[row, 2]
                row += 1
            for k in range(5):
                means[i, k] /= total

"""How far the mean of stratified trials may be from the truth.

What a trial gives is y = m + a(first roll) + b(second roll) + e. In whole sets of 36 every first and every
second roll comes equally often, so that a and b add up to nothing and the mean varies by e alone (M. Stein,
Technometrics 29 (1987) 143-151). The plain variance of the trials has a and b in it and would make the error
too large; the right one is the residual variance of the least-squares fit of both, over its degrees of
freedom. The interaction of both rolls belongs to e: it is not stratified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from narde.rollouts.trials import SET, Numbers
from narde.stats import student_t

Floats = npt.NDArray[np.float64]

_FEWEST_DEGREES: Final = 36
"""With fewer degrees of freedom left, below 107 trials, the fit tells less than the plain variance, which is
too large rather than too small."""

_NOTHING: Final = 1e-9
"""A pivot below it stands for a sum of columns before it."""


@dataclass(frozen=True)
class Spread:
    """The mean of trials and its standard error, for several quantities at once.

    mean: float64 (q,).
    error: float64 (q,): the standard deviation of the mean; infinite for one trial.
    degrees: The degrees of freedom of the error; 0 where one trial tells none.
    """

    mean: Floats
    error: Floats
    degrees: int

    @property
    def half_width(self) -> Floats:
        """Half the 95 % interval by Student's distribution, float64 (q,); infinite without degrees."""
        return self.error * student_t(self.degrees) if self.degrees else self.error


def spread_of(values: Floats, rolls: Numbers) -> Spread:
    """The spread of values (n, q) of trials whose first two rolls are (n, 2)."""
    n, mean = len(values), _mean(values)
    if n == 1:
        return Spread(mean, np.full_like(mean, np.inf), 0)
    deviations = values - mean
    plain = np.square(deviations).sum(axis=0) / (n - 1)
    if n - 1 - 2 * (SET - 1) < _FEWEST_DEGREES:
        return Spread(mean, np.sqrt(plain / n), n - 1)
    residual, degrees = _residual_variance(deviations, rolls)
    rest = n % SET  # of an unfinished set, a sample of its rolls without replacement
    main = np.maximum(plain - residual, 0)
    variance = (n * residual + rest * (SET - rest) / (SET - 1) * main) / n**2
    return Spread(mean, np.sqrt(variance), degrees)


def _mean(values: Floats) -> Floats:
    """The mean, column by column in one order, however many columns there are."""
    mean: Floats = np.ascontiguousarray(values.T).sum(axis=1) / len(values)
    return mean


def _residual_variance(deviations: Floats, rolls: Numbers) -> tuple[Floats, int]:
    """The variance that no sum of an effect of either roll explains, and its degrees of freedom."""
    first, second = rolls.T
    counts = np.bincount(first, minlength=SET).astype(np.float64)
    pairs = np.bincount(SET * first + second, minlength=SET * SET).reshape(SET, SET).astype(np.float64)
    by_first, by_second = _sums(deviations, first), _sums(deviations, second)
    matrix, right = np.diag(pairs.sum(axis=0)), by_second
    for row, total, count in zip(pairs, by_first, counts, strict=True):  # the first rolls' effects taken out
        matrix = matrix - np.multiply.outer(row, row / count)
        right = right - np.multiply.outer(row, total / count)
    b, rank = _solved(matrix, right)
    for column, effect in zip(pairs.T, b, strict=True):
        by_first = by_first - np.multiply.outer(column, effect)
    a = by_first / counts[:, None]
    degrees = len(deviations) - SET - rank
    residuals = deviations - a[first] - b[second]
    return np.square(residuals).sum(axis=0) / degrees, degrees


def _sums(values: Floats, rolls: Numbers) -> Floats:
    """The sums of the values by roll, (36, q)."""
    return np.stack([np.bincount(rolls, column, SET) for column in values.T], axis=1)


def _solved(matrix: Floats, right: Floats) -> tuple[Floats, int]:
    """A solution of matrix @ x = right for a symmetric matrix without negative eigenvalues, and its rank.

    Gauss-Jordan elimination, with the same sums on every machine, as no linear algebra library promises.
    Where a pivot vanishes its unknown is 0.
    """
    rows, x = np.concatenate([matrix, right], axis=1), np.zeros_like(right)
    pivots = []
    for k in range(len(matrix)):
        if rows[k, k] > _NOTHING:
            pivots.append(k)
            rows[k] /= rows[k, k]
            others = np.arange(len(rows)) != k
            rows[others] -= rows[others, k, None] * rows[k]
    x[pivots] = rows[pivots, len(matrix) :]
    return x, len(pivots)

"""95 % intervals: of a share (Wilson), of a mean (Student) and of a ratio of two sums; NumPy alone.

Two-sided throughout. An interval that the data cannot bound, such as a mean of one value, is infinitely wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from narde._values import is_masked, whole
from narde.errors import InvalidArgumentError, shown

Z: Final = 1.959963984540054
"""The 97.5 % point of the normal distribution: 95 % lie between -Z and Z."""

_ENDLESS: Final = 2**53
"""Trials at most, and degrees of freedom beyond which Student's distribution is the normal one."""

_LARGEST: Final = 1e100
"""A number at most, and one part of it at least where it divides: squares of both are finite."""

_T_SMALL: Final = (
    12.706204736174694,
    4.302652729749462,
    3.182446305283708,
    2.7764451051977943,
    2.5705818356363146,
    2.446911851144969,
    2.3646242515927844,
    2.306004135204166,
    2.2621571627982046,
)
"""The 97.5 % points of Student's distribution for 1 to 9 degrees of freedom: the expansion is rough there."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value and its two-sided 95 % interval, all three in the same unit."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval: the number behind a plus-minus sign."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Estimate:
        """The estimate in another unit: all three numbers times a factor above 0, 1e100 at most. Raises
        `InvalidArgumentError` for another."""
        known = isinstance(factor, (int, float, np.integer, np.floating)) and not isinstance(factor, bool)
        try:
            number = float(factor) if known else 0.0
        except OverflowError:
            number = inf
        if not 0 < number <= _LARGEST:
            raise InvalidArgumentError(f"factor is {shown(factor)}: pass a number above 0, 1e100 at most")
        return Estimate(self.value * number, self.low * number, self.high * number)


def share_interval(successes: int, n: int) -> Estimate:
    """The share of `successes` in `n` independent trials, with the score interval of Wilson.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927)
    209-212; it holds its level for small n and shares near 0 and 1, where value plus or minus Z errors does
    not (Brown, Cai and DasGupta, Statistical Science 16 (2001) 101-133).
    Raises `InvalidArgumentError` unless they are whole numbers, 0 <= successes <= n and 1 <= n <= 2**53.
    """
    successes, n = _whole(successes, "successes"), _whole(n, "n")
    if not 1 <= n <= _ENDLESS or not 0 <= successes <= n:
        reason = f"no share of {shown(successes)} in {shown(n)}"
        raise InvalidArgumentError(f"{reason}: give 0 <= successes <= n and 1 <= n <= 2**53")
    share, z2 = successes / n, Z * Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At 0 and n the bound equals the share itself, up to rounding that must not put the share outside.
    return Estimate(share, min(max(0.0, middle - half), share), max(min(1.0, middle + half), share))


def mean_interval(values: npt.ArrayLike) -> Estimate:
    """The mean of independent values, shape (n,), with Student's interval: mean +- t(n - 1) * s / sqrt(n).

    Student, "The probable error of a mean", Biometrika 6 (1908) 1-25; s is the standard deviation over n - 1.
    Raises `InvalidArgumentError` for no values, or other than finite numbers.
    """
    sample = _sample(values, "values")
    if sample.size == 0:
        raise InvalidArgumentError("no mean of no values: give at least one")
    mean = float(sample.mean())
    if sample.size == 1:
        return Estimate(mean, -inf, inf)
    half = student_t(sample.size - 1) * float(sample.std(ddof=1)) / sqrt(sample.size)
    return Estimate(mean, mean - half, mean + half)


def ratio_interval(numerators: npt.ArrayLike, denominators: npt.ArrayLike) -> Estimate:
    """The ratio of two sums over the same samples, shape (n,) each: of games to seconds, block by block.

    The large-sample variance of a ratio estimate, sum (y - R x)^2 / (n - 1) / (n mean(x)^2), from
    W. G. Cochran, Sampling Techniques, 3rd ed. (1977), section 2.11, with Student's t(n - 1) for the few
    blocks of a short run. Raises `InvalidArgumentError` for no samples, unlike lengths, a sum of
    denominators that is not positive, or other than finite numbers.
    """
    y, x = _sample(numerators, "numerators"), _sample(denominators, "denominators")
    if y.size == 0 or y.size != x.size or x.sum() < 1 / _LARGEST:
        raise InvalidArgumentError(f"no ratio of {y.size} values to {x.size} values with sum {x.sum()}")
    ratio, n = float(y.sum() / x.sum()), y.size
    if n == 1:
        return Estimate(ratio, -inf, inf)
    variance = float(np.square(y - ratio * x).sum()) / (n - 1) / (n * float(x.mean()) ** 2)
    half = student_t(n - 1) * sqrt(variance)
    return Estimate(ratio, ratio - half, ratio + half)


def student_t(degrees: int) -> float:
    """The 97.5 % point of Student's distribution with so many degrees of freedom; to 5 digits or better.

    Tabled below 10, from there by the expansion in 1/degrees about the normal point (Abramowitz and Stegun,
    Handbook of Mathematical Functions (1964), formula 26.7.5). Raises `InvalidArgumentError` for other than
    whole numbers from 1.
    """
    degrees = min(_whole(degrees, "degrees"), _ENDLESS)
    if degrees < 1:
        raise InvalidArgumentError(f"Student's distribution has 1 degree of freedom or more, not {degrees}")
    if degrees <= len(_T_SMALL):
        return _T_SMALL[degrees - 1]
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + sum(term / float(degrees) ** k for k, term in enumerate(terms, 1))


def _whole(value: int, name: str) -> int:
    """A whole number, as a plain one; raises `InvalidArgumentError`."""
    number = whole(value)
    if number is None:
        raise InvalidArgumentError(f"{name} is {shown(value)}: pass a whole number")
    return number


def _sample(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    """The values in a row, finite numbers whose squares are finite too; raises `InvalidArgumentError`."""
    try:
        sample = np.full(1, np.nan) if is_masked(values) else np.asarray(values, np.float64).ravel()
    except Exception:  # whatever an object's own __array__ raises
        sample = np.full(1, np.nan)
    if not (np.abs(sample) <= _LARGEST).all():
        raise InvalidArgumentError(f"{name} are {shown(values)}: pass finite numbers to 1e100, shape (n,)")
    return sample

"""What the tests of storage share: everything recorded, and games compared column by column."""

from __future__ import annotations

import numpy as np

from narde.games import Games

RECORD = ("positions", "dice", "chosen")
COLUMNS = ("winner", "points", "lengths", "offsets", *RECORD)


def assert_same(a: Games, b: Games) -> None:
    assert (a.rules, a.seed, a.first) == (b.rules, b.seed, b.first)
    for name in COLUMNS:
        x, y = getattr(a, name), getattr(b, name)
        assert (x is None) == (y is None), name
        if x is not None:
            assert (x.dtype, x.shape) == (y.dtype, y.shape), name
            assert np.array_equal(x, y), name

"""The pinned counts of `narde selftest`: perft of positions of every variant, and a hash of random games.

The counts to depth 2 are those of the reference; 447, 202,782 and 116,154,993 from the start of short nardy
are also those of GNU Backgammon and wildbg.
"""

from __future__ import annotations

from typing import Final

POSITIONS: Final = {
    "start": "nal22225zzw22225zzw7",
    "second turn": "nal22225zzw42223zzwu",
    "prime across the boundary": "nalzw277ea22223zzy2t",
    "five before the head": "nala222pdzw22225zzwu",
    "way to a prime": "nalxvrn32222222kzzwh",
    "way to a prime by doubles": "nalvrgw32222222kzzwt",
    "prime with nobody ahead": "nal227cjkzw22l22zzwm",
    "bear-off past the opponent": "naljj222222j2hzz222m",
    "bear-off race": "nalpfq2223vrfq22222z",
    "short nardy, start": "nas2z92z22e2z92z22ec",
    "two on the bar": "nas2z92z2282s3y22zwq",
    "bar against a block": "naszzs42j242v2hzs22c",
    "contact": "nas2z9jh52295u2z22e6",
    "bear-off under contact": "nashzft2222zxm242j6u",
    "bear-off with one outside": "nashzflj222zxmj3226y",
}
"""Narde IDs of the positions by name."""

_LONG: Final = {
    "start": (22, 484, 35_387),
    "second turn": (22, 860, 52_483),
    "prime across the boundary": (706, 33_664),
    "five before the head": (614, 13_480),
    "way to a prime": (136, 4_361, 554_102),
    "way to a prime by doubles": (162, 4_784, 741_613),
    "prime with nobody ahead": (924, 81_791),
    "bear-off past the opponent": (27, 2_110, 44_985),
    "bear-off race": (280, 98_840),
}
_BKGM: Final = _LONG | {
    "start": (43, 1_817, 197_862),
    "second turn": (40, 1_585, 153_248),
    "five before the head": (614, 23_789),
}
_SHORT: Final = {
    "short nardy, start": (447, 202_782, 116_154_993),
    "two on the bar": (64, 15_264),
    "bar against a block": (82, 22_341, 2_134_569),
    "contact": (408, 194_483),
    "bear-off under contact": (151, 24_897, 2_124_425),
    "bear-off with one outside": (190, 17_342, 1_742_309),
}

COUNTS: Final = {"minsport": _LONG, "bkgm": _BKGM, "nardeon": _LONG, "long": _LONG, "short": _SHORT}
"""Of each variant: names of positions, and their sequences of rolls and plays at depth 1, 2 and perhaps 3;
`minsport`, `nardeon` and `long` have the same plays."""

GAMES: Final = 2_000
SEED: Final = 20_241_130
DIGESTS: Final = {
    "minsport": "ad58110fea2c4118",
    "bkgm": "8d370b92791c6ac5",
    "nardeon": "8ba7339be9da9e8a",
    "long": "ad58110fea2c4118",
    "short": "b0f14a73232d83ae",
}
"""`selftest.digest` of so many games of the seed."""

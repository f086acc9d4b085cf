"""The one tolerance rule: when two numbers that doubles blur are equal.

With M1 = Σw* and M2 = Σw*² of a replicate, x = M1²/M2 rises with |t*|: x >= n(1 - NO_SPREAD) is infinite, and a tie
with the observed x0 counts where x >= x0(1 - TIE). Scores closer than EQUAL are equal, and what lies within EQUAL of
the edge of a bin or margin belongs to its upper side. Every kernel, thread and GPU takes these numbers from here, so
that they cannot disagree.
"""

from __future__ import annotations

import math

NO_SPREAD = 1e-12  # relative: x this close to n, or a sum this small against its parts, is rounding
TIE = 2e-10  # relative: two x closer than this are equal
EQUAL = 1e-10  # two scores closer than this are equal
OUTSIDE = 1e-9  # scores this far outside [0, 1] are rounding
WHOLE = 1e-9  # a product that should be a whole number, such as B · alpha, misses it by less


def ceiling(number: float) -> int:
    """The smallest whole number not below a product that may miss a whole one by rounding."""
    return math.ceil(number - WHOLE)


def floor(number: float) -> int:
    """The largest whole number not above a product that may miss a whole one by rounding."""
    return math.floor(number + WHOLE)

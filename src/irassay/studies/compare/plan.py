"""What a comparison does: the options of `irassay compare` with every default filled in."""

import math
from dataclasses import dataclass

from irassay.ask.methods import CORRECTIONS, INTERVALS, TESTS
from irassay.choices import check_choice
from irassay.errors import InputError
from irassay.studies.compare.settings import Compare


@dataclass(frozen=True)
class Plan:
    """What a comparison does, with every default filled in."""

    test: str
    correction: str
    interval: str
    difference_interval: str  # 'tukey' where the test has its own
    alpha: float
    error: float  # 1 - confidence


def plan_of(study: Compare) -> Plan:
    """The defaults that depend on each other; options that cannot stand together are errors, before any work."""
    test = study.test or ("t" if study.baseline else "tukey")
    if not 0 < study.alpha < 1:
        raise InputError(f"alpha is {study.alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
    confidence = 1 - study.alpha if study.confidence is None else study.confidence
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence:g}", hint="it lies between 0 and 1, such as 0.95")
    check_choice("test", test, TESTS)
    if test == "tukey" and study.correction not in (None, "none"):
        hint = "leave out --correction, or take another --test"
        raise InputError("Tukey's test is for all pairs at once and takes no further correction", hint=hint)
    correction = "none" if test == "tukey" else study.correction or "holm"
    check_choice("correction", correction, CORRECTIONS)
    check_choice("interval", study.interval or "t", INTERVALS)
    if study.losses is not None and study.baseline is None:
        raise InputError("--losses are topics lost to a baseline", hint="add --baseline SYSTEM")
    for name, number in (("--losses", study.losses), ("--equivalence", study.equivalence)):
        if number is not None and not (0 <= number < math.inf):
            raise InputError(f"{name} is {number:g}", hint="it is a difference in score, such as 0.1")
    if study.equivalence == 0:
        raise InputError("no two systems are equivalent within a margin of 0", hint="--equivalence 0.05, for example")
    own = "tukey" if test == "tukey" and study.interval is None else study.interval or "t"
    return Plan(test, correction, study.interval or "t", own, study.alpha, 1 - confidence)

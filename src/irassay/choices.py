"""Choices that several packages share, each in one place. Imports nothing heavy: `irassay COMMAND --help` reads these.

Tests, corrections and intervals of `compare` are in `ask.methods`.
"""

from __future__ import annotations

from collections.abc import Iterable

from irassay.errors import InputError

# What `irassay uncertainty` varies and asks; `vary` has a class of the name of each variation.
VARIATIONS = (
    *("topics", "documents", "judgments", "unjudged", "pools"),
    *("simulation", "ties", "gains", "judges", "labels"),
)
LISTED_VARIATIONS = ("pools", "gains", "judges")  # scenarios that are not drawn
JUDGED_VARIATIONS = ("judges", "labels")  # that need further judgments
QUESTIONS = ("spread", "ranks", "order", "reversals", "verdicts", "swap", "stability")
MODELS = ("bst", "kde")  # of simulated scores
RELEVANT = ("adjusted", "fixed", "max")  # how many relevant documents a simulated topic has
PREDICTION_INTERVALS = ("normal", "prediction", "percentile")  # of the last bootstrap corpus from the others


def check_choice(what: str, value: str, choices: Iterable[str]) -> None:
    """An error that lists the choices where the value is not one of them."""
    if value not in choices:
        raise InputError(f"there is no {what} {value!r}", hint=f"there are {', '.join(choices)}")


# Of tables for papers: systems by measures, or a row for each of both.
LAYOUTS = ("wide", "long")
# How many columns of a two-column page such a table may take.
WIDTHS = ("one", "two")

"""What people read above a column in place of its name in files, and what it means.

Files keep the names, which programs rely on. A table says in its own `headers` where a name means something else there.
"""

from typing import NamedTuple


class Header(NamedTuple):
    """The header of a column: plain text, a shorter one where there is little space, and its meaning in a sentence."""

    text: str
    short: str = ""
    meaning: str = ""

    @property
    def brief(self) -> str:
        """The shortest text."""
        return self.short or self.text


HEADERS = {
    "asl": Header(
        "ASL", meaning="Achieved significance level: the share of bootstrap samples with a statistic as large"
    ),
    "discriminative_power": Header(
        "discriminative power", "disc. power", "Share of pairs of systems that the test calls different at this level"
    ),
    "ed_median": Header(
        "estimated difference (median)", "ED median", "The median over pairs of the difference that suffices for one"
    ),
    "ed_p95": Header(
        "estimated difference (95% of pairs)", "ED 95%", "A difference that suffices for 95% of the pairs of systems"
    ),
    "estimated_difference": Header(
        "estimated difference", "ED", "A difference in scores that suffices for every pair to be called different"
    ),
    "judged_at_10": Header("judged@10", meaning="Share of the first 10 documents that have a judgment"),
    "letters": Header("tier", meaning="Systems that share a letter are not told apart by the tests"),
    "mean": Header("mean", meaning="Mean score over topics"),
    "pairs_resolved": Header(
        "pairs resolved", "resolved", "Share of pairs of systems that at most 5% of replicates reverse"
    ),
    "rank_high": Header("rank to", meaning="The worst rank that the tests do not exclude"),
    "rank_low": Header("rank from", meaning="The best rank that the tests do not exclude"),
    "share_first": Header("first in", meaning="Share of replicates in which the system is first"),
    "share_reversed": Header(
        "reversed in", "reversed", "Share of draws that reverse the pair; equal scores are half a reversal"
    ),
    "share_same_verdict": Header(
        "same verdict in", "same verdict", "Share of draws in which the paired t-test says the same as on the judgments"
    ),
    "surviving_difference": Header(
        "difference that survives", "survives", "Smallest difference that replicates reverse at most 5% of the time"
    ),
    "system_x": Header("system A", "A", "The first system of the pair; differences are A - B"),
    "system_y": Header("system B", "B", "The second system of the pair; differences are A - B"),
    "tau_observed": Header(
        "agreement (tau)", "tau", "Mean agreement of the order of systems with the observed one, tau_b"
    ),
}

# Bounds and errors of a quantity that has a header of its own.
_SUFFIXES = {
    "_low": ("{} from", "Lower end of the 95% interval"),
    "_high": ("{} to", "Upper end of the 95% interval"),
    "_mc": ("± {}", "Monte-Carlo error"),
}


def header_of(name: str) -> Header:
    """The header of a column with this name; a name without one is read as words."""
    if name in HEADERS:
        return HEADERS[name]
    for suffix, (form, meaning) in _SUFFIXES.items():
        if name.endswith(suffix) and name != suffix:
            base = header_of(name.removesuffix(suffix))
            return Header(form.format(base.text), form.format(base.brief), f"{meaning}. {base.meaning}".strip())
    return Header(name.replace("_", " "))

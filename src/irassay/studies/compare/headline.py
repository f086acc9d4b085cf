"""What `compare` says on the first screen: its verdict, all systems, and what makes its tests doubtful."""

from irassay.result import Headline, Result
from irassay.studies.compare.verdict import findings
from irassay.studies.concerns import of_warnings

CONCERNS = {
    "judged-less": ("Fewer judged documents", 0.5),
    "unequal-variances": ("Unequal variances", 0.45),
    "tied-topics": ("Tests that cannot reject", 0.2),
    "short-intervals": ("Intervals that hold too seldom", 0.3),
    "infinite-interval": ("Intervals without an end", 0.2),
}


def headline(result: Result) -> Headline:
    """With a baseline only the systems that are compared with it have rows, which is no leaderboard."""
    all_systems = result.provenance["baseline"] is None
    return Headline(
        verdict={"first": findings(result)[0]},
        tables={"leaderboard": "comparison"} if all_systems else {},
        concerns=tuple(of_warnings(result.warnings, CONCERNS)),
    )

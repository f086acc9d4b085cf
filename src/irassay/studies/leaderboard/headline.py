"""What `leaderboard` says on the first screen: who is first."""

from irassay.result import Headline, Result
from irassay.studies.leaderboard.findings import findings


def headline(result: Result) -> Headline:
    return Headline(verdict={"first": findings(result)[0]})

"""Problems of the data that could mislead, on one scale.

The severity of a concern is how far what it is about could move what a reader concludes:

- 1: the order of systems could be another one, or nothing at all can be concluded;
- .75: a system could stand somewhere else altogether, such as with a score of .40 instead of .01;
- .5: some systems are treated worse than others, or intervals are too wide for most conclusions;
- .25: it moves decimals, or an analysis leaves something out;
- .1: it looks odd and moves nothing.

What is the same for many systems is one concern. A title says of which kind it is: of several with one title the first
screen of a report shows the worst.
"""

from collections.abc import Iterable, Mapping

from irassay.errors import IrassayWarning
from irassay.panel.coverage import count
from irassay.report.text import visible
from irassay.result import Concern

FEW_TOPICS, HARDLY_ENOUGH = 25, 50  # topics: with fewer, intervals and tests say little; with 50 they are usual
# Titles of concerns that several studies may have.
TOPICS, SCORES_FROM_RANKS, LEFT_OUT, POOL = (
    "Few topics",
    "Scores made from ranks",
    "Systems left out",
    "Groups that fed the pool",
)


def bounded(severity: float) -> float:
    """A severity within the scale."""
    return round(min(1.0, max(0.0, severity)), 3)


def systems(number: int) -> str:
    return count(number, "system")


def few_topics(number: int) -> Concern | None:
    """How few topics there are."""
    if not 0 < number < HARDLY_ENOUGH:
        return None
    severity = 0.8 if number < 10 else 0.55 if number < FEW_TOPICS else 0.2
    text = f"There are {count(number, 'topic')}: intervals are wide, and tests find only large differences."
    return Concern(severity, TOPICS, text.replace("are 1 topic", "is 1 topic"))


def of_warnings(warnings: Iterable[IrassayWarning], kinds: Mapping[str, tuple[str, float]]) -> list[Concern]:
    """One concern for each code of `kinds`, which has its title and severity, with the first of its warnings."""
    listed = []
    known = list(warnings)
    for code, (title, severity) in kinds.items():
        texts = [visible(one.what) for one in known if one.code == code]
        if texts:
            more = f" So it is in {count(len(texts) - 1, 'more case')}." if len(texts) > 1 else ""
            listed.append(Concern(severity, title, f"{texts[0][:1].upper()}{texts[0][1:].rstrip('.')}.{more}"))
    return listed

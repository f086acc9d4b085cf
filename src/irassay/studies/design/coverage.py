"""How often the intervals of the topics needed held the true number where it is known, by docs/comparison.py."""

from irassay.errors import IrassayWarning
from irassay.studies.compare.calibration import LEVEL, Rate, coverage
from irassay.studies.phrases import join, percent

METHODS = {"chi-square": "chi-square", "topic bootstrap": "samples of these topics"}
DESIGNS = ("t test", "one-way ANOVA")  # measured: by the two-way residual, and by the variance within systems
FEW = 25  # topics below which no method holds
WHERE = "topics of TREC-8 and Robust 2003 AP"


def measured(design: str, method: str, topics: int) -> Rate:
    """The least over both collections, by the nearest smaller number of topics."""
    return coverage(f"{design}, {method}", topics, kind="topics needed")


def best_method(topics: int) -> str:
    """The method whose interval of the topics of a t test held more often."""
    return max(METHODS, key=lambda method: measured(DESIGNS[0], method, topics).share)


def in_words(topics: int) -> str:
    """For a caption: all methods and designs."""
    parts = []
    for design in DESIGNS:
        shares = (f"{method} {percent(measured(design, method, topics).share)}" for method in METHODS)
        parts.append(f"{design} {', '.join(shares)}")
    size = measured(DESIGNS[0], best_method(topics), topics).topics
    return f"in experiments with {size:,} {WHERE} they did at least so often: {'; '.join(parts)} (docs/comparison.md)"


def few_topics(topics: int) -> list[IrassayWarning]:
    """A warning where no interval of the topics needed held as often as it should."""
    if topics >= FEW:
        return []
    rates = {method: measured(DESIGNS[0], method, topics) for method in METHODS}
    shares = [f"{method} in as few as {percent(rate.share)}" for method, rate in rates.items()]
    size = next(iter(rates.values())).topics
    message = (
        f"{topics} topics hardly tell how much differences vary: intervals of the topics needed held the true number "
        f"too seldom in experiments with {size} {WHERE}, {join(shares)} (wanted {1 - LEVEL:.0%}; docs/comparison.md)"
    )
    return [IrassayWarning("few-topics", message)]

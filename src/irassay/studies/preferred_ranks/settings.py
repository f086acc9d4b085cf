"""`irassay preferred-ranks`: how far down P-measure's user has to go (sakai2007one, Tables 7-9)."""

from dataclasses import dataclass

from irassay.settings import Inputs, option


@dataclass(frozen=True, kw_only=True)
class PreferredRanks(Inputs):
    """Per topic the largest preferred rank over runs, and what stands at or above it, level by level.

    The preferred rank is that of the first document of the highest level that a run retrieves. A run that
    retrieves nothing relevant has none and is left out; of equal ranks the first run's is shown.

    \b
    irassay preferred-ranks qrels.txt runs/
    """

    unanswerable: str = option(
        "drop", "topics without a relevant document: keep them, with no rank, or drop them", choices=("zero", "drop")
    )

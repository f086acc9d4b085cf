"""`irassay uncertainty`."""

from typing import Any

from irassay.studies.registry import Study


def part_options(options: dict[str, Any], systems: int) -> dict[str, Any]:
    """Of `irassay study`: without the table of all pairs, which would be most of the report."""
    return options | {"replicates": options["resamples"], "ask": "ranks,order,reversals"}


STUDY = Study(
    name="uncertainty",
    order=55,
    help="The uncertainty budget: what would change had something been different.",
    settings="irassay.studies.uncertainty.settings:Uncertainty",
    run="irassay.studies.uncertainty.run:run",
    question="How much of this evaluation would change if topics, documents, judgments or scores had been different?",
    how=(
        "Each source of variation makes replicates of the collection: samples of the topics, bootstrap corpora, random "
        "parts of the judgments, draws of the missing ones, lists simulated from their scores, random orders of tied "
        "documents, or listed scenarios (shallower pools, other gains). Every system is scored on every replicate, and "
        "every replicate is compared with the observed scores. A pair of systems is resolved where at most 5% of the "
        "replicates reverse it (a difference of 0 counts half). The surviving difference is the smallest from which on "
        "a fitted, non-increasing reversal rate is at most 5%. Verdicts are paired t-tests at .05 in each replicate, "
        "not corrected. Ranks are those that familywise t tests (Holm) do not exclude. Columns ending in _mc are "
        "Monte-Carlo errors: the standard deviation over 10 batches of replicates, divided by the square root of 10."
    ),
    distrust=(
        "Sources do not add up: observed topic scores already hold one draw of whatever is independent between "
        "topics, and documents+topics counts that twice (conservative). Only topics and documents are samples whose "
        "deviation is a standard error; simulation, ties and unjudged assume a mechanism; judgments, pools and gains "
        "are scenarios. The variation judgments only removes judgments; unjudged adds them, by probabilities that are "
        "learned or given. Simulated scores are not paired across systems, samples "
        "of topics and bootstrap corpora are. A replicate is compared with the observed order, so its threshold is "
        "lower, by about the square root of 2, than that of the swap method, which compares two replicates: a reversal "
        "rate of 5% here means about 12% on a second set of topics (docs/uncertainty.md). Agreement "
        "with the observed order is an index of stability, optimistic as agreement with the truth."
    ),
    findings="irassay.studies.uncertainty.findings:findings",
    headline="irassay.studies.uncertainty.headline:headline",
    cites=("sakai2007bootstrap", "zobel2020corpus", "sakai2008incomplete", "yang2018variance"),
    details=(
        "systems",
        "scenario_systems",
        "verdicts",
        "order",
        "between_measures",
        "reversals",
        "pairs",
        "leaderboard",
        "topic_scores",
        "top_documents",
        "budget_figure",
    ),
    view="irassay.studies.uncertainty.view:view",
    section=5,
    part=True,
    part_options=part_options,
)

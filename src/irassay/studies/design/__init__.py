"""`irassay design`."""

from typing import Any

from irassay.studies.registry import Study


def part_options(options: dict[str, Any], systems: int) -> dict[str, Any]:
    """Of `irassay study`: groups are for others, and its correction is not that of `compare`."""
    return {name: value for name, value in options.items() if name not in ("groups", "correction")}


STUDY = Study(
    name="design",
    order=40,
    help="How many topics a difference needs, and how well scores generalise.",
    settings="irassay.studies.design.settings:Design",
    run="irassay.studies.design.run:run",
    question="How many topics would it take?",
    how=(
        "The variance of per-topic differences comes from the scores at hand. From it follow the topics that a t test "
        "or an analysis of variance needs to find the smallest difference that matters, and that an interval needs to "
        "be narrow enough. The variance is an estimate: chi-square intervals (Box's degrees of freedom) and samples of "
        "the topics say what that does to the topics needed, and pairs of systems with small, middling and large "
        "variance how much they differ. Generalisability coefficients come from a two-way analysis of variance, their "
        "intervals from Feldt, from Arteaga et al., and from samples of the topics."
    ),
    distrust=(
        "It assumes that new topics vary like those at hand, and that differences are about normal. The intervals of "
        "Feldt and Arteaga take the systems for an exchangeable random sample, which submitted runs are not; those by "
        "samples of topics are for these systems. Extrapolated differences assume a power law, and their intervals do "
        "not hold its error."
    ),
    findings="irassay.studies.design.run:findings",
    cites=(
        "sakai2016topic",
        "brennan2001generalizability",
        "urbano2013measurement",
        "feldt1965approximate",
        "arteaga1982confidence",
        "box1954theorems",
        "shao1989jackknife",
        "angelopoulos2023ppi",
    ),
    details=("topics_needed", "coefficients", "design_curve", "d_study", "trusted_curve"),
    paste="design",
    execution="Saved",
    section=65,
    part=True,
    part_options=part_options,
)

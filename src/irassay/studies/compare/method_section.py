"""A sentence on a comparison for the method section of a paper: what others need to repeat it."""

from typing import Any

from irassay.ask.methods import ANY_INTERVAL, ANY_TEST, CORRECTIONS, JOINT_INTERVALS
from irassay.studies.compare.settings import baselines
from irassay.studies.compare.tables import equivalence_correction, in_families
from irassay.studies.phrases import join, safe

START = "For the method section: "
# words that begin a label and are no names
LOWER = ("Cluster", "Wild", "Paired", "Randomisation", "Sign", "Randomised")


def method_section(provenance: dict[str, Any]) -> str:
    """Test, correction, level, topics, systems, comparisons, intervals, draws and version, from the provenance."""
    test, correction = ANY_TEST[provenance["test"]], CORRECTIONS[provenance["correction"]]
    family, systems, topics = provenance["comparisons"], len(provenance["systems"]), len(provenance["topics"])
    text = f"{START}{_compared(provenance, systems)} on {topics} topics{in_families(provenance)} by "
    text += f"{_measures(provenance)}, two-sided with "
    name = f"the {test.label[0].lower()}{test.label[1:]}" if test.label.startswith(LOWER) else test.label
    text += f"{name} at alpha = {provenance['alpha']:g}"
    if test.simultaneous:
        text += f", simultaneously for {family:,} pairs"
    elif family > 1 or correction.joint is not None:
        by = f"with p-values corrected {correction.label}" if correction.label else "without a correction"
        text += f", {by} for {family:,} comparison{'s' * (family > 1)} per measure"
    text += f". {test.note} " if test.note else ". "
    text += f"{_intervals(provenance)}{_equivalence(provenance)}{_draws(provenance)}"
    return f"{text} Computed with irassay {provenance['irassay']}."


def _compared(provenance: dict[str, Any], systems: int) -> str:
    names = baselines(provenance["baseline"])
    if not names:
        return f"all pairs of {systems} systems were compared"
    others = systems - 1
    count = f"{others} system{'s were' if others > 1 else ' was'}" if len(names) == 1 else f"{systems} systems were"
    return f"{count} compared with {join([safe(name) for name in names])}"


def _measures(provenance: dict[str, Any]) -> str:
    return join([safe(measure) for measure in provenance["measures"]])


def _intervals(provenance: dict[str, Any]) -> str:
    """Those of differences: their method and how far they hold."""
    name, family = provenance["difference_interval"], provenance["comparisons"]
    text = f"Intervals of differences have {100 * provenance['confidence']:.4g}% confidence"
    if name in JOINT_INTERVALS:
        return f"{text}, simultaneously for all comparisons, by {JOINT_INTERVALS[name].label}."
    rule = "bonferroni" if provenance["test"] == "tukey" else provenance["correction"]
    if family == 1 or rule == "none":
        held = "each on its own"
    elif rule == "bh":
        held = "as a false coverage rate of the significant ones"
    else:
        held = "simultaneously for all comparisons of a measure (Bonferroni)"
    return f"{text}, {held}, by {ANY_INTERVAL[name].label}."


def _equivalence(provenance: dict[str, Any]) -> str:
    if provenance["equivalence"] is None:
        return ""
    label = CORRECTIONS[equivalence_correction(provenance)].label
    corrected = f", with p-values corrected {label}" if label and provenance["comparisons"] > 1 else ""
    return f" Equivalence within ±{provenance['equivalence']:g} was tested with two one-sided t tests{corrected}."


def _draws(provenance: dict[str, Any]) -> str:
    """Resamples and seed, where a p-value or an interval rests on them."""
    test, correction = ANY_TEST[provenance["test"]], CORRECTIONS[provenance["correction"]]
    name = provenance["difference_interval"]
    tests = (test.resampling and not provenance["exact"]) or correction.joint is not None
    exact = " The test went through all patterns of signs." if provenance["exact"] else ""
    bounds = name in JOINT_INTERVALS or bool(ANY_INTERVAL[name].sides)
    used = [what for what, there in (("p-values", tests), ("intervals", bounds)) if there]
    if not used:
        return exact
    text = f"{join(used)} rest on {provenance['resamples']:,} resamples (seed {provenance['seed']})."
    return f"{exact} {text[0].upper()}{text[1:]}"

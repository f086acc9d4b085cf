"""Which question can be asked of which variation, and why not of the others."""

from importlib import import_module

from irassay.choices import QUESTIONS, VARIATIONS
from irassay.errors import InputError
from irassay.vary.variation import Variation

LISTED = "its scenarios are listed, not drawn"
NO_SAMPLE = "random parts are a scenario, no sample, so no test excludes a rank"
UNPAIRED = "systems do not share its draws, so a difference has no deviation to test with"


MODULES = {"labels": "redrawn_labels"}  # vary.labels exchanges the names of systems


def variation_class(name: str) -> type[Variation]:
    """The variation of that name."""
    module = import_module(f"irassay.vary.{MODULES.get(name, name)}")
    variation: type[Variation] = getattr(module, name.capitalize())
    return variation


def undefined(variation: type[Variation], question: str) -> str:
    """Why a question has no answer for a variation; empty where it has one."""
    if question in ("swap", "stability") and not variation.random:
        return f"{LISTED}: there is no second, independent set"
    if question == "ranks" and variation.kind == "scenario" and variation.random:
        return NO_SAMPLE
    if question == "ranks" and not variation.paired:
        return UNPAIRED
    return ""


def check_questions(names: list[str], questions: tuple[str, ...]) -> None:
    """An error where a question has no answer for any of the variations."""
    for question in questions:
        reasons = {name: undefined(variation_class(name), question) for name in names}
        if all(reasons.values()):
            name, reason = next(iter(reasons.items()))
            raise InputError(
                f"{question} cannot be asked of {', '.join(reasons)}: of {name} because {reason}",
                hint="leave it out of --ask, or add a variation to --vary, such as topics",
            )


def markdown() -> str:
    """The grid as a table for the documentation."""
    classes = {name: variation_class(name) for name in VARIATIONS}
    lines = ["| | kind | " + " | ".join(QUESTIONS) + " | with topics |", "|---" * (len(QUESTIONS) + 3) + "|"]
    notes: list[str] = []
    for name, variation in classes.items():
        cells = []
        for question in (*QUESTIONS, "with topics"):
            reason = undefined(variation, question) if question in QUESTIONS else _with_topics(variation)
            if reason and reason not in notes:
                notes.append(reason)
            cells.append(f"no ({notes.index(reason) + 1})" if reason else "yes")
        lines.append(f"| {name} | {variation.kind} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"{k}. {note}." for k, note in enumerate(notes, 1))])


def _with_topics(variation: type[Variation]) -> str:
    if variation.name == "topics":
        return "topics are drawn already"
    return "" if variation.random else f"{LISTED}: there is no replicate to sample topics in"

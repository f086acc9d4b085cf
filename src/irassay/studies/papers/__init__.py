"""The papers: presets with a paper's parameters, one small file each; everything it shows, under its own numbers."""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import TYPE_CHECKING

from irassay.errors import InputError
from irassay.studies.registry import Study

if TYPE_CHECKING:
    from irassay.studies.papers.record import Paper

STUDY = Study(
    name="paper",
    order=180,
    help="Everything a paper shows, from your data, under its own numbers.",
    settings="irassay.studies.papers.settings:PaperStudy",
    question="What would the tables and figures of this paper be for these data?",
    how=(
        "The paper's measures, gains, depth and sizes, unless the provenance says otherwise; tables and figures have "
        "the paper's numbers. Where the paper shows one thing for several collections, it is here once."
    ),
    distrust=(
        "One collection is one case. Each number has the limits of the study behind it: run that study alone to read "
        "them."
    ),
    findings="irassay.studies.papers.findings:findings",
    data="runs",
)

KEYS = ("sakai2007bootstrap", "sakai2007one", "sakai2008incomplete", "yang2018variance", "zobel2020corpus")


def paper_of(key: str) -> Paper:
    """A paper by its key."""
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(KEYS)}"
        raise InputError(f"there is no paper {key!r}", hint=hint)
    found: Paper = import_module(f"irassay.studies.papers.{key}").PAPER
    return found

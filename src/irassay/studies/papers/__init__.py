"""The papers: each a file named by its key, with the paper's settings and every table and figure that it shows."""

from __future__ import annotations

import difflib
import pkgutil
import re
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
    run="irassay.studies.papers.run:run_paper",
    question="What would the tables and figures of this paper be for these data?",
    how=(
        "The paper's measures, gains, depth and sizes, unless the provenance says otherwise; tables and figures have "
        "the paper's numbers. Several collections stand side by side; what the paper shows for its second collection "
        "is made for the second one."
    ),
    distrust=(
        "One collection is one case. Each number has the limits of the study behind it: run that study alone to read "
        "them."
    ),
    findings="irassay.studies.papers.run:findings",
    data="runs",
    leading=("key",),
    call="irassay.studies.functions:run_and_save_paper",
)

# A key is what it is cited by, such as sakai2007one; the other modules here serve the papers.
KEYS = tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if re.fullmatch("[a-z]+[0-9]{4}[a-z]+", m.name)))


def paper_of(key: str) -> Paper:
    """A paper by its key."""
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(KEYS)}"
        raise InputError(f"there is no paper {key!r}", hint=hint)
    paper: Paper = import_module(f"{__name__}.{key}").PAPER
    return paper

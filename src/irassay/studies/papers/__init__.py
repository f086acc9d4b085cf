"""The papers: each a file named by its key, with the paper's settings and every table and figure that it shows."""

from __future__ import annotations

import difflib
import pkgutil
import re
from importlib import import_module

from irassay.errors import InputError
from irassay.studies.papers.record import Paper

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

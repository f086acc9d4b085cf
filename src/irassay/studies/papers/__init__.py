"""The papers: presets with a paper's parameters, one small file each; everything it shows, under its own numbers."""

from __future__ import annotations

import difflib
from importlib import import_module

from irassay.errors import InputError
from irassay.studies.papers.record import Paper

KEYS = ("sakai2007bootstrap", "sakai2007one", "sakai2008incomplete", "yang2018variance", "zobel2020corpus")


def paper_of(key: str) -> Paper:
    """A paper by its key."""
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(KEYS)}"
        raise InputError(f"there is no paper {key!r}", hint=hint)
    found: Paper = import_module(f"irassay.studies.papers.{key}").PAPER
    return found

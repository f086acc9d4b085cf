"""Probabilities of relevance: one `topic document probability` per line."""

import math
from collections.abc import Mapping
from pathlib import Path

from irassay.errors import InputError, Problem
from irassay.read.files import load
from irassay.read.tokens import limited
from irassay.read.vocabulary import text

HINT = "one line per document: topic document probability, which lies between 0 and 1"
Probabilities = Mapping[str, Mapping[str, float]]  # by topic and document


def read_probabilities(path: Path) -> Probabilities:
    """By topic and document; a document that is listed twice needs the same probability."""
    by_topic: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    problems = []
    for number, line in enumerate(load(path).tobytes().split(b"\n"), start=1):
        words = [text(word) for word in line.split()]
        if not words or words[0].startswith("#"):
            continue
        where = f"{path}:{number}"
        if len(words) != 3:
            problems.append(Problem(f"expected 3 columns (topic document probability), found {len(words)}", where))
            continue
        topic, document, written = words
        value = _probability(written)
        if math.isnan(value):
            problems.append(Problem(f"{written!r} is no probability", where))
            continue
        known = by_topic.setdefault(topic, {}).setdefault(document, value)
        if known != value:
            first = lines[topic, document]
            problems.append(Problem(f"document {document} of topic {topic} has {known:g} in line {first}", where))
        lines.setdefault((topic, document), number)
    if problems:
        raise InputError.of(limited(problems, path), HINT)
    if not by_topic:
        raise InputError("the file names no document", str(path), HINT)
    return by_topic


def _probability(written: str) -> float:
    """The number, nan where it is none from 0 to 1."""
    try:
        value = float(written)
    except ValueError:
        return math.nan
    return value if 0.0 <= value <= 1.0 else math.nan

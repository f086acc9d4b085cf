"""Settings: fields of frozen dataclasses that are command-line options and Python keywords at once.

Imports nothing heavy: `irassay COMMAND --help` reads these.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irassay.errors import InputError

ORDERS = ("trec", "trec9", "rank", "file")
NEGATIVE = ("unjudged", "nonrelevant")


@dataclass(frozen=True)
class Option:
    """What the command line needs to know about a field."""

    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    flag: str = ""  # another spelling on the command line, such as -m
    metavar: str = ""
    many: bool = False
    path: bool = False


def option(default: Any, help: str, **more: Any) -> Any:
    """A field with its help and bounds."""
    return dataclasses.field(default=default, metadata={"option": Option(help, **more)})


def options(settings: type) -> dict[str, tuple[dataclasses.Field[Any], Option]]:
    """The options of a settings class, in the order of its fields."""
    return {f.name: (f, f.metadata["option"]) for f in dataclasses.fields(settings) if "option" in f.metadata}


def numbers(given: str | float | Sequence[float], what: str, hint: str) -> tuple[float, ...]:
    """One number or several, as a list with commas or as Python has them; each once, in the order given."""
    items = given.split(",") if isinstance(given, str) else given if isinstance(given, Sequence) else (given,)
    try:
        found = tuple(dict.fromkeys(map(float, items)))
    except (TypeError, ValueError):
        raise InputError(f"{what} is {given!r}", hint=hint) from None
    if not found or any(math.isnan(number) for number in found):
        raise InputError(f"{what} is {given!r}", hint=hint)
    return found


def depths(given: str, what: str, hint: str) -> tuple[int, ...]:
    """Ranks as a list with commas, each once."""
    found = numbers(given, what, hint)
    if min(found) < 1 or any(number != int(number) for number in found):
        raise InputError(f"{what} is {given!r}", hint=hint)
    return tuple(map(int, found))


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """How judgments and runs are brought together (CONTRACTS: each policy has a name and one default)."""

    order: str | None = option(
        None,
        "order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9' the same on "
        "32-bit scores; 'rank' by the rank column; 'file' as the lines stand "
        "[default: trec; file for NTCIR judgments]",
        choices=ORDERS,
    )
    depth: int | None = option(None, "cut lists at this rank, before condensed lists are made", low=1, metavar="K")
    topics: str | Sequence[str] | None = option(
        None, "only these topics: 601-650, or 401,405, or @FILE with one per line", metavar="LIST"
    )
    duplicates: str = option(
        "error",
        "a document twice in a list, or judged twice: stop, or keep the better-ranked one (the first judgment)",
        choices=("error", "first"),
    )
    negative: str = option(
        "unjudged", "what a negative grade means: pooled but not judged, or nonrelevant", choices=NEGATIVE
    )
    unanswerable: str = option(
        "zero", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )
    gains: str | Mapping[int, float] | None = option(
        None,
        "gain of each relevant grade in graded measures, as 1=1,2=3 [default: the grade]",
        metavar="G=GAIN,…",
    )
    residual: str | None = option(
        None,
        "residual collection: first drop the documents judged in this file, from the runs and from QRELS",
        metavar="FILE",
        path=True,
    )

    def alignment(self) -> dict[str, Any]:
        """These fields alone, as keywords for `irassay.align`."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(Alignment)}


@dataclass(frozen=True, kw_only=True)
class Inputs(Alignment):
    """What every study of judgments and runs takes beside its own options."""

    names: str | None = option(
        None,
        "name systems by the tag in their last column, or by file [default: tag where each file has one and all "
        "differ, else file]",
        choices=("tag", "file"),
    )


@dataclass(frozen=True, kw_only=True)
class Selection(Inputs):
    """Which of the given systems a study looks at, and the seed of what it draws."""

    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )
    top: int | None = option(None, "only the N best systems", low=2, metavar="N")
    by: str | None = option(None, "the measure that says which are best [default: the first]", metavar="MEASURE")
    groups: str | None = option(
        None, "which group each system is from: lines of 'system group'", metavar="FILE", path=True
    )
    one_per_group: bool = option(False, "only one system of each group, drawn by the seed")
    sample_systems: int | None = option(
        None, "only N systems, drawn by the seed; all where there are fewer", low=2, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class Measured(Selection):
    """What every study of scores takes: the measures, or ready-made tables of them, and the systems."""

    measures: tuple[str, ...] = option(
        ("AP Q nDCG@10 RR",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )
    scores: tuple[str, ...] = option(
        (),
        "ready-made score tables instead of QRELS and runs (trec_eval -q, CSV, Parquet); may be repeated",
        many=True,
        metavar="TABLE",
    )


@dataclass(frozen=True, kw_only=True)
class Resampling(Measured):
    """What every study of topic samples takes."""

    resamples: int = option(1000, "samples of topics", low=1, metavar="B")


@dataclass(frozen=True, kw_only=True)
class Threads:
    """How work runs; cannot change a number."""

    jobs: int | None = option(None, "threads to use [default: the cores this process may use]", low=1, metavar="N")


@dataclass(frozen=True, kw_only=True)
class Saved(Threads):
    """The same, and where the result goes."""

    out: str | None = option(
        None, "save the whole result in this folder; unfinished long work goes on from there", metavar="DIR"
    )


@dataclass(frozen=True, kw_only=True)
class Execution(Saved):
    """How long work runs; cannot change a number either."""

    device: str = option("cpu", "where the heavy work runs: on the processor, or on a GPU", choices=("cpu", "cuda"))
    cluster: str | None = option(
        None,
        "work on a Dask cluster: tcp://HOST:PORT, where its scheduler is, or local:N, N processes here",
        metavar="WHERE",
    )


# The names of the files in DIR/checkpoint, which are made by one room and recognised by another.
UNFINISHED = re.compile(r"study\.json|[0-9]{4,}\.npz|\.irassay-[0-9a-f]{16}\.tmp")

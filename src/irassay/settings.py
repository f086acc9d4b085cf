"""Settings: fields of frozen dataclasses that are command-line options and Python keywords at once.

Imports nothing heavy: `irassay COMMAND --help` reads these.
"""

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from irassay.errors import InputError

MOST_DIGITS = 17  # a double has no more
ORDERS = ("trec", "trec9", "rank", "file")
NAMES = ("tag", "file", "stem")
NTCIR_MEASURES = ("AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10",)
NEGATIVE = ("unjudged", "nonrelevant")


@dataclass(frozen=True)
class Option:
    """What the command line shows and checks of a field."""

    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    why: str = ""  # no more than `high`
    flag: str = ""  # another spelling on the command line, such as -m
    metavar: str = ""
    many: bool = False
    path: bool = False
    output: bool = False  # a path that is written


def option(default: Any, help: str, **more: Any) -> Any:
    """A field with its help and bounds."""
    return dataclasses.field(default=default, metadata={"option": Option(help, **more)})


def options(settings: type) -> dict[str, tuple[dataclasses.Field[Any], Option]]:
    """The options of a settings class, in the order of its fields."""
    return {f.name: (f, f.metadata["option"]) for f in dataclasses.fields(settings) if "option" in f.metadata}


COUNT = 2**32 - 1  # of a number of things where an option says no other bound
TOP_RANK = 2**31 - 1  # of a depth: ranks are int32 everywhere
JOBS = {"high": 4096, "why": "no machine has more cores, and each thread takes memory"}
SAMPLES = {"high": 10_000_000, "why": "the Monte-Carlo error of a share is below .0002 there"}
ROWS = {"high": 10_000, "why": "each is a row of the tables"}


def check_bounds(settings: Any) -> None:
    """An error for a number that is larger than its option allows."""
    for name, (field, option) in options(type(settings)).items():
        value = getattr(settings, name)
        whole = isinstance(value, int) and not isinstance(value, bool)
        bits, most = ("ranks have 31", TOP_RANK) if name.endswith("depth") else ("counts have 32", COUNT)
        high = option.high if option.high is not None else most if whole and name != "seed" else None
        if high is not None and isinstance(value, (int, float)) and value > high:
            flag = field.name.replace("_", "-")
            raise InputError(f"--{flag} is {value}", hint=f"it is at most {high:,}: {option.why or f'{bits} bits'}")


DIGITS_HELP = (
    "decimals shown of scores and differences [default: two significant digits of the smallest standard error in the "
    "column, 2 to 5 decimals]"
)


def check_digits(digits: int | None) -> None:
    """Whether so many decimals can be shown."""
    if digits is not None and not 0 <= digits <= MOST_DIGITS:
        raise InputError(f"--digits is {digits}", hint=f"it is a number of decimals, from 0 to {MOST_DIGITS}")


def numbers(value: str | float | Sequence[float], what: str, hint: str) -> tuple[float, ...]:
    """One number or several, as text with commas or as Python numbers; in their order, without repetitions."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, Sequence) else (value,)
    try:
        parsed = tuple(dict.fromkeys(map(float, items)))
    except (TypeError, ValueError):
        parsed = ()
    if not parsed or not all(-COUNT <= number <= COUNT for number in parsed):
        raise InputError(f"{what} is {value!r}", hint=hint)
    return parsed


def depths(value: str, what: str, hint: str) -> tuple[int, ...]:
    """Ranks as text with commas, without repetitions."""
    ranks = numbers(value, what, hint)
    if any(not 1 <= rank <= TOP_RANK or not rank.is_integer() for rank in ranks):
        raise InputError(f"{what} is {value!r}", hint=hint)
    return tuple(map(int, ranks))


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """How judgments and runs are joined; each policy has a name and one default."""

    order: str | None = option(
        None,
        "order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9' the same with "
        "32-bit scores; 'rank' by the rank column; 'file' in the order of the lines "
        "[default: trec; file for NTCIR judgments]",
        choices=ORDERS,
    )
    depth: int | None = option(None, "cut lists at this rank, before lists are condensed", low=1, metavar="K")
    topics: str | Sequence[str] | None = option(
        None, "only these topics: 601-650, or 401,405, or @FILE with one per line", metavar="LIST"
    )
    duplicates: str = option(
        "error",
        "a document twice in a list, or judged twice: stop with an error, or keep the better rank (first judgment)",
        choices=("error", "first"),
    )
    negative: str = option(
        "unjudged", "meaning of a negative grade: unjudged (pooled only), or nonrelevant", choices=NEGATIVE
    )
    unanswerable: str = option(
        "zero", "topics without a relevant document: score them 0, or drop them", choices=("zero", "drop")
    )
    gains: str | Mapping[int, float] | None = option(
        None,
        "gain of each relevant grade in graded measures, as 1=1,2=3 [default: the grade]",
        metavar="G=GAIN,…",
    )
    residual: str | None = option(
        None,
        "residual collection: remove the documents judged in this file from the runs and from QRELS",
        metavar="FILE",
        path=True,
    )
    drop_self: bool = option(
        False, "remove from each list the document that is called like the topic, as BEIR does for ArguAna and Quora"
    )

    def alignment(self) -> dict[str, Any]:
        """These fields alone, as keywords for `irassay.align`."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(Alignment)}


@dataclass(frozen=True, kw_only=True)
class Inputs(Alignment):
    """The options of every study of judgments and runs."""

    names: str | None = option(
        None,
        "name systems by the tag in the last column, by the file, or by its stem, its name without .trec, .run, .txt "
        "and the like [default: tag if each file has one and all differ, else file]",
        choices=NAMES,
    )
    exclude: tuple[str, ...] = option(
        (),
        "leave out files of directories and patterns whose name or path matches, such as '*.md'; may be repeated",
        many=True,
        metavar="GLOB",
    )
    skip_unreadable: bool = option(
        False, "skip files that are no runs at all, such as a README, and list them, instead of stopping"
    )

    preset: str | None = option(
        None,
        "--order and -m of another program, where you give none; ntcir: lists in the order of the file, and "
        f"NTCIREVAL's measures, {NTCIR_MEASURES[0]}",
        choices=("ntcir",),
    )

    def __post_init__(self) -> None:
        if self.preset == "ntcir":
            fields = {field.name: field.default for field in dataclasses.fields(self)}
            if self.order is None and not getattr(self, "scores", ()):
                object.__setattr__(self, "order", "file")
            if "measures" in fields and getattr(self, "measures", None) == fields["measures"]:
                object.__setattr__(self, "measures", NTCIR_MEASURES)

    def reading(self) -> dict[str, Any]:
        """The fields about files, as keywords for `irassay.read_runs`."""
        return {"names": self.names, "exclude": self.exclude, "skip_unreadable": self.skip_unreadable}


@dataclass(frozen=True, kw_only=True)
class Selection(Inputs):
    """Which systems a study uses, and its random seed."""

    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score them 0, or drop them", choices=("zero", "drop")
    )
    top: int | None = option(None, "only the N best systems", low=2, metavar="N")
    by: str | None = option(None, "the measure by which systems are best [default: the first]", metavar="MEASURE")
    groups: str | None = option(None, "the group of each system: lines of 'system group'", metavar="FILE", path=True)
    one_per_group: bool = option(False, "only one system of each group, chosen at random")
    groups_only_select: ClassVar[bool] = True  # whether groups serve --one-per-group and nothing else
    sample_systems: int | None = option(
        None, "only N systems, chosen at random; all if there are fewer", low=2, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class Measured(Selection):
    """The options of every study of scores: measures, or tables of scores, and systems."""

    measures: tuple[str, ...] = option(
        ("AP Q nDCG@10 RR",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )
    scores: tuple[str, ...] = option(
        (),
        "score tables instead of QRELS and runs (trec_eval -q, CSV, Parquet); may be repeated",
        many=True,
        metavar="TABLE",
        path=True,
    )


@dataclass(frozen=True, kw_only=True)
class Resampling(Measured):
    """The options of every study of topic samples."""

    resamples: int = option(1000, "samples of topics", low=1, metavar="B", **SAMPLES)


@dataclass(frozen=True, kw_only=True)
class Threads:
    """How work runs; does not change any number."""

    jobs: int | None = option(
        None, "threads to use [default: the cores this process may use]", low=1, metavar="N", **JOBS
    )


@dataclass(frozen=True, kw_only=True)
class Saved(Threads):
    """How work runs, and where the result is saved."""

    out: str | None = option(
        None, "save the whole result in this folder; interrupted long work continues from there", metavar="DIR"
    )
    force: bool = option(False, "replace what is in DIR, also a result or unfinished work of other settings")


@dataclass(frozen=True, kw_only=True)
class Execution(Saved):
    """How long work runs; does not change any number."""

    device: str = option("cpu", "device for the long computations: the processor, or a GPU", choices=("cpu", "cuda"))
    cluster: str | None = option(
        None,
        "run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this machine",
        metavar="WHERE",
    )


# The files in DIR/checkpoint: `compute.checkpoint` writes them, `report.place` recognises them.
UNFINISHED = re.compile(r"study\.json|[0-9]{4,}\.npz|\.irassay-[0-9a-f-]+\.tmp")

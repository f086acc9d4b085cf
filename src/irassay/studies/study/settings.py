"""`irassay study`: the whole assay at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from irassay.errors import InputError
from irassay.settings import Execution, Inputs, option, options

if TYPE_CHECKING:
    from irassay.result import Result

# In the order in which people ask, with the class of each in its module.
PARTS = {
    "check": "check.settings:Check",
    "power": "power.settings:Power",
    "swap": "swap:Swap",
    "stability": "stability:Stability",
    "agreement": "agreement:Agreement",
    "incomplete": "incomplete.settings:Incomplete",
    "corpus": "corpus.settings:Corpus",
    "variance": "variance.settings:Variance",
    "compare": "compare.settings:Compare",
}


COMPARED = 20  # systems whose pairs somebody can still look at: all of them are in `power`


class Done(NamedTuple):
    """One part of an assay: its result, or what went wrong."""

    part: str
    result: Result | None
    problem: Exception | None = None

    @property
    def bug(self) -> bool:
        """Whether it failed by irassay's own fault."""
        return self.problem is not None and not isinstance(self.problem, (InputError, ImportError))


@dataclass(frozen=True, kw_only=True)
class Assay(Inputs):
    """The whole assay: check, power, swap, stability, agreement, incomplete, corpus, variance and compare, one report.

    Sizes are such that a laptop has it in a minute or two; each study alone has all its options. A part that these data
    cannot give is reported, and the rest still delivered.

    \b
    irassay study qrels.txt runs/ --out assay --groups groups.txt --corpus-size 528155
    """

    measures: tuple[str, ...] = option(
        ("AP nDCG@10 Q RBP(p=0.95) RR",), "measures; `variance` takes the first one", flag="-m", many=True,
        metavar="LIST",
    )  # fmt: skip
    only: str | None = option(
        None, f"only these parts, such as power,swap [default: {', '.join(PARTS)}]", metavar="LIST"
    )
    groups: str | None = option(
        None, "which group each system is from, for one system per group: lines of 'system group'", metavar="FILE",
        path=True,
    )  # fmt: skip
    corpus_size: int | None = option(None, "documents in the corpus", low=1, metavar="D")
    pool_depth: int | None = option(None, "depth of the pool, for `check`", low=1, metavar="K")
    resamples: int = option(1000, "samples of topics", low=1, metavar="B")
    rates: str = option("50,10", "per cent of the judgments that remain in `incomplete`", metavar="LIST")
    images: int = option(100, "images of the corpus", low=1, metavar="N")
    samples: int = option(200, "simulated lists of each system and topic in `variance`", low=1, metavar="B")
    baseline: str | None = option(None, "the system that `compare` compares all others with", metavar="SYSTEM")
    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )

    @property
    def parts(self) -> tuple[str, ...]:
        asked = tuple(dict.fromkeys(self.only.replace(",", " ").split())) if self.only is not None else tuple(PARTS)
        unknown = [part for part in asked if part not in PARTS]
        if unknown or not asked:
            raise InputError(f"only is {self.only!r}", hint=f"the parts are {', '.join(PARTS)}")
        return tuple(part for part in PARTS if part in asked)

    def study(self, part: str) -> Any:
        """The study of a part with these settings, as far as it takes them."""
        module, _, settings = PARTS[part].partition(":")
        kind = getattr(import_module(f"irassay.studies.{module}"), settings)
        known = options(kind)
        given = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        del given["only"]
        if part == "check":
            del given["measures"], given["unanswerable"]
        elif part == "incomplete":
            given["one_per_group"] = self.groups is not None
        else:
            del given["groups"]  # alone it selects nothing
        if part == "variance":
            from irassay.measures import parse

            given["measures"] = (str(parse(self.measures)[0]),)
        return kind(**{name: value for name, value in given.items() if name in known and value is not None})

    def run(self, qrels: Any, runs: Any, *, execution: Execution | None = None) -> Iterator[Done]:
        """Part after part, as each is done; one that fails is handed on with its problem."""
        from irassay.measures import parse
        from irassay.studies.inputs import read_inputs

        studies = {part: self.study(part) for part in self.parts}
        parse(self.measures)  # a slip in it would fail every part
        qrels, runs = read_inputs(self, qrels, runs, jobs=execution.jobs if execution else None)
        if "compare" in studies and self.baseline is None and len(runs) > COMPARED:
            studies["compare"] = dataclasses.replace(studies["compare"], top=COMPARED)
        return _parts(studies, qrels, runs, execution)


def _parts(studies: dict[str, Any], qrels: Any, runs: Any, execution: Execution | None) -> Iterator[Done]:
    from irassay.errors import IrassayWarning, emit
    from irassay.studies.collect_warnings import listening, unique

    told: set[str] = set()
    for part, study in studies.items():
        said: list[IrassayWarning] = []
        try:
            with listening(said):
                done = Done(part, study.run(qrels, runs, execution=execution))
        except Exception as problem:  # also a bug: the other parts are worth having, and this one is told
            done = Done(part, None, problem)
        fresh = [warning for warning in unique(said) if str(warning) not in told]
        told |= set(map(str, fresh))
        emit(fresh)  # what the data are like is said once, not by every part
        yield done


def overview(done: list[Done]) -> Result:
    """What was made and what was not, and why."""
    from irassay._version import __version__
    from irassay.errors import IrassayWarning
    from irassay.result import Result, Table
    from irassay.studies.tables import columns

    rows, said = [], []
    for part, result, problem in done:
        what, hint = "", ""
        if problem is not None:
            what = problem.what if isinstance(problem, InputError) else f"{type(problem).__name__}: {problem}"
            hint = problem.hint if isinstance(problem, InputError) else ""
            said.append(IrassayWarning("part", f"{part} could not be made: {what}"))
        tables = None if result is None else len(result.tables)
        warnings = None if result is None else len(result.warnings)
        rows.append(
            {
                "part": part, "done": result is not None, "tables": tables, "warnings": warnings, "problem": what,
                "hint": hint,
            }
        )  # fmt: skip
    count = sum(row["done"] is True for row in rows)
    table = Table("parts", columns(rows), f"{count} of {len(rows)} parts were made")
    first = next((one.result for one in done if one.result is not None), None)
    kept = ("qrels", "runs", "topics") if first is not None else ()
    made = {name: first.provenance[name] for name in kept if first is not None and name in first.provenance}
    return Result("study", (table,), tuple(said), {"irassay": __version__, **made})

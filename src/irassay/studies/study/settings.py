"""`irassay study`: many studies at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from irassay.errors import InputError
from irassay.settings import Execution, Inputs, option, options
from irassay.studies import registry

if TYPE_CHECKING:
    from irassay.result import Result


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
    """Many studies at once, from what is in the data to which systems differ, and one report of them all.

    Sizes are such that a laptop has it in a minute or two; each study alone has all its options. A part that these data
    cannot give is reported, and the rest still delivered.

    \b
    irassay study qrels.txt runs/ --out results --groups groups.txt --corpus-size 528155
    """

    measures: tuple[str, ...] = option(
        ("AP nDCG@10 Q RBP(p=0.95) RR",),
        "measures; `variance` takes the first one",
        flag="-m",
        many=True,
        metavar="LIST",
    )
    only: str | None = option(
        None, f"only these parts, such as power,swap [default: {', '.join(registry.parts())}]", metavar="LIST"
    )
    groups: str | None = option(
        None,
        "which group each system is from, for one system per group: lines of 'system group'",
        metavar="FILE",
        path=True,
    )
    corpus_size: int | None = option(None, "documents in the corpus", low=1, metavar="D")
    pool_depth: int | None = option(None, "depth of the pool, for `check`", low=1, metavar="K")
    resamples: int = option(1000, "samples of topics", low=1, metavar="B")
    rates: str = option("50,10", "per cent of the judgments that remain in `incomplete`", metavar="LIST")
    images: int = option(100, "bootstrap corpora", low=1, metavar="N")
    samples: int = option(200, "simulated lists of each system and topic in `variance`", low=1, metavar="B")
    baseline: str | None = option(None, "the system that `compare` compares all others with", metavar="SYSTEM")
    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )

    @property
    def parts(self) -> dict[str, registry.Study]:
        known = registry.parts()
        names = set(known) if self.only is None else set(self.only.replace(",", " ").split())
        if not names or not names <= set(known):
            raise InputError(f"only is {self.only!r}", hint=f"the parts are {', '.join(known)}")
        return {name: study for name, study in known.items() if name in names}

    def settings_of(self, study: registry.Study, systems: int) -> Any:
        """The settings of a part: these, as far as it takes them."""
        settings = registry.load(study.settings)
        known = options(settings)
        values = {name: getattr(self, name) for name in options(type(self)) if name != "only"}
        if study.part_options is not None:
            values = study.part_options(values, systems)
        elif "one_per_group" in known:
            del values["groups"]  # alone it selects nothing
        return settings(**{name: value for name, value in values.items() if name in known and value is not None})

    def run(self, qrels: Any, runs: Any, *, execution: Execution | None = None) -> Iterator[Done]:
        """Part after part, as each is done; one that fails is handed on with its problem."""
        from irassay.measures import parse
        from irassay.studies.inputs import read_inputs

        parts = self.parts
        parse(self.measures)  # a slip in it would fail every part
        qrels, runs = read_inputs(self, qrels, runs, jobs=execution.jobs if execution else None)
        studies = {name: self.settings_of(study, len(runs)) for name, study in parts.items()}
        return _results(studies, qrels, runs, execution)


def _results(studies: dict[str, Any], qrels: Any, runs: Any, execution: Execution | None) -> Iterator[Done]:
    from irassay.errors import IrassayWarning, emit
    from irassay.studies.collect_warnings import listening, unique

    seen: set[str] = set()
    for part, study in studies.items():
        warnings: list[IrassayWarning] = []
        try:
            with listening(warnings):
                done = Done(part, study.run(qrels, runs, execution=execution))
        except Exception as problem:  # also a bug: the other parts are worth having, and this one is reported
            done = Done(part, None, problem)
        fresh = [warning for warning in unique(warnings) if str(warning) not in seen]
        seen |= set(map(str, fresh))
        emit(fresh)  # what the data are like is said once, not by every part
        yield done


def overview(done: list[Done]) -> Result:
    """What was done and what failed, and why."""
    from irassay._version import __version__
    from irassay.errors import IrassayWarning
    from irassay.result import Result, Table
    from irassay.studies.tables import columns

    rows, warnings = [], []
    for part, result, problem in done:
        message, hint = "", ""
        if problem is not None:
            message = problem.what if isinstance(problem, InputError) else f"{type(problem).__name__}: {problem}"
            hint = problem.hint if isinstance(problem, InputError) else ""
            warnings.append(IrassayWarning("part", f"{part} could not be made: {message}"))
        rows.append(
            {
                "part": part,
                "done": result is not None,
                "tables": None if result is None else len(result.tables),
                "warnings": None if result is None else len(result.warnings),
                "problem": message,
                "hint": hint,
            }
        )
    results = [one.result for one in done if one.result is not None]
    table = Table("parts", columns(rows), f"{len(results)} of {len(rows)} parts were made")
    data = results[0].provenance if results else {}
    provenance = {name: data[name] for name in ("qrels", "runs", "topics") if name in data}
    result = Result("study", (table,), tuple(warnings), {"irassay": __version__, **provenance})
    return registry.describe(registry.studies()["study"], result)

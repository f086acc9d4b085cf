"""Every study as one function: data first, its settings as keywords, a `Result` back."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from irassay.report.folder import check_place, save_result
from irassay.result import Result
from irassay.settings import Execution, Saved, Threads
from irassay.studies.agreement import Agreement
from irassay.studies.check.settings import Check
from irassay.studies.compare.settings import Compare
from irassay.studies.corpus.settings import Corpus
from irassay.studies.design.settings import Design
from irassay.studies.gains import Gains
from irassay.studies.incomplete.settings import Incomplete
from irassay.studies.papers.settings import PaperStudy
from irassay.studies.pools.settings import Pools
from irassay.studies.power.settings import Power
from irassay.studies.preferred_ranks import PreferredRanks
from irassay.studies.shape import Shape
from irassay.studies.stability import Stability
from irassay.studies.swap import Swap
from irassay.studies.variance.settings import Variance


def _function(study: Any, name: str, execution: Any = Execution) -> Callable[..., Result]:
    hows = {f.name: f.default for f in dataclasses.fields(execution)}

    def run(qrels: Any = None, runs: Any = None, **settings: Any) -> Result:
        how = execution(**{name: settings.pop(name, default) for name, default in hows.items()})
        out = getattr(how, "out", None)
        if out is not None:
            check_place(out)  # before any work
        result: Result = study(**settings).run(qrels, runs, execution=how)
        if out is not None:
            save_result(result, out)
        return result

    keyword = inspect.Parameter.KEYWORD_ONLY
    settings = hows | {f.name: f.default for f in dataclasses.fields(study)}
    fields = [inspect.Parameter(name, keyword, default=default) for name, default in settings.items()]
    data = list(inspect.signature(run).parameters.values())[:2]
    run.__signature__ = inspect.Signature([*data, *fields], return_annotation=Result)  # type: ignore[attr-defined]
    run.__name__ = run.__qualname__ = name
    run.__doc__ = f"{inspect.cleandoc(study.__doc__ or '')}\n\n{inspect.cleandoc(study.run.__doc__ or '')}"
    return run


agreement = _function(Agreement, "agreement")
check = _function(Check, "check", Threads)
compare = _function(Compare, "compare")
corpus = _function(Corpus, "corpus")
design = _function(Design, "design", Saved)
gains = _function(Gains, "gains")
incomplete = _function(Incomplete, "incomplete")
pools = _function(Pools, "pools")
power = _function(Power, "power")
preferred_ranks = _function(PreferredRanks, "preferred_ranks", Saved)
stability = _function(Stability, "stability")
swap = _function(Swap, "swap")
variance = _function(Variance, "variance")


def shape(**settings: Any) -> Result:
    """What measures reward; `irassay.studies.shape.Shape` has the settings."""
    return Shape(**settings).run()


def paper(key: str, qrels: Any, runs: Any, **settings: Any) -> Result:
    """Everything that a paper shows, from these data; `irassay.studies.paper.PaperStudy` has the settings.

    `irassay paper --list` shows the keys with their tables and figures. Table `contents` says what was delivered.
    """
    how = {f.name: settings.pop(f.name, f.default) for f in dataclasses.fields(Execution) if f.name != "out"}
    return PaperStudy(**settings).run(key, qrels, runs, execution=Execution(**how))

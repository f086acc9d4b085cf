"""Every registered study as one function: data first, its settings as keywords, a `Result` back."""

import dataclasses
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from irassay.report.folder import check_place, save_result
from irassay.result import Result
from irassay.settings import Execution
from irassay.studies.collection_settings import study_inputs
from irassay.studies.execution import run_collections
from irassay.studies.merge import merge_results
from irassay.studies.papers.run import run_paper
from irassay.studies.papers.settings import PaperStudy
from irassay.studies.registry import Study, load

INPUTS = (
    inspect.Parameter("qrels", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None),
    inspect.Parameter("runs", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None),
)


@cache
def function_of(study: Study) -> Callable[..., Result]:
    """The function of a study, with its settings in signature and docstring."""
    settings, execution = load(study.settings), load(f"irassay.settings:{study.execution}")
    inputs = () if study.data == "none" else INPUTS
    how = {field.name: field.default for field in dataclasses.fields(execution)}
    defaults = how | {field.name: field.default for field in dataclasses.fields(settings)}
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name]) for name in defaults]
    signature = inspect.Signature([*inputs, *keywords], return_annotation=Result)

    def function(*arguments: Any, **options: Any) -> Result:
        values = signature.bind(*arguments, **options).arguments
        data = [values.pop(parameter.name, None) for parameter in inputs]
        run_as = execution(**{name: values.pop(name) for name in how if name in values})
        out = getattr(run_as, "out", None)
        if out is not None:
            check_place(out)  # before any work
        outcomes = run_collections(study, values, *data, execution=run_as)
        result = merge_results({name: outcome.result for name, outcome in outcomes.items()})
        if out is not None:
            save_result(result, out)
        return result

    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = study.name.replace("-", "_")
    function.__doc__ = "\n\n".join(inspect.cleandoc(each.__doc__ or "") for each in (settings, load(study.run)))
    return function


def paper(key: str, qrels: Any, runs: Any = None, **settings: Any) -> Result:
    """Everything that a paper shows, from these data; `irassay.studies.papers.settings.PaperStudy` has the settings.

    `irassay paper --list` shows the keys with their tables and figures. Table `contents` says what was delivered.
    """
    how = {f.name: settings.pop(f.name, f.default) for f in dataclasses.fields(Execution) if f.name != "out"}
    return run_paper(study_inputs(PaperStudy, settings, qrels, runs), key, Execution(**how))

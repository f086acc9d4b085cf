"""Every registered study as one function: data first, its settings as keywords, a `Result` back."""

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from irassay.result import Result
from irassay.settings import Execution
from irassay.studies.collection_settings import study_inputs
from irassay.studies.execution import run_collections
from irassay.studies.merge import merge_results
from irassay.studies.registry import Study, load
from irassay.studies.saving import saved, settings_record
from irassay.studies.signatures import docstring_of, signature_of, values_of


@cache
def function_of(study: Study) -> Callable[..., Result]:
    """The function of a study, with its settings in signature and docstring."""
    execution = load(f"irassay.settings:{study.execution}")
    how = {field.name for field in dataclasses.fields(execution)}
    signature, call = signature_of(study), load(study.call)

    def function(*arguments: Any, **options: Any) -> Any:
        _check_keywords(function.__name__, signature.parameters, options)
        values = signature.bind(*arguments, **options).arguments
        data = [values.pop(name, None) for name in study.arguments]
        run_as = execution(**{name: values.pop(name) for name in how & values.keys()})
        return call(study, values_of(study, values), data, run_as)

    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = study.name.replace("-", "_")
    function.__module__ = "irassay"
    function.__doc__ = docstring_of(study)
    return function


def _check_keywords(function: str, known: Iterable[str], options: Iterable[str]) -> None:
    """A keyword that the function does not have is an error that says which one was meant."""
    known = tuple(known)
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"did you mean {near[0]!r}?" if near else f"help(irassay.{function}) lists all"
            raise TypeError(f"irassay.{function}() got an unexpected keyword argument {name!r}; {meant}")


def run_and_save(study: Study, values: dict[str, Any], data: Sequence[Any], execution: Any) -> Result:
    """The result of a study, of several collections one of all, saved as `--out` saves it where a folder is given."""

    def run() -> Result:
        outcomes = run_collections(study, values, *data, execution=execution)
        return merge_results({name: outcome.result for name, outcome in outcomes.items()})

    if not getattr(execution, "out", None):
        return run()
    inputs = study_inputs(load(study.settings), values, *(data or (None, None)))
    return saved(execution.out, settings_record(inputs), run, force=execution.force)


def run_and_save_paper(study: Study, values: dict[str, Any], data: Sequence[Any], execution: Execution) -> Result:
    """The function `irassay.paper`: `data` begins with the paper's key."""
    from irassay.studies.papers.run import run_paper

    key, qrels, runs = data
    inputs = study_inputs(load(study.settings), values, qrels, runs)
    record = settings_record(inputs, paper=key)
    return saved(execution.out, record, lambda: run_paper(inputs, key, execution), force=execution.force)

"""Writes the stubs that editors and type checkers read, from the settings of studies and the records: `make docs`."""

from __future__ import annotations

import inspect
from pathlib import Path

import irassay
from irassay.measures import records, summaries
from irassay.studies.registry import Study, studies
from irassay.studies.signatures import docstring_of, signature_of

SOURCE = Path(__file__).parents[1] / "src" / "irassay"
HEAD = '''"""The public names of irassay. Made by `make docs` from the settings of the studies."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from irassay._version import __version__ as __version__
from irassay.measures import Record
{imports}

__all__: list[str]

Measures = str | Measure | Record | Iterable[str | Measure | Record]
ScoreTables = str | os.PathLike[str] | Scores | Sequence[str | os.PathLike[str] | Scores]

def report(
    results: Result | str | os.PathLike[str] | Mapping[str, Result] | Iterable[Result | str | os.PathLike[str]],
    path: str | os.PathLike[str] = "report.html",
    title: str | None = None,
) -> None:
    """One page from results, or from folders that hold them: what `irassay report` writes."""

'''
MEASURES = '''"""Measures as values. Made by `make docs` from the records of the measures."""

from collections.abc import Callable

from irassay.measures.core.grammar import parse as parse
from irassay.measures.core.measure import Measure as Measure
from irassay.measures.core.param import Param as Param
from irassay.measures.core.record import Record as Record, Summary as Summary
from irassay.measures.core.registry import (
    get as get,
    measure as measure,
    records as records,
    register as register,
    summaries as summaries,
)

'''


def package() -> str:
    """`irassay/__init__.pyi`: what is public, and a function for every study."""
    imports = [
        f"from {module} import {', '.join(f'{name} as {name}' for name in names)}"
        for module, names in vars(irassay)["_NAMES"].items()
    ]
    return HEAD.format(imports="\n".join(imports)) + "\n".join(map(function, studies().values()))


def function(study: Study) -> str:
    """The function of a study, a parameter a line."""
    lines, starred = [], False
    for parameter in signature_of(study).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            lines.append("    *,")
            starred = True
        default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
        lines.append(f"    {parameter.name}: {parameter.annotation}{default},")
    about = "\n".join(f"    {line}".rstrip() for line in docstring_of(study).splitlines())
    quoted = about.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    head = [f"def {study.name.replace('-', '_')}(", *lines, f") -> {study.returns}:"]
    return "\n".join([*head, f'    """{quoted.lstrip()}', '    """', ""])


def measures() -> str:
    """`irassay/measures/__init__.pyi`: every measure as a value, every summary as a function of one."""
    lines = [f'{name}: Measure\n"""{record.help}"""' for name, record in records().items()]
    around = [summary for summary in summaries().values() if summary.written]
    lines += [f'{summary.name}: Callable[..., Measure]\n"""{summary.help}"""' for summary in around]
    return MEASURES + "\n".join(lines) + "\n"


STUBS = {SOURCE / "__init__.pyi": package, SOURCE / "measures" / "__init__.pyi": measures}


def main() -> None:
    for path, text in STUBS.items():
        path.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()

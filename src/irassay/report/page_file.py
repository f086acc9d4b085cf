"""One page of results in a file."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from irassay.report.html import to_html
from irassay.report.load import collect_results
from irassay.report.text import visible
from irassay.report.write import write
from irassay.result import Result

Folder = str | os.PathLike[str]
Results = Result | Folder | Mapping[str, Result] | Iterable[Result | Folder]


def write_page(results: Results, path: Folder, title: str | None = None) -> None:
    """One page from results, or from folders that hold them or have such folders below them.

    `title` stands in place of what the results call their data.
    """
    named = _named(results)
    if not title:
        write(to_html(named), Path(path))
        return
    titled = [(name, replace(one, headline=replace(one.headline, title=visible(title)))) for name, one in named]
    write(to_html(titled, visible(title)), Path(path))


def _named(results: Results) -> list[tuple[str, Result]]:
    if isinstance(results, Mapping):
        return sorted(results.items(), key=lambda named: named[1].order)
    listed = [results] if isinstance(results, (Result, str, os.PathLike)) else list(results)
    in_memory = [(one.study, one) for one in listed if isinstance(one, Result)]
    folders = [one for one in listed if not isinstance(one, Result)]
    return [*collect_results(folders), *sorted(in_memory, key=lambda named: named[1].order)]

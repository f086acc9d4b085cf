"""Every measure of the package, by its name, its aliases and trec_eval's names."""

import difflib
import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from irassay.errors import InputError
from irassay.measures import definitions
from irassay.measures.core.record import Function, Record, Summary
from irassay.measures.core.record import measure as declare

SUMMARIES = "irassay.measures.core.summaries"
_registered: list[Record] = []  # at run time
LEVEL = r"(\d+(?:\.\d+)?)"  # what stands after @ where it is no rank


@cache
def _plugins() -> list[Any]:
    """Entry points of other packages: modules that use `irassay.measure`, as long as they are not loaded."""
    from importlib.metadata import entry_points

    return list(entry_points(group="irassay.measures"))


def records() -> Mapping[str, Record]:
    """All measures by name, in the order of their names."""
    while _plugins():
        _plugins().pop().load()
    return _records()


@cache
def _records() -> Mapping[str, Record]:
    by_name = {record.name: record for record in _registered}
    # Found by looking, so that a new measure is a new file and nothing else.
    modules = pkgutil.iter_modules(definitions.__path__, f"{definitions.__name__}.")
    for name in sorted(module.name for module in modules):
        for record in vars(importlib.import_module(name)).values():
            # a record imported to derive another one belongs to the module that declared it
            if not isinstance(record, Record) or record.module != name:
                continue
            if by_name.setdefault(record.name, record) is not record:
                raise RuntimeError(f"{record.module} declares {record.name} a second time")
    return MappingProxyType(dict(sorted(by_name.items(), key=lambda item: item[0].lower())))


class measure(declare):  # noqa: N801 - used as a decorator
    """Declare a measure at run time: `@irassay.measure("X", kind="fold", cite="")` above its function."""

    def __call__(self, function: Function) -> Record:
        return register(super().__call__(function))


def register(record: Record) -> Record:
    """Add a measure for the rest of this process, as a file in `definitions` does for every process."""
    for name in (record.name, *record.aliases, *filter(None, [record.trec])):
        if name in _names() or name in summaries():
            raise InputError(f"there is a measure {name} already", f"measure {record.name!r}", "give it another name")
    _registered.append(record)
    for names in (_records, _names, _cut_names):
        names.cache_clear()
    return record


def registered(name: str) -> Record | None:
    """The record of that name, if it was registered at run time."""
    return next((record for record in _registered if record.name == name), None)


@cache
def summaries() -> Mapping[str, Summary]:
    """All summaries by name."""
    declared = vars(importlib.import_module(SUMMARIES)).values()
    return MappingProxyType({value.name: value for value in declared if isinstance(value, Summary)})


@cache
def _names() -> dict[str, Record]:
    names = dict(records())
    for record in records().values():
        for name in (*record.aliases, *filter(None, [record.trec])):
            if names.setdefault(name, record) is not record:
                raise RuntimeError(f"{name} means both {names[name].name} and {record.name}")
    # in lower case too, as many tools write them: mrr@10, recall@100
    for record in records().values():
        for alias in record.aliases:
            names.setdefault(alias.lower(), record)
    return names


@cache
def _cut_names() -> tuple[tuple[re.Pattern[str], Record], ...]:
    return tuple(
        (re.compile(re.escape(record.trec_cut).replace(r"\{k\}", LEVEL if record.at else r"(\d+)"), re.ASCII), record)
        for record in records().values()
        if record.trec_cut
    )


def find(name: str) -> tuple[Record, str | None] | None:
    """The record of a name, and the text of the cut-off where trec_eval's name holds one (`P_10`)."""
    if name in _names():
        return _names()[name], None
    for pattern, record in _cut_names():
        if match := pattern.fullmatch(name):
            return record, match[1]
    return None


def get(name: str) -> Record:
    """The record of a measure's name, alias or trec_eval name."""
    if match := find(name):
        return match[0]
    raise unknown(name, "", f"measure {name!r}")


def unknown(name: str, rest: str, where: str) -> InputError:
    """The error for a name that is not a measure's; `rest` is what follows it in the user's text."""
    written = [summary.name for summary in summaries().values() if summary.written]
    # whatever the case; measures overwrite what comes before them, so that nDCG wins over ndcg
    spellings = {known.lower(): known for known in (*written, *reversed(_names()))}
    close = difflib.get_close_matches(name.lower(), spellings, n=1)
    known = ", ".join([*records(), *written])
    hint = f"did you mean {spellings[close[0]]}{rest}?" if close else f"the measures are {known}"
    return InputError(f"there is no measure {name}", where, hint)

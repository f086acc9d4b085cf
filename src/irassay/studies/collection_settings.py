"""What studies are run on: data as they were given, or collections, each with the settings of a study for it."""

from __future__ import annotations

import os
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from irassay.errors import InputError, Problem
from irassay.files import is_path
from irassay.settings import Option, check_bounds, options
from irassay.studies.collections import Collection, choose, collections_in

KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
Settings = TypeVar("Settings")


class StudyInput(NamedTuple):
    """Data and the settings of a study for them; `collection` is their name where they are one of several.

    `name` is also that of a collection alone; without a collection there is none.
    """

    collection: str
    settings: Any
    qrels: Any
    runs: Any
    name: str = ""


def study_inputs(
    settings: type, values: Mapping[str, Any], qrels: Any, runs: Any, names: Sequence[str] = ()
) -> list[StudyInput]:
    """The data with settings of these values, which come before those of collections in place of `qrels`.

    Of several collections only those with the `names`, or all. Files that are not there are errors before any work.
    """
    collections = collections_in(qrels)
    if collections is None:
        if names:
            raise InputError("--collection chooses from a collections file", hint="give one in place of QRELS and RUN")
        alone = settings(**values)
        check_bounds(alone)
        return [StudyInput("", alone, qrels, runs)]
    if runs is not None and (not isinstance(runs, list | tuple) or len(runs)):
        raise InputError("collections were given, and runs too", hint="each collection has its runs: leave out RUN")
    chosen = choose(collections, names)
    configured: list[Any] = [settings_for(settings, collection, values) for collection in chosen]
    for collection, own in zip(chosen, configured, strict=True):
        _check_paths(collection)
        check_bounds(own)
    _check_outputs(settings, configured)
    several = len(chosen) > 1
    return [
        StudyInput(collection.name if several else "", own, collection.qrels, collection.runs, collection.name)
        for collection, own in zip(chosen, configured, strict=True)
    ]


def settings_for(settings: type[Settings], collection: Collection, values: Mapping[str, Any]) -> Settings:
    """The settings of a study for a collection: these values, and of its own options those that the study takes."""
    hints = typing.get_type_hints(settings)
    own = {
        name: _value(name, collection.options[name], option, hints[name], collection)
        for name, (_, option) in options(settings).items()
        if name in collection.options and name not in values
    }
    # the groups of a collection are there for all studies; this one would take them for a mistake
    alone = getattr(settings, "groups_only_select", False) and not {**own, **values}.get("one_per_group")
    if alone:
        own.pop("groups", None)
    try:
        return settings(**own, **values)
    except InputError as problem:
        raise located(problem, collection.where) from None


def located(problem: InputError, place: str) -> InputError:
    """The error with a place before the places it names."""
    problems = [one._replace(where=f"{place}: {one.where}" if one.where else place) for one in problem.problems]
    return InputError.of(problems, problem.hint)


def _value(name: str, value: Any, option: Option, hint: Any, collection: Collection) -> Any:
    """An option's value as its settings take it, with paths from the folder of the file."""
    kinds = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    if option.many and _is_path(value):
        value = (value,)
    if isinstance(value, Mapping) and any(typing.get_origin(kind) is not None for kind in kinds):
        value = {int(key) if isinstance(key, str) and key.isdigit() else key: one for key, one in value.items()}
    if not any(_fits(value, kind) for kind in kinds):
        raise InputError(f"{name!r} is {value!r}", collection.where, f"it is {_expected(kinds)}")
    if option.choices and value is not None and value not in option.choices:
        raise InputError(f"{name!r} is {value!r}", collection.where, f"it is one of {', '.join(option.choices)}")
    if option.low is not None and isinstance(value, int | float) and value < option.low:
        raise InputError(f"{name!r} is {value!r}", collection.where, f"it is at least {option.low:g}")
    if name == "topics" and isinstance(value, str) and value.startswith("@"):
        return f"@{collection.folder / value[1:]}"
    if option.path and value is not None:
        return tuple(_path(one, collection) for one in value) if option.many else _path(value, collection)
    return tuple(value) if isinstance(value, list) else value


def _path(value: Any, collection: Collection) -> Any:
    return str(collection.folder / value) if isinstance(value, str) else value


def _fits(value: Any, kind: Any) -> bool:
    if typing.get_origin(kind) is not None:
        inner, *others = typing.get_args(kind)
        if typing.get_origin(kind) is Mapping:
            return isinstance(value, Mapping) and all(
                _fits(key, inner) and _fits(one, others[0]) for key, one in value.items()
            )
        return isinstance(value, list | tuple) and all(_fits(one, inner) for one in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return _is_path(value) if kind is str else isinstance(value, kind)


def _expected(kinds: Sequence[Any]) -> str:
    names = [KINDS[kind] for kind in kinds if kind in KINDS]
    for kind in kinds:
        inner = typing.get_args(kind)
        if typing.get_origin(kind) is Mapping:
            names.append(f"a table from {KINDS[inner[0]]} to {KINDS[inner[1]]}")
        elif inner:
            names.append(f"a list, each {KINDS[inner[0]]}")
    return " or ".join(dict.fromkeys(names))


def _check_paths(collection: Collection) -> None:
    """Judgments and runs are there; what is in them is another matter."""
    from irassay.read.files import expand

    runs = collection.runs if isinstance(collection.runs, list | tuple) else [collection.runs]
    try:
        paths = expand(one for one in runs if is_path(one))
    except InputError as problem:
        raise located(problem, f"{collection.where}: runs") from None
    places = [("qrels", collection.qrels), *(("runs", path) for path in paths)]
    missing = [
        Problem("no such file", f"{collection.where}: {key}: {os.fspath(path)}")
        for key, path in places
        if is_path(path) and not os.path.exists(path)  # False too for what no file can be called
    ]
    if missing:
        raise InputError.of(missing, "paths are relative to the file" if collection.source else "")


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


def _check_outputs(settings: type, configured: Sequence[Any]) -> None:
    """What a study writes beside its result cannot be one file for several collections."""
    for name, (_, option) in options(settings).items():
        places = [getattr(own, name) for own in configured if option.output and getattr(own, name) is not None]
        if len(set(places)) < len(places):
            raise InputError(
                f"--{name.replace('_', '-')} {places[0]} would be written for several collections",
                hint=f"give each collection its own {name}, or choose one with --collection",
            )

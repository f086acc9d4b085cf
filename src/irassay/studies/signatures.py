"""What the Python function of a study looks like: its parameters with their types, and its docstring.

The functions themselves, and the stub that editors and type checkers read (`docs/stubs.py`), both come from here.
"""

import dataclasses
import inspect
import os
import re
import textwrap
import typing
from collections.abc import Iterable, Mapping
from typing import Any

from irassay.measures import parse
from irassay.settings import Option, options
from irassay.studies.registry import Study, load

DATA = {
    "qrels": "Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned",
    "runs": "Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs` returned",
    "key": "Which paper, such as 'sakai2007bootstrap'",
}
PLACEHOLDERS = {
    "scores": "; in place of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections",
    "runs": "; in place of both qrels and runs also collections, or a `Panel` where that has all that is needed",
    "judgments": "; in place of both qrels and runs also collections",
}
JUDGES_AND_RUNS = (
    "Judgments of other judges, and runs: paths, told apart by their columns, and what `read_qrels` and `read_runs` "
    "returned"
)
WIDTH = 100  # of a line of a docstring
PATH = "str | os.PathLike[str]"
# Names that the stub defines: what a user may give for measures and for score tables.
SPECIAL = {
    "measures": "Measures",
    "scores": "ScoreTables",
    "by": "str | Measure | None",
    "judges": "Any",  # judgments, as `qrels`: one, several or by name
    "cheap": "Any",  # judgments, as `qrels`
    "out": f"{PATH} | None",
}
# The command line's words for things that Python calls otherwise.
_TERMS = (
    (re.compile(r"--([a-z]+(?:-[a-z]+)*)"), lambda match: match[1].replace("-", "_")),
    (re.compile(r"\bQRELS\b"), lambda match: "qrels"),
    (re.compile(r"\bRUN(?:\.\.\.)?(?![A-Za-z])"), lambda match: "runs"),
    (re.compile(r"(?:; |, |: )may be repeated"), lambda match: "; one or several"),
    (re.compile(r": twice, one system each"), lambda match: ": two systems"),
)


def signature_of(study: Study) -> inspect.Signature:
    """Data first, then every setting and how the work runs as keywords, with their defaults and types as text."""
    data = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=_absent(name), annotation=_data(name))
        for name in study.arguments
    ]
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=annotation)
        for name, (field, _, annotation) in keywords_of(study).items()
    ]
    return inspect.Signature([*data, *keywords], return_annotation=study.returns)


def _absent(name: str) -> Any:
    return inspect.Parameter.empty if name == "key" else None


def _data(name: str) -> str:
    return "str" if name == "key" else "Any"


def keywords_of(study: Study) -> dict[str, tuple[dataclasses.Field[Any], Option, str]]:
    """Field, option and type of every keyword of a study: its settings, then how it runs."""
    keywords: dict[str, tuple[dataclasses.Field[Any], Option, str]] = {}
    for settings in (load(study.settings), load(f"irassay.settings:{study.execution}")):
        hints = typing.get_type_hints(settings)
        for name, (field, option) in options(settings).items():
            keywords.setdefault(name, (field, option, annotation_of(name, field, option, hints[name])))
    return keywords


def annotation_of(name: str, field: dataclasses.Field[Any], option: Option, hint: Any) -> str:
    """The type of a keyword as source text."""
    if name in SPECIAL:
        return SPECIAL[name]
    none = type(None) in typing.get_args(hint)
    if option.choices and not option.many:
        text = f"Literal[{', '.join(map(repr, option.choices))}]"
    elif option.path:
        text = PATH
    elif option.many:
        text = "str | Sequence[str]"
    else:
        kinds = [kind for kind in typing.get_args(hint) or (hint,) if kind is not type(None)]
        text = " | ".join(_written(kind) for kind in kinds if kind is not type(None))
    return f"{text} | None" if none else text


def _written(kind: Any) -> str:
    arguments = ", ".join(map(_written, typing.get_args(kind)))
    name = getattr(kind, "__name__", str(kind))
    return f"{name}[{arguments}]" if arguments else name


def values_of(study: Study, values: dict[str, Any]) -> dict[str, Any]:
    """Given keywords as the settings keep them: what may be several is a tuple, also of one."""
    many = {name: option for name, (_, option, _) in keywords_of(study).items() if option.many}
    several = {name: _several(value) if name in many and value is not None else value for name, value in values.items()}
    if "measures" in several:
        several["measures"] = tuple(map(_measure_text, several["measures"]))
    if several.get("by") is not None:
        several["by"] = _measure_text(several["by"])
    return several


def _several(value: Any) -> Any:
    if isinstance(value, Mapping):  # by name
        return value
    if hasattr(value, "by_measure"):  # `Scores`, whose class is heavy to import: to go through them gives names
        return (value,)
    return (value,) if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable) else tuple(value)


def _measure_text(measure: Any) -> str:
    """Text, which may also be the name of a column of a score table; else a measure, ours or ir_measures'."""
    return measure if isinstance(measure, str) else str(*parse(measure))


def in_python(text: str) -> str:
    """A text about options, in the words of Python; commands in it stay as they are."""
    parts = re.split(r"(`irassay [^`]*`)", text)
    for place in range(0, len(parts), 2):
        for pattern, replacement in _TERMS:
            parts[place] = pattern.sub(replacement, parts[place])
    return "".join(parts)


def docstring_of(study: Study) -> str:
    """What the study does, its parameters, and the tables of its result."""
    settings = load(study.settings)
    about, _, _ = inspect.cleandoc(settings.__doc__ or "").partition("\b\n")  # examples are for a shell
    lines = [*_paragraphs(about), "Parameters", "----------"]
    for name in study.arguments:
        more = PLACEHOLDERS.get(study.data, "") if name == "qrels" else ""
        text = JUDGES_AND_RUNS if study.data == "judgments" and name == "runs" else DATA[name]
        lines += [name, f"    {text}{more}."]
    for name, (field, option, _) in keywords_of(study).items():
        lines += [name, f"    {_sentence(option, field.default)}"]
    lines += ["", "Returns", "-------", study.returns]
    lines += [f"    {line}".rstrip() for line in _paragraphs(inspect.cleandoc(load(study.run).__doc__ or ""))[:-1]]
    return "\n".join(wrapped for line in lines for wrapped in _wrapped(line))


def _paragraphs(text: str) -> list[str]:
    """Each paragraph as one line, with an empty one after it."""
    return [line for part in in_python(text.strip()).split("\n\n") for line in (" ".join(part.split()), "")]


def _wrapped(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


def _sentence(option: Option, default: Any) -> str:
    text, _, written = in_python(option.help).partition(" [default: ")
    text = f"{text[0].upper()}{text[1:]}{'' if text.endswith('?') else '.'}"
    if written:
        return f"{text} Default: {written.removesuffix(']')}."
    if default is None or default == () or default is False:
        return text
    return f"{text} Default: {' '.join(default) if isinstance(default, tuple) else default}."

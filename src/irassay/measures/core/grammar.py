"""Reading measures from text, as users type them on the command line and in Python.

    list  = item {space item}
    item  = SUMMARY(m[,key=value…]) | m
    m     = NAME['][(key=value,…)][@INT]      IPrec alone has a recall level there: IPrec@0.1
    value = number | 'text' | True | False | {int:number,…}

Every refusal is an `InputError` that names the measure and the way out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from irassay.errors import InputError
from irassay.measures.core import registry
from irassay.measures.core.foreign import is_foreign, our_text
from irassay.measures.core.measure import Measure, Pairs
from irassay.measures.core.param import JUDGED_ONLY, Param, Value
from irassay.measures.core.record import Record, Summary
from irassay.measures.core.summaries import TREC_NAMES

SHAPE = "a measure is NAME['](key=value,…)@k, for example AP, nDCG@10, AP'(rel=2) or GM(AP)"
TOP_RANK = 2**31 - 1  # ranks are int32 everywhere

# a point belongs to a name in trec_eval's iprec_at_recall_0.10 only
_NAME = re.compile(r"11pt_avg|[A-Za-z][\w+-]*(?:(?<=_\d)\.\d+)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_BRACKETS = {")": "(", "}": "{"}
# A quote opens a text only after `=`; anywhere else it is the prime of a condensed list, as in GM(AP').
_QUOTED = re.compile(r"""(?P<before>=\s*)(?:'[^']*'|"[^"]*"|(?P<unclosed>['"].*))""", re.DOTALL)
_KEYED = re.compile(r"\s*(\w+)\s*=(.*)", re.ASCII | re.DOTALL)


def parse(measures: str | Measure | Record | Iterable[Any]) -> tuple[Measure, ...]:
    """The measures of a text, of a value (ours or ir_measures'), or of a sequence of them, in order, each once."""
    parsed: list[Measure] = []
    several = isinstance(measures, Iterable) and not isinstance(measures, str) and not is_foreign(measures)
    listed: Iterable[Any] = measures if several else [measures]  # type: ignore[assignment]  # `several` says so
    for one in listed:
        if isinstance(one, Measure):
            parsed.append(_complete(one))
        elif isinstance(one, Record):  # what @irassay.measure makes of a function
            parsed.append(_complete(Measure(one.name)))
        elif isinstance(one, str):
            parsed += map(_item, _split(one))
        elif is_foreign(one):
            parsed.append(_item(our_text(one)))
        else:
            raise InputError(f"a measure is given as text, not as {type(one).__name__}", "", SHAPE)
    if not parsed:
        raise InputError("no measure given", "", SHAPE)
    return tuple(dict.fromkeys(parsed))


def _complete(measure: Measure) -> Measure:
    """A value such as P, which is complete only as P @ 10, is refused as its text is."""
    record = measure.record
    return _item(str(measure)) if record.cut == "required" or record.at or record.check else measure


def _item(text: str) -> Measure:
    name = _NAME.match(text)
    if name and name[0] in TREC_NAMES:
        if name.end() < len(text):
            raise InputError(
                f"{name[0]} stands alone",
                f"measure {text!r}",
                f"write {TREC_NAMES[name[0]]} with the change in it",
            )
        return _item(TREC_NAMES[name[0]])
    summary = registry.summaries().get(name[0]) if name else None
    if name and summary and summary.written:
        return _summarised(summary, text, text[name.end() :])
    return _measure(text)


def _summarised(summary: Summary, text: str, rest: str) -> Measure:
    name, where = summary.name, f"measure {text!r}"
    if not rest.startswith("("):
        raise InputError(f"{name} summarises a measure", where, f"write {name}(AP), with a prime inside: {name}(AP')")
    end = _bracket_end(rest)
    if rest[end:]:
        raise InputError(f"nothing may follow {name}(…)", where, f"put it inside: {name}(AP{rest[end:]})")
    inner, *keys = _split(rest[1 : end - 1], ",") or [""]
    head = _NAME.match(inner.strip())
    if not head or _KEYED.fullmatch(inner):
        raise InputError(f"{name} needs a measure first", where, f"write {name}(AP)")
    if head[0] in TREC_NAMES or head[0] in registry.summaries():
        raise InputError(f"{name} cannot summarise a summary", where, f"write {name}(AP), with one summary")
    measure = _measure(inner.strip())
    values = accept(name, _keys(keys, name, where), dict(summary.params), where)
    return replace(measure, summary=(name, different(values, summary.params)))


def _measure(text: str) -> Measure:
    where = f"measure {text!r}"
    name = _NAME.match(text)
    if not name:
        raise InputError("this is not a measure", where, SHAPE)
    rest = text[name.end() :]
    match = registry.find(name[0])
    if not match:
        raise registry.unknown(name[0], rest, where)
    record, digits = match
    prime = rest.startswith("'")
    rest = rest[prime:]
    end = _bracket_end(rest) if rest.startswith("(") else 0
    keys = _keys(_split(rest[1 : end - 1], ","), name[0], where) if end else {}
    after = _after(name[0], digits, rest[end:], where, text)
    if record.at is None:
        return build(record, keys, prime, cut_off(name[0], after, where), where)
    if after is not None:
        keys[record.at] = level(record, keys, after, where)
    return build(record, keys, prime, None, where)


def _after(name: str, digits: str | None, rest: str, where: str, text: str) -> str | None:
    """What stands after @, after everything else (or inside trec_eval's name)."""
    if rest:
        if rest.endswith("'"):
            moved = text[: len(name)] + "'" + text[len(name) : -1]
            raise InputError("the prime is in the wrong place", where, f"it follows the name: {moved}")
        if after := re.fullmatch(r"(@[\d.]+)(\(.*\))", rest, re.DOTALL):
            moved = text[: -len(rest)] + after[2] + after[1]
            raise InputError("the cut-off comes last", where, f"write {moved}")
        if "," in rest:
            raise InputError("measures are separated by spaces", where, f"write {' '.join(_split(text, ','))}")
        if not rest.startswith("@"):
            raise InputError(f"{rest!r} cannot be read", where, SHAPE)
        if digits is not None:
            raise InputError("two cut-offs are given", where, f"keep one of {digits} and {rest[1:]}")
        digits = rest[1:]
    return digits


def level(record: Record, keys: Mapping[str, object], after: str, where: str) -> object:
    if record.at in keys:
        raise InputError(f"{record.at} is given twice", where, f"write {record.example}")
    if not _NUMBER.fullmatch(after):
        written = f"not {after}" if after else "and none is given"
        raise InputError(f"{record.name} has a number after @, {written}", where, f"write {record.example}")
    return float(after)


def cut_off(name: str, digits: str | None, where: str) -> int | None:
    if digits is None:
        return None
    if not re.fullmatch(r"\d+", digits, re.ASCII) or len(digits) > 18 or not 1 <= int(digits) <= TOP_RANK:
        written = f"not {digits}" if digits else "and none is given"
        raise InputError(
            f"a cut-off is a whole number from 1 to {TOP_RANK}, {written}",
            where,
            f"write {name}@10, for example",
        )
    return int(digits)


def _keys(parts: list[str], name: str, where: str) -> dict[str, object]:
    """key=value parts, each key once."""
    keys: dict[str, object] = {}
    for part in parts:
        keyed = _KEYED.fullmatch(part)
        if not keyed:
            raise InputError(f"{part.strip()!r} is not key=value", where, SHAPE)
        key, written = keyed[1], keyed[2].strip()
        if key in keys:
            raise InputError(f"{key} is given twice", where, f"keep one {key}= in {name}(…)")
        keys[key] = _value(key, written, where)
    return keys


def _value(key: str, text: str, where: str) -> object:
    if text in ("True", "False"):
        return text == "True"
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text.startswith("{") and text.endswith("}"):
        return _table(key, text, where)
    hint = f"write {key}='{text}' for a text" if text.isprintable() and text else f"give a value: {key}=…"
    raise InputError(f"the value of {key} is no number, 'text', True, False or {{grade:number,…}}", where, hint)


def _table(key: str, text: str, where: str) -> dict[int, float]:
    table: dict[int, float] = {}
    for part in _split(text[1:-1], ","):
        grade, _, number = (piece.strip() for piece in part.partition(":"))
        if not _INTEGER.fullmatch(grade) or not _NUMBER.fullmatch(number):
            raise InputError(f"{part.strip()!r} in {key} is not grade:number", where, f"write {key}={{1:1,2:3}}")
        if int(grade) in table:
            raise InputError(f"{key} lists grade {grade} twice", where, f"keep one of them in {key}={{…}}")
        table[int(grade)] = float(number)
    return table


def accept(name: str, keys: Mapping[str, object], params: Mapping[str, Param], where: str) -> dict[str, Value]:
    """The values as they are kept, in the order of the parameters."""
    for key in keys:
        if key not in params:
            hint = f"{name} takes {', '.join(params)}" if params else f"{name} takes no parameters"
            if key in ("k", "cutoff", "cut"):
                hint = f"the cut-off is written {name}@k"
            raise InputError(f"{name} has no parameter {key}", where, hint)
    accepted: dict[str, Value] = {}
    for key, param in params.items():
        if key in keys:
            try:
                accepted[key] = param.accept(keys[key])
            except ValueError as problem:
                raise InputError(f"{key} {problem}", where, f"{key}: {param.help}") from None
    return accepted


def different(values: Mapping[str, Value], params: Mapping[str, Param]) -> Pairs:
    return tuple((key, values[key]) for key in params if key in values and values[key] != params[key].default)


def build(
    record: Record, keys: Mapping[str, object], prime: bool, cut: int | None, where: str, *, complete: bool = True
) -> Measure:
    """A measure from what was given of it, which need not be complete where a cut-off may follow."""
    name, params = record.name, record.accepted
    judged_only = True if prime else keys.get("judged_only")
    if prime and keys.get("judged_only") is False:
        raise InputError("the prime and judged_only=False contradict each other", where, "keep one of them")
    refused = {"optional": (), "always": (True, False), "never": (True,)}[record.condensed]
    if judged_only in refused:
        raise InputError(record.why_condensed, where, f"write {name} without it")
    takes = {"judged_only": JUDGED_ONLY} if record.condensed == "optional" or "judged_only" in keys else {}
    values = accept(name, keys, {**params, **takes}, where)
    condensed = values.pop("judged_only", False)
    if "rel" in values and record.graded and (extra := [key for key in ("gains", "max_gain") if key in values]):
        raise InputError(
            f"rel= makes {name} binary, so {extra[0]}= would be ignored", where, f"keep rel= or {extra[0]}="
        )
    if record.at and record.at not in values and complete:
        raise InputError(f"{name} needs a {record.at} level after @", where, f"write {record.example}")
    if cut is None and record.cut == "required" and complete:
        raise InputError(f"{name} needs a cut-off: {name}@k", where, record.without_cut or f"write {name}@10")
    if cut is not None and record.cut == "never":
        raise InputError(f"{name} takes no cut-off", where, f"write {name} without @{cut}")
    if record.check and complete and (problem := record.check(values, cut)):
        raise InputError(problem[0], where, problem[1])
    return Measure(name, different(values, params), prime or bool(condensed), cut)


def _unquoted(text: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, open brackets after it) of everything; quoted texts are blotted out."""
    stack: list[str] = []
    for at, char in enumerate(_QUOTED.sub(lambda quoted: quoted["before"].ljust(len(quoted[0]), "="), text)):
        if char in _BRACKETS.values():
            stack.append(char)
        elif char in _BRACKETS and (not stack or stack.pop() != _BRACKETS[char]):
            raise InputError(f"{char} closes nothing", f"measure {text!r}", f"remove it or open {_BRACKETS[char]}")
        yield at, char, len(stack)
    unclosed = next(filter(None, (quoted["unclosed"] for quoted in _QUOTED.finditer(text))), "")
    if unclosed:
        raise InputError(f"the text {unclosed} is not closed", f"measure {text!r}", f"end it with {unclosed[0]}")
    if stack:
        missing = {opener: closer for closer, opener in _BRACKETS.items()}[stack[-1]]
        raise InputError(f"{stack[-1]} is not closed", f"measure {text!r}", f"close it with {missing}")


def _split(text: str, separator: str = " ") -> list[str]:
    """The parts between separators (" ": any run of white space, no empty parts)."""
    cuts = [
        at
        for at, char, depth in _unquoted(text)
        if depth == 0 and (char.isspace() if separator == " " else char == separator)
    ]
    edges = [-1, *cuts, len(text)]
    parts = [text[left + 1 : right] for left, right in pairwise(edges)]
    if separator == " ":
        return [part for part in parts if part]
    return parts if text.strip() else []


def _bracket_end(text: str) -> int:
    """The position after the bracket that closes the one at the start of the text."""
    return next(at + 1 for at, char, depth in _unquoted(text) if depth == 0 and char == ")")

"""ir_measures' measures as ours. They are known by their shape: ir_measures need not be installed."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.measures.core.param import show

if TYPE_CHECKING:
    from irassay.measures.core.measure import Measure

# By ir_measures' name, what stands for it here; the others have no measure here that gives the same values.
_SAME = (
    *("AP", "P", "R", "RR", "Rprec", "Success", "Bpref", "infAP", "IPrec", "nDCG", "Judged"),
    *("SetP", "SetR", "SetF", "SetAP", "NumRel", "NumRet"),
)
_RENAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "NumRelRet": ("NumRet", {"rel": 1}),
    "SetRelP": ("SetP", {"relative": True}),
}


def is_foreign(value: object) -> bool:
    """Whether it is a measure of ir_measures."""
    known = hasattr(value, "NAME") and isinstance(getattr(value, "params", None), Mapping)
    return known and hasattr(value, "AT_PARAM") and not isinstance(value, type)


def our_text(measure: Any) -> str:
    """How we write what gives the same values; an error where nothing does."""
    name, params, at = measure.NAME, dict(measure.params), measure.params.get(measure.AT_PARAM)
    params.pop(measure.AT_PARAM, None)
    prime = "'" * bool(params.pop("judged_only", False))
    if name == "NumRet" and params.get("rel") is not None:
        name = "NumRelRet"
    elif name == "SetP" and params.pop("relative", False):
        name = "SetRelP"
    elif name == "ERR":
        params["max_grade"] = 4  # as gdeval, which computes it there
    elif name == "RBP" and params.get("rel") is None:
        raise _none(measure, "its gains are other ones; RBP(rel=1) is the same in both")
    elif name not in (*_SAME, "RBP"):
        raise _none(measure, "irassay measures lists those that there are")
    if params.get("gains"):
        params["gains"] = _positive(measure, params["gains"])
    keys = ",".join(f"{key}={show(value)}" for key, value in params.items() if value is not None)
    return f"{name}{prime}" + (f"({keys})" if keys else "") + ("" if at is None else f"@{at}")


def _positive(measure: Any, gains: Mapping[Any, Any]) -> dict[int, float]:
    """The gains of relevant grades; what is not relevant has none."""
    if any(gain for grade, gain in gains.items() if int(grade) < 1):
        raise _none(measure, "a grade of 0 or below has no gain here")
    return {int(grade): gain for grade, gain in gains.items() if int(grade) >= 1}


def _none(measure: Any, hint: str) -> InputError:
    return InputError(f"no measure here gives what ir_measures gives for {measure}", f"measure {str(measure)!r}", hint)


def their_measure(measure: Measure, ir_measures: Any) -> Any:
    """ir_measures' measure with the same values; where it has none, one of its kind that is called as ours is."""
    from irassay.measures.core.grammar import parse

    name, more = _RENAMED.get(measure.name, (measure.name, {}))
    params: dict[str, Any] = {**more, **dict(measure.params)}
    if measure.gains is not None:
        params["gains"] = {grade: int(gain) if gain.is_integer() else gain for grade, gain in measure.gains.items()}
    if measure.judged_only:
        params["judged_only"] = True
    if measure.cut is not None:
        params["cutoff"] = measure.cut
    if name == "ERR" and params.get("max_grade") == 4:
        del params["max_grade"]
    kind = getattr(ir_measures, name, None)
    if kind is not None and measure.summary is None:
        candidate = kind(**params)
        with contextlib.suppress(InputError, AssertionError, KeyError):  # AssertionError is how it refuses a parameter
            candidate.validate_params()
            if parse(candidate) == (measure,):
                return candidate
    return named_measure(str(measure), ir_measures)


def named_measure(name: str, ir_measures: Any) -> Any:
    """A measure of ir_measures' kind that has a name and no more."""
    return type("_Ours", (ir_measures.Measure,), {"NAME": name, "__name__": name})()

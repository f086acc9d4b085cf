"""What a measure's file declares: its parameters, how it is divided and cut, and its function.

A file says `@measure("AP", kind="fold", cite=…, per="R")` above a plain function; the docstring carries
the formula. Everything else (help, documentation page, contract and peer tests) is read off the record.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from irassay.measures.core.param import GAINS, MAX_GAIN, REL, REL_OF_GRADED, Param, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Function = Callable[..., float]
Ints = Sequence[int]
Floats = Sequence[float]
Per = Literal["R", "min", "ideal", "cut", "size"]
# Says what is wrong with the keys a user gave and the cut-off, and the way out; None where nothing is.
Check = Callable[[Mapping[str, Value], int | None], tuple[str, str] | None]


class Highest(NamedTuple):
    """The highest grade and the largest gain, gain(H), in the full judgments; of a binary measure 1 and 1."""

    grade: int
    gain: float


@dataclass(frozen=True, eq=False)
class Traits:
    """What is declared about a measure beside its function.

    - `kind`: "weight", f(r, **own) = W(r), value Σ gain·W(rank); or "fold", a loop over the hits:
      f(rank, grade, n, gain, ideal, judged, size, par) with the ranks and grades of the n hits in order of rank;
      gain by grade; ideal[r], the cumulative gain of the ideal list at rank r; judged[g], the judged documents of
      the topic by grade, [0] those that are not relevant; size, the length of the list; par, the own parameters:
      numbers first (a choice as its index, None as nan), then every table as one number per grade (as many as
      `judged` has), nan where it lists none. A fold sees the list after condensing and after the cut @k, never k.
    - `per`: the divisor: None; "R"; "min", min(k, R); "ideal", the same measure on the ideal list cut at k;
      "cut", k; "size", the length of the list cut at k. A divisor of 0 gives 0. An own parameter
      `norm='min'` turns "R" into "min": ask `Measure.per`, which knows.
    - `scale`: "max_gain" divides gains by gain(H); "hook" leaves gain(H) to the hook `gain`. `max_gain=` overrides.
    - `hits`: "relevant" (grade >= rel), "judged" (grade >= 0), "pooled" (judged, and grade < 0 as -1).
    - `condensed`, `cut`: whether a condensed list and `@k` may, must or cannot be asked for.
    - `at`: the own parameter that is written after `@` in place of a cut-off, as in IPrec@0.1.
    - `needs`: "ideal" where the fold reads `ideal`: making it is costly where every list has its own judged counts.
    - `rises`: what a fold depends on and rises with, whatever else is relevant: "first", rank and grade of the first
      relevant document alone; "list", the grades of all documents in the list; "" says neither. Of weights it follows
      from `per`: ask `Measure.rises`.
    - `empty`: a topic without relevant documents is "zero", or the function is called all the same: "call".
    - `gain`: gain(grade, gain, highest, **own) replaces the gain of a relevant grade; a ValueError refuses it.
    - `bounded`: values lie in [0, 1], so that margins and required differences mean something.
    """

    name: str
    _: KW_ONLY
    kind: Literal["weight", "fold"]
    cite: str
    params: Mapping[str, Param] = field(default_factory=dict)
    per: Per | None = None
    scale: Literal["max_gain", "hook"] | None = None
    graded: bool = False
    hits: Literal["relevant", "judged", "pooled"] = "relevant"
    takes_rel: bool = True  # False where it makes no difference which grades are relevant
    condensed: Literal["optional", "always", "never"] = "optional"
    why_condensed: str = ""  # the message for a user who wants it otherwise
    cut: Literal["optional", "required", "never"] = "optional"
    without_cut: str = ""  # hint for a user who forgot a required cut-off
    at: str | None = None
    needs: Literal["ideal"] | None = None
    rises: Literal["", "first", "list"] = ""
    empty: Literal["zero", "call"] = "zero"
    gain: Function | None = None
    check: Check | None = None
    bounded: bool = True
    summary: str = "mean"
    aliases: tuple[str, ...] = ()
    trec: str | None = None
    trec_cut: str | None = None  # with {k} for the cut-off, or for what stands after @
    peers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Documented:
    """What users read about a measure or a summary."""

    doc: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "doc", inspect.cleandoc(self.doc))

    @property
    def help(self) -> str:
        """The first line of the text."""
        return self.doc.partition("\n")[0]


@dataclass(frozen=True, eq=False, kw_only=True)
class Record(Traits, Documented):
    """A measure: its traits, its function, its docstring, and the module that declares it."""

    function: Function
    module: str

    @property
    def formula(self) -> str:
        """The TeX between the docstring's first $$ and $$."""
        formula = re.search(r"\$\$(.+?)\$\$", self.doc, re.DOTALL)
        return formula[1].strip() if formula else ""

    @property
    def accepted(self) -> dict[str, Param]:
        """Every key a user may give, in printed order: own ones, then rel, gains, max_gain."""
        keys = dict(self.params)
        if self.takes_rel:
            keys["rel"] = REL_OF_GRADED if self.graded else REL
        if self.graded:
            keys["gains"] = GAINS
        if self.scale:
            keys["max_gain"] = MAX_GAIN
        return keys

    @property
    def example(self) -> str:
        """The shortest text that asks for this measure."""
        if self.at:
            return f"{self.name}@0.1"
        return f"{self.name}@10" if self.cut == "required" else self.name

    def normalised(
        self,
        name: str,
        *,
        module: str,
        doc: str,
        cite: str = "",
        aliases: tuple[str, ...] = (),
        trec: str | None = None,
        trec_cut: str | None = None,
        peers: Mapping[str, str] | None = None,
    ) -> Record:
        """The same measure divided by its value on the ideal list."""
        return replace(
            self,
            name=name,
            module=module,
            doc=doc,
            per="ideal",
            scale=None if self.scale == "max_gain" else self.scale,  # a factor cancels
            bounded=True,
            cite=cite or self.cite,
            aliases=aliases,
            trec=trec,
            trec_cut=trec_cut,
            peers=peers or {},
        )


class measure(Traits):  # noqa: N801 - used as a decorator
    """Declare a measure: the traits, then the function below them."""

    def __call__(self, function: Function) -> Record:
        traits: dict[str, Any] = {trait.name: getattr(self, trait.name) for trait in fields(self)}
        return Record(**traits, function=function, doc=function.__doc__ or "", module=function.__module__)


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary(Documented):
    """One number for a measure from its values over topics (the last axis).

    Usually a transform around the mean, inverse(mean(forward(x))), so that all means of a study stay one
    matrix product; `whole` instead is any vectorised function of the last axis. `topical`: forward(x) is
    itself the value of a topic. `written`: a user writes it around a measure, as in GM(AP). `bounded`: of values
    in [0, 1] it is itself in [0, 1]. All functions take the summary's own parameters as keywords.
    """

    name: str
    cite: str = ""
    params: Mapping[str, Param] = field(default_factory=dict)
    forward: Callable[..., Array] | None = None
    inverse: Callable[..., Array] | None = None
    whole: Callable[..., Array] | None = None
    topical: bool = True
    written: bool = True
    bounded: bool = True

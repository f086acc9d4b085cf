"""`Measure`: a measure with its parameters; hashable, printable, and the same in every process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from irassay.measures.core import registry
from irassay.measures.core.param import Value, show
from irassay.measures.core.record import Highest, Per, Record, Summary
from irassay.measures.core.summaries import TREC_NAMES, summarise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from irassay.measures.core.record import Array

Pairs = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters, as `parse` makes it; `str()` gives text that parses back to it.

    `params` holds what differs from the defaults, in the record's order. `summary` is None for the
    measure's ordinary mean (or sum) over topics, else the name and parameters of GM, AG, ….
    """

    name: str
    params: Pairs = ()
    judged_only: bool = False
    cut: int | None = None
    summary: tuple[str, Pairs] | None = None

    def __str__(self) -> str:
        at = self.record.at
        values = dict(self.params)
        keys = ",".join(f"{key}={show(value)}" for key, value in self.params if key != at)
        text = self.name + "'" * self.judged_only + (f"({keys})" if keys else "")
        if self.cut or at in values:
            text += f"@{show(values[at]) if at else self.cut}"
        if self.summary is None:
            return text
        name, params = self.summary
        return f"{name}({','.join([text, *(f'{key}={show(value)}' for key, value in params)])})"

    def __reduce__(self) -> tuple[object, ...]:
        # a worker does not know the measures that this process declares: they go with it
        values = (self.name, self.params, self.judged_only, self.cut, self.summary)
        record = registry.registered(self.name)
        return (Measure, values) if record is None else (_declared, (record, *values))

    def __matmul__(self, k: float) -> Measure:
        """`nDCG @ 10`, `IPrec @ 0.1`."""
        from irassay.measures.core.values import cut_at

        return cut_at(self, k)

    def __call__(self, **params: object) -> Measure:
        """`RBP(p=0.95)`; `judged_only=True` is the prime of a condensed list."""
        from irassay.measures.core.values import with_params

        return with_params(self, params)

    @property
    def record(self) -> Record:
        return registry.records()[self.name]

    @property
    def base(self) -> Measure:
        """The measure without its summary."""
        return replace(self, summary=None)

    @property
    def values(self) -> dict[str, Value | None]:
        """All own parameters, defaults filled in."""
        different = dict(self.params)
        return {key: different.get(key, param.default) for key, param in self.record.params.items()}

    @property
    def rel(self) -> int | None:
        """The lowest relevant grade; None where a graded measure goes by gains (then grades >= 1)."""
        rel = dict(self.params).get("rel", None if self.record.graded else 1)
        return None if rel is None else int(rel)  # type: ignore[arg-type]

    @property
    def gains(self) -> dict[int, float] | None:
        """The gains given in this measure, if any."""
        gains = dict(self.params).get("gains")
        return dict(gains) if isinstance(gains, tuple) else None

    @property
    def max_gain(self) -> float | None:
        """The gain(H) given in this measure, if any."""
        max_gain = dict(self.params).get("max_gain")
        return max_gain if isinstance(max_gain, float) else None

    @property
    def binary(self) -> bool:
        """Every relevant grade counts the same: by nature, or because `rel=` was given."""
        return not self.record.graded or self.rel is not None

    @property
    def condensed(self) -> bool:
        """Unjudged documents are dropped before ranks are counted."""
        return self.judged_only or self.record.condensed == "always"

    @property
    def per(self) -> Per | None:
        """What the value is divided by: the record's, or "min" where `norm='min'` or `cap=True` was asked for."""
        return "min" if self.values.get("norm") == "min" or self.values.get("cap") is True else self.record.per

    @property
    def rises(self) -> Literal["", "sum", "first", "list"]:
        """What it depends on, where that is the list and its grades alone: a sum over documents, or as its record says.

        "" where R or the ideal list matters, or where unjudged documents are more than not relevant.
        """
        record = self.record
        if record.hits != "relevant" or self.per not in (None, "cut", "size"):
            return ""
        if record.kind == "weight":
            return "sum"
        return record.rises if self.per is None else ""

    @property
    def bounded(self) -> bool:
        """Its values, of topics and over them, lie in [0, 1]."""
        return self.record.bounded and self.summary_with_params()[0].bounded

    @property
    def tables(self) -> dict[str, dict[int, float]]:
        """The own parameters that are tables by grade."""
        return {key: dict(value) for key, value in self.values.items() if isinstance(value, tuple)}

    def par(self, width: int) -> list[float]:
        """Own parameters as a fold takes them (`Traits`): numbers, then tables for the grades 0..width-1."""
        nan = float("nan")
        numbers = [
            nan if value is None else float(param.choices.index(value)) if isinstance(value, str) else float(value)
            for param, value in zip(self.record.params.values(), self.values.values(), strict=True)
            if not isinstance(value, tuple)
        ]
        return [*numbers, *(table.get(grade, nan) for table in self.tables.values() for grade in range(width))]

    @property
    def gain_hook(self) -> Callable[[int, float, Highest], float] | None:
        """Gain of a relevant grade from (grade, gain, highest), where the measure changes it."""
        hook = self.record.gain
        return None if hook is None else partial(hook, **self.values)

    def weights(self, depth: int) -> list[float]:
        """W[0..depth] of a weight measure, W[0] = 0."""
        if self.record.kind != "weight":
            raise TypeError(f"{self.name} is a fold, it has no weights")
        weight = partial(self.record.function, **self.values)
        return [0.0, *(float(weight(r)) for r in range(1, depth + 1))]

    @property
    def trec_name(self) -> str | None:
        """trec_eval's name for exactly this, if it has one."""
        if self.summary is not None:
            return next((name for name, text in TREC_NAMES.items() if text == str(self)), None)
        at = self.record.at
        if self.judged_only or any(key != at for key, _ in self.params):
            return None
        level = self.values[at] if at else self.cut
        if level is None:
            return self.record.trec
        written = f"{level:.2f}" if isinstance(level, float) else str(level)
        if float(written) != level:
            return None
        return self.record.trec_cut and self.record.trec_cut.format(k=written)

    def summary_with_params(self) -> tuple[Summary, dict[str, Value | None]]:
        """How topics are summarised, defaults filled in."""
        name, params = self.summary or (self.record.summary, ())
        summary = registry.summaries()[name]
        return summary, {key: dict(params).get(key, p.default) for key, p in summary.params.items()}

    def forward(self, values: ArrayLike, *, xp: Any = None) -> Array:
        """Topic values on the scale on which they are averaged: what a paired test compares; `xp` is their module."""
        import numpy as np

        summary, params = self.summary_with_params()
        array: Array = (xp or np).asarray(values, dtype=np.float64)
        return array if summary.forward is None else summary.forward(array, **params)

    def summarise(self, values: ArrayLike, weights: NDArray[np.int32] | None = None) -> Array:
        """One number per list of topic values, or per sample of the topics; see `summaries.summarise`."""
        return summarise(values, weights, self)

    @property
    def paired(self) -> Measure | None:
        """The measure that a paired test compares: AG(M) for GM(M); None where the summary has no value per topic."""
        summary, _ = self.summary_with_params()
        if summary.name == "GM":
            shared = registry.summaries()["AG"].params
            params = self.summary[1] if self.summary else ()
            return replace(self, summary=("AG", tuple((key, value) for key, value in params if key in shared)))
        return self if summary.topical else None

    def per_topic(self, values: ArrayLike) -> Array | None:
        """What to show for a topic, or None where the summary has no value for a single topic."""
        return self.forward(values) if self.summary_with_params()[0].topical else None


def _declared(record: Record, *values: Any) -> Measure:
    """A measure in another process, where its record may have to be registered first."""
    if record.name not in registry.records():
        registry.register(record)
    return Measure(*values)

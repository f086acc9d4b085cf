"""Measures made ready for lists that replicates bring: tables long enough for all of them, made once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from irassay.measures import Measure
from irassay.scoring import fold
from irassay.scoring.score_panel import View, WeightTables, compile_folds, group_by_hits, prepare

Batches = dict[tuple[View, int], tuple[list[int], fold.Batch]]


@dataclass(frozen=True, eq=False)
class ReadyMeasures:
    """Measures for panels with these grades and gains."""

    measures: Sequence[Measure]
    grades: Sequence[int]
    gains: Mapping[int, float] | None
    _ready: dict[tuple[int, int], Batches] = field(default_factory=dict, init=False, repr=False)
    _weights: WeightTables = field(default_factory=dict, init=False, repr=False)

    def batches(self, longest: int, most: int) -> Batches:
        """The measures made ready for lists and relevant documents up to these numbers, by the hits they want."""
        # powers of two: few tables, whatever the replicates bring
        key = (1 << max(longest, 1).bit_length(), 1 << max(most, 1).bit_length())
        if key not in self._ready:
            recipes = {
                m: prepare(m, grades=self.grades, gains=self.gains, longest=key[0], most=key[1], weights=self._weights)
                for m in self.measures
            }
            compile_folds(recipe for _, _, recipe in recipes.values())
            places = {measure: k for k, measure in enumerate(self.measures)}
            self._ready[key] = {
                want: ([places[m] for m in measures], fold.Batch([recipes[m][2] for m in measures]))
                for want, measures in group_by_hits(recipes).items()
            }
        return self._ready[key]

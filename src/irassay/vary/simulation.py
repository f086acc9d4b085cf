"""Other scores: every list simulated from its own scores, as a variation; `vary.scores` has the models."""

from dataclasses import dataclass

import numpy as np

from irassay.compute.executor import Plan
from irassay.panel.ordering import no_more_than_rank
from irassay.panel.panel import Panel
from irassay.vary.sampled_lists import kept_scores
from irassay.vary.scores import ScorePlan
from irassay.vary.variation import Observed, Variation


@dataclass(frozen=True, kw_only=True)
class Simulation(Variation):
    """Lists of other documents with scores like these."""

    model: str = "bst"
    name = "simulation"
    kind = "model"
    needs = "retrieval_scores"
    paired = False
    mechanism = "relevant and nonrelevant documents of each list drawn again by their scores, for each list alone"
    limits = "Simulated scores are not paired across systems, so differences have no standard deviation here."

    @property
    def label(self) -> str:
        return self.name if self.model == "bst" else f"{self.name} {self.model}"

    def left_out(self, observed: Observed) -> dict[str, str]:
        reasons = {observed.lists.systems[s]: self._unusable(observed.lists, s) for s in observed.systems}
        return {system: reason for system, reason in reasons.items() if reason}

    def _unusable(self, panel: Panel, system: int) -> str:
        scores, offsets = kept_scores(panel), panel.offsets[:, system : system + 2]
        own = np.concatenate([scores[low:high] for low, high in offsets.tolist()])
        if not np.isfinite(own).all():
            return "a score is not a finite number"
        # resampling needs only their order, densities need the scores
        return no_more_than_rank(own, np.diff(offsets)[:, 0]) if self.model == "kde" else ""

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        plan = ScorePlan(self.seed, self.model, independent=independent)
        lists = plan.simulation(observed.lists, observed.bases, samples=self.replicates, systems=observed.systems)
        return lists.in_small_blocks()

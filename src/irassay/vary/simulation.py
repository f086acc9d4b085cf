"""Other scores: every list simulated from its own scores, as a variation; `vary.scores` has the models."""

from dataclasses import dataclass

import numpy as np

from irassay.compute.executor import Plan
from irassay.vary.sampled_lists import lists_with_infinite_scores
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
        infinite = np.any(lists_with_infinite_scores(observed.lists), axis=0)
        return {observed.lists.systems[s]: "a score is not a finite number" for s in observed.systems if infinite[s]}

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        plan = ScorePlan(self.seed, self.model, independent=independent)
        return plan.simulation(observed.lists, observed.bases, samples=self.replicates, systems=observed.systems)

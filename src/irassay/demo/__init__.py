"""A test collection whose truth is known (`irassay.demo.model` says how it is made).

>>> from irassay import demo
>>> model = demo.Model(systems=20, seed=1)
>>> panel = demo.panel_of(model, range(50))                    # topics 0-49 of the population
>>> fresh = demo.panel_of(model, range(50, 100))               # fresh topics, the same systems
>>> model.twins                                                # pairs without a true difference
(('sys01', 'sys19'), ('sys02', 'sys20'))
>>> truth = demo.true_mean(model, "AP", "sys01")               # over 100,000 topics, with its error
"""

from irassay.demo.judges import JUDGES, Judge
from irassay.demo.lists import answer, answers, panel_of, panels_of, write
from irassay.demo.model import Model, System, Topic
from irassay.demo.truth import Truth, true_mean

__all__ = [
    "JUDGES",
    "Judge",
    "Model",
    "System",
    "Topic",
    "Truth",
    "answer",
    "answers",
    "panel_of",
    "panels_of",
    "true_mean",
    "write",
]

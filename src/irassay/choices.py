"""Names that options take, each list once: for the settings of studies, and for the code that checks them.

Imports nothing: `irassay COMMAND --help` shows these.
"""

from __future__ import annotations

# How two systems are compared (`ask.comparison`), and p-values corrected for many comparisons (`ask.corrections`).
TESTS = ("t", "paired-bootstrap", "randomization", "wilcoxon", "sign", "tukey")
CORRECTIONS = ("holm", "bonferroni", "bh", "none")
# Intervals of a mean or a difference (`ask.intervals`), and of the next replicate (`ask.spread`).
INTERVALS = ("t", "bootstrap-t", "bca", "percentile")
PREDICTION_INTERVALS = ("normal", "prediction", "percentile")
# How retrieval scores are simulated (`vary.scores`), and the rules for the width of kernels.
MODELS = ("bst", "kde")
BANDWIDTHS = ("scott", "silverman")

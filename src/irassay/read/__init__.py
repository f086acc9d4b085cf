"""One file per format. Strings die here: what leaves is numbers over a vocabulary."""

from irassay.read.qrels import Qrels, read_qrels
from irassay.read.runs import Run, Runs, read_runs
from irassay.read.score_tables import read_scores

__all__ = ["Qrels", "Run", "Runs", "read_qrels", "read_runs", "read_scores"]

"""One file per format. Identifiers are interned here: what leaves is numbers over a vocabulary."""

from irassay.read.qrels import Qrels, read_qrels
from irassay.read.run import Run
from irassay.read.runs import Runs, read_runs

__all__ = ["Qrels", "Run", "Runs", "read_qrels", "read_runs"]

"""Shallow judgments of TREC-8, against published correlations."""

from __future__ import annotations

from pathlib import Path

import pytest

import irassay
from irassay.ask.agreement import tau, tau_b

pytestmark = pytest.mark.data


def test_condensed_lists_on_depth_10_judgments_rank_trec8_as_published(data_dir: Path) -> None:
    folder = data_dir / "trec8-adhoc"
    runs = irassay.read_runs(folder / "runs")
    full = irassay.align(folder / "qrels.txt.gz", runs).score("AP")["AP"].means()
    shallow = irassay.align(folder / "depth10.qrels", runs).score("AP'")["AP'"].means()
    assert tau(full, shallow) == pytest.approx(0.918, abs=0.001)
    assert tau_b(full, shallow) == pytest.approx(0.9185, abs=0.001)

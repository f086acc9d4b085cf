"""The demo collection is like TREC-8."""

from __future__ import annotations

from pathlib import Path

import pytest

import irassay
from irassay import demo
from tests.helpers.likeness import likeness

pytestmark = pytest.mark.data


def test_the_demo_is_like_the_trec8_runs(data_dir: Path) -> None:
    folder = data_dir / "trec8-adhoc"
    real = likeness(irassay.align(folder / "qrels.txt.gz", folder / "runs", keep_scores=True))
    made = likeness(demo.panel_of(demo.Model(systems=129, groups=41, null_pairs=0)))
    medians = {what: (real[what][1], made[what][1]) for what in real}
    for what, (one, two) in medians.items():
        # ties are few in both, the rest is alike to a third
        assert two == pytest.approx(one, rel=0.34, abs=0.05), what

"""Judges of known error: what they do to the grades of the demo collection."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irassay import demo
from irassay.demo.judges import Judge
from irassay.studies.demo_data import DemoData

MODEL = demo.Model(systems=6, groups=3, null_pairs=0, depth=60, candidates=900, pool_depth=30, seed=1)
TOPICS = range(300)


def test_a_judge_errs_as_often_as_it_says_and_not_on_all_topics_alike() -> None:
    """300 topics, seed 1: the mean chance of topics is uniform from .0625 to .4375, so five errors are .031."""
    panel, noisy = demo.panels_of(MODEL, TOPICS, [Judge(name="noisy", up=1.0)])
    topic = np.repeat(np.arange(len(TOPICS)), np.diff(panel.pool))
    open_ = (panel.grade >= 0) & (panel.grade < 2)  # a grade of 2 cannot rise
    assert set(np.unique((noisy.grade - panel.grade)[open_]).tolist()) == {0, 1}
    share = np.bincount(topic[open_], (noisy.grade != panel.grade)[open_]) / np.bincount(topic[open_])
    assert share.mean() == pytest.approx(0.25, abs=0.031)
    # binomial noise alone would have a deviation of .05 or so
    assert share.std() > 0.09
    assert (panel.grade[panel.grade < 0] == noisy.grade[panel.grade < 0]).all()


def test_a_partial_judge_raises_documents_of_its_group_only() -> None:
    friend = Judge(name="friend", errs=0.0, favours=1, favour=0.5, depth=10)
    panel, partial = demo.panels_of(MODEL, TOPICS[:20], [friend])
    raised = np.flatnonzero(partial.grade > panel.grade)
    own = [system for system in MODEL.lineup if system.group == 1]
    topic = np.searchsorted(panel.pool, raised, side="right") - 1
    for entry, t in zip(raised.tolist(), topic.tolist(), strict=True):
        code = entry - panel.pool[t]
        lists = [panel.codes[panel.offsets[t, s.number] :][:10].tolist() for s in own]
        assert any(code in codes for codes in lists)
    assert (partial.grade >= panel.grade).all()


def test_labels_do_not_depend_on_other_judges_topics_or_systems() -> None:
    _, _, lenient, _ = demo.panels_of(MODEL, range(3, 6), demo.JUDGES)
    _, alone = demo.panels_of(MODEL, range(4, 5), demo.JUDGES[1:2])
    assert alone.grade.tolist() == lenient.grade[lenient.pool[1] : lenient.pool[2]].tolist()
    fewer = replace(MODEL, systems=3, groups=3)
    candidates = demo.answer(fewer, 4).judged(fewer, "pool")
    few, many = (demo.answer(model, 4).grades_by(model, demo.JUDGES[0], candidates) for model in (fewer, MODEL))
    assert few.tolist() == many.tolist()


def test_files_hold_the_labels_of_panels(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(3), judges=demo.JUDGES)
    panels = demo.panels_of(MODEL, range(3), demo.JUDGES)
    for name, panel in zip(("qrels.txt", *(f"judges/{j.name}.qrels" for j in demo.JUDGES)), panels, strict=True):
        lines = [line.split() for line in (tmp_path / "c" / name).read_text().splitlines()]
        assert [int(line[3]) for line in lines] == panel.grade[panel.grade >= 0].tolist()


def test_demo_data_writes_judges_on_request(tmp_path: Path) -> None:
    small = DemoData(topics=2, systems=3, null_pairs=0, depth=20, documents=2000, pool_depth=10, judges=True)
    small.write(tmp_path / "with")
    assert sorted(path.name for path in (tmp_path / "with" / "judges").iterdir()) == [
        "lenient.qrels",
        "noisy.qrels",
        "partial.qrels",
    ]
    replace(small, judges=False).write(tmp_path / "without")
    assert not (tmp_path / "without" / "judges").exists()
    assert (tmp_path / "with" / "qrels.txt").read_bytes() == (tmp_path / "without" / "qrels.txt").read_bytes()

"""NVIDIA's compiler takes every source for a GPU, where there is that compiler: types and syntax, without a GPU."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from irassay.ask.gpu import counting, paired, permutations, verdicts
from irassay.compute.gpu import OPTIONS
from irassay.compute.gpu.draws import IMAGES
from irassay.demo import Model, panel_of
from irassay.measures import parse, records
from irassay.scoring.gpu.sums import HISTOGRAMS
from irassay.scoring.score_panel import group_by_hits, prepare
from irassay.vary._density import tables_of
from irassay.vary.documents import ImagePlan, active_documents
from irassay.vary.gpu import densities
from irassay.vary.gpu.simulated import GpuSimulatedLists
from irassay.vary.lane_scores import LaneScores
from irassay.vary.scores import ScorePlan

NVCC = shutil.which("nvcc")


def program() -> str:
    """Every measure on whole and condensed lists."""
    panel = panel_of(Model(systems=4, depth=30, documents=1000, pool_depth=20), range(2))
    measures = [m for name in records() for m in parse(records()[name].example) if m.summary is None]
    active = active_documents(panel)
    return LaneScores(panel, range(2), measures, ImagePlan(0, active, active, 32)).on_gpu.program.source


def simulated(model: str) -> str:
    panel = panel_of(Model(systems=4, depth=30, documents=1000, pool_depth=20), range(2))
    made = ScorePlan(0, model).simulation(panel, "AP nDCG Q(rel=2) RR ERR@20", samples=1)
    measures = {
        base: prepare(base, grades=panel.grades, gains=panel.gains, longest=30, most=60) for base in made.measures
    }
    wanted = [
        (view, rel, [(made.measures.index(base), measures[base][2]) for base in of])
        for (view, rel), of in group_by_hits(measures).items()
    ]
    tables = None if model == "bst" else tables_of(made.lists)
    return GpuSimulatedLists(made.lists, wanted, len(measures), "adjusted", tables).source


SOURCES: dict[str, Callable[[], str]] = {
    "images": lambda: IMAGES,
    "histograms": lambda: HISTOGRAMS,
    "paired": lambda: paired.SOURCE,
    "counting": lambda: counting.SOURCE,
    "permutations": lambda: permutations.SOURCE,
    "verdicts": lambda: verdicts.SOURCE,
    "scores": program,
    "bst": lambda: simulated("bst"),
    "kde": lambda: simulated("kde"),
    "densities": lambda: densities.SOURCE,
}


@pytest.mark.skipif(NVCC is None, reason="there is no nvcc here")
@pytest.mark.parametrize("name", SOURCES)
def test_a_source_compiles_for_a_gpu(name: str, tmp_path: Path) -> None:
    assert NVCC is not None
    (tmp_path / "source.cu").write_text(SOURCES[name]())
    command = [NVCC, "-arch=sm_90", "--ptx", *OPTIONS, "-o", str(tmp_path / "source.ptx"), str(tmp_path / "source.cu")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ".entry" in (tmp_path / "source.ptx").read_text()

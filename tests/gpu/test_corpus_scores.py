"""The GPU's kernels for images, run thread by thread by a C++ compiler: what a GPU would compute, without one."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay.scoring.gpu.images import ALL, GpuImages
from irassay.scoring.lanes import LANES
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores
from tests.helpers.measures import ALL as MEASURES
from tests.helpers.panels import Topic, panel_of_systems

COMPILER = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
EMULATED = """
#include <math.h>
#define __global__
#define HOST static inline
#define METHOD inline
struct Dim { int x, y, z; };
static Dim blockIdx, threadIdx, blockDim, gridDim;
extern "C" void set_grid(int bx, int by, int bz, int threads, int gx, int gy, int gz) {
    blockIdx = {bx, by, bz}; blockDim = {threads, 1, 1}; gridDim = {gx, gy, gz};
}
extern "C" void set_thread(int x) { threadIdx = {x, 0, 0}; }
"""


def address(array: Any) -> Any:
    return ctypes.c_void_p(array.ctypes.data) if isinstance(array, np.ndarray) else array


def launch(library: ctypes.CDLL, name: str, grid: tuple[int, int, int], threads: int, *arguments: Any) -> None:
    given = [address(argument) for argument in arguments]
    for x in range(grid[0]):
        for y in range(grid[1]):
            for z in range(grid[2]):
                library.set_grid(x, y, z, threads, *grid)
                for thread in range(threads):
                    library.set_thread(thread)
                    library[name](*given)


def emulated(gpu: GpuImages, counts: np.ndarray[Any, Any], folder: Path) -> np.ndarray[Any, Any]:
    """Scores [measures, topics, systems, images]."""
    assert COMPILER is not None
    (folder / "gpu.cpp").write_text(EMULATED + gpu.program.source)
    command = [COMPILER, "-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(folder / "gpu.so"), str(folder / "gpu.cpp")], check=True)
    library = ctypes.CDLL(str(folder / "gpu.so"))
    images, long = counts.shape[1], ctypes.c_longlong
    tab, ints = np.array([*gpu.program.tab, 0.0]), np.array([*gpu.program.ints, 0], dtype=np.int64)
    ones, flag = np.ones(gpu.program.capacity, dtype=np.int8), np.zeros(1, dtype=np.int32)
    judged_counts = np.empty((gpu.topics, gpu.program.grades, images), dtype=np.int64)
    scale = np.full((gpu.measures, gpu.topics, images), np.nan)
    out = np.full((gpu.measures, gpu.topics, gpu.systems, images), np.nan)
    common = (counts, long(images))
    launch(
        library, "contexts", (1, gpu.topics, 1), images, *common, *gpu.judged, 0, tab, ints, judged_counts, scale, flag
    )
    for k, view in enumerate(gpu.views):
        launch(
            library,
            f"scores_{k}",
            (1, gpu.systems, gpu.topics),
            images // gpu.program.together[k],
            *common,
            view.document,
            view.offsets,
            view.at,
            view.level,
            view.start,
            0,
            gpu.systems,
            ALL if gpu.depth is None else gpu.depth,
            tab,
            ints,
            ones,
            judged_counts,
            scale,
            out,
            flag,
        )
    assert flag[0] == 0
    return out


@pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here")
@pytest.mark.parametrize("depth", [None, 7])
def test_every_measure_scores_images_on_the_gpu_as_on_the_cpu(depth: int | None, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    grades = [None, -1, 0, 0, 1, 2, 3]
    topics = {
        system: {
            str(t): Topic([grades[k] for k in rng.integers(0, 7, 12)], rng.integers(0, 4, 4).tolist()) for t in range(3)
        }
        for system in "ab"
    }
    panel = panel_of_systems(topics)
    active = int(panel.document.max()) + 1
    plan = ImagePlan(3, 4 * active, active, LANES)
    measures = [m for m in MEASURES if m.summary is None]
    scores = LaneScores(panel, range(2), measures, plan, depth)
    expected = np.empty((len(measures), 3, LANES, 2))
    scores.score(0, range(3), expected)
    counts = np.ascontiguousarray(plan.multiplicities(0).T)
    found = emulated(scores.on_gpu, counts, tmp_path)
    for k, measure in enumerate(measures):
        np.testing.assert_allclose(
            found[k], np.moveaxis(expected[k], -1, 1), rtol=1e-12, atol=1e-12, err_msg=str(measure)
        )

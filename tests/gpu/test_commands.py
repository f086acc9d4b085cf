"""Whole studies with `--device cuda` and without: the same texts and whole numbers, and other numbers to 1e-12."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.result import Result
from irassay.scoring.gpu.images import GpuImages
from irassay.studies.demo_data import DemoData
from tests.helpers.emulated_cupy import emulated_cupy
from tests.helpers.emulated_kernels import EmulatedKernel

pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")

CORPUS = 2500
STUDIES: dict[str, dict[str, Any]] = {
    "corpus": {
        "measures": "AP GM(AP) AREA(AP) nDCG@10 ERR@20 Bpref AP'",
        "images": 200,
        "corpus_size": CORPUS,
        "interval": ("normal", "percentile"),
        "also_topics": True,
    },
    "uncertainty": {
        "measures": "AP GM(AP) AREA(AP) nDCG@10",
        "vary": "topics,documents,documents+topics,simulation,judgments",
        "ask": "spread,ranks,order,reversals,verdicts,swap,stability",
        "replicates": 200,
        "corpus_size": CORPUS,
    },
    "variance": {"measures": "AP P@10", "samples": 120},
    "compare": {"measures": "AP RR", "test": "paired-bootstrap", "resamples": 600},
    "power": {"measures": "AP GM(AP)", "paired": True, "unpaired": True, "resamples": 100},
    "swap": {"measures": "AP", "resamples": 100},
    "stability": {"measures": "AP", "resamples": 100},
}

IMAGES = {"draw_images", "turn", "contexts", "scores_0"}
KERNELS = {
    "corpus": IMAGES | {"scores_1"},
    "uncertainty": IMAGES | {"simulate_0", "count_verdicts", "count_swaps", "count_leads"},
    "variance": {"simulate_0", "tabulate", "count_swaps", "count_leads"},
    "compare": {"statistic", "kth_largest", "collect", "pick"},
    "power": {"statistic", "kth_largest", "collect", "pick"},
    "swap": {"count_swaps"},
    "stability": {"count_leads"},
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Judgments and runs."""
    folder = tmp_path_factory.mktemp("demo")
    DemoData(topics=9, systems=6, null_pairs=1, depth=40, documents=CORPUS, pool_depth=10).write(folder)
    return str(folder / "qrels.txt"), str(folder / "runs")


def same(gpu: Result, processor: Result) -> None:
    assert [table.name for table in gpu.tables] == [table.name for table in processor.tables]
    for there, here in zip(gpu.tables, processor.tables, strict=True):
        assert list(there.columns) == list(here.columns)
        for name, column in here.columns.items():
            expected, found, where = np.asarray(column), np.asarray(there.columns[name]), f"{here.name}, {name}"
            if expected.dtype.kind == "f":
                np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=where)
            else:
                assert found.tolist() == expected.tolist(), where


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_has_the_same_tables_on_a_gpu(study: str, collection: tuple[str, str], device: str) -> None:
    command = getattr(irassay, study)
    EmulatedKernel.launched.clear()
    same(command(*collection, device="cuda", **STUDIES[study]), command(*collection, **STUDIES[study]))
    if device == "emulated":
        assert EmulatedKernel.launched == KERNELS[study]


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("study", ["corpus", "uncertainty"])
def test_states_that_a_gpu_has_no_memory_for_are_kept_here(
    study: str, collection: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irassay.compute.gpu.MOST_HELD", 0.0)
    monkeypatch.setattr("irassay.scoring.gpu.images.TILE", 96)
    options = STUDIES[study] | {"measures": "AP GM(AP)"}
    command = getattr(irassay, study)
    same(command(*collection, device="cuda", **options), command(*collection, **options))


class KilledError(Exception):
    """In the middle of the work."""


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize("study", ["corpus", "uncertainty"])
def test_a_killed_study_goes_on_from_what_a_gpu_had_added_up(
    study: str, collection: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irassay.compute.checkpoint.EVERY", 0.0)
    monkeypatch.setattr("irassay.compute.checkpoint.SHARE", 1e9)
    monkeypatch.setattr("irassay.scoring.gpu.images.TILE", 64)
    draw, begun = GpuImages.counts, []

    def counts(self: GpuImages, first: int, totals: Any) -> Any:
        begun.append(first)
        if len(begun) == 3:
            raise KilledError
        return draw(self, first, totals)

    monkeypatch.setattr(GpuImages, "counts", counts)
    options = STUDIES[study] | {"measures": "AP GM(AP)", "device": "cuda", "out": tmp_path / "out"}
    options |= {"vary": "documents", "ask": None} if study == "uncertainty" else {}
    command = getattr(irassay, study)
    with pytest.raises(KilledError):
        command(*collection, **options)
    resumed = command(*collection, **options)
    assert begun == [0, 64, 128, 128, 192]
    same(
        resumed,
        command(*collection, **{name: value for name, value in options.items() if name not in ("device", "out")}),
    )


@pytest.mark.usefixtures("emulated")
def test_too_little_memory_on_a_gpu_is_an_error_with_the_number_needed(
    collection: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", emulated_cupy(free=200_000))
    with pytest.raises(irassay.InputError, match=r"32 images need \d+ MB on the GPU"):
        irassay.corpus(*collection, device="cuda", **STUDIES["corpus"])

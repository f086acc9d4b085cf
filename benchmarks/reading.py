"""Reading all run files, nothing else: the peers' readers as people call them, and ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import Row, faster, leaner, once, probe, side_by_side
from benchmarks.sizes import SMALL, TREC8, VARIANTS


def rows() -> list[Row]:
    results = []
    for variant, label in VARIANTS.items():
        folder = TREC8.folder / variant
        names = ("pytrec_eval", "ir_measures_dict", "ir_measures_frame", "ours", "ours_one_thread")
        best = side_by_side({name: partial(probe, f"reading:{name}", folder) for name in names})
        ours, one = best["ours"], best["ours_one_thread"]
        results += [
            faster(f"reading, {label}", "pytrec_eval", best["pytrec_eval"], ours, 5),
            faster(f"reading, {label}, 1 thread", "pytrec_eval", best["pytrec_eval"], one, None),
            faster(f"reading, {label}", "ir_measures to dict", best["ir_measures_dict"], ours, 10),
            faster(f"reading, {label}", "ir_measures to frame", best["ir_measures_frame"], ours, 10),
            faster(f"reading, {label}", "ranx", once("ranx", partial(probe, "reading:ranx", folder)), ours, None),
            leaner(f"peak memory of reading, {label}", "pytrec_eval", best["pytrec_eval"], ours, 0.5),
            leaner(
                f"peak memory of reading, {label}",
                "ir_measures to frame",
                best["ir_measures_frame"],
                ours,
                None,
            ),
        ]
    return results


def pytrec_eval(folder: str) -> Callable[[], object]:
    import pytrec_eval as peer

    def work() -> object:
        runs = {}
        for path in sorted(Path(folder).iterdir()):
            with path.open() as file:
                runs[path.stem] = peer.parse_run(file)
        return runs

    return work


def ir_measures_dict(folder: str) -> Callable[[], object]:
    import ir_measures as peer

    def work() -> object:
        runs = {}
        for path in sorted(Path(folder).iterdir()):
            documents = peer.read_trec_run(str(path))
            runs[path.stem] = peer.util.RunConverter(documents).as_dict_of_dict()
        return runs

    return work


def ir_measures_frame(folder: str) -> Callable[[], object]:
    import ir_measures as peer
    import pandas as pd

    def work() -> object:
        return {path.stem: pd.DataFrame(peer.read_trec_run(str(path))) for path in sorted(Path(folder).iterdir())}

    return work


def ranx(folder: str) -> Callable[[], object]:
    read_by_ranx(str(SMALL.folder / "short"))  # compiles
    return lambda: read_by_ranx(folder)


def read_by_ranx(folder: str) -> list[Any]:
    import ranx as peer

    return [peer.Run.from_file(str(path), kind="trec") for path in sorted(Path(folder).iterdir())]


def ours(folder: str) -> Callable[[], object]:
    return _ours(folder, None)


def ours_one_thread(folder: str) -> Callable[[], object]:
    return _ours(folder, 1)


def _ours(folder: str, jobs: int | None) -> Callable[[], object]:
    import irassay

    irassay.read_runs(SMALL.folder / "short", jobs=jobs)
    return lambda: irassay.read_runs(folder, jobs=jobs)

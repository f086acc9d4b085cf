"""A paper that was interrupted goes on with the studies that are finished."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import demo
from irassay.studies.papers import record
from tests.helpers.long_work import bits

MODEL = demo.Model(systems=6, groups=3, null_pairs=0, depth=30, candidates=200, documents=1500, pool_depth=10, seed=3)
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


def test_an_interrupted_paper_goes_on_and_ends_with_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(8))
    data = (str(tmp_path / "c" / "qrels.txt"), str(tmp_path / "c" / "runs"))
    options: dict[str, Any] = {"resamples": 100, "top": 4, "jobs": 1, "out": str(tmp_path / "out")}
    done: list[str] = []
    run_study: Any = vars(record)["run_study"]

    def counted(settings: Any, *arguments: Any, **more: Any) -> Any:
        if done == ["first", "first"]:
            raise KeyboardInterrupt
        result = run_study(settings, *arguments, **more)
        done.append("first" if len(done) < 2 else "second")
        return result

    whole = irassay.paper("sakai2007one", *data, **{**options, "out": None})
    monkeypatch.setattr(record, "run_study", counted)
    with pytest.raises(KeyboardInterrupt):
        irassay.paper("sakai2007one", *data, **options)
    assert [place.name for place in (tmp_path / "out").iterdir()] == ["checkpoint"]
    done[:] = ["more"]
    resumed = irassay.paper("sakai2007one", *data, **options)
    assert bits(resumed) == bits(whole) == bits(irassay.load_result(tmp_path / "out"))
    studies = resumed.provenance["studies"]
    assert isinstance(studies, list)
    assert len(done) - 1 == len(studies) - 2
    assert not (tmp_path / "out" / "checkpoint").exists()

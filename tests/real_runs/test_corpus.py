"""The corpus study on TREC-8, against what zobel2020corpus printed."""

from __future__ import annotations

from pathlib import Path

import pytest

import irassay

pytestmark = pytest.mark.data
# Table 3: mean and sd over system-system-topic triples; INSQ as it is defined, not as printed (.078 and .035)
TABLE_3 = {
    "AP": (0.046, 0.035),
    "INSQ(T=5,rel=1)": (0.066, 0.029),
    "nDCG(rel=1)@1000": (0.045, 0.028),
    "P@10": (0.144, 0.056),
    "RBP(p=0.95,rel=1)@1000": (0.057, 0.024),
    "RR": (0.201, 0.145),
}


@pytest.fixture(scope="module")
def result(data_dir: Path) -> irassay.Result:
    folder = data_dir / "trec8-adhoc"
    return irassay.corpus(
        folder / "qrels.txt.gz", folder / "runs", corpus_size=528_155, images=100, top=50, by="RBP(p=0.95)"
    )


def test_deviations_of_differences_are_as_printed(result: irassay.Result) -> None:
    found = {measure: numbers for measure, *numbers in result["triples"].rows()}
    assert list(found) == list(TABLE_3)
    for measure, printed in TABLE_3.items():
        assert found[measure] == pytest.approx(printed, abs=0.003), measure


def test_the_collection_is_the_one_described(result: irassay.Result) -> None:
    ((systems, given, topics, size, active, judged, share, images),) = result["data"].rows()
    assert (systems, given, topics, size, images) == (50, 129, 50, 528_155, 100)
    assert share == pytest.approx(0.124, abs=0.0005)
    assert share == judged / size  # type: ignore[operator]
    assert 0 < active < size  # type: ignore[operator]


def test_nearly_all_differences_fall_where_the_other_images_say(result: irassay.Result) -> None:
    for _, _, below, inside, above in result["interval"].rows():
        assert below + inside + above == pytest.approx(1)  # type: ignore[operator]
        assert 0.9 < inside < 0.98  # type: ignore[operator]

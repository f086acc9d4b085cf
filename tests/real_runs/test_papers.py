"""`irassay paper` on TREC-8 and Robust 2003: every item, and what the papers print of these collections."""

from __future__ import annotations

from pathlib import Path

import pytest

import irassay
from irassay.studies.papers.reshape import rows

pytestmark = [pytest.mark.data, pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")]


def test_corpus_bootstrapping_of_trec_8_has_every_item_and_the_printed_deviations(data_dir: Path) -> None:
    folder = data_dir / "trec8-adhoc"
    result = irassay.paper(
        "zobel2020corpus", folder / "qrels.txt.gz", folder / "runs", corpus_size=528_155
    )  # fmt: skip
    assert all(result["contents"]["delivered"])
    (data,) = rows(result["T1"])
    assert (data["systems"], data["systems_given"], data["topics"]) == (50, 129, 50)
    assert round(100 * data["judged_share"], 1) == 12.4
    found = {row["measure"]: (row["mean_sd"], row["sd_sd"]) for row in rows(result["T3"])}
    printed = {
        "AP": (0.046, 0.035), "nDCG(rel=1)@1000": (0.045, 0.028), "P@10": (0.144, 0.056),
        "RBP(p=0.95,rel=1)@1000": (0.057, 0.024), "RR": (0.201, 0.145),
    }  # fmt: skip
    for measure, both in printed.items():
        # 100 images there and 100 others here
        assert found[measure] == pytest.approx(both, abs=0.003), measure
    assert len(set(result["F5"]["system"])) == 25


def test_incomplete_judgments_of_robust_2003_are_the_papers_data(data_dir: Path) -> None:
    folder = data_dir / "robust03"
    result = irassay.paper(
        "sakai2008incomplete", folder / "qrels.txt.gz", folder / "runs", topics="601-650", resamples=100
    )  # fmt: skip
    # what the paper shows for its other collections needs another
    assert {row["item"] for row in rows(result["contents"], {"delivered": False})} == {"F4", "F6", "F8"}
    assert result.provenance["gains"] == "1=1,2=3"
    told = {row["what"]: row["value"] for row in rows(result["T2"])}
    # Table 2, TREC03
    assert told["topics"] == 50
    assert round(told["N (judged nonrelevant), mean"], 1) == 925.5
    assert (told["N (judged nonrelevant), least"], told["N (judged nonrelevant), most"]) == (292, 2050)
    assert round(told["R (relevant), mean"], 1) == 33.2
    assert (told["R (relevant), least"], told["R (relevant), most"]) == (4, 115)
    assert round(told["grade 2 (S-relevant), mean"], 1) == 8.1
    assert told["grade 1 (B-relevant), mean"] == pytest.approx(25.0, abs=0.051)
    # its finding: condensed lists keep the order of systems best, RBP.8 and AP worst
    order = list(result["T7"]["measure"])
    assert {"AP'", "Q'"} <= set(order[:4])
    assert {"AP", "RBP", "RBP(p=0.5)"} & set(order[-3:])

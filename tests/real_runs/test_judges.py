"""`judges` on public labels of language models, and on judges of other topics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

import irassay
from irassay.errors import InputError
from irassay.studies.phrases import rows_of
from tests.helpers.judged import read

pytestmark = pytest.mark.data


def test_kappa_of_twelve_language_models_agrees_with_statsmodels(data_dir: Path) -> None:
    folder = data_dir / "llmjudge"
    with pytest.warns(irassay.IrassayWarning, match=r"highest grade, 3: NISTRetrieval-instruct0.txt \(up to 2\)"):
        result = irassay.judges(folder / "human.qrels.txt", folder / "judges", map=("RMITIR-llama70B.txt:5=3",))
    rows = {row["judge"]: row for row in rows_of(result["labels"]) if row["stratum"] == "all"}
    assert len(rows) == 13
    reference = {(topic, document): grade for topic, document, grade in read(folder / "human.qrels.txt")}
    for path in sorted((folder / "judges").iterdir()):
        table = np.zeros((4, 4))
        for topic, document, grade in read(path):
            table[reference[topic, document], min(grade, 3)] += 1
        assert rows[path.name]["kappa"] == pytest.approx(cohens_kappa(table, return_results=False))
        quadratic = cohens_kappa(table, wt="quadratic", return_results=False)
        assert rows[path.name]["kappa_quadratic"] == pytest.approx(quadratic)
    # docs/guides.md
    assert round(rows["majority"]["kappa_quadratic"], 2) == 0.51
    assert (round(rows["majority"]["kappa_quadratic_low"], 2), round(rows["majority"]["kappa_quadratic_high"], 2)) == (
        0.40,
        0.62,
    )


def test_a_public_judge_has_labels_out_of_scale(data_dir: Path) -> None:
    folder = data_dir / "llmjudge"
    with pytest.raises(InputError, match=r"RMITIR-llama70B\.txt:2449: 2 labels are outside the scale from 0 to 3"):
        irassay.judges(folder / "human.qrels.txt", folder / "judges")


def test_judges_of_other_topics_order_systems_as_other_topics_do(data_dir: Path) -> None:
    folder = data_dir / "dl2021"
    result = irassay.judges(
        folder / "human.qrels.xz", [folder / "llm.qrels.xz", folder / "runs"], measures=("AP nDCG@10",), resamples=300
    )
    assert "labels" not in result
    order = {row["measure"]: row for row in rows_of(result["order"])}
    assert (order["AP"]["systems"], order["AP"]["topics"], order["AP"]["judge_topics"]) == (63, 53, 424)
    assert round(order["nDCG@10"]["tau"], 2) == 0.90  # docs/guides.md
    assert order["nDCG@10"]["tau_ceiling_low"] < order["nDCG@10"]["tau"] < order["nDCG@10"]["tau_ceiling_high"]
    assert order["AP"]["tau"] < order["AP"]["tau_ceiling_low"]

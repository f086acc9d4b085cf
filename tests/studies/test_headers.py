"""What people read above the columns of the studies' tables."""

from __future__ import annotations

from typing import Any

import pytest

import irassay
from irassay import demo
from irassay.result import Result

MODEL = demo.Model(systems=5, groups=3, null_pairs=1, depth=40, documents=2000, pool_depth=20, seed=1)
# With all tables that a study can have.
STUDIES: dict[str, dict[str, Any]] = {
    "power": {
        "alpha": 0.1, "resamples": 40, "histogram": True, "other_tests": "t,wilcoxon", "unpaired": True, "paired": True,
    },
    "swap": {"resamples": 40},
    "stability": {"resamples": 40},
    "agreement": {"alpha": 0.1, "resamples": 40},
    "gains": {"alpha": 0.1, "resamples": 40, "measures": "Q nDCG@10"},
    "preferred_ranks": {"measures": None},
    "incomplete": {"alpha": 0.1, "resamples": 40, "rates": "50", "trials": 2, "groups": "groups.txt"},
    "pools": {"alpha": 0.1, "resamples": 40, "depths": "5", "teams": "2"},
    "design": {"resamples": 100},
    "corpus": {"images": 20, "corpus_size": 2000, "also_topics": True, "all_pairs": True, "pair": ("sys1", "sys2")},
    "variance": {"alpha": 0.1, "samples": 40, "length": 100, "measures": "AP"},
    "compare": {"resamples": 200, "equivalence": 0.05},
    "compare against one": {"resamples": 200, "baseline": "sys1", "losses": 0.1, "equivalence": 0.05},
}  # fmt: skip
# What a reader of evaluations need not know.
JARGON = {
    "alpha", "asl", "discriminative_power", "e_rho2", "ed_median", "ed_p95", "effect_size", "equivalence_low",
    "estimated_difference", "f", "fuzziness", "image", "inconsistent", "judged_at_10", "krcc", "left_out",
    "letters", "max_rank", "mean_rejection_rate", "minority_rate", "p_corrected", "p_equivalence", "p_value", "phi",
    "proportion_of_ties", "rank_low", "rank_raw", "rank_root", "rate", "raw", "raw_significant_share", "rbo",
    "rejection_rate", "required_difference", "root_score", "sd_both", "sd_p95", "share_asl_below_alpha",
    "share_first", "share_nearly_always_rejected", "share_satisfied", "significant", "significant_with_full",
    "skewness", "statistic", "swap_rate", "swaps", "system_x", "system_y", "tau", "tau_ap", "tau_b",
    "tau_with_default", "tau_with_full", "topics_for", "topics_needed", "unique_relevant", "variance",
    "variance_residual", "verdicts_changed", "z0"
}  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    folder = tmp_path_factory.mktemp("headers") / "c"
    demo.write(MODEL, folder, topics=range(8))
    data = irassay.read_qrels(folder / "qrels.txt"), irassay.read_runs(folder / "runs")
    of_studies = {}
    for name, options in STUDIES.items():
        own = {"measures": "AP RR"} | options
        own = {key: folder / value if key == "groups" else value for key, value in own.items() if value is not None}
        of_studies[name] = getattr(irassay, name.split()[0])(*data, **own)
    return of_studies


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_every_column_has_a_plain_header_and_jargon_is_explained(results: dict[str, Result]) -> None:
    columns = {
        (study, table.name, column): table.header(column)
        for study, result in results.items()
        for table in result.tables
        for column in table.columns
    }
    assert [place for place, header in columns.items() if "_" in header.text or "_" in header.short] == []
    assert [place for place, header in columns.items() if len(header.brief) > len(header.text)] == []
    seen = {column for *_, column in columns}
    assert sorted(JARGON - seen) == []
    assert [place for place, header in columns.items() if place[-1] in JARGON and not header.meaning] == []


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_findings_and_captions_have_no_names_of_columns_and_no_values_of_python(results: dict[str, Result]) -> None:
    for study, result in results.items():
        names = {column for table in result.tables for column in table.columns if "_" in column}
        texts = [*result.findings, *(table.caption for table in result.tables)]
        texts += [figure.caption for figure in result.figures]
        for text in texts:
            assert not [name for name in names if name in text], (study, text)
            assert "True" not in text
            assert "False" not in text

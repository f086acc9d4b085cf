"""What people read above the columns of the studies' tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import pytest

import irassay
from irassay import demo
from irassay.result import Result
from tests.helpers.judged import write_judged
from tests.helpers.leaderboards import collections

MODEL = demo.Model(systems=5, groups=3, null_pairs=1, depth=40, documents=2000, pool_depth=20, seed=1)
QUESTIONS = "spread,ranks,order,reversals,verdicts,swap,stability"
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
    "compare against two": {"resamples": 200, "baseline": ("sys1", "sys2")},
    "score": {},
    "uncertainty": {"measures": "AP Q nDCG@10", "replicates": 50, "ask": QUESTIONS, "corpus_size": 2000},
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
    of_studies["check"] = irassay.check(folder / "qrels.txt", folder / "runs", groups=folder / "groups.txt")
    of_studies["shape"] = irassay.shape(measures="AP RR")
    return of_studies | of_judges(folder.parent / "judged") | of_collections()


def of_judges(folder: Path) -> dict[str, Result]:
    folder.mkdir()
    write_judged(folder)
    qrels, noisy, runs = (folder / name for name in ("qrels.txt", "noisy.qrels", "runs"))
    more: Any = {"groups": folder / "groups.txt", "coefficients": "all", "human": "noisy.qrels", "permutations": 99}
    judged: Any = {"measures": "AP", "cheap": noisy}
    return {
        "judges": irassay.judges(qrels, [noisy, folder / "lenient.qrels", runs], resamples=20, **more),
        "estimate": irassay.estimate(qrels, runs, trusted_topics="1-6", **judged),
        "design of a trusted judge": irassay.design(qrels, runs, width=0.1, resamples=50, **judged),
    }


def of_collections() -> dict[str, Result]:
    options: Any = {"measures": "AP", "resamples": 100}
    chosen: tuple[tuple[Literal["fixed", "random", "weights"], int], ...]
    chosen = (("fixed", 3), ("random", 7), ("weights", 3))
    return {
        f"leaderboard, {tasks}": irassay.leaderboard(collections(count), tasks=tasks, **options)
        for tasks, count in chosen
    }


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_every_column_has_a_plain_header_and_a_meaning(results: dict[str, Result]) -> None:
    columns = {
        (study, table.name, column): table.header(column)
        for study, result in results.items()
        for table in result.tables
        for column in table.columns
    }
    assert [
        place for place, header in columns.items() if "_" in (header.text + header.short).replace("trec_eval", "")
    ] == []
    assert [place for place, header in columns.items() if len(header.brief) > len(header.text)] == []
    # a column that is named after what stands in its cells, such as AP or judged@10, needs no more
    plain = {"best", "worst", "share", "samples", "runs", "what", "value", "bar", "lowest", "highest"}
    assert [
        place
        for place, header in columns.items()
        if not header.meaning and place[-1] not in plain and not re.match(r"AP|RR|P@10|judged@", place[-1])
    ] == []


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

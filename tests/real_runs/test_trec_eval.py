"""`irassay trec_eval` on real runs, byte for byte."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from irassay.integrations.trec_eval import TrecEval, trec_eval
from tests.helpers.trec_eval_program import printed

pytestmark = pytest.mark.data


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", ["trec8-adhoc", "robust03"])
def test_the_output_for_real_runs_is_that_of_trec_eval(name: str, data_dir: Path, tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_bytes(gzip.decompress((data_dir / name / "qrels.txt.gz").read_bytes()))
    for path in sorted((data_dir / name / "runs").iterdir())[::16]:
        run.write_bytes(gzip.decompress(path.read_bytes()))
        whole = TrecEval(per_topic=True, measures=["all_trec"])
        assert trec_eval(qrels, run, whole) == printed("-q", "-m", "all_trec", qrels, run)
        judged = TrecEval(judged_only=True, complete=True, level=2, most=50)
        assert trec_eval(qrels, run, judged) == printed("-J", "-c", "-l2", "-M50", qrels, run)

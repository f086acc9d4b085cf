"""`irassay trec_eval` prints what trec_eval 9 prints, whose functions are those inside pytrec-eval-terrier."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from irassay.integrations.trec_eval import NAMES, NICKNAMES
from tests.helpers.random_collections import random_collection
from tests.helpers.shell import Shell
from tests.helpers.trec_eval_program import library, measures, nicknames, printed

OPTIONS = {
    "default": [],
    "every name, every topic": ["-q", "-m", "all_trec"],
    "complete": ["-c", "-m", "all_trec"],
    "relevant from grade 2": ["-q", "-c", "-l", "2", "-m", "all_trec"],
    "judged documents only": ["-J", "-q", "-m", "all_trec"],
    "cut at 3": ["-M3", "-q", "-c", "-m", "all_trec"],
    "no summary": ["-n", "-q", "-m", "set"],
    "some of all": ["-J", "-l2", "-M", "5", "-c", "-m", "official"],
    "parameters": ["-m", "P.3,7", "-m", "set_F.0.5", "-m", "iprec_at_recall.0.25,.5", "-m", "map", "-m", "P.9"],
}


def write(folder: Path, seed: int) -> tuple[str, str]:
    """Judgments and a run of a random collection as files."""
    collection = random_collection(seed)
    lines = [f"{topic} 0 {doc} {grade}\n" for topic, docs in collection.qrels.items() for doc, grade in docs.items()]
    (folder / "qrels").write_text("".join(lines))
    name, lists = list(collection.runs.items())[seed % len(collection.runs)]
    rows = [f"{t} Q0 {doc} 1 {score!r} {name}\n" for t, docs in lists.items() for doc, score in docs.items()]
    (folder / name).write_text("".join(rows))
    return "qrels", name


@pytest.fixture
def shell(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capfdbinary)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("what", OPTIONS)
def test_the_output_is_that_of_trec_eval_byte_for_byte(what: str, seed: int, shell: Shell, tmp_path: Path) -> None:
    qrels, run = write(tmp_path, seed)
    expected = printed(*OPTIONS[what], tmp_path / qrels, tmp_path / run)
    assert expected
    assert shell("trec_eval", *OPTIONS[what], qrels, run).out == expected


def test_every_name_of_trec_eval_for_qrels_is_offered_in_its_order() -> None:
    lib = library()
    theirs = [one.name.decode() for one in measures(lib)]
    assert [name for name in theirs if name in NAMES] == [name for name in NAMES if name in theirs]
    assert set(theirs) - set(NAMES) == {name for name in theirs if name.startswith("prefs") or "avgjg" in name} | {
        "yaap"
    }
    assert set(NAMES) - set(theirs) == {"unj"}
    for nickname in NICKNAMES:
        assert set(NICKNAMES[nickname]) == set(nicknames(lib)[nickname])


def test_unjudged_shares_are_those_of_version_10(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b -1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 c 3 1 x\n")
    assert shell("trec_eval", "-m", "unj.2,5", "qrels", "run").out == (
        b"unj_2                 \tall\t0.5000\nunj_5                 \tall\t0.4000\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "yaap"], "trec_eval's measure 'yaap' is not offered"),
        (["-m", "P_5"], "trec_eval's measure 'P_5' is not offered"),
        (["-m", "ndcg.1=3.5"], "parameters of trec_eval's measure 'ndcg' are not offered"),
        (["-m", "P.x"], "'x' are no parameters of P"),
        (["-m", "P.0"], "0 is no cut-off of P"),
        (["-m", "P.5,5"], "given twice"),
        (["-l", "0"], "-l is 0"),
        (["-N", "10"], "No such option"),
        (["-T"], "No such option"),
    ],
)
def test_what_is_not_offered_is_an_error(arguments: list[str], said: str, shell: Shell, tmp_path: Path) -> None:
    qrels, run = write(tmp_path, 0)
    done = shell("trec_eval", *arguments, qrels, run)
    assert (done.status, done.out) == (2, b"")
    assert said in done.err


def test_several_runs_are_refused(shell: Shell, tmp_path: Path) -> None:
    assert "2 runs were given" in shell("trec_eval", "qrels.txt", "runs").err

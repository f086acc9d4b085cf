"""A little fuzzing in every run of the tests; and what the fuzzer itself must notice."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irassay.result import Table
from irassay.scoring.scores import Scores
from irassay.studies.score import run as score_study
from tests.fuzz.cases import TARGETS, Case, case
from tests.fuzz.checking import problem
from tests.fuzz.shrinking import kind_of, shrunk

# About twenty seconds on one core. By number and not by time, so that a test is the same everywhere.
CASES = {
    "trec": 120,
    "formats": 120,
    "runs": 100,
    "judgments": 80,
    "score tables": 60,
    "groups": 30,
    "topics": 30,
    "measures": 80,
    "result folders": 10,
    "collections files": 20,
    "options": 50,
}
LONG = 600  # seconds that no case takes on any machine
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("target", TARGETS)
def test_what_nobody_meant_to_give_is_refused_or_read_rightly(target: str) -> None:
    for seed in range(CASES[target]):
        message = problem(case(target, seed), LONG)
        assert not message, f"python -m tests.fuzz --target {target!r} --seed {seed} --cases 1\n{message}"


def test_nothing_is_read_outside_of_arrays() -> None:
    """As fuzzed, but with numba's bounds check, and without the intrinsics, which know only addresses."""
    environment = {**os.environ, "IRASSAY_PLAIN": "1", "NUMBA_BOUNDSCHECK": "1"}
    command = [sys.executable, "-m", "tests.fuzz", "--cases", "60", "--seconds", str(LONG), "--kernels"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    assert "60 cases, 0 kinds of problems" in ended.stdout


@pytest.mark.parametrize("target", TARGETS)
def test_a_case_is_a_function_of_its_seed(target: str) -> None:
    cases = [case(target, 5) for _ in range(2)]
    assert cases[0] == cases[1]
    assert cases[0] != case(target, 6)


def test_cases_are_the_same_in_every_process() -> None:
    code = (
        "import hashlib; from tests.fuzz.cases import TARGETS, case;"
        "print(hashlib.sha256(repr([case(t, 3) for t in TARGETS]).encode('utf-8', 'surrogateescape')).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def valid(seed: int = 0) -> Case:
    return case("formats", seed)


def test_a_bug_is_noticed_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr(score_study, "run", fail)
    message = problem(valid(), LONG)
    assert "RuntimeError: oh" in message
    assert "Traceback" in message


def test_a_wrong_score_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Scores.long

    def wrong(self: Scores, **options: Any) -> Table:
        table = long(self, **options)
        scores = [*table["score"]]
        scores[-1] = float(scores[-1]) + 1e-9
        return replace(table, columns={**table.columns, "score": scores})

    monkeypatch.setattr(Scores, "long", wrong)
    assert "1 scores are wrong" in problem(valid(), LONG)


def test_valid_input_that_is_refused_is_noticed() -> None:
    assert "refused though it is valid" in problem(replace(valid(), arguments=("score", "qrels", "no run")), LONG)


def test_what_a_command_leaves_behind_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    run = score_study.run

    def leave(*arguments: Any) -> Any:
        Path(".irassay-1.tmp").write_text("x")
        return run(*arguments)

    monkeypatch.setattr(score_study, "run", leave)
    assert problem(valid(), LONG) == "left behind: .irassay-1.tmp"


def test_a_hang_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(score_study, "run", hang)
    assert problem(valid(), 1) == "it took more than 1 seconds"


def test_a_case_is_shrunk_to_what_its_problem_needs() -> None:
    whole = Case("trec", 0, {"qrels": b"a" * 50 + b"!" + b"b" * 50, "run": b"c" * 20}, ("score", "qrels", "run"))

    def broken(tried: Case) -> str:
        return "line 7: no" if b"!" in tried.files["qrels"] else ""

    assert shrunk(whole, broken).files == {"qrels": b"!", "run": b"c" * 0}
    assert kind_of(broken(whole)) == kind_of("x\nline 12: no")

"""Numbers that are too large are refused before any file is read."""

from __future__ import annotations

from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.errors import InputError
from irassay.settings import options
from irassay.studies.registry import load, studies

TOO_MANY = [
    ("power", "--resamples", 10**9),
    ("compare", "--resamples", 10**9),
    ("uncertainty", "--replicates", 10**9),
    ("variance", "--samples", 10**9),
    ("corpus", "--images", 10**9),
    ("incomplete", "--trials", 10**9),
    ("pools", "--trials", 10**9),
    ("swap", "--bins", 10**9),
    ("score", "--depth", 10**20),
    ("score", "--jobs", 10**9),
    ("check", "--pool-depth", 10**20),
    ("pools", "--pool-depth", 2**31),
]


@pytest.mark.parametrize(("study", "flag", "value"), TOO_MANY)
def test_a_number_above_its_bound_is_refused_with_the_bound_and_its_reason(
    study: str, flag: str, value: int, capfd: Any
) -> None:
    assert run([study, "no such file", "nor this", flag, str(value)]) == 2
    message = capfd.readouterr().err
    assert message.startswith(f"error: {flag} is {value}\n\nhint: it is at most ")
    assert ": " in message.split("it is at most ")[1]


@pytest.mark.parametrize("depths", ["1e30", "inf", "5,99999999999", "2147483648"])
def test_a_rank_beyond_32_bits_is_refused(depths: str) -> None:
    with pytest.raises(InputError, match="depths is"):
        irassay.pools("qrels", "runs", depths=depths)


def test_python_has_the_same_bounds() -> None:
    with pytest.raises(InputError, match="--resamples is 1000000000"):
        irassay.power("no such file", "nor this", resamples=10**9)
    with pytest.raises(InputError, match="--resamples is 1000000000"):
        irassay.study("no such file", "nor this", resamples=10**9)


def test_demo_data_of_billions_of_topics_is_refused(capfd: Any, tmp_path: Any) -> None:
    assert run(["demo-data", "--out", str(tmp_path / "d"), "--topics", "1000000000"]) == 2
    assert "it is at most 100,000: lists of so many" in capfd.readouterr().err


def test_every_bound_has_a_reason() -> None:
    for study in studies().values():
        for name, (_, option) in options(load(study.settings)).items():
            assert option.high is None or option.why, (study.name, name)


def test_too_little_memory_is_no_bug(monkeypatch: pytest.MonkeyPatch, capfd: Any, tmp_path: Any) -> None:
    def too_much(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("irassay.studies.score.run.run", too_much)
    (tmp_path / "q").write_text("1 0 d 1\n")
    assert run(["score", str(tmp_path / "q"), str(tmp_path / "q")]) == 2
    message = capfd.readouterr().err
    assert message.startswith("error: there is not enough memory")
    assert "bug" not in message

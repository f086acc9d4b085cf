"""Memory is asked for before it is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irassay.compute import memory
from irassay.compute.draws import random_indices
from irassay.errors import InputError


def test_what_fits_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 2.0e9)
    assert memory.empty((3, 2), np.int32, of="samples").shape == (3, 2)
    memory.require(1.9e9, "samples")


def test_what_does_not_fit_is_refused_with_the_number_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 2.0e9)
    with pytest.raises(InputError, match=r"so many replicates need 8\.0 GB of memory; 2\.0 GB are free") as caught:
        memory.empty((10, 10**8), of="replicates")
    assert "fewer replicates" in caught.value.hint


def test_samples_of_topics_are_refused_before_they_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 2.0e9)
    with pytest.raises(InputError, match="so many samples need"):
        random_indices(10**7, 50, 50, seed=0, stream=1)


def test_a_limit_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "max").write_text("3000\n")
    (tmp_path / "current").write_text("1000\n")
    monkeypatch.setattr(memory, "LIMITS", ((tmp_path / "max", tmp_path / "current"),))
    assert memory.free_memory() == 2000.0
    (tmp_path / "max").write_text("max\n")
    assert memory.free_memory() > 2000.0


def test_a_machine_that_does_not_say_its_free_memory_has_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "no such file")
    monkeypatch.setattr(memory, "LIMITS", ())
    assert memory.free_memory() > 1e8

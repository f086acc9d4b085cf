"""Every study with long work has the same bits on any number of threads."""

from __future__ import annotations

import pytest

from tests.helpers.long_work import STUDIES, bits, collection

# chunks of 256 and of 32 replicates, states that are sums, rows and kept scores
NAMES = ("corpus", "corpus, histograms", "variance", "uncertainty", "incomplete", "power")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    return collection(tmp_path_factory.mktemp("collection") / "data")


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", NAMES)
def test_a_study_has_the_same_bits_on_any_number_of_threads(name: str, data: tuple[str, str]) -> None:
    study, settings = STUDIES[name]
    one = bits(study(*data, **settings, jobs=1))
    for jobs in (2, 3, 7, 16):
        assert bits(study(*data, **settings, jobs=jobs)) == one

"""$IRASSAY_REQUIRE=gpu turns the skipped tests of a machine without a GPU into failures."""

from __future__ import annotations

import pytest

from tests.helpers.requirements import skip_unless_required


@pytest.mark.parametrize("required", ["gpu", "data,gpu"])
def test_what_is_required_and_missing_fails(monkeypatch: pytest.MonkeyPatch, required: str) -> None:
    monkeypatch.setenv("IRASSAY_REQUIRE", required)
    with pytest.raises(pytest.fail.Exception, match="no GPU"):
        skip_unless_required("gpu", "no GPU here")


@pytest.mark.parametrize("required", ["", "data"])
def test_what_is_missing_and_not_required_is_skipped(monkeypatch: pytest.MonkeyPatch, required: str) -> None:
    monkeypatch.setenv("IRASSAY_REQUIRE", required)
    with pytest.raises(pytest.skip.Exception, match="no GPU"):
        skip_unless_required("gpu", "no GPU here")

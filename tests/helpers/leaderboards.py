"""Collections of five systems with known strengths, and what `irassay.leaderboard` says of them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.errors import InputError, IrassayWarning
from irassay.result import Result
from irassay.scoring.scores import Scores

Array = NDArray[np.float64]
SYSTEMS = ("a", "b", "c", "d", "e")
STRENGTH = np.array([0.5, 0.49, 0.4, 0.3, 0.29])


def collections(count: int, topics: int = 30, seed: int = 0) -> dict[str, Scores]:
    """Scores per topic of five systems, a the best; collections differ in how hard they are."""
    rng = np.random.default_rng(seed)
    return {
        f"C{k}": Scores(
            ("AP",),
            SYSTEMS,
            tuple(map(str, range(topics))),
            STRENGTH[:, None]
            + 0.1 * rng.standard_normal((5, topics))
            + 0.1 * rng.standard_normal(topics)
            + 0.05 * k / 8,
        )
        for k in range(count)
    }


def means(parts: dict[str, Scores]) -> dict[str, dict[str, float]]:
    return {name: dict(zip(SYSTEMS, part.means().tolist(), strict=True)) for name, part in parts.items()}


def leaderboard(data: Any, *expected: str, **options: Any) -> Result:
    """The result, whose warnings have just these codes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IrassayWarning)
        result = irassay.leaderboard(data, **options)
    assert [warning.code for warning in result.warnings] == list(expected)
    return result


def column(result: Result, name: str, table: str = "leaderboard") -> list[Any]:
    return list(result[table][name])


def refusal(data: Any, **options: Any) -> InputError:
    warnings.simplefilter("ignore", IrassayWarning)  # pytest restores the filters
    with pytest.raises(InputError) as caught:
        irassay.leaderboard(data, **options)
    return caught.value

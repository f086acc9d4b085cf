"""The whole way, from judgments and runs to scores, against exact numbers."""

from __future__ import annotations

import pytest

import irassay
from tests.helpers.golden import golden
from tests.helpers.panels import Topic, missing, panel_of

MEASURES = golden("measures")
NAMES: dict[str, str | None] = golden("names")
# the one without a name is cwl_eval's form of INSQ: tests/measures/test_definitions.py
READY = {name: text for name, text in NAMES.items() if text}
EXACT = 1e-12


@pytest.fixture(scope="module")
def panel() -> irassay.Panel:
    topics = {}
    for topic in MEASURES["topics"]:
        judged = {int(g): n for g, n in topic["R_by_level"].items()} | {0: topic["N"]}
        topics[topic["id"]] = Topic(topic["ranked"], missing(topic["ranked"], judged))
    # Lists without a document cannot stand in a run: an anchor run answers every topic.
    anchor = {name: {"anchor": 1.0} for name in topics}
    qrels: dict[str, dict[str, int]] = {}
    lists: dict[str, dict[str, float]] = {}
    for name, topic in topics.items():
        qrels[name] = {f"d{r}": g for r, g in enumerate(topic.ranked) if g is not None}
        qrels[name] |= {f"u{n}": g for n, g in enumerate(topic.unretrieved)}
        qrels[name] = qrels[name] or {"pooled": -1}  # nothing judged at all, yet a topic
        if topic.ranked:
            lists[name] = {f"d{r}": -float(r) for r in range(len(topic.ranked))}
    with pytest.warns(irassay.IrassayWarning, match=r"no-relevant|missing-topics") as warnings:
        panel = irassay.align(irassay.read_qrels(qrels), irassay.read_runs({"golden": lists, "anchor": anchor}))
    assert len(warnings) == 2
    return panel


def test_topics_include_the_edge_cases(panel: irassay.Panel) -> None:
    assert len(panel.topics) == len(MEASURES["topics"]) == 43


@pytest.mark.parametrize("name", READY)
def test_scores_equal_the_exact_numbers(name: str, panel: irassay.Panel) -> None:
    scores = panel.score(READY[name]).by_measure()[0]
    expected = {topic["id"]: topic["measures"][name]["v"] for topic in MEASURES["topics"]}
    result = dict(zip(scores.topics, scores.values[0].tolist(), strict=True))
    assert result == pytest.approx(expected, abs=EXACT, rel=EXACT)


@pytest.mark.parametrize("name", MEASURES["summaries"])
def test_summaries_equal_the_exact_numbers(name: str) -> None:
    expected = MEASURES["summaries"][name]
    topics = {}
    for topic in MEASURES["topics"]:
        if topic["R"]:
            judged = {int(g): n for g, n in topic["R_by_level"].items()} | {0: topic["N"]}
            # an unjudged document below the list changes neither AP nor Q, and makes an empty list a list
            topics[topic["id"]] = Topic([*topic["ranked"], None], missing(topic["ranked"], judged))
    panel = panel_of(topics)
    measure = READY[name]
    for text, key in ((measure, "mean"), (f"GM({measure})", "GM"), (f"AG({measure})", "AG")):
        assert panel.score(text).means()[0, 0] == pytest.approx(expected[key], rel=EXACT)

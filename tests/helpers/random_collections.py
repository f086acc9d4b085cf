"""Random collections for tests: seeded ones with every potential problem, and hypothesis-driven small ones.

A seeded collection has, beside ordinary topics, one that some runs miss, one that only the judgments know and one
that only the runs know; its lists are shorter and longer than any cut-off in the tests, and no list's order in the
file is its order by score.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hypothesis import strategies as st

Judgments = dict[str, dict[str, int]]
Lists = dict[str, dict[str, float]]
Spacing = Literal["tied", "distinct", "close"]


@dataclass(frozen=True)
class Collection:
    """Judgments `{topic: {document: grade}}` and runs `{name: {topic: {document: score}}}`, in file order."""

    qrels: Judgments
    runs: dict[str, Lists] = field(default_factory=dict)

    def write(self, folder: Path) -> tuple[Path, Path]:
        """The same as TREC files: the judgments, and the folder of the runs."""
        qrels, runs = folder / "qrels.txt", folder / "runs"
        runs.mkdir()
        lines = (f"{topic} 0 {doc} {grade}\n" for topic, docs in self.qrels.items() for doc, grade in docs.items())
        qrels.write_text("".join(lines), encoding="utf-8")
        for name, lists in self.runs.items():
            rows = (
                f"{topic} Q0 {doc} {rank} {score!r} {name}\n"
                for topic, docs in lists.items()
                for rank, (doc, score) in enumerate(docs.items(), 1)
            )
            (runs / f"{name}.txt").write_text("".join(rows), encoding="utf-8")
        return qrels, runs


def random_collection(
    seed: int,
    *,
    spacing: Spacing = "tied",
    negative: bool = True,
    unanswerable: bool = True,
    pool: int = 40,
    systems: int = 4,
) -> Collection:
    """A collection from a seed.

    `spacing`: scores with many ties; all distinct; or distinct as doubles and tied as 32-bit floats. `negative`:
    some documents are pooled but not judged. `unanswerable`: one topic has no relevant document.
    """
    rng = random.Random(seed)
    documents = rng.sample([f"D{n:03}-{'abcde'[n % 5]}" for n in range(5 * pool)], pool)
    grades = {"ordinary": [0, 0, 0, 1, 2, 3], "all relevant": [1, 2, 3], "unanswerable": [0]}
    kinds = ["ordinary"] * 4 + ["all relevant"] + ["unanswerable"] * unanswerable
    qrels: Judgments = {}
    for number, kind in enumerate(kinds):
        choices = grades[kind] + [-1] * negative
        judged = rng.sample(documents, rng.randint(pool // 4, 3 * pool // 4))
        qrels[str(401 + number)] = {doc: rng.choice(choices) for doc in judged}
        if kind != "unanswerable":
            qrels[str(401 + number)][rng.choice(documents)] = 3
    answered = [*qrels, "only-in-runs"]
    qrels["only-in-judgments"] = {rng.choice(documents): 1}
    runs: dict[str, Lists] = {}
    for system in range(systems):
        missing = {"401"} if system == 0 else set()
        shuffled = rng.sample(answered, len(answered))
        runs[f"sys{system}"] = {
            topic: _random_list(rng, documents, spacing) for topic in shuffled if topic not in missing
        }
    return Collection(qrels, runs)


def _random_list(rng: random.Random, documents: list[str], spacing: Spacing) -> dict[str, float]:
    found = rng.sample(documents, rng.choice([1, 3, len(documents) // 2, len(documents)]))
    if spacing == "tied":
        return {doc: float(rng.randint(-2, 4)) for doc in found}
    places = rng.sample(range(len(found)), len(found))
    if spacing == "close":
        return {doc: 1.0 + place * 1e-12 for doc, place in zip(found, places, strict=True)}
    return {doc: place / 4 for doc, place in zip(found, places, strict=True)}


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    """Any small collection; scores are whole or half numbers, so that every float holds them exactly."""
    documents = st.sampled_from([f"d{n}" for n in range(8)])
    topics = st.sampled_from(["1", "2", "3"])
    # one document at least is really judged: where none is, trec_eval's nDCG reads memory that is not its own
    judged = st.builds(
        lambda docs, doc, grade: {**docs, doc: grade},
        st.dictionaries(documents, st.integers(-1, 3)),
        documents,
        st.integers(0, 3),
    )
    ranked = st.dictionaries(documents, st.integers(-4, 4).map(lambda n: n / 2), min_size=1)
    qrels = draw(st.dictionaries(topics, judged, min_size=1))
    # every run answers one judged topic at least; one that answers none is refused
    shared = draw(st.sampled_from(sorted(qrels)))
    names = ["a", "b", "c"][: draw(st.integers(1, 3))]
    runs = {name: {**draw(st.dictionaries(topics, ranked)), shared: draw(ranked)} for name in names}
    return Collection(qrels, runs)

"""A generated collection of TREC-8's size: 129 runs x 50 topics x 1000 documents, with judgments.

Documents have TREC's kinds of names and the files TREC's kinds of lines. Every topic has its own candidates;
a run ranks them by a strength that relevant documents have more of, plus noise, so that runs overlap and
differ in quality. The runs are written twice: with scores of six digits, and with scores of up to 17.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.sizes import LONG, MEDIUM, SMALL, TREC8, VARIANTS, Size

CORPUS_SIZE = 528_155
SEED = 8


def generate(size: Size) -> None:
    """Write a collection where it is not there yet; a folder with its name is always whole."""
    if size.folder.exists():
        return
    unfinished = size.folder.with_name(f"{size.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    _write(size, unfinished)
    unfinished.rename(size.folder)


def document_names() -> Iterator[str]:
    """Names as on TREC disks 4 and 5 without the Congressional Record, at least as many as there."""
    for volume in range(911, 945):
        if volume % 10 in (1, 2, 3, 4):
            yield from (f"FT{volume}-{n}" for n in range(1, 13_136))
    for disk in (3, 4):
        yield from (f"FBIS{disk}-{n}" for n in range(1, 65_236))
    for day in range(12 * 28 * 2):
        date = f"{day % 12 + 1:02}{day // 24 + 1:02}{89 + day // 12 % 2}"
        yield from (f"LA{date}-{n:04}" for n in range(1, 197))
    for day in range(252):
        yield from (f"FR94{day % 12 + 1:02}{day // 12 + 1:02}-{n % 3}-{n:05}" for n in range(1, 223))


def _write(size: Size, folder: Path) -> None:
    rng = np.random.default_rng(SEED)
    names = list(islice(document_names(), CORPUS_SIZE))
    assert len(set(names)) == CORPUS_SIZE
    topics = [str(401 + topic) for topic in range(size.topics)]
    documents = np.empty((size.runs, size.topics, size.depth), np.int32)
    scores = np.empty(documents.shape)
    quality = np.sort(rng.normal(2.45, 0.7, size.runs))
    with (folder / "qrels.txt").open("w") as qrels:
        for t, topic in enumerate(topics):
            candidates, relevant = _candidates(rng, size)
            best = np.full(size.candidates, size.depth)
            strength = rng.normal(0.0, 1.0, size.candidates)
            for s in range(size.runs):
                order, keys = _rank(rng, size, strength + quality[s] * relevant)
                documents[s, t], scores[s, t] = candidates[order], keys
                best[order] = np.minimum(best[order], np.arange(size.depth))
            # the relevant documents and those that some run ranks highest, as pooling would have it
            judged = np.argsort(np.where(relevant, -1, best), kind="stable")[: size.judged]
            qrels.writelines(sorted(f"{topic} 0 {names[candidates[j]]} {int(relevant[j])}\n" for j in judged.tolist()))
    for variant in VARIANTS:
        _write_runs(folder / variant, variant, topics, names, documents, scores)


def _candidates(rng: np.random.Generator, size: Size) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Candidates of one topic, and which of them are relevant: few for some topics, many for others."""
    candidates = rng.choice(CORPUS_SIZE, size.candidates, replace=False)
    relevant = np.zeros(size.candidates, bool)
    count = int(np.clip(rng.lognormal(np.log(size.relevant) - 0.3, 0.78), 6, size.judged // 3))
    relevant[rng.choice(size.candidates, count, replace=False)] = True
    return candidates, relevant


def _rank(
    rng: np.random.Generator, size: Size, strength: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The best `depth` candidates of one list by strength and noise, best first, with their scores."""
    key = strength + rng.gumbel(0.0, 1.0, size.candidates)
    top = np.argpartition(-key, size.depth)[: size.depth]
    order = top[np.argsort(-key[top])]
    return order, key[order]


def _write_runs(
    folder: Path,
    variant: str,
    topics: list[str],
    names: list[str],
    documents: NDArray[np.int32],
    scores: NDArray[np.float64],
) -> None:
    folder.mkdir()
    for s in range(len(documents)):
        tag = f"run{s + 1:03}"
        scale = (1.0, 0.01, 37.0)[s % 3]
        with (folder / f"{tag}.txt").open("w") as file:
            for t, topic in enumerate(topics):
                values = (scale * scores[s, t]).tolist()
                texts = map(repr, values) if variant == "long" else (f"{value:.6g}" for value in values)
                ids = (names[d] for d in documents[s, t].tolist())
                lines = zip(ids, texts, strict=True)
                file.writelines(
                    f"{topic} Q0 {name} {rank} {text} {tag}\n" for rank, (name, text) in enumerate(lines, 1)
                )


if __name__ == "__main__":
    for wanted in (SMALL, MEDIUM, TREC8, LONG):
        generate(wanted)

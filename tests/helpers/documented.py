"""The examples of the documentation, and a folder with every file that they name."""

from __future__ import annotations

import gzip
import json
import random
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[2]
SYSTEMS = ("bm25", "ql", "mine", "A", "B", "dense1", "dense2", "dense3")
TOPICS = [*range(401, 413), *range(601, 613)]
TRUSTED = [str(topic) for topic in TOPICS[::2]]
COLLECTIONS = """
[[collection]]
name = "TREC-8"
qrels = "qrels.txt"
runs = ["runs/"]

[[collection]]
name = "robust"
qrels = "qrels.txt"
runs = ["runs/"]
topics = "601-650"
"""
Grades = dict[str, dict[str, int]]


def pages() -> list[Path]:
    """Every page that has examples."""
    return sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def blocks(page: Path, *languages: str) -> list[str]:
    """The blocks of code in these languages."""
    found = re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [text for language, text in found if language in languages]


def commands(page: Path) -> Iterator[list[str]]:
    """The commands of a page's shell blocks, and of tables from questions to commands, as words, without comments."""
    answers = re.findall(r"^\| [^`|]+ \| `(irassay [^`]+)` \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    for block in [*blocks(page, "sh", "bash", "console"), *answers]:
        for line in block.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield words


def side_by_side(page: Path, tool: str) -> list[tuple[str, str]]:
    """The rows of a table of code: the other tool's and ours."""
    table = page.read_text(encoding="utf-8").partition(f"| {tool} | irassay |\n|---|---|\n")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", table, re.MULTILINE)


def names_in_python() -> dict[str, Any]:
    """What the Python examples take for given, in the folder that `fill` has filled."""
    import pandas

    import irassay

    qrels: Grades = {}
    for line in Path("qrels.txt").read_text().splitlines():
        topic, _, doc, grade = line.split()
        qrels.setdefault(topic, {})[doc] = int(grade)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for system in SYSTEMS:
        kept = Path("runs", f"{system}.txt")
        text = kept.read_text() if kept.exists() else gzip.decompress(kept.with_suffix(".gz").read_bytes()).decode()
        for topic, _, doc, _, score, _ in map(str.split, text.splitlines()):
            runs.setdefault(system, {}).setdefault(topic, {})[doc] = float(score)

    def results(system: str) -> Any:
        rows = [(t, d, s, r) for t, docs in runs[system].items() for r, (d, s) in enumerate(docs.items())]
        return pandas.DataFrame(rows, columns=["qid", "docno", "score", "rank"])

    def experiment(pipelines: Any, topics: Any, qrels: Any, measures: Any, names: Any, perquery: bool) -> Any:
        """PyTerrier is not installed: a frame of the shape of its experiments."""
        scores = irassay.align(qrels, {name: pipe(topics) for name, pipe in zip(names, pipelines, strict=True)})
        values = scores.score("AP").to_pandas()
        shaped = values.rename(columns={"system": "name", "topic": "qid", "score": "value"})
        return shaped.assign(measure=measures[0])[["name", "qid", "measure", "value"]]

    return {
        "irassay": irassay,
        "qrels": qrels,
        "runs": runs,
        "run": runs["bm25"],
        "panel": irassay.align(qrels, runs),
        "topics": pandas.DataFrame({"qid": list(qrels), "query": list(qrels)}),
        "bm25": lambda topics: results("bm25"),
        "ql": lambda topics: results("ql"),
        "pt": SimpleNamespace(Experiment=experiment),
    }


def fill(folder: Path) -> None:
    """Write the files: 8 systems, 24 topics, grades up to 2, judges who err, and tables of scores."""
    rng = random.Random(0)
    truth: Grades = {str(t): {f"d{n:03}": rng.choice((0, 0, 0, 0, 1, 2)) for n in range(120)} for t in TOPICS}
    judged = {topic: {doc: grade for doc, grade in docs.items() if doc < "d090"} for topic, docs in truth.items()}
    _qrels(folder / "qrels.txt", judged)
    _qrels(folder / "human.qrels", {topic: judged[topic] for topic in TRUSTED})
    (folder / "judges").mkdir()
    for name in ("gpt.qrels", "llm.qrels", "llama.qrels", "judges/gpt.txt", "judges/llama.txt"):
        _qrels(folder / name, {t: {d: _erring(rng, g) for d, g in docs.items()} for t, docs in judged.items()})
    (folder / "runs").mkdir()
    for place, system in enumerate(SYSTEMS):
        text = _run(rng, truth, system, place)
        suffix = ".gz" if place % 4 == 3 else ".txt"
        _write(folder / "runs" / f"{system}{suffix}", text)
        if system == "bm25":
            _write(folder / "run.txt", text)
            _write(folder / "run.gz", text)
            _write(folder / "run1.gz", text)
        elif system == "ql":
            _write(folder / "run2.gz", text)
    (folder / "groups.txt").write_text("".join(f"{s} group{place // 2}\n" for place, s in enumerate(SYSTEMS)))
    (folder / "sampled.txt").write_text("".join(f"{topic} 0.5\n" for topic in TOPICS))
    scores = [f"{s},{t},AP,{rng.uniform(0, 0.6) + 0.03 * n:.4f}" for n, s in enumerate(SYSTEMS) for t in TOPICS]
    (folder / "scores.csv").write_text("\n".join(["system,topic,measure,score", *scores, ""]))
    board = [f"{s},C{c},{rng.uniform(0.2, 0.6) + 0.02 * n:.4f}" for n, s in enumerate(SYSTEMS) for c in range(12)]
    for name in ("board.csv", "leaderboard.csv"):
        (folder / name).write_text("\n".join(["system,collection,score", *board, ""]))
    (folder / "irassay.toml").write_text(COLLECTIONS)


def fill_results(folder: Path) -> None:
    """Results of eight systems on twelve tasks, as MTEB writes them."""
    rng = random.Random(1)
    for system in SYSTEMS:
        (folder / system).mkdir(parents=True)
        for task in range(12):
            score = {"main_score": rng.uniform(0.2, 0.6), "hf_subset": "default", "languages": ["eng-Latn"]}
            text = {"task_name": f"Task{task}", "scores": {"test": [score]}}
            (folder / system / f"Task{task}.json").write_text(json.dumps(text))


def _erring(rng: random.Random, grade: int) -> int:
    return max(0, min(2, grade + rng.choice((0, 0, 0, 1, -1))))


def _qrels(path: Path, judgments: Grades) -> None:
    path.write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in judgments.items() for d, g in docs.items()))


def _run(rng: random.Random, truth: Grades, system: str, place: int) -> str:
    lines = []
    for topic, docs in truth.items():
        scored = {doc: grade * (0.6 + 0.1 * place) + rng.gauss(0, 1) for doc, grade in docs.items()}
        ranked = sorted(scored, key=lambda doc: -scored[doc])[:100]
        lines += [f"{topic} Q0 {doc} {rank} {scored[doc]:.6f} {system}\n" for rank, doc in enumerate(ranked, 1)]
    return "".join(lines)


def _write(path: Path, text: str) -> None:
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)

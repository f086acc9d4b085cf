"""A demo collection with judges of known error, as files."""

from __future__ import annotations

from pathlib import Path

from irassay import demo

MODEL = demo.Model(systems=9, groups=3, null_pairs=0, depth=60, candidates=900, documents=4000, pool_depth=20, seed=3)
TOPICS = 12

Line = tuple[str, str, int]


def read(path: Path) -> list[Line]:
    words = [line.split() for line in path.read_text().splitlines()]
    return [(topic, document, int(grade)) for topic, _, document, grade in words]


def write(path: Path, lines: list[Line]) -> None:
    path.write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in lines))


def write_judged(folder: Path) -> None:
    """Runs, groups, `qrels.txt` and the judges copy, noisy, lenient, half (some documents only) and elsewhere."""
    demo.write(MODEL, folder, topics=range(TOPICS), judges=demo.JUDGES)
    write(folder / "copy.qrels", read(folder / "qrels.txt"))
    for path in (folder / "judges").iterdir():
        path.rename(folder / path.name)
    half = [line for k, line in enumerate(read(folder / "noisy.qrels")) if k % 2]
    write(folder / "half.qrels", [*half, *((str(t + 1), f"EXTRA-{t}", 1) for t in range(TOPICS))])
    others = folder / "others"
    demo.write(MODEL, others, topics=range(TOPICS, 3 * TOPICS))
    for run in (folder / "runs").iterdir():
        with run.open("a") as file:
            file.write((others / "runs" / run.name).read_text())
    (others / "qrels.txt").rename(folder / "elsewhere.qrels")

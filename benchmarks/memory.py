"""The peak memory of whole commands on the generated set of TREC-8's size: `python -m benchmarks.memory [STUDY...]`.

Each runs in its own process, with two threads and its default settings but where the table says otherwise. Writes the
rows of those that it ran into docs/scaling.md.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.harness import Sample, command, say, seconds
from benchmarks.sizes import ROOT, TREC8

PAGE = ROOT / "docs" / "scaling.md"
TITLE = "## Peak memory"
LIMIT = 2000  # MB for 10,000 bootstrap corpora
CORPUS = ("--corpus-size", "528155")
FOLDER = ROOT / ".benchmarks" / "memory"
RUNS = TREC8.folder / "short"
CHEAP = FOLDER / "judge.txt"  # the judgments with every fifth grade changed
COLLECTIONS = FOLDER / "irassay.toml"


class Work(NamedTuple):
    """The options of a study, what they are in words, and its data."""

    options: tuple[str, ...]
    words: str
    data: tuple[Path, ...] = (TREC8.qrels, RUNS)
    output: tuple[str, ...] = ("--format", "json")


WORK = {
    "score": Work(("-m", "AP nDCG@10 P@10 RR RBP(p=0.95)"), "five measures"),
    "check": Work((), ""),
    "compare": Work(("-m", "AP nDCG@10"), "two measures, all 8,256 pairs"),
    "power": Work(("-m", "AP nDCG@10"), "two measures, 1,000 samples of topics"),
    "swap": Work(("-m", "AP nDCG@10"), "two measures, 1,000 samples of topics"),
    "stability": Work(("-m", "AP nDCG@10"), "two measures, 1,000 samples of topics"),
    "agreement": Work((), "the default measures"),
    "gains": Work((), "the default measures and gains"),
    "incomplete": Work(("-m", "AP nDCG@10"), "two measures, five rates"),
    "pools": Work(("-m", "AP", "--pool-depth", "100"), "AP, the default depths"),
    "design": Work(("-m", "AP nDCG@10"), "two measures"),
    "preferred-ranks": Work((), ""),
    "unjudged": Work(("-m", "AP nDCG@10"), "two measures, 1,000 draws"),
    "variance": Work(("-m", "AP"), "AP, the default models"),
    "uncertainty": Work(("-m", "AP nDCG@10", *CORPUS), "two measures, the default variations"),
    "corpus": Work((*CORPUS, "--images", "10000"), "six measures, 10,000 bootstrap corpora"),
    "shape": Work((), "", ()),
    "judges": Work(("-m", "AP nDCG@10"), "a second judge, two measures", (TREC8.qrels, CHEAP, RUNS)),
    "estimate": Work(("--cheap", str(CHEAP), "--trusted-topics", "401-410"), "two measures, ten trusted topics"),
    "leaderboard": Work((), "three collections of this size, nDCG@10", (COLLECTIONS,)),
    "paper sakai2007bootstrap": Work((), "all tables and figures", output=()),
    "paper zobel2020corpus": Work(CORPUS, "all tables and figures, 10,000 bootstrap corpora", output=()),
    "study": Work(CORPUS, "the default parts, with the report", output=()),
}


def measured(study: str) -> Sample:
    work = WORK[study]
    with tempfile.TemporaryDirectory() as folder:
        output = work.output or ("--out", f"{folder}/out")
        return command("-m", "irassay", *study.split(), *work.data, *work.options, "--jobs", "2", *output)


def write_further_files() -> None:
    """A second judge, and the collection under three names."""
    FOLDER.mkdir(exist_ok=True)
    with TREC8.qrels.open() as judgments, CHEAP.open("w") as cheap:
        for number, line in enumerate(judgments):
            topic, iteration, document, grade = line.split()
            label = 1 - min(int(grade), 1) if number % 5 == 0 else grade
            cheap.write(f"{topic} {iteration} {document} {label}\n")
    names = ("first", "second", "third")
    data = f"qrels = '{TREC8.qrels}'\nruns = '{RUNS}'\n"
    COLLECTIONS.write_text("".join(f"[[collection]]\nname = '{name}'\n{data}" for name in names))


def section(samples: dict[str, Sample], load: float) -> str:
    when = datetime.now(UTC).date().isoformat()
    lines = [
        TITLE,
        "",
        f"`python -m benchmarks.memory`, last on {when}: {platform.machine()}, 2 threads, a generated set of TREC-8's",
        f"size ({TREC8.runs} systems x {TREC8.topics} topics x {TREC8.depth:,} documents, as text). The peak is of",
        "the whole process, with Python and its libraries, from reading to writing. One run of each; the times mean",
        f"little: the load was {load:.0f} on {os.cpu_count()} cores.",
        "",
        "| command | work | peak memory | time |",
        "|---|---|---|---|",
    ]
    rows = dict(re.findall(r"^\| `([^`]+)` (.*)$", kept(), re.MULTILINE))
    for study, sample in samples.items():
        rows[study] = f"| {WORK[study].words or 'defaults'} | {sample.peak_mb:,.0f} MB | {seconds(sample.seconds)} |"
    lines += [f"| `{study}` {rows[study]}" for study in WORK if study in rows]
    limit = f"The limit for 10,000 bootstrap corpora is {LIMIT:,} MB."
    return "\n".join([*lines, "", limit, ""])


def kept() -> str:
    """The section as it stands in the page, for who writes the rest of it."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return text[text.index(TITLE) :] if TITLE in text else ""


def main(arguments: list[str]) -> int:
    unknown = [study for study in arguments if study not in WORK]
    if unknown:
        say(f"no study named {', '.join(unknown)}\n\nhint: {', '.join(WORK)}")
        return 2
    subprocess.run([sys.executable, "-m", "benchmarks.generate"], cwd=ROOT, check=True)
    write_further_files()
    load = os.getloadavg()[0]
    samples = {}
    for study in arguments or WORK:
        samples[study] = measured(study)
        say(f"{study}: {samples[study].peak_mb:,.0f} MB, {seconds(samples[study].seconds)}")
    text = section(samples, load)
    before = PAGE.read_text(encoding="utf-8").removesuffix(kept()).rstrip("\n")
    PAGE.write_text(f"{before}\n\n{text}", encoding="utf-8")
    if "corpus" in samples and samples["corpus"].peak_mb >= LIMIT:
        say(f"corpus takes {samples['corpus'].peak_mb:,.0f} MB, more than {LIMIT:,}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

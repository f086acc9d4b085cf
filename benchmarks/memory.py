"""The peak memory of whole commands on the generated set of TREC-8's size: `python -m benchmarks.memory [STUDY...]`.

Each runs in its own process, with two threads and its default settings but where the table says otherwise. Writes the
section of docs/scaling.md on memory when all are run.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from typing import NamedTuple

from benchmarks.harness import Sample, command, say, seconds
from benchmarks.sizes import ROOT, TREC8

PAGE = ROOT / "docs" / "scaling.md"
TITLE = "## Peak memory"
LIMIT = 2000  # MB for 10,000 bootstrap corpora
CORPUS = ("--corpus-size", "528155")


class Work(NamedTuple):
    """The options of a study, and what they are in words."""

    options: tuple[str, ...]
    words: str


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
}


def measured(study: str) -> Sample:
    arguments = ("-m", "irassay", study, TREC8.qrels, TREC8.folder / "short", *WORK[study].options)
    return command(*arguments, "--jobs", "2", "--format", "json")


def section(samples: dict[str, Sample], load: float) -> str:
    when = datetime.now(UTC).date().isoformat()
    lines = [
        TITLE,
        "",
        f"`python -m benchmarks.memory` on {when}: {platform.machine()}, 2 threads, the generated set of TREC-8's size",
        f"({TREC8.runs} systems x {TREC8.topics} topics x {TREC8.depth:,} documents, as text). The peak is that of",
        "the whole process, with Python and its libraries, from reading to writing. One run of each; the times mean",
        f"little: the load was {load:.0f} on {os.cpu_count()} cores.",
        "",
        "| command | work | peak memory | time |",
        "|---|---|---|---|",
    ]
    for study, sample in samples.items():
        lines.append(
            f"| `{study}` | {WORK[study].words or 'defaults'} | {sample.peak_mb:,.0f} MB | {seconds(sample.seconds)} |"
        )
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
    load = os.getloadavg()[0]
    samples = {}
    for study in arguments or WORK:
        samples[study] = measured(study)
        say(f"{study}: {samples[study].peak_mb:,.0f} MB, {seconds(samples[study].seconds)}")
    if not arguments:
        before = PAGE.read_text(encoding="utf-8").removesuffix(kept()).rstrip("\n")
        PAGE.write_text(f"{before}\n\n{section(samples, load)}", encoding="utf-8")
    if "corpus" in samples and samples["corpus"].peak_mb >= LIMIT:
        say(f"corpus takes {samples['corpus'].peak_mb:,.0f} MB, more than {LIMIT:,}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

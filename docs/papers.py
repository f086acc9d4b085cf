"""Writes docs/papers.md from the papers' records: `make docs`."""

from __future__ import annotations

import textwrap
from pathlib import Path

from irassay.studies.papers import KEYS, paper_of
from irassay.studies.papers.record import Item

PAGE = Path(__file__).parent / "papers.md"

TOP = """# Papers: their tables and figures from your data

Made by `make docs` from `src/irassay/studies/papers/`; `irassay paper --list` shows the same in a terminal.

```sh
irassay paper sakai2007bootstrap qrels.txt runs/ --out bootstrap
irassay paper sakai2008incomplete qrels.txt runs/ --groups groups.txt --out incomplete
irassay paper zobel2020corpus qrels.txt runs/ --corpus-size 528155 --out corpus
irassay report bootstrap incomplete corpus -o papers.html
```

In Python `irassay.paper("sakai2007bootstrap", qrels, runs)` returns one `Result` whose tables and figures have the
paper's numbers: `result["T2"]`, `result.picture("F10")`.

- **One folder for a paper**, because that is what `irassay report` shows as one section and `irassay.load_result`
  brings back: `tables/T2.csv` (also .tex, .md, .parquet), `figures/F10.svg` (also .pdf, .png), and `tables/F10.csv`
  with the numbers that a figure draws. The table `contents` has every number of the paper with what was delivered and
  what was not, and why.
- **The paper's parameters**: measures, lists of 1000 documents, gains, numbers of samples, images and runs.
  `--resamples`, `--images`, `--trials`, `--top` and `--depth` change sizes; `--pair` and `--show` choose what figures
  of single systems show. On judgments of three levels the gains of Sakai's papers are 3, 2, 1; of two levels 3 and 1
  (highly relevant counts as S, relevant as B, with NWRR's penalties 2 and 4); of one level 1. Topics without relevant
  documents are dropped.
- **What the data cannot give is said**, as a warning and in `contents`, and the rest is delivered. Fewer runs than
  the paper took: all of them. No `--groups`: every run is a team of its own. More than three relevant levels: no
  other gain schemes.
- **The numbers are the studies' own**: the column *from* names the command that gives the same ones. Warnings, seeds
  and the settings of every study that was run are in the provenance.
- Where a paper shows one figure for each of several collections, your collection has it once; the others are listed
  *as* it.
"""

NOTES = {
    "sakai2007bootstrap": (
        "Top 30 runs by mean AP, B = 1000, alpha 0.05 and 0.01; 21 bins; f from 0.01 to 0.20. Paired tests "
        "compare AG(AP) and AG(Q), everything else GM(AP) and GM(Q). F4 and F5 show the best and the median run "
        "(`--pair`). `T5_pairs` has Z0 and p-value of every tau."
    ),
    "sakai2007one": (
        "Top 30 runs by mean AP, B = 1000, alpha 0.05; gains 3:2:1, 30:20:10, 0.3:0.2:0.1, 1:1:1 and 10:5:1."
    ),
    "sakai2008incomplete": (
        "90, 70, 50, 30 and 10% of the judgments; power on one random run of each team (`--groups`), mean scores "
        "and tau on 30 random runs; B = 1000, alpha 0.05. The paper drops RBP(p=0.5) after T3; here it stays. "
        "`--trials N` averages over N reductions. `--corpus-size` and `--pool-depth` are only told in T2."
    ),
    "yang2018variance": (
        "B = 10,000 (`--resamples`; ten minutes for TREC-8 on two cores), "
        "the first 1,000 of them for the rank correlation; lists of always 1000 "
        "documents, which dilutes short runs, and a warning names these. ASL and estimated difference are to the "
        "paper's letter; the caption of T1 says how to read them."
    ),
    "zobel2020corpus": (
        "100 images, the top 50 systems by RBP (25 in F3-F5), which are numbered by it: T4 shows #2, #5, #6 and "
        "#7, F2 #3 (`--show`), F6 and F7 the best two (`--pair`), on AP and RBP. Give `--corpus-size`."
    ),
}


def page() -> str:
    parts = [TOP]
    for key in KEYS:
        paper = paper_of(key)
        lines = [
            f"## {key}",
            "",
            paper.reference,
            "",
            NOTES[key],
            "",
            "| item | from | file | shows |",
            "|---|---|---|---|",
        ]
        lines += [f"| {item.number} | `{paper.study(item)}` | {_file(item)} | {item.what} |" for item in paper.items]
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def _filled(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _file(item: Item) -> str:
    number = item.same_as or item.number
    name = f"tables/{number}.csv" if item.number[0] == "T" else f"figures/{number}.svg"
    return f"as `{name}`" if item.same_as else f"`{name}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

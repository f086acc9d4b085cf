"""Writes docs/papers.md from the papers' records: `make docs`."""

from __future__ import annotations

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
irassay paper sakai2007one irassay.toml --out one
irassay report bootstrap incomplete corpus one -o papers.html
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
- **Items that the data cannot give** are named in a warning and in `contents`; all others are made. Fewer runs than
  the paper took: all of them. No `--groups`: every run is a team of its own. More than three relevant levels: no
  other gain schemes.
- **The numbers are the studies' own**: the column *from* names the command that gives the same ones. Warnings, seeds
  and the settings of every study that was run are in the provenance.
- **Several collections** stand side by side: `irassay paper sakai2007bootstrap irassay.toml`
  ([collections](collections.md)). Tables have a column `collection`, figures a panel for each, or there is a figure for
  each (`F1_TREC-8`). What a paper shows for its second collection (*2nd* below) is made for your second one; with one
  collection `contents` says that it needs another.
"""


def page() -> str:
    parts = [TOP]
    for key in KEYS:
        paper = paper_of(key)
        lines = [
            f"## {key}",
            "",
            paper.reference,
            "",
            paper.notes,
            "",
            "| item | from | file | shows |",
            "|---|---|---|---|",
        ]
        lines += [f"| {item.number} | `{paper.study(item)}` | {_file(item)} | {item.what} |" for item in paper.items]
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def _file(item: Item) -> str:
    name = f"tables/{item.number}.csv" if item.number[0] == "T" else f"figures/{item.number}.svg"
    return f"`{name}`" + (", 2nd" if item.collection > 1 else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

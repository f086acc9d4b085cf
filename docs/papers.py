"""Writes docs/papers.md from the papers' records: `make docs`."""

from __future__ import annotations

from pathlib import Path

from irassay.studies.papers import KEYS, paper_of
from irassay.studies.papers.record import Item

DOCS = Path(__file__).parent
PAGE = DOCS / "papers.md"

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
- **Published numbers beside ours**: where the data are the paper's (TREC-8 ad hoc with 129 runs, for corpus
  bootstrapping also `--corpus-size 528155`; topics 601-650 of TREC 2003 robust), tables have columns `_printed` and
  `_difference`, and captions name the paper's table and page. Below stand these tables and every picture for shared
  runs (`docs/papers_on_data.py` makes them), with links to all numbers.
- **The papers' own names** of measures; the table `names` says what irassay calls them. `irassay paper --check KEY`
  prints the list below.
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
        lines = [f"## {key}", "", paper.reference, "", paper.notes, "", *_on_data(key)]
        lines += ["| item | status | from | file | shows |", "|---|---|---|---|---|"]
        lines += [
            f"| {item.number} | {item.status} | `{paper.study(item)}` | {_file(item)} | {item.what} |"
            for item in paper.items
        ]
        pictures = [_picture(key, item) for item in paper.items if item.number[0] == "F" and item.collection == 1]
        lines += ["", *(line for picture in pictures for line in picture), *_printed(key)]
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def _file(item: Item) -> str:
    name = f"tables/{item.number}.csv" if item.number[0] == "T" else f"figures/{item.number}.svg"
    return f"`{name}`" + (", 2nd" if item.collection > 1 else "")


def _on_data(key: str) -> list[str]:
    """A link to the paper's numbers on the shared runs."""
    numbers = DOCS / "papers" / f"{key}.md"
    if not numbers.exists():
        return []
    title = numbers.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return [f"Its numbers, tables and pictures on shared runs: [{title}](papers/{key}.md).", ""]


def _picture(key: str, item: Item) -> list[str]:
    picture = DOCS / "img" / "papers" / f"{key}-{item.number}.svg"
    if not picture.exists():
        return []
    return [f"**{item.number}**, {item.what}:", "", f"![{item.what}](img/papers/{picture.name})", ""]


def _printed(key: str) -> list[str]:
    """The tables of the shared runs in which the paper's printed numbers stand beside ours."""
    numbers = DOCS / "papers" / f"{key}.md"
    if not numbers.exists():
        return []
    blocks = numbers.read_text(encoding="utf-8").split("\n\n")
    places = [
        n for n, block in enumerate(blocks) if block.startswith("| ") and "\\_printed |" in block.partition("\n")[0]
    ]
    return [text for n in places for text in (blocks[n - 1].strip(), "", blocks[n].strip(), "")]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

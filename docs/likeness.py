"""Writes docs/demo.md: `IRASSAY_DATA=DIR PYTHONPATH=. python docs/likeness.py`; DIR/trec8-adhoc has the runs."""

from __future__ import annotations

import os
from pathlib import Path

from tests.helpers.likeness import QUANTILES, likeness

import irassay
from irassay import demo

PAGE = Path(__file__).parent / "demo.md"
HEAD = """# The demo collection: a truth to test against

`irassay demo-data --out DIR` writes a test collection from a seeded model (`src/irassay/demo/model.py` has its
formula): ordinary run, judgment and groups files. In Python it is the ground truth that irassay's own methods are
checked against:

```python
from dataclasses import replace

from irassay import demo

model = demo.Model(systems=30, seed=0)
panel = demo.panel_of(model, range(50))  # topics 1-50, judged by pooling
fresh = demo.panel_of(model, range(50, 100), judgments="complete")  # fresh topics of the same population
other = demo.panel_of(replace(model, corpus=1), range(50))  # the same topics and systems, other documents
model.twins  # null pairs: equal parameters, different runs
demo.true_mean(model, "AP", "sys01")  # mean over 100,000 topics and its Monte-Carlo error
```

Every number is a function of (seed, corpus, topic, system), so fresh topics come from the same population and adding a
system moves no other. `true_mean` is the mean over that population with complete judgments. A system and its twin
have the same true mean in every measure. Every topic has documents of its own, so fresh topics bring fresh documents;
`corpus` draws the documents of the same topics again, and with them how many are relevant.

## How like real runs it is

The TREC-8 ad hoc runs (129 systems, 50 topics) beside `Model(systems=129, groups=41)`, seed 0, 50 topics. Each row
shows the 10th, 50th and 90th percentile. Correlations are among the better three quarters of the systems. Pairs
for the overlap are a few per system.

"""


def main() -> None:
    data = Path(os.environ["IRASSAY_DATA"]) / "trec8-adhoc"
    real = likeness(irassay.align(data / "qrels.txt.gz", data / "runs", keep_scores=True))
    generated = likeness(demo.panel_of(demo.Model(systems=129, groups=41, null_pairs=0)))
    shown = ", ".join(f"{q}%" for q in QUANTILES)
    lines = [f"| | TREC-8 ({shown}) | demo ({shown}) |", "|---|---|---|"]
    for what in real:
        digits = 0 if what.startswith("relevant") else 3
        cells = (" ".join(f"{v:.{digits}f}" for v in side[what]) for side in (real, generated))
        lines.append(f"| {what} | {' | '.join(cells)} |")
    notes = """
What it does not imitate: lists shorter than the depth, runs that nobody pooled, scores made from ranks, and
the wide spread of overlaps between real systems (some share almost nothing with the rest).
"""
    PAGE.write_text(HEAD + "\n".join(lines) + "\n" + notes, encoding="utf-8")


if __name__ == "__main__":
    main()

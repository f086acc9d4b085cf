"""Writes docs/measures.md and the pictures in docs/img from the records of the measures: `make docs`."""

from __future__ import annotations

from pathlib import Path

from irassay.measures import Record, Summary, records, summaries
from irassay.references import REFERENCES
from irassay.studies.measures import also_written, default, written

DOCS = Path(__file__).parent
PAGE = DOCS / "measures.md"
PICTURES = DOCS / "img"

RANKS, RELEVANT = 20, 10
WIDTH, HEIGHT, LEFT, TOP, BASE = 300, 110, 44, 14, 88  # of a picture; LEFT, TOP and BASE frame its bars


def page() -> str:
    around = [s for s in summaries().values() if s.written]
    lines = [
        "# Measures",
        "",
        "Made by `make docs` from `src/irassay/measures/`. `irassay measures NAME` shows the same in a terminal.",
        "",
        "A measure is written `NAME(key=value,…)@k`. A prime after the name, as in `AP'` or `nDCG'@10`, scores the",
        "condensed list: unjudged documents are dropped first, and the cut-off counts what is left.",
        "",
        f"The pictures show what one relevant document is worth at the ranks 1 to {RANKS} of a list of {RANKS} judged",
        f"documents, for a topic with {RELEVANT} relevant ones, all of one grade.",
        "",
        "| measure | what it is |",
        "|---|---|",
        *(f"| [`{written(r)}`](#{r.name.lower()}) | {r.help} |" for r in records().values()),
        *(f"| [`{written(s)}`](#{s.name.lower()}) | {s.help} |" for s in around),
        "",
    ]
    everything: list[Record | Summary] = [*records().values(), *around]
    for each in everything:
        lines += section(each)
    cited = {record.cite for record in records().values()} | {summary.cite for summary in summaries().values()}
    lines += ["## References", "", *(f"- `{key}`: {REFERENCES[key]}" for key in sorted(cited - {""})), ""]
    return "\n".join(lines)


def section(each: Record | Summary) -> list[str]:
    body = each.doc.replace("$$", "\n$$\n").splitlines()
    lines = [f"## {each.name}", ""]
    if isinstance(each, Record):
        alt = f"{each.example} of a list with one relevant document, by its rank"
        lines += [f'<img src="img/{each.name}.svg" align="right" alt="{alt}">', ""]
    lines += [*body, ""]
    keys = each.accepted if isinstance(each, Record) else each.params
    if keys:
        lines += ["| parameter | default | |", "|---|---|---|"]
        lines += [f"| `{key}` | `{default(param)}` | {param.help} |" for key, param in keys.items()]
        lines += [""]
    if not isinstance(each, Record):
        return [*lines, f"Citation: `{each.cite}`.", ""]
    if each.condensed != "optional":
        lines += [each.why_condensed + ".", ""]
    if not each.bounded:
        lines += ["Its values are not bounded by 1.", ""]
    also = ", ".join(f"`{name}`" for name in also_written(each))
    lines += [f"Citation: `{each.cite}`." + (f" Also written {also}." if also else ""), ""]
    if each.peers:
        lines += [*(f"- {peer}: {what}" for peer, what in each.peers.items()), ""]
    return lines


def pictures() -> dict[str, str]:
    """By measure, its weight over ranks as SVG."""
    import irassay

    ranked = [f"d{rank:02}" for rank in range(1, RANKS + 1)]
    # a topic for each rank, in which just the document at that rank is relevant
    qrels = {
        topic: {doc: int(doc == topic) for doc in ranked} | {f"u{n}": 1 for n in range(RELEVANT - 1)}
        for topic in ranked
    }
    run = {topic: {doc: -float(rank) for rank, doc in enumerate(ranked)} for topic in ranked}
    panel = irassay.align(irassay.read_qrels(qrels), irassay.read_runs({"one": run}))
    names = {name: record.example for name, record in records().items()}
    scores = panel.score(list(names.values()))
    return {name: svg(text, scores[text].values[0].tolist()) for name, text in names.items()}


def svg(title: str, values: list[float]) -> str:
    """Bars by rank, as high as the largest of them allows."""
    top = max(values)
    step = (WIDTH - LEFT - 6) / len(values)
    bars = []
    for place, value in enumerate(values):
        height = round((BASE - TOP) * value / top, 2) if top > 0 else 0.0
        corner = f'x="{LEFT + place * step:.2f}" y="{BASE - height:.2f}"'
        bars.append(f'<rect {corner} width="{step - 2:.2f}" height="{height:.2f}"/>')
    ticks = [
        f'<text x="{LEFT + (rank - 0.5) * step - 1:.2f}" y="{BASE + 15}" text-anchor="middle">{rank}</text>'
        for rank in (1, 5, 10, 15, 20)
    ]
    right = LEFT + len(values) * step - 2
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"',
            f' viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>{title} of a list with one relevant document, by its rank (R = {RELEVANT})</title>",
            "<style>",
            "text { font: 11px sans-serif; fill: #57606a } rect { fill: #0969da } path { stroke: #8c959f; fill: none }",
            "@media (prefers-color-scheme: dark) {",
            "text { fill: #9ea7b3 } rect { fill: #58a6ff } path { stroke: #6e7681 }",
            "}",
            "</style>",
            *bars,
            f'<path d="M{LEFT - 2} {TOP}V{BASE}.5H{right:.2f}"/>',
            f'<text x="{LEFT - 6}" y="{TOP + 4}" text-anchor="end">{top:.3g}</text>',
            f'<text x="{LEFT - 6}" y="{BASE + 2}" text-anchor="end">0</text>',
            *ticks,
            "</svg>",
            "",
        ]
    )


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    drawings = pictures()
    for old in PICTURES.glob("*.svg"):
        if old.stem not in drawings:
            old.unlink()
    for name, text in drawings.items():
        (PICTURES / f"{name}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes docs/measures.md, a page for every measure and the pictures in docs/img from their records: `make docs`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from docs.svg import document

from irassay.measures import Record, Summary, records, summaries
from irassay.references import REFERENCES
from irassay.studies.measures import also_written, default, written

DOCS = Path(__file__).parent
INDEX = DOCS / "measures.md"
PAGES = DOCS / "measures"
PICTURES = DOCS / "img"

RANKS, RELEVANT = 20, 10
WIDTH, HEIGHT, LEFT, TOP, BASE = 300, 110, 44, 14, 88  # of a picture; LEFT, TOP and BASE frame its bars
# The worked example: grades down a list, None without a judgment, and of what is relevant and not retrieved.
LISTED, MISSED = (0, 1, None, 2, 0, 1), (2,)
PICTURE = (
    f" The picture: what one relevant document is worth at the ranks 1 to {RANKS}, one of {RELEVANT} of its topic."
)
FIRST_RELEVANT = {"a": 1, "b": 2, "c": 5, "d": 10}  # ranks in the example of summaries: one relevant document a topic


def index() -> str:
    lines = [
        "# Measures",
        "",
        "Made by `make docs` from `src/irassay/measures/`. A terminal shows the same:",
        "",
        "```sh",
        "irassay measures    # all of them",
        "irassay measures Q  # one, explained",
        "```",
        "",
        "A measure is written `NAME(key=value,…)@k`. A prime after the name, as in `AP'` or `nDCG'@10`, scores the",
        "condensed list: unjudged documents are dropped first, and the cut-off counts what is left. `[@k]` means that",
        "a cut-off is optional.",
        "",
        "Every measure has a page with its formula, a worked example, its parameters, its source and the tools that",
        f"agree. The picture there shows what one relevant document is worth at the ranks 1 to {RANKS} of a list of",
        f"{RANKS} judged documents, for a topic with {RELEVANT} relevant ones, all of one grade.",
        "",
        "| measure | what it is |",
        "|---|---|",
        *(f"| [`{written(each)}`](measures/{each.name}.md) | {each.help} |" for each in everything()),
        "",
    ]
    return "\n".join(lines)


def everything() -> list[Record | Summary]:
    return [*records().values(), *_around()]


def _around() -> list[Summary]:
    return [summary for summary in summaries().values() if summary.written]


def pages() -> dict[str, str]:
    """By measure or summary, its page."""
    examples = worked()
    return {each.name: page(each, examples) for each in everything()}


def page(each: Record | Summary, examples: Mapping[str, str]) -> str:
    """One measure: its formula, an example, its parameters, its source, and which other tools agree."""
    example = each.example if isinstance(each, Record) else f"{each.name}(AP)"
    lines = [f"# {each.name}", ""]
    if isinstance(each, Record):
        alt = f"{each.example} of a list with one relevant document, by its rank"
        lines += [f'<img src="../img/{each.name}.svg" align="right" alt="{alt}">', ""]
    lines += [f"Written `{written(each)}`." + (PICTURE if isinstance(each, Record) else ""), ""]
    lines += [*each.doc.replace("$$", "\n$$\n").splitlines(), "", "## Example", "", examples[each.name], ""]
    lines += ["```sh", f'irassay score qrels.txt runs/ -m "{example}"', "```", ""]
    keys = each.accepted if isinstance(each, Record) else each.params
    if keys:
        lines += ["## Parameters", "", "| parameter | default | what it is |", "|---|---|---|"]
        lines += [f"| `{key}` | `{default(param)}` | {param.help} |" for key, param in keys.items()]
        lines += [""]
    if isinstance(each, Record):
        lines += _remarks(each)
    lines += ["## To cite", "", f"`{each.cite}`: {REFERENCES[each.cite]}", ""]
    if isinstance(each, Record) and each.peers:
        lines += ["## Other tools that agree", "", "| tool | with what |", "|---|---|"]
        lines += [*(f"| {peer} | {what} |" for peer, what in each.peers.items()), ""]
    return "\n".join([*lines, "*Made by `make docs` from the record of the measure.*", ""])


def _remarks(record: Record) -> list[str]:
    lines = []
    if record.condensed != "optional":
        lines += [record.why_condensed + ".", ""]
    if not record.bounded:
        lines += ["Its values are not bounded by 1.", ""]
    if also := ", ".join(f"`{name}`" for name in also_written(record)):
        lines += [f"Also written {also}.", ""]
    return lines


def worked() -> dict[str, str]:
    """By measure or summary, a sentence with its value for one small example."""
    import irassay

    docs = [f"d{rank}" for rank in range(1, len(LISTED) + 1)]
    grades = {doc: grade for doc, grade in zip(docs, LISTED, strict=True) if grade is not None}
    grades |= {f"m{n}": grade for n, grade in enumerate(MISSED)}
    run = {"one": {"1": {doc: -float(rank) for rank, doc in enumerate(docs)}}}
    panel = irassay.align(irassay.read_qrels({"1": grades}), irassay.read_runs(run))
    listed = ", ".join("unjudged" if grade is None else str(grade) for grade in LISTED)
    story = (
        f"A list of {len(LISTED)} documents with the grades {listed}, from the top; one more relevant document, of "
        f"grade {MISSED[0]}, is not in the list. Then "
    )
    sentences = {}
    for name, record in records().items():
        forms = [record.example.replace("@10", "@5")]
        if record.condensed == "optional":
            forms.append(name + "'" + forms[0].removeprefix(name))
        scores = panel.score(forms)
        values = " and ".join(f"`{form}` is {round(float(scores[form].values[0, 0]), 4):g}" for form in forms)
        sentences[name] = f"{story}{values}." + (" The prime drops the unjudged document." if forms[1:] else "")
    return sentences | _summarised()


def _summarised() -> dict[str, str]:
    import irassay

    ranked = {f"d{rank}": -float(rank) for rank in range(1, 11)}
    qrels = {topic: {f"d{rank}": 1} for topic, rank in FIRST_RELEVANT.items()}
    runs = irassay.read_runs({"one": dict.fromkeys(qrels, ranked)})
    panel = irassay.align(irassay.read_qrels(qrels), runs)
    names = {each.name: f"{each.name}(AP)" for each in _around()}
    scores = panel.score(["AP", *names.values()])
    per_topic = ", ".join(f"{value:g}" for value in scores["AP"].values[0])
    mean = f"{scores['AP'].means().item():.4g}"
    story = f"Four topics with AP {per_topic}: the mean is {mean} and "
    return {name: f"{story}`{text}` is {scores[text].means().item():.4g}." for name, text in names.items()}


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
    parts = [
        *bars,
        f'<path d="M{LEFT - 2} {TOP}V{BASE}.5H{right:.2f}"/>',
        f'<text x="{LEFT - 6}" y="{TOP + 4}" text-anchor="end">{top:.3g}</text>',
        f'<text x="{LEFT - 6}" y="{BASE + 2}" text-anchor="end">0</text>',
        *ticks,
    ]
    return document(f"{title} of a list with one relevant document, by its rank (R = {RELEVANT})", parts, WIDTH, HEIGHT)


def main() -> None:
    INDEX.write_text(index(), encoding="utf-8")
    write_all(PAGES, pages(), ".md")
    write_all(PICTURES, pictures(), ".svg")


def write_all(folder: Path, texts: Mapping[str, str], suffix: str) -> None:
    """Writes the texts under their names, and removes files of other names."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob(f"*{suffix}"):
        if old.stem not in texts:
            old.unlink()
    for name, text in texts.items():
        (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes docs/measures.md from the records of the measures: `make docs`."""

from __future__ import annotations

from pathlib import Path

from irassay.measures import Record, records, summaries
from irassay.measures.references import REFERENCES
from irassay.studies.measures import default, written

PAGE = Path(__file__).parent / "measures.md"


def page() -> str:
    lines = [
        "# Measures",
        "",
        "Made by `make docs` from `src/irassay/measures/`. `irassay measures NAME` shows the same in a terminal.",
        "",
        "A measure is written `NAME(key=value,…)@k`. A prime after the name, as in `AP'` or `nDCG'@10`, scores the",
        "condensed list: unjudged documents are dropped first, and the cut-off counts what is left.",
        "",
        "| measure | what it is |",
        "|---|---|",
        *(f"| [`{written(r)}`](#{r.name.lower()}) | {r.help} |" for r in records().values()),
        *(f"| `{s.name}(m)` | {s.doc.partition(chr(10))[0]} |" for s in summaries().values() if s.written),
        "",
    ]
    for record in records().values():
        lines += section(record)
    lines += ["## References", "", *(f"- `{key}`: {text}" for key, text in sorted(REFERENCES.items())), ""]
    return "\n".join(lines)


def section(record: Record) -> list[str]:
    body = record.doc.replace("$$", "\n$$\n").splitlines()
    lines = [f"## {record.name}", "", *body, "", "| parameter | default | |", "|---|---|---|"]
    for key, param in record.accepted.items():
        lines.append(f"| `{key}` | `{default(param)}` | {param.help} |".replace("|R|", "R"))
    if record.condensed != "optional":
        lines += ["", record.why_condensed + "."]
    also = [*record.aliases, *filter(None, [record.trec, record.trec_cut and record.trec_cut.format(k="k")])]
    lines += ["", f"Citation: `{record.cite}`." + (f" Also written {', '.join(f'`{a}`' for a in also)}." if also else "")]
    lines += ["", *(f"- {peer}: {what}" for peer, what in record.peers.items()), ""]
    return lines


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

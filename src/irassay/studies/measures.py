"""`irassay measures`: all measures, or one explained."""

from __future__ import annotations

from irassay.measures import Param, Record, get, records, summaries
from irassay.measures.param import show
from irassay.measures.references import REFERENCES
from irassay.result import Table


def listing() -> list[Table]:
    """Every measure and summary as it is written, with the first line of its explanation."""
    found = list(records().values())
    around = [s for s in summaries().values() if s.written]
    return [
        Table(
            "measures",
            {"measure": [written(r) for r in found], "what": [r.help for r in found]},
            "irassay measures NAME explains one. A prime after the name, AP', scores the condensed list.",
        ),
        Table(
            "summaries",
            {"summary": [f"{s.name}(m)" for s in around], "what": [s.doc.partition("\n")[0] for s in around]},
        ),
    ]


def written(record: Record) -> str:
    """How a measure is written: its name, own parameters with their defaults, and the cut-off."""
    keys = ",".join(f"{key}={default(param)}" for key, param in record.params.items())
    cut = {"required": "@k", "optional": "[@k]", "never": ""}[record.cut]
    return record.name + (f"({keys})" if keys else "") + cut


def default(param: Param) -> str:
    return "none" if param.default is None else show(param.default)


def explain(name: str) -> str:
    """One measure: what it is, its formula, parameters, citation and peers."""
    record = get(name)
    lines = [written(record), "", record.doc, ""]
    lines += ["Parameters:"]
    for key, param in record.accepted.items():
        lines.append(f"  {key:<10} {param.help} ({param.allowed}; default {default(param)})")
    judged = {
        "optional": f"{record.name}' or judged_only=True drops unjudged documents first",
        "always": record.why_condensed,
        "never": record.why_condensed,
    }[record.condensed]
    lines += [f"  {'condensed':<10} {judged}", ""]
    also = [*record.aliases, *filter(None, [record.trec, record.trec_cut and record.trec_cut.format(k="k")])]
    if also:
        lines += [f"Also written: {', '.join(also)}"]
    lines += [f"Citation: [{record.cite}] {REFERENCES[record.cite]}"]
    if record.peers:
        lines += ["Agrees with:"]
        lines += [f"  {peer:<12} {what}" for peer, what in record.peers.items()]
    return "\n".join(lines) + "\n"

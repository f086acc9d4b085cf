"""`irassay measures`: all measures, or one explained."""

from collections.abc import Mapping

from irassay.measures import Param, Record, Summary, get, records, summaries
from irassay.measures.core.param import show
from irassay.references import REFERENCES
from irassay.result import Table


def listing() -> list[Table]:
    """Every measure and summary as it is written, with the first line of its explanation."""
    around = [s for s in summaries().values() if s.written]
    return [
        Table(
            "measures",
            {"measure": [written(r) for r in records().values()], "what": [r.help for r in records().values()]},
            "irassay measures NAME explains one. A prime after the name, AP', scores the condensed list.",
        ),
        Table(
            "summaries",
            {"summary": [written(s) for s in around], "what": [s.help for s in around]},
        ),
    ]


def written(each: Record | Summary) -> str:
    """How it is written: the name, and of a measure its own parameters with their defaults, and the cut-off."""
    if isinstance(each, Summary):
        return f"{each.name}(m)"
    # one without a default as what may be given: max_grade=…
    own = {key: "…" if p.default is None else show(p.default) for key, p in each.params.items() if key != each.at}
    keys = ",".join(f"{key}={value}" for key, value in own.items())
    cut = f"@{each.at}" if each.at else {"required": "@k", "optional": "[@k]", "never": ""}[each.cut]
    return each.name + (f"({keys})" if keys else "") + cut


def also_written(record: Record) -> list[str]:
    """Aliases, and trec_eval's names."""
    names = [*record.aliases, record.trec, record.trec_cut and record.trec_cut.format(k="r" if record.at else "k")]
    return [name for name in names if name and name != record.name]


def default(param: Param) -> str:
    return "none" if param.default is None else show(param.default)


def _parameters(params: Mapping[str, Param]) -> list[str]:
    return [f"  {key:<10} {p.help} ({p.allowed}; default {default(p)})" for key, p in params.items()]


def explain(name: str) -> str:
    """One measure or summary: what it is, its formula, parameters, citation and peers."""
    summary = summaries().get(name)
    if summary and summary.written:
        lines = [written(summary), "", summary.doc, "", *_parameters(summary.params)]
        return "\n".join([*lines, f"Citation: [{summary.cite}] {REFERENCES[summary.cite]}"]) + "\n"
    record = get(name)
    judged = {
        "optional": f"{record.name}' or judged_only=True drops unjudged documents first",
        "always": record.why_condensed,
        "never": record.why_condensed,
    }[record.condensed]
    parameters = [*_parameters(record.accepted), f"  {'condensed':<10} {judged}"]
    lines = [written(record), "", record.doc, "", "Parameters:", *parameters, ""]
    if not record.bounded:
        lines += ["Not bounded by 1.", ""]
    if also := also_written(record):
        lines += [f"Also written: {', '.join(also)}"]
    if record.cite:  # a measure that a program declares may name what it likes, or nothing
        lines += [f"Citation: [{record.cite}] {REFERENCES.get(record.cite, '')}".rstrip()]
    if record.peers:
        lines += ["Agrees with:", *(f"  {peer:<12} {what}" for peer, what in record.peers.items())]
    return "\n".join(lines) + "\n"

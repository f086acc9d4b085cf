"""The end of a page: how everything was computed, what the words mean, and how to get the same numbers again."""

from collections.abc import Mapping, Sequence

from irassay.headers import Header
from irassay.report.html_parts import escape
from irassay.report.text import visible
from irassay.result import Result

Titled = Sequence[tuple[str, Result]]  # titles in HTML
# Words that findings, captions and headers use, and what they mean.
TERMS = {
    "ASL": "Achieved significance level: the share of resamples with a statistic at least as large as the observed "
    "one, were there no difference",
    "difference that survives": "The smallest observed difference that replicates reverse at most 5% of the time",
    "Holm, Bonferroni": "Corrections of p-values for making many comparisons at once",
    "MR, PT": "Minority rate and proportion of ties: of samples of the topics, the share that contradicts the usual "
    "order of a pair of systems, and the share that does not decide it",
    "pairs resolved": "The share of pairs of systems whose order at most 5% of replicates reverse",
    "phi": "How well the scores themselves generalise to other topics, from 0 to 1; E rho² is the same for differences "
    "between systems",
    "replicate": "The collection once more, with something drawn anew: topics, documents, judgments, scores or the "
    "order of ties",
    "sampling, model, scenario": "Kinds of variation: another sample of the same kind; a draw from an assumed "
    "mechanism; what if something had been done in another way. They do not add",
    "tau": "Kendall's correlation of two orders of systems: 1 where they are the same, 0 where unrelated, -1 where "
    "reversed",
    "tier": "Systems that share a letter are not told apart by the tests",
    "V_E1, V_E2": "Error variances of scores: within a system over topics, and what is left once the effects of "
    "systems and of topics are taken away",
}


def notes(titled: Titled) -> str:
    """Methods, glossary and provenance, once for all studies."""
    return f"{_methods(titled)}{_glossary(titled)}{_provenance(titled)}"


def _methods(titled: Titled) -> str:
    parts = ['<section id="methods" aria-labelledby="title-methods"><h2 id="title-methods">How it was computed</h2>']
    for number, (title, result) in enumerate(titled, 1):
        cites = "".join(f"<li>{escape(reference)}</li>" for reference in result.notes.references)
        parts.append(
            f'<details><summary><h3>{title}</h3></summary><div id="method-{number}">'
            f"<h4>How it was computed</h4><p>{escape(result.notes.how)}</p>"
            f"<h4>When to distrust it</h4><p>{escape(result.notes.distrust)}</p>"
            + (f'<h4>To cite</h4><ul class="cite">{cites}</ul>' if cites else "")
            + "</div></details>"
        )
    return "\n".join([*parts, "</section>"])


def _glossary(titled: Titled) -> str:
    """The terms, and every column whose header says what it means."""
    meanings = {text: (Header(text, meaning=meaning), "") for text, meaning in TERMS.items()}
    for _, result in titled:
        for table in result.tables:
            for column in table.columns:
                header = table.header(column)
                if header.meaning:
                    meanings.setdefault(header.text, (header, column))
    items = "".join(
        f"<dt>{escape(header.text)}{f' <code>{escape(column)}</code>' if column else ''}</dt>"
        f"<dd>{escape(header.meaning.rstrip('.'))}.</dd>"
        for _, (header, column) in sorted(meanings.items(), key=lambda item: item[0].lower())
    )
    return (
        '<section id="glossary" aria-labelledby="title-glossary"><h2 id="title-glossary">Terms</h2>'
        "<details><summary>What the words and the headers of columns mean</summary>"
        f"<p>Behind the header of a column stands its name in files.</p><dl>{items}</dl></details></section>"
    )


def _provenance(titled: Titled) -> str:
    parts = ['<section id="provenance" aria-labelledby="title-provenance"><h2 id="title-provenance">Provenance</h2>']
    for number, (title, result) in enumerate(titled, 1):
        provenance = {**result.provenance, "numerics": result.numerics}
        command = provenance.pop("command", None)
        origin = (
            f"<pre><code>{escape(str(command))}</code></pre>"
            if command
            else "<p>Made in Python; the settings are below.</p>"
        )
        parts.append(
            f'<details><summary><h3>{title}</h3></summary><div id="provenance-{number}">'
            f"{origin}{_list(provenance)}</div></details>"
        )
    return "\n".join([*parts, "</section>"])


def _list(values: Mapping[str, object]) -> str:
    return f"<dl>{''.join(f'<dt>{escape(key)}</dt><dd>{_value(value)}</dd>' for key, value in values.items())}</dl>"


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"{len(value):,}: {', '.join(map(escape, value))}" if value else "none"
    if isinstance(value, Mapping):
        if any(isinstance(inner, (Mapping, list, tuple)) for inner in value.values()):
            return _list(value)
        return ", ".join(f"{escape(key)} = {escape(inner)}" for key, inner in value.items()) or "none"
    return "none" if value is None else escape(value if isinstance(value, (str, float)) else visible(str(value)))

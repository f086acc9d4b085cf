"""Writes a page for every registered study into docs/commands: `make docs`."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from irassay.references import REFERENCES
from irassay.settings import Alignment, Inputs, options
from irassay.studies.registry import Study, load, studies
from irassay.studies.uncertainty.grid import markdown

FOLDER = Path(__file__).parent / "commands"
STUDIES = Path(__file__).parent / "studies.md"
GRID = """# The grid: what varies, and what is asked

Made by `make docs` from the code that refuses the other cells.

Every analysis here joins two independent choices: what could have been different, and what is asked about it.
`irassay uncertainty --vary ... --ask ...` gives any cell ([its page](commands/uncertainty.md)); a cell that means
nothing is refused with its reason.

{}

Tests, power and the required difference are questions about one set of scores; `incomplete`, `pools` and `gains` ask
them in every scenario.
"""
ALSO = (
    "`--digits N` shows so many decimals of scores and differences; `--quiet` silences progress and remarks on stderr."
)
PAPER = (
    "`--latex` and `--markdown` print the main table for a paper, with `--layout wide|long`, `--caption TEXT` and, of "
    "LaTeX, `--width one|two` columns of a page and `--label TEXT`; in Python `result.to_latex(layout=…, width=…, "
    "digits=…, caption=…, label=…)`."
)
SHARED = {*options(Alignment), *options(Inputs)}


def page(study: Study) -> str:
    """One study: what it answers, its options and tables, how it is computed and when to distrust it."""
    settings = load(study.settings)
    text, _, examples = inspect.cleandoc(settings.__doc__ or "").partition("\b\n")
    lines = [f"# irassay {study.name}", "", text.strip(), ""]
    if not text.startswith(study.help):
        lines.insert(2, f"{study.help}\n")
    if examples.strip():
        lines += ["```sh", *inspect.cleandoc(examples.replace("Examples:", "")).splitlines(), "```", ""]
    lines += ["## What it gives", "", inspect.cleandoc(load(study.run).__doc__ or ""), "", *_details(study.name)]
    lines += ["## How it is computed", "", study.how, "", "## When to distrust it", "", study.distrust, ""]
    if study.cites:
        lines += ["## To cite", "", *(f"- {REFERENCES[key]}" for key in study.cites), ""]
    lines += ["## Options", "", "| option | default | what it does |", "|---|---|---|"]
    for name, (field, option) in options(settings).items():
        if name not in SHARED or (name == "depth" and field.default is not None):
            lines.append(f"| `--{name.replace('_', '-')}` | {_default(field.default)} | {_cell(option.help)} |")
    also = "`--quiet` silences progress and remarks on stderr." if "digits" in options(settings) else ALSO
    lines += ["", f"{also} {PAPER}" if study.paste else also]
    if study.data != "none":
        lines += [
            "",
            "It also takes the options on how judgments and runs are aligned ([data](../data.md)), and a file of "
            "collections in place of QRELS and RUN, of which `--collection NAME` chooses some "
            "([collections](../collections.md)).",
        ]
    return "\n".join([*lines, "", "*Made by `make docs` from the study's own settings.*", ""])


def _details(name: str) -> list[str]:
    """A link to the section on this study, whose heading begins with its name, alone or with others."""
    for heading in re.findall(r"^## (.+)$", STUDIES.read_text(encoding="utf-8"), re.MULTILINE):
        if name in re.split(r", ", heading.partition(":")[0]):
            anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            return [f"What its numbers mean, in detail: [studies](../studies.md#{anchor}).", ""]
    return []


def _default(value: Any) -> str:
    if value is None or value == () or value is False:
        return ""
    return f"`{' '.join(value) if isinstance(value, tuple) else value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, study in studies().items():
        (FOLDER / f"{name}.md").write_text(page(study), encoding="utf-8")
    (FOLDER.parent / "grid.md").write_text(GRID.format(markdown()), encoding="utf-8")


if __name__ == "__main__":
    main()

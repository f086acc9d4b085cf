"""Writes a page for every study into docs/commands from the studies' settings and notes: `make docs`."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

from irassay.cli import COMMANDS
from irassay.report.notes import NOTES, REFERENCES
from irassay.settings import Alignment, Inputs, options

FOLDER = Path(__file__).parent / "commands"
# command: where its settings are
STUDIES = {
    "score": "score:Score",
    "check": "check.settings:Check",
    "compare": "compare.settings:Compare",
    "design": "design.settings:Design",
    "power": "power.settings:Power",
    "swap": "swap:Swap",
    "stability": "stability:Stability",
    "agreement": "agreement:Agreement",
    "gains": "gains:Gains",
    "preferred-ranks": "preferred_ranks:PreferredRanks",
    "incomplete": "incomplete.settings:Incomplete",
    "pools": "pools.settings:Pools",
    "corpus": "corpus.settings:Corpus",
    "variance": "variance.settings:Variance",
    "shape": "shape:Shape",
}
SHARED = {*options(Alignment), *options(Inputs)}


def study(name: str) -> Any:
    module, _, settings = STUDIES[name].partition(":")
    return getattr(import_module(f"irassay.studies.{module}"), settings)


def page(name: str) -> str:
    """One study: what it asks, its options, what it gives, how it is computed and when to distrust it."""
    settings = study(name)
    text, _, examples = inspect.cleandoc(settings.__doc__ or "").partition("\b\n")
    lines = [f"# irassay {name}", "", "Made by `make docs` from the study's own settings.", "", COMMANDS[name], ""]
    lines += [text.strip(), ""]
    if examples.strip():
        lines += ["```sh", *examples.strip().splitlines(), "```", ""]
    returned = inspect.cleandoc(settings.run.__doc__ or "") if hasattr(settings, "run") else ""
    if returned:
        lines += ["## What it gives", "", returned, ""]
    if note := NOTES.get(name):
        lines += ["## How it is computed", "", note.how, "", "## When to distrust it", "", note.distrust, ""]
        if note.cites:
            lines += ["## To cite", "", *(f"- {REFERENCES[key]}" for key in note.cites), ""]
    lines += ["## Options", "", "| option | default | what it does |", "|---|---|---|"]
    for field, (one, option) in options(settings).items():
        if field not in SHARED or (field == "depth" and one.default is not None):
            lines.append(f"| `--{field.replace('_', '-')}` | {_default(one.default)} | {_cell(option.help)} |")
    lines += ["", "It also takes the options on how judgments and runs are brought together ([data](../data.md)).", ""]
    return "\n".join(lines)


def _default(value: Any) -> str:
    if value is None or value == () or value is False:
        return ""
    return f"`{' '.join(value) if isinstance(value, tuple) else value}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in STUDIES:
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()

r"""LaTeX: a table to paste into a paper, with booktabs' rules.

Names are untrusted text: whatever LaTeX would act on is written out, so that a run called `\input{/etc/passwd}` is
printed and not obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from irassay.report.cells import numeric, shown
from irassay.report.text import visible
from irassay.result import Table

# What LaTeX acts on, and signs that its text fonts lack.
_WRITTEN = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"$<$", ">": r"$>$", "|": r"\textbar{}",
    '"': r"\char34{}", "`": r"\char96{}",
    "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\le$", "≥": r"$\ge$", "↑": r"$\uparrow$", "↓": r"$\downarrow$",
    "α": r"$\alpha$", "ρ": r"$\rho$", "Φ": r"$\Phi$", "σ": r"$\sigma$", "²": r"$^2$",
}  # fmt: skip
# Nothing but numbers: here a hyphen is a minus.
_NUMBERS = re.compile(r"[-+0-9.,\[\]() <>/±↑↓]*[0-9][-+0-9.,\[\]() <>/±↑↓]*")
_MINUS = re.compile(r"(?:(?<=^)|(?<=[\[( ]))-(?=[0-9.])")
_LIGATURE = re.compile(r"-(?=-)|'(?=')|,(?=,)")  # two of them would become one sign


def latex(table: Table) -> str:
    """The table as a `table` with its caption and name; needs the package booktabs. Undefined cells are empty."""
    header = _row(map(escaped, table.columns))
    body = "".join(_row(map(_cell, row)) + r" \\" + "\n" for row in shown(table, missing=""))
    kinds = "".join("r" if right else "l" for right in numeric(table))
    caption = f"\\caption{{{escaped(table.caption)}}}\n" if table.caption else ""
    return (
        "% needs \\usepackage{booktabs}\n"
        f"\\begin{{table}}\n\\centering\n{caption}\\label{{tab:{re.sub('[^A-Za-z0-9-]+', '-', table.name)}}}\n"
        f"\\begin{{tabular}}{{{kinds}}}\n\\toprule\n{header} \\\\\n\\midrule\n{body}\\bottomrule\n"
        "\\end{tabular}\n\\end{table}\n"
    )


def _row(cells: Iterable[str]) -> str:
    text = " & ".join(cells)
    # the end of the row before would take a star or a bracket for its own
    return "{}" + text if text.startswith(("[", "*")) else text


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is."""
    apart = _LIGATURE.sub(lambda found: f"{found[0]}\0", visible(text))
    return "".join("{}" if char == "\0" else _WRITTEN.get(char) or _printable(char) for char in apart)


def _printable(char: str) -> str:
    # beyond Latin letters no text font of LaTeX has every sign: its code stands for it
    return char if ord(char) < 0x180 else f"[U+{ord(char):04X}]"


def _cell(text: str) -> str:
    return escaped(_MINUS.sub("−", text)) if _NUMBERS.fullmatch(text) else escaped(text)

r"""LaTeX: a table to paste into a paper, with booktabs' rules.

Names are untrusted text: whatever LaTeX would act on is escaped, so that a run called `\input{/etc/passwd}` is printed
and no file is read.
"""

import re
from collections.abc import Iterable

from irassay.report.cells import Cell, numeric_columns, table_cells
from irassay.report.text import visible
from irassay.result import Table

# What LaTeX acts on, and characters that its text fonts lack.
_ESCAPES = {
    **{char: f"\\{char}" for char in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\char96{}",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "Φ": r"$\Phi$",
    "σ": r"$\sigma$",
    "²": r"$^2$",
}
# Nothing but numbers: here a hyphen is a minus.
_NUMBERS = re.compile(r"[-+0-9.,\[\]() <>/±↑↓]*[0-9][-+0-9.,\[\]() <>/±↑↓]*")
_MINUS = re.compile(r"(?:(?<=^)|(?<=[\[( ]))-(?=[0-9.])")
_LIGATURE = re.compile(r"-(?=-)|'(?=')|,(?=,)")  # LaTeX would join two of them


def to_latex(table: Table) -> str:
    """The table as a `table` with its caption and name; needs the package booktabs. Undefined cells are empty."""
    header = _row(map(_escape, table.columns))
    body = "".join(_row(map(_cell, row)) for row in table_cells(table, missing=""))
    alignment = "".join("r" if numeric else "l" for numeric in numeric_columns(table))
    caption = f"\\caption{{{_escape(table.caption)}}}\n" if table.caption else ""
    return (
        "% needs \\usepackage{booktabs}\n"
        f"\\begin{{table}}\n\\centering\n{caption}\\label{{tab:{re.sub('[^A-Za-z0-9-]+', '-', table.name)}}}\n"
        f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{header}\\midrule\n{body}\\bottomrule\n"
        "\\end{tabular}\n\\end{table}\n"
    )


def _row(cells: Iterable[str]) -> str:
    text = " & ".join(cells)
    # a star or a bracket after the end of the row before would be an argument of that
    guard = "{}" if text.startswith(("[", "*")) else ""
    return f"{guard}{text} \\\\\n"


def _escape(text: str) -> str:
    """Text that LaTeX prints as it is."""
    separated = _LIGATURE.sub(lambda match: f"{match[0]}\0", visible(text))
    return "".join("{}" if char == "\0" else _ESCAPES.get(char) or _printable(char) for char in separated)


def _printable(char: str) -> str:
    # beyond Latin letters no text font of LaTeX is complete: the code of the character is printed
    return char if ord(char) < 0x180 else f"[U+{ord(char):04X}]"


def _cell(cell: Cell) -> str:
    text = _escape(_MINUS.sub("−", cell.text) if _NUMBERS.fullmatch(cell.text) else cell.text)
    return rf"\textbf{{{text}}}" if cell.bold else text

"""LaTeX: a booktabs table that any engine compiles, whatever the names hold."""

from __future__ import annotations

from irassay.report.cells import UNDEFINED, cells, numeric
from irassay.report.text import visible
from irassay.result import Table

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "-": "{-}", "[": "{[}", "]": "{]}",
    "*": "{*}",
}  # fmt: skip


def latex(table: Table) -> str:
    r"""The table as a `tabular` with its caption, rounded as on a screen; needs `\usepackage{booktabs}`."""
    right = numeric(table)
    lines = [
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{escaped(table.caption)}}}"] if table.caption else []),
        rf"\begin{{tabular}}{{{''.join('r' if one else 'l' for one in right) or 'l'}}}",
        r"\toprule",
        " & ".join(map(escaped, table.columns)) + r" \\",
        r"\midrule",
        *(
            " & ".join(_number(cell) if one else escaped(cell) for cell, one in zip(row, right, strict=True)) + r" \\"
            for row in cells(table)
        ),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """The text as LaTeX shows it. Beyond Latin letters not every engine has a glyph: the code stands for it."""
    return "".join(
        _SPECIAL.get(char) or (char if ord(char) < 0x180 else rf"{{[}}U+{ord(char):04X}{{]}}") for char in visible(text)
    )


def _number(text: str) -> str:
    if text == UNDEFINED:
        return "--"
    return f"${text}$" if text.startswith("-") else text

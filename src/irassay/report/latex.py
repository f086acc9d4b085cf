r"""LaTeX: a table to paste into a paper, with booktabs' rules.

Names are untrusted text: whatever LaTeX would act on is escaped, so that a run called `\input{/etc/passwd}` is printed
and no file is read.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from irassay.errors import InputError, IrassayWarning, emit
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
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "§": r"\S{}",
    "¶": r"\P{}",
    "≠": r"$\neq$",
}
# Nothing but numbers: here a hyphen is a minus.
_NUMBERS = re.compile(r"[-+0-9.,\[\]() <>/±↑↓]*[0-9][-+0-9.,\[\]() <>/±↑↓]*")
_MINUS = re.compile(r"(?:(?<=^)|(?<=[\[( ]))-(?=[0-9.])")
# Widths of two-column pages in points, and how wide letters are there, in units of the type's size.
POINTS = {"one": 240.0, "two": 500.0}
# Points of a line of so many letters; smaller sizes of Computer Modern are wider than their names say.
SIZES = {"normalsize": 10.0, "small": 9.25, "footnotesize": 8.5, "scriptsize": 8.0}
GAPS = (6, 4, 3, 2)  # left and right of a column, in points
LETTER, DIGIT, BOLD, SMALLER = 0.56, 0.5, 1.15, 0.86
LINE, PAGE = 1.2, 560.0  # the height of a row in the same units, and of a page without its caption in points
TOO_WIDE = "\\scriptsize\n\\setlength{\\tabcolsep}{2pt} % too wide all the same\n"
_LIGATURE = re.compile(r"-(?=-)|'(?=')|,(?=,)")  # LaTeX would join two of them


def to_latex(table: Table, *, width: str | None = None, caption: str | None = None, label: str | None = None) -> str:
    """The table as a `table` with its caption and label; needs the package booktabs. Undefined cells are empty.

    With a `width` of 'one' or 'two' columns of a two-column page, type and gaps are as small as that needs; columns
    that say the same in every row are named in the caption where the table does not fit with them.
    """
    table = table if caption is None else replace(table, caption=caption)
    if width is not None and width not in POINTS:
        raise InputError(f"width is {width!r}", hint=f"it is one of {', '.join(POINTS)} columns of a two-column page")
    sizes = "" if width is None else _sizes(table, POINTS[width])
    if width is not None and sizes == TOO_WIDE:
        table = _without_constants(table)
        sizes = _sizes(table, POINTS[width])
        if sizes == TOO_WIDE:
            wider = "--width two, --layout wide" if width == "one" else "--layout wide"
            what = f"the table is too wide for {width} column{'s' * (width == 'two')} also in the smallest type"
            emit([IrassayWarning("too-wide", f"{what}: {wider} or fewer measures make it narrower")])
    header = _row(_escape(table.header(name).brief) for name in table.columns)
    body = "".join(_row(map(_cell, row)) for row in table_cells(table, missing=""))
    # LaTeX knows no table without columns
    alignment = "".join("r" if numeric else "l" for numeric in numeric_columns(table)) or "l"
    caption_line = f"\\caption{{{_escape(table.caption)}}}\n" if table.caption else ""
    place = re.sub("[^A-Za-z0-9:.-]+", "-", f"tab:{table.name}" if label is None else label)
    name = "table*" if width == "two" else "table"
    return (
        "% needs \\usepackage{booktabs}\n"
        f"\\begin{{{name}}}\n\\centering\n{caption_line}\\label{{{place}}}\n{sizes}"
        f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{header}\\midrule\n{body}\\bottomrule\n"
        f"\\end{{tabular}}\n\\end{{{name}}}\n"
    )


def _sizes(table: Table, width: float) -> str:
    """Commands for the largest type and gaps with which the table is so wide, and no higher than a page."""
    columns = list(zip(*table_cells(table, missing=""), strict=True)) or [()] * len(table.columns)
    extents = [
        max([len(table.header(name).brief) * LETTER, *map(_extent, column)])
        for name, column in zip(table.columns, columns, strict=True)
    ]
    for size, points in SIZES.items():
        for gap in GAPS:
            high = len(table) * LINE * points > PAGE and size != "scriptsize"
            if not high and sum(extents) * points + 2 * gap * len(extents) <= width:
                return f"\\{size}\n\\setlength{{\\tabcolsep}}{{{gap}pt}}\n"
    return TOO_WIDE


def _extent(cell: Cell) -> float:
    """About how wide a cell is, in units of the type's size."""
    per = DIGIT if _NUMBERS.fullmatch(cell.text) else LETTER
    return len(cell.text) * per * (BOLD if cell.bold else 1) + (len(cell.above) + len(cell.below)) * per * SMALLER


def _without_constants(table: Table) -> Table:
    """The table without columns that say the same in every row, which the caption then says."""
    rows = table_cells(table, missing="-")
    texts = {
        name: {cell.text for cell in column}
        for name, column in zip(table.columns, zip(*rows, strict=True), strict=False)
    }
    constant = [name for name, own in texts.items() if len(own) == 1]
    if len(rows) < 2 or not constant or len(constant) == len(table.columns):
        return table
    same = ", ".join(f"{table.header(name).text} {next(iter(texts[name]))}" for name in constant)
    return table.without(constant, caption=f"{table.caption} In every row: {same}.".strip())


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
    text = rf"\textbf{{{text}}}" if cell.bold else text
    text += rf"\textsuperscript{{{_escape(cell.above)}}}" if cell.above else ""
    return text + (rf"\textsubscript{{{_escape(cell.below)}}}" if cell.below else "")

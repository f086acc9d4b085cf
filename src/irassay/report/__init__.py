"""A `Result` for readers: one module per format, from tables to text or bytes. Only `write` writes files."""

from irassay.report.csv_text import to_csv
from irassay.report.folder import save_result
from irassay.report.json_text import to_json
from irassay.report.latex import to_latex
from irassay.report.load import load_result
from irassay.report.markdown import to_markdown
from irassay.report.parquet import to_parquet
from irassay.report.terminal import to_terminal
from irassay.report.trec import to_trec
from irassay.report.write import write

__all__ = [
    "load_result",
    "save_result",
    "to_csv",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_parquet",
    "to_terminal",
    "to_trec",
    "write",
]

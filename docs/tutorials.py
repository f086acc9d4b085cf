"""Executes the notebooks of docs/tutorials and keeps what they show: `make docs`.

A notebook is kept as it would be on any machine and at any time: without counts, times and paths.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call"

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent / "tutorials"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# Where a warning came from: the cell is a temporary file, and the line below the warning is that of the cell.
WARNED = re.compile(r"^\S*ipykernel_\d+\S*:(\d+): (\w+: .*)\n(?:  .*\n)?", re.MULTILINE)


def executed(path: Path, folder: Path) -> Any:
    """The notebook after all its cells ran in a folder."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=place, record_timing=False).execute()
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [_kept(output) for output in cell.outputs]
    notebook.metadata = METADATA
    return notebook


def _kept(output: Any) -> Any:
    if output.output_type == "stream":
        output.text = WARNED.sub(r"line \1: \2\n", output.text)
    else:
        output.metadata = {}
        if "execution_count" in output:
            output.execution_count = None
    return output


def main() -> None:
    for path in sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory(prefix="irassay-") as folder:
            notebook = executed(path, Path(folder))
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

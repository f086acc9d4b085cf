"""What mkdocs does not do by itself for `make site`: whole folders in the navigation, formulas, notebooks.

Formulas become MathML while the site is built, so that no page needs a script or a font from elsewhere.
"""

# mypy: disable-error-code="import-not-found,import-untyped", disallow_subclassing_any=False

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
OUTSIDE = ("CONTRIBUTING.md", "CHANGELOG.md")  # pages of the site that stand above docs/
CODE_OR_FORMULA = re.compile(r"(^```.*?^```|`[^`\n]*`)|\$\$(.+?)\$\$", re.DOTALL | re.MULTILINE)


def on_config(config: Any) -> None:
    """Puts the pages of a folder where the navigation names the folder."""
    config.nav = _expanded(config.nav, Path(config.docs_dir))


def _expanded(items: list[Any], docs: Path) -> list[Any]:
    lines: list[Any] = []
    for item in items:
        if isinstance(item, str) and item.endswith("/"):
            lines += _pages(docs, item)
        elif isinstance(item, dict):
            values = {title: _value(value, docs) for title, value in item.items()}
            lines += [{title: value} for title, value in values.items() if value]
        elif _is_there(docs, item):
            lines.append(item)
    return lines


def _value(value: Any, docs: Path) -> Any:
    """What a title stands for; nothing where there is no such page."""
    if isinstance(value, list):
        return _expanded(value, docs)
    if value.endswith("/"):
        return _pages(docs, value)
    return value if _is_there(docs, value) else None


def _is_there(docs: Path, page: str) -> bool:
    return page in map(str.lower, OUTSIDE) or (docs / page).exists()


def _pages(docs: Path, folder: str) -> list[dict[str, str]]:
    names = sorted((path.stem for path in (docs / folder).glob("*.md")), key=str.lower)
    return [{name: f"{folder}{name}.md"} for name in names]


def on_files(files: Any, config: Any) -> None:
    """Adds the pages above docs/, and makes pages of notebooks."""
    for name in OUTSIDE:
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name.lower(), content=text))
    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        files.remove(file)
        page = Notebook(file.src_uri, file.src_dir, file.dest_dir, file.use_directory_urls)
        page.content_string = notebook_text(json.loads(file.content_string))
        files.append(page)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Makes MathML of `$$…$$` outside code, and leads links out of docs/ to the pages made of their files."""
    up = "../" * page.file.src_uri.count("/")
    for name in OUTSIDE:
        markdown = markdown.replace(f"](../{up}{name}", f"]({up}{name.lower()}")
    return CODE_OR_FORMULA.sub(lambda found: found[1] or formula(found[2]), markdown)


def formula(tex: str) -> str:
    mathml: str = convert(tex.strip(), display="block")
    return f'<div class="formula" tabindex="0">{mathml}</div>'


class Notebook(File):
    """A notebook as a page: its texts, its code, and the outputs that are kept in it. Nothing is executed."""

    def is_documentation_page(self) -> bool:
        return True


def notebook_text(notebook: dict[str, Any]) -> str:
    """A notebook as Markdown."""
    parts: list[str] = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source.strip():
            parts += [f"```python\n{source}\n```", *map(_output, cell["outputs"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def _output(output: dict[str, Any]) -> str:
    """The richest form of an output that is no script."""
    if output["output_type"] == "stream":
        return _block("".join(output["text"]))
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items() if kind != "application/json"}
    if "image/png" in data:
        return f'<img class="output" alt="" src="data:image/png;base64,{data["image/png"].strip()}">'
    if "image/svg+xml" in data:
        return f'<div class="output">{_one_line(data["image/svg+xml"])}</div>'
    if "text/html" in data:
        return f'<div class="output">{_one_line(data["text/html"])}</div>'
    return data["text/markdown"] if "text/markdown" in data else _block(data.get("text/plain", ""))


def _one_line(html: str) -> str:
    """Without line breaks and scripts: a blank line would end the block of Markdown."""
    return " ".join(re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL).split("\n"))


def _block(text: str) -> str:
    return f"``` {{ .text .output }}\n{text.rstrip()}\n```" if text.strip() else ""

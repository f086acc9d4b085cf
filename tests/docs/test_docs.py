"""The documentation is true: generated pages are current, and what they name exists."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from irassay.cli import known_commands
from irassay.studies.registry import studies

ROOT = Path(__file__).parents[2]


def test_the_pages_of_measures_are_what_the_records_say() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "build.py"))
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == made["index"](), "run `make docs`"
    kept = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "measures").iterdir()}
    assert kept == made["pages"](), "run `make docs`"


def test_the_concepts_have_their_current_pictures_and_numbers() -> None:
    page, pictures = runpy.run_path(str(ROOT / "docs" / "concepts.py"))["page_and_pictures"]()
    assert (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8") == page, "run `make docs`"
    folder = ROOT / "docs" / "img" / "concepts"
    assert {path.stem: path.read_text(encoding="utf-8") for path in folder.iterdir()} == pictures, "run `make docs`"


def test_the_page_of_peers_is_what_the_claims_say() -> None:
    made: str = runpy.run_path(str(ROOT / "docs" / "peers.py"))["page"]()
    assert (ROOT / "docs" / "peers.md").read_text(encoding="utf-8") == made, "run `make docs`"


def test_the_page_of_papers_is_what_their_records_say() -> None:
    made: str = runpy.run_path(str(ROOT / "docs" / "papers.py"))["page"]()
    assert (ROOT / "docs" / "papers.md").read_text(encoding="utf-8") == made, "run `make docs`"


def test_the_page_of_every_study_is_what_its_settings_say() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "commands.py"))["page"]
    folder = ROOT / "docs" / "commands"
    for name, study in studies().items():
        assert (folder / f"{name}.md").read_text(encoding="utf-8") == page(study), "run `make docs`"
    assert {path.stem for path in folder.iterdir()} == set(studies())


def test_the_stubs_are_what_the_settings_and_records_say() -> None:
    stubs = runpy.run_path(str(ROOT / "docs" / "stubs.py"))["STUBS"]
    for path, text in stubs.items():
        assert path.read_text(encoding="utf-8") == text(), "run `make docs`"


def test_the_readme_and_the_guides_name_every_command() -> None:
    pages = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/guides.md"))
    assert [name for name in known_commands() if f"irassay {name}" not in pages] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def test_the_readme_opens_with_the_two_commands_that_do_all_the_set_up() -> None:
    opening = (ROOT / "README.md").read_text(encoding="utf-8")[:1200]
    assert "make demo" in opening
    assert "make test" in opening


def test_the_page_of_studies_lists_just_the_references_that_it_cites() -> None:
    text, _, references = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8").partition("## References")
    groups = re.findall(r"\[([^]]*\b[a-z]+\d{4}[a-z]+[^]]*)\]", text)
    cited = {key for group in groups for key in re.findall(r"\b[a-z]+\d{4}[a-z]+\b", group)}
    assert set(re.findall(r"^- (\w+):", references, re.MULTILINE)) == cited


def test_every_link_in_the_documentation_leads_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_start_page_names_every_study_in_its_table_of_questions() -> None:
    table = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert [name for name in studies() if f"| [`{name}`](commands/{name}.md) |" not in table] == []

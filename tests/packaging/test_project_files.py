"""What stands in several files says the same in all, and files for other programs are what those accept."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import irassay

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(*place: str) -> str:
    return ROOT.joinpath(*place).read_text(encoding="utf-8")


def yaml(path: Path) -> Any:
    return YAML(typ="safe").load(path)


def pythons() -> list[str]:
    """The versions that the classifiers name."""
    return re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", WORKFLOWS),
        ("github-issue-forms", FORMS),
        ("github-issue-config", [ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"]),
        ("citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)
def test_files_for_other_programs_keep_to_their_schema(schema: str, files: list[Path]) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_the_same_everywhere() -> None:
    assert yaml(ROOT / "CITATION.cff")["version"] == irassay.__version__
    assert yaml(ROOT / "packaging" / "conda" / "recipe.yaml")["context"]["version"] == irassay.__version__
    assert re.findall(r"^## \[?([\d.]+)", text("CHANGELOG.md"), re.M)[0] == irassay.__version__
    assert "version" in PROJECT["dynamic"]


def test_the_changelog_has_the_form_of_keep_a_changelog() -> None:
    _, *versions = re.split(r"^## ", text("CHANGELOG.md"), flags=re.M)
    for version in versions:
        heading, *sections = re.split(r"^### ", version, flags=re.M)
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)\n.*", heading, re.S)
        assert "\n- " not in heading, "every line belongs to one of the sections"
        names = [section.partition("\n")[0] for section in sections]
        kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
        assert names == [kind for kind in kinds if kind in names]


def test_workflows_may_do_no_more_than_they_must() -> None:
    for path in WORKFLOWS:
        workflow = yaml(path)
        assert workflow["permissions"] == {"contents": "read"}, path.name
        more = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
        wanted = {
            "release.yml": {"publish": {"id-token": "write"}},
            "docs.yml": {"deploy": {"pages": "write", "id-token": "write"}},
        }
        assert more == wanted.get(path.name, {}), path.name


def test_actions_are_pinned_by_major_version() -> None:
    used = [action for path in WORKFLOWS for action in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@(v\d+|release/v\d+)", action)] == []


def test_workflows_test_every_python_that_is_promised() -> None:
    jobs = yaml(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == pythons()
    assert not [job for job in jobs.values() if job.get("continue-on-error") and "ubuntu" in str(job)]


def test_the_recipe_of_conda_requires_what_pip_requires() -> None:
    recipe = yaml(ROOT / "packaging" / "conda" / "recipe.yaml")
    run = [line.replace("${{ python_min }}", recipe["context"]["python_min"]) for line in recipe["requirements"]["run"]]
    wanted = [re.sub(r"(?<=\w)(?=[<>=])", " ", line, count=1) for line in PROJECT["dependencies"]]
    assert run == [f"python {PROJECT['requires-python']}", *wanted]
    assert recipe["context"]["python_min"] == pythons()[0]
    assert recipe["build"]["python"]["entry_points"] == [f"irassay = {PROJECT['scripts']['irassay']}"]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["summary"] == PROJECT["description"]


def test_the_container_has_a_python_that_is_promised_and_does_not_run_as_root() -> None:
    lines = [line.split(maxsplit=1) for line in text("Containerfile").splitlines() if re.match("[A-Z]+ ", line)]
    images = [argument.split()[0] for word, argument in lines if word == "FROM"]
    assert {re.fullmatch(r"python:(3\.\d+)-slim", image)[1] for image in images} <= set(pythons())  # type: ignore[index]
    last = dict(lines)
    assert last["USER"] not in ("root", "0")
    assert list(last).index("USER") < list(last).index("ENTRYPOINT")


def test_the_container_is_built_from_what_the_wheel_needs() -> None:
    kept = re.findall(r"^!(.+)$", text(".dockerignore"), re.M)
    assert {"pyproject.toml", "src", PROJECT["readme"], *PROJECT["license-files"]} == set(kept)
    assert all((ROOT / name).exists() for name in kept)


def test_what_the_oldest_versions_are_is_read_from_the_project() -> None:
    done = subprocess.run([sys.executable, ROOT / "tests" / "oldest.py"], check=True, capture_output=True, text=True)
    lines = done.stdout.split()
    numpy = next(line for line in PROJECT["dependencies"] if line.startswith("numpy"))
    assert re.fullmatch(r"numpy>=([\d.]+),<[\d.]+", numpy)[1] in [line.split("==")[1] for line in lines[:1]]  # type: ignore[index]
    assert len({line.split("==")[0] for line in lines}) == len(lines) > len(PROJECT["dependencies"])

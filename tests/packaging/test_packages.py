"""The sdist and the wheel: built, installed with nothing but what they require, and used."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path
from typing import NamedTuple

import pytest

import irassay
from tests.helpers.fresh_environment import FreshEnvironment

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="environments are linked together")

EVERY_NAME = """
import irassay, irassay.measures, pathlib, sys
assert pathlib.Path(irassay.__file__).is_relative_to(sys.prefix), irassay.__file__
for module in (irassay, irassay.measures):
    for name in module.__all__:
        getattr(module, name)
print(irassay.__version__, *irassay.__all__)
"""


class Built(NamedTuple):
    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both packages as `python -m build` makes them: the wheel from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    ((sdist,), (wheel,)) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def fresh(built: Built, tmp_path_factory: pytest.TempPathFactory) -> FreshEnvironment:
    return FreshEnvironment(tmp_path_factory.mktemp("fresh"), built.wheel)


def test_the_wheel_holds_the_package_and_nothing_else(built: Built) -> None:
    sources = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(built.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == sources
    assert "irassay/py.typed" in names


def test_the_sdist_holds_what_builds_tests_and_documents_irassay_and_no_junk(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        names = [member.name.split("/", 1)[1] for member in sdist.getmembers()]
    wanted = {"src", "tests", "docs", "benchmarks", "Makefile", "pyproject.toml"}
    texts = {path.name for path in ROOT.iterdir() if path.suffix in (".md", ".cff", ".yml")} | {"LICENSE"}
    assert {name.split("/")[0] for name in names} == wanted | texts | {"PKG-INFO", ".gitignore"}
    assert [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".log"))] == []


def test_the_metadata_say_what_pypi_shows(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        (place,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(wheel.read(place).decode("utf-8"))
    assert metadata["Version"] == irassay.__version__
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert str(metadata.get_payload()).startswith("# irassay")
    named = {line.rsplit(" ", 1)[1] for line in metadata.get_all("Classifier", []) if ":: Python :: 3." in line}
    low, high = sorted(named, key=lambda version: int(version.split(".")[1]))[:: len(named) - 1]
    after = f"3.{int(high.split('.')[1]) + 1}"
    assert sorted(metadata["Requires-Python"].split(",")) == [f"<{after}", f">={low}"]


def test_every_public_name_can_be_imported_from_the_wheel(fresh: FreshEnvironment, tmp_path: Path) -> None:
    version, *names = fresh("python", "-c", EVERY_NAME, cwd=tmp_path).split()
    assert version == irassay.__version__
    assert names == irassay.__all__


def test_the_demo_runs_from_the_wheel(fresh: FreshEnvironment, tmp_path: Path) -> None:
    assert "sys1" in fresh("irassay", "demo", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_study_needs_no_extra_for_its_figures_and_report(fresh: FreshEnvironment, tmp_path: Path) -> None:
    fresh(
        "irassay", "demo-data", "--out", "data", "--topics", "6", "--systems", "3", "--documents", "2000", cwd=tmp_path
    )
    study = ("study", "data/qrels.txt", "data/runs", "--only", "stability", "-m", "AP RR", "--out", "results")
    fresh("irassay", *study, cwd=tmp_path)
    drawn = {path.suffix for path in (tmp_path / "results" / "stability" / "figures").iterdir()}
    assert drawn == {".svg", ".pdf", ".png"}
    assert "<svg" in (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    with pytest.raises(AssertionError, match="No module named 'pandas'"):
        fresh("python", "-c", "import pandas", cwd=tmp_path)  # the environment has no extra indeed

"""A Python environment with a wheel and what it requires, without a download: packages of the tests are linked."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


class FreshEnvironment:
    """An environment in a folder; it sees neither the tests' environment nor this checkout."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        library = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        pip = [sys.executable, "-m", "pip", "--python", str(folder), "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
        (installed,) = (Distribution.at(place) for place in library.glob("irassay-*.dist-info"))
        for place in entries(requirements(installed)):
            (library / place.name).symlink_to(place)

    def __call__(self, program: str, *arguments: str, cwd: Path) -> str:
        """What a program of the environment prints on stdout; an error where it fails."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
        command = [str(self.folder / "bin" / program), *arguments]
        done = subprocess.run(command, cwd=cwd, env=kept, check=False, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def requirements(wanting: Distribution) -> dict[str, Distribution]:
    """The distributions that one requires without any extra, and those that they require."""
    names: dict[str, Distribution] = {}
    waiting = [wanting]
    while waiting:
        for line in waiting.pop().requires or ():
            one = Requirement(line)
            name = canonicalize_name(one.name)
            if name not in names and (one.marker is None or one.marker.evaluate({"extra": ""})):
                names[name] = distribution(one.name)
                assert one.specifier.contains(names[name].version, prereleases=True), line
                waiting.append(names[name])
    return names


def entries(distributions: dict[str, Distribution]) -> Iterator[Path]:
    """The files and folders in site-packages that belong to some distributions."""
    for one in distributions.values():
        tops = {file.parts[0] for file in one.files or () if file.parts[0] not in ("..", "__pycache__")}
        yield from (Path(str(one.locate_file(top))) for top in sorted(tops))

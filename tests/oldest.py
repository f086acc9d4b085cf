"""Constraints for pip: the oldest version of all that irassay uses, from the bounds in pyproject.toml."""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
# What only builds, checks or tests the project may be of any version.
ANY_VERSION = {"test", "docs", "cuda"}


def oldest() -> list[str]:
    """`name==version` for the lower bound of every requirement."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for name in extras if name not in ANY_VERSION for line in extras[name])]
    bounds = [re.match(r"([\w.-]+)>=([\w.]+)", line) for line in wanted]
    return [f"{bound[1]}=={bound[2]}" for bound in bounds if bound]


if __name__ == "__main__":
    sys.stdout.write("\n".join(oldest()) + "\n")

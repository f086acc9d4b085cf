"""Small files to give to studies with something wrong, and the check of how a command refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from irassay.cli import run

SAMPLED = ("power", "swap", "stability", "agreement", "gains", "compare")
ROWS = [
    f"{s},{t},{m},{(t * 7 + k * 3 + n) % 10 / 10}"
    for k, s in enumerate("abc")
    for t in range(1, 6)
    for n, m in enumerate(("AP", "RR"))
]
HEADER = "system,topic,measure,score"


def write_small_collection() -> None:
    """Judgments, three runs, a score table and groups, in the current folder."""
    Path("runs").mkdir()
    lines = [f"{t} 0 d{d} {(t + d) % 3}\n" for t in range(1, 6) for d in range(4)]
    Path("qrels.txt").write_text("".join(lines))
    for k, name in enumerate("abc"):
        ranked = [(t, (d * (k + 1) + t) % 4, d) for t in range(1, 6) for d in range(3)]
        Path("runs", name).write_text(
            "".join(f"{t} Q0 d{d} 0 {-r} {name}\n" for t, d, r in dict.fromkeys(ranked) if k != 1 or r < 2)
        )
    Path("scores.csv").write_text("\n".join([HEADER, *ROWS, ""]))
    Path("groups.txt").write_text("a one\nb two\nc two\n")


class Refusal:
    """Runs a command that must fail, and gives what it writes to stderr."""

    def __init__(self, capture: Any) -> None:
        self.capture = capture

    def __call__(self, *arguments: str, hint: bool = True) -> str:
        """What a command that must fail says."""
        self.capture.readouterr()
        status = run(arguments)
        out, err = self.capture.readouterr()
        assert (status, out) == (2, ""), err
        assert err.startswith("error: "), err
        assert ("\n\nhint: " in err) or not hint, err
        assert "Traceback" not in err
        return str(err)


def write(name: str, rows: list[str]) -> str:
    Path(name).write_text("\n".join([HEADER, *rows, ""]))
    return name


def runs_of(study: str) -> list[str]:
    return [study, "qrels.txt", "runs", *(["-m", "Q nDCG"] if study == "gains" else ["-m", "AP RR"])]

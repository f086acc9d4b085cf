"""Results of the finished parts of work that has several, kept until all are done: the same work goes on from there."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from irassay._version import __version__
from irassay.compute.checkpoint import Checkpoint
from irassay.compute.digest import digest
from irassay.errors import InputError
from irassay.read import Qrels, Runs
from irassay.report.folder import save_result
from irassay.report.load import load_result
from irassay.report.place import CHECKPOINT, holds_result
from irassay.result import NUMERICS, Result


def contents_of(qrels: Qrels, runs: Runs) -> str:
    """A name for judgments and runs: another one where any line of them is another."""
    lists = [(run.name, run.entry, run.score, run.rank, run.segment_topic, run.segment_row) for run in runs]
    return digest((qrels.vocabulary.contents, qrels.grade, runs.vocabulary.contents, lists))


class KeptResults:
    """Results by name in the folder of the whole result; in none (None) nothing is kept.

    `settings` and the contents of the inputs must be those of the work that is unfinished there, unless with `force`.
    """

    def __init__(self, folder: Path | None, settings: Mapping[str, str], inputs: Mapping[str, str], *, force: bool):
        self.place = folder / CHECKPOINT if folder else None
        if self.place is None:
            return
        version = f"{__version__} (numerics {NUMERICS})"
        contents = {f"contents of {name}" if name else "contents": text for name, text in inputs.items()}
        checkpoint = Checkpoint(self.place, {**settings, "irassay": version, **contents}, {}, force=force)
        checkpoint.open()
        checkpoint.mark()

    def folder(self, name: str) -> str | None:
        """Where the result of that name will be; long work on it has its own checkpoint there."""
        return None if self.place is None else str(self.place / name)

    def get(self, name: str) -> Result | None:
        """The result of that name, where it is finished."""
        if self.place is None or not holds_result(self.place / name):
            return None
        try:
            return load_result(self.place / name)
        except InputError:  # it is made again
            shutil.rmtree(self.place / name)
            return None

    def keep(self, name: str, result: Result) -> None:
        if self.place is not None:
            save_result(result, self.place / name)

    def discard_if_empty(self) -> None:
        """Leave nothing where nothing is finished."""
        if self.place is None or any(one.is_dir() for one in self.place.iterdir()):
            return
        shutil.rmtree(self.place)
        if not any(self.place.parent.iterdir()):
            self.place.parent.rmdir()

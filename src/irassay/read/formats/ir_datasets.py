"""ir_datasets: judgments of a dataset, by `ir_datasets:ID` or as the dataset itself."""

from typing import Any

from irassay.errors import InputError, import_extra
from irassay.files import IR_DATASETS
from irassay.read.columns import Columns
from irassay.read.formats.records import record_columns
from irassay.read.registry import MemoryFormat

ROWS = {"grade": "qrels", "score": "scoreddocs"}


def _recognise(source: Any) -> bool:
    return (isinstance(source, str) and source.startswith(IR_DATASETS)) or hasattr(source, "qrels_iter")


def _columns(source: Any, value: str, place: str) -> Columns:
    dataset = source
    if isinstance(source, str):
        library = import_extra("ir_datasets", "ir-datasets", f"reading {source}")
        try:
            dataset = library.load(source.removeprefix(IR_DATASETS))
        except KeyError:
            hint = "the ids are listed at ir-datasets.com, such as ir_datasets:beir/scifact/test"
            raise InputError("ir_datasets has no dataset of this id", source, hint) from None
    rows = ROWS[value]
    if not getattr(dataset, f"has_{rows}", lambda: hasattr(dataset, f"{rows}_iter"))():
        hint = "choose a dataset with a split, such as ir_datasets:beir/scifact/test"
        raise InputError(f"the dataset has no {rows}", source if isinstance(source, str) else place, hint)
    return record_columns(list(getattr(dataset, f"{rows}_iter")()), value, place)


DATASETS = MemoryFormat(_recognise, _columns)

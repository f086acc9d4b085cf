"""Long and wide tables as Parquet, with the index of a pandas frame."""

from irassay.errors import InputError, import_extra
from irassay.read.registry import ScoreFormat
from irassay.read.score_cells import CellCollector, ScoreFile
from irassay.read.table_shapes import long_table


def _read(file: ScoreFile, cells: CellCollector) -> None:
    pyarrow = import_extra("pyarrow", "parquet", "reading Parquet")
    parquet = import_extra("pyarrow.parquet", "parquet", "reading Parquet")
    try:
        table = parquet.ParquetFile(file.path).read()
        header, columns = list(table.column_names), [column.to_pylist() for column in table.columns]
        for index in (table.schema.pandas_metadata or {}).get("index_columns", ()):
            if isinstance(index, dict) and index.get("name"):  # consecutive topics: pandas keeps their range
                header.append(index["name"])
                columns.append(list(range(index["start"], index["stop"], index["step"])))
    except (pyarrow.ArrowException, OSError) as problem:
        raise InputError(f"damaged Parquet ({problem})", str(file.path), "write the file again") from None
    rows = [(f"{file.path} row {n}", row) for n, row in enumerate(zip(*columns, strict=True), 1)]
    cells.add_table(file, *long_table(header, rows, several=cells.several))


PARQUET = ScoreFormat(_read, magic=b"PAR1")

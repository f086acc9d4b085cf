"""Every replicate's system means as one table, for other tools."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from irassay.ask.replicates import Replicates
from irassay.report.csv_text import to_csv
from irassay.report.parquet import to_parquet
from irassay.report.write import write
from irassay.result import Table


def export_table(all_replicates: Sequence[Replicates]) -> Table:
    """Every system's score on every replicate."""
    labels: dict[str, list[str]] = {"measure": [], "variation": []}
    replicate, system, mean = [], [], []
    for one in all_replicates:
        for m, measure in enumerate(one.measures):
            number, place = np.indices(one.means[m].shape)
            labels["measure"] += [measure] * number.size
            labels["variation"] += [one.variation] * number.size
            replicate.append(number.ravel())
            system += np.array(one.systems, dtype=object)[place.ravel()].tolist()
            mean.append(one.means[m].ravel())
    return Table(
        "replicates",
        {**labels, "replicate": np.concatenate(replicate), "system": system, "mean": np.concatenate(mean)},
    )


def export(all_replicates: Sequence[Replicates], path: str) -> None:
    """Write them as CSV or Parquet, by the ending of the name."""
    table = export_table(all_replicates)
    write(to_csv(table) if path.endswith(".csv") else to_parquet(table), Path(path))

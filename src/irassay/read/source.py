"""What reading gives of one run, or of judgments: where they are, in which format, and their rows."""

from typing import NamedTuple

from irassay.read.tokens import Block


class Source(NamedTuple):
    """One run, or judgments; `unit` is what a row is there: "line", "record" or "row"."""

    place: str
    format: str
    unit: str
    blocks: list[Block]
    run_order: str = "trec"  # of judgments: the order of runs that go with them

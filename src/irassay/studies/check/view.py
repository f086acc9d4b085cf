"""What of `irassay check` fits a screen."""

from irassay.result import Result, Table
from irassay.studies.check.describe import visible_ties


def view(result: Result, settings: object) -> list[Table]:
    """The tables, without ties that move no digit that is shown."""
    return [visible_ties(table) if table.name == "ties" else table for table in result.tables]

"""What people read above a column in place of its name in files, and what it means.

Files keep the names, which programs rely on. A table says in its own `headers` where a name means something else there.
"""

from irassay.headers.judges import JUDGES
from irassay.headers.numbers import NUMBERS
from irassay.headers.record import Header
from irassay.headers.rows import ROWS
from irassay.headers.uncertainty import UNCERTAINTY

__all__ = ["HEADERS", "Header", "header_of"]

HEADERS = ROWS | NUMBERS | UNCERTAINTY | JUDGES

# Bounds, errors and other values of a quantity that has a header of its own.
_SUFFIXES = {
    "_low": ("{} from", "Lower end of the 95% interval"),
    "_high": ("{} to", "Upper end of the 95% interval"),
    "_mc": ("± {}", "Monte-Carlo error"),
    "_q2.5": ("{}, 2.5% quantile", "2.5% of the replicates have less"),
    "_q97.5": ("{}, 97.5% quantile", "2.5% of the replicates have more"),
    "_ceiling": ("{}, ceiling", "The reference's order on samples of the topics against its own on all topics"),
    "_on_draws": ("{}, on draws", "The judge's order on samples of the topics against the reference's on all topics"),
    "_human": ("{}, human", "The human judge against the reference"),
    "_holm": ("{} (corrected)", "Corrected by Holm for the number of groups"),
    "_printed": ("{}, printed", "The number that the paper prints"),
}


def header_of(name: str) -> Header:
    """The header of a column with this name; a name without one is read as words."""
    if name in HEADERS:
        return HEADERS[name]
    for suffix, (form, meaning) in _SUFFIXES.items():
        if name.endswith(suffix) and name != suffix:
            base = header_of(name.removesuffix(suffix))
            return Header(form.format(base.text), form.format(base.brief), f"{meaning}. {base.meaning}".strip())
    return Header(name.replace("_", " "))

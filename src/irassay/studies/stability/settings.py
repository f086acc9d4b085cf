"""`irassay stability`: how often samples of the topics put two systems in the other order (sakai2007bootstrap)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from irassay.errors import InputError
from irassay.settings import Resampling, numbers, option
from irassay.tolerance import WHOLE

_RANGE = re.compile(r"\s*[0-9.]+\s*-\s*[0-9.]+\s*")


@dataclass(frozen=True, kw_only=True)
class Stability(Resampling):
    """Stability method: minority rate and proportion of ties, for differences within a margin called ties.

    For every fuzziness f a difference below f times the better score is a tie. A measure is the better the lower both
    the minority rate (samples that contradict the majority) and the proportion of ties are.

    \b
    irassay stability qrels.txt runs/ -m "AP nDCG@10 RR"
    """

    fuzziness: str | float | Sequence[float] = option(
        "0.01-0.20", "margins: 0.01,0.05,0.1 or a range in steps of 0.01", metavar="LIST"
    )

    @property
    def margins(self) -> tuple[float, ...]:
        hint = "margins lie from 0 to 1: write 0.01,0.05 or 0.01-0.20"
        if isinstance(self.fuzziness, str) and _RANGE.fullmatch(self.fuzziness):
            low, high = (numbers(text, "fuzziness", hint)[0] for text in self.fuzziness.split("-"))
            margins = tuple(k / 100 for k in range(round(low * 100), round(min(high, 2.0) * 100) + 1))
            if any(abs(end * 100 - round(end * 100)) > WHOLE for end in (low, high)):
                raise InputError(f"fuzziness is {self.fuzziness}: a range has steps of 0.01", hint=hint)
        else:
            margins = numbers(self.fuzziness, "fuzziness", hint)
        if not margins or not all(0 <= f <= 1 for f in margins):
            raise InputError(f"fuzziness is {self.fuzziness}", hint=hint)
        return margins

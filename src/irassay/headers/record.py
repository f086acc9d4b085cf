"""What people read above a column."""

from typing import NamedTuple


class Header(NamedTuple):
    """The header of a column: plain text, a shorter one where there is little space, and its meaning in a sentence."""

    text: str
    short: str = ""
    meaning: str = ""

    @property
    def brief(self) -> str:
        """The shortest text."""
        return self.short or self.text

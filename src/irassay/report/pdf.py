"""A PDF whose bytes are those of its content alone.

vl-convert writes fonts and the names of what can be seen through as the hashes of its process fall, so that the same
figure has other bytes each time. Here objects are numbered as one comes to them from the trailer.
"""

import re
from itertools import pairwise

OFFSET = re.compile(rb"^(\d{10}) \d{5} n", re.MULTILINE)
REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
RESOURCES = re.compile(rb"(?:^ +/[a-z]+[0-9]+ [0-9]+ 0 R\n){2,}", re.MULTILINE)  # one name a line


def in_order(pdf: bytes) -> bytes:
    """The same document with its objects in order; as it is where it is not written as vl-convert writes."""
    table = pdf.rfind(b"\nxref\n") + 1
    trailer = pdf[pdf.find(b"trailer\n", table) : pdf.rfind(b"startxref\n")]
    places = sorted(int(place) for place in OFFSET.findall(pdf, table))
    heads, streams = {}, {}
    for begin, end in pairwise([*places, table]):
        number, _, body = pdf[begin:end].partition(b" 0 obj\n")
        head, mark, stream = body.partition(b"stream\n")
        heads[number], streams[number] = RESOURCES.sub(_sorted, head), mark + stream
    numbers = _numbers(heads, trailer)
    if not places or len(numbers) != len(places):
        return pdf

    def renumbered(text: bytes) -> bytes:
        return REFERENCE.sub(lambda reference: b"%d 0 R" % numbers[reference[1]], text)

    out, offsets = bytearray(pdf[: places[0]]), []
    for number in numbers:
        offsets.append(len(out))
        out += b"%d 0 obj\n" % numbers[number] + renumbered(heads[number]) + streams[number]
    start = b"startxref\n%d\n%%%%EOF" % len(out)
    out += b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(offsets) + 1)
    out += b"".join(b"%010d 00000 n\r\n" % offset for offset in offsets)
    return bytes(out) + renumbered(trailer) + start


def _sorted(lines: re.Match[bytes]) -> bytes:
    return b"".join(sorted(lines[0].splitlines(keepends=True)))


def _numbers(heads: dict[bytes, bytes], trailer: bytes) -> dict[bytes, int]:
    """The new number of each object, from 1 in the order in which the trailer leads to them."""
    numbers: dict[bytes, int] = {}
    left = [trailer]
    while left:
        for number in REFERENCE.findall(left.pop()):
            if number in heads and number not in numbers:
                numbers[number] = len(numbers) + 1
                left.append(heads[number])
    return numbers

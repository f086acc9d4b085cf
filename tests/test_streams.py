"""Random streams: one number for each purpose."""

from __future__ import annotations

from irassay import streams

NUMBERS = {name: value for name, value in vars(streams).items() if name.isupper()}


def test_no_two_streams_share_a_number() -> None:
    assert len(set(NUMBERS.values())) == len(NUMBERS)


def test_no_stream_lies_among_those_that_replace_rejected_words_of_a_corpus() -> None:
    inside = {name for name, number in NUMBERS.items() if streams.CORPUS_DRAWS < number < streams.CORPUS_DRAWS_END}
    assert not inside


def test_every_stream_that_the_package_draws_from_is_registered() -> None:
    """A module with a number of its own after `stream=` would escape the registry."""
    import re
    from pathlib import Path

    source = Path(streams.__file__).parent
    literal = re.compile(r"\bstream\s*=\s*(?:np\.uint32\()?\d")
    assert not [path for path in source.rglob("*.py") if literal.search(path.read_text())]

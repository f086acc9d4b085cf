"""Whether a test fails where one thing of `irassay.ask` is changed: `python -m tests.mutants --help`."""

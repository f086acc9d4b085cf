"""Input that nobody meant to give: every case is a function of its seed. `python -m tests.fuzz --help`."""

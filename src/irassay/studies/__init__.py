"""One file per study: a frozen dataclass whose fields are its options, and `run(...) -> Result`."""
